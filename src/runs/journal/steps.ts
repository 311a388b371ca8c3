import { type Journal, rowReader } from './journal.ts';

/** One thing that was done about a row. */
const STEP_NAMES = [
  /** The intent was written: the request may have left from here on. */
  'sent',
  /** An answer came, or it is known that none will. */
  'answered',
  /** The service was read, and what it listed settled the row. */
  'looked',
  /** What comparing found stopped the row, or made it what it is. */
  'planned',
  /** The audit at the end of a run found otherwise than was claimed. */
  'audited',
  /** A person said what became of it. */
  'decided',
  /** It was deleted, or was to be. */
  'deleted',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface Step {
  /** Milliseconds since 1970. */
  at: number;
  what: StepName;
  /** HTTP status. */
  status?: number | undefined;
  requestId?: string | undefined;
  /** State and reason, in words. Holds no values of persons. */
  detail?: string | undefined;
}

const toStep = rowReader<Step>();

/** Notes a step of a row. Returns its number: later steps of any run have higher ones. */
export function addStep(
  journal: Journal,
  run: string,
  seq: number,
  { at, what, status, requestId, detail }: Step,
): number {
  return journal.insert(
    'INSERT INTO step (run, seq, at, what, status, request_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [run, seq, at, what, status, requestId, detail],
  );
}

/** The steps of a row, oldest first. */
export function readSteps(journal: Journal, run: string, seq: number): Step[] {
  return journal
    .all<object>(
      `SELECT at, what, status, request_id AS requestId, detail FROM step
       WHERE run = $run AND seq = $seq ORDER BY no`,
      { $run: run, $seq: seq },
    )
    .map(toStep);
}

/** The number of the latest step of any run. */
export function latestStep(journal: Journal): number {
  // Not the highest there is: the steps of a purged run are gone, and their numbers stay used.
  return journal.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'step'`)?.seq ?? 0;
}
