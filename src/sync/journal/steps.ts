import type { Journal } from './journal.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** One thing that was done about a row. */
const STEP_NAMES = [
  /** The intent was written: the request may have left from here on. */
  'sent',
  /** An answer came, or it is known that none will. */
  'answered',
  /** The service was read, and what it listed settled the row. */
  'looked',
  /** Rows of the files were not sent, since others of the same people are: see `LeftOutBeside`. */
  'left out',
  /** What comparing found stopped the row, or made it what it is. */
  'planned',
  /** The audit at the end of a run found otherwise than was claimed. */
  'audited',
  /** A person said what became of it. */
  'decided',
  /** It was deleted, or was to be. */
  'deleted',
  /** Of the run itself: what was said of it as a warning. */
  'warned',
  /** Of the run itself: how many requests the service allowed, as JSON. */
  'paced',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** Stands for the run as a whole where a step is of no row. */
export const RUN_ITSELF = -1;

/** What the step of rows that were left out holds, as JSON: each with its place, beside the number of the row that was kept. */
export type LeftOutBeside = readonly { kept: number; place: string }[];

const STEP = rowCodec({
  seq: value<number>(),
  /** Milliseconds since 1970. */
  at: value<number>(),
  what: value<StepName>(),
  /** HTTP status. */
  status: value<number | undefined>(),
  requestId: value<string | undefined>(),
  /** State and reason, in words. Holds no values of persons. */
  detail: value<string | undefined>(),
});
export type Step = Omit<RowOf<typeof STEP>, 'seq'>;

/** Notes a step of a row. Returns its number: later steps of any run have higher ones. */
export function addStep(
  journal: Journal,
  run: string,
  seq: number,
  { at, what, status, requestId, detail }: Pick<Step, 'at' | 'what'> & Partial<Step>,
): number {
  return journal.insert(
    'INSERT INTO step (run, seq, at, what, status, request_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [run, seq, at, what, status, requestId, detail],
  );
}

/** The steps of some rows by their numbers, each oldest first. */
export function stepsOfRows(journal: Journal, run: string, seqs: readonly number[]): Map<number, Step[]> {
  const found = journal.read(
    STEP,
    'FROM step WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs)) ORDER BY no',
    { run, seqs: JSON.stringify(seqs) },
  );
  const steps = new Map<number, Step[]>(seqs.map((seq) => [seq, []]));
  for (const { seq, ...step } of found) steps.get(seq)?.push(step);
  return steps;
}

/** What was warned of in a run, each once. */
export function warningsOf(journal: Journal, run: string): string[] {
  const steps = stepsOfRows(journal, run, [RUN_ITSELF]).get(RUN_ITSELF) ?? [];
  const texts = steps.flatMap(({ what, detail }) =>
    what === 'warned' && detail !== undefined ? [detail] : [],
  );
  return [...new Set(texts)];
}

/** When the requests for rows of a run left, the first first. */
export const sentTimes = (journal: Journal, run: string): number[] =>
  journal
    .all<{ at: number }>(
      `SELECT at FROM step WHERE run = $run AND (what = 'sent' OR (what = 'deleted' AND detail = 'asked for')) ORDER BY at`,
      { run },
    )
    .map(({ at }) => at);

/** The number of the latest step of any run. */
export function latestStep(journal: Journal): number {
  // Not the highest there is: the steps of a purged run are gone, and their numbers stay used.
  return journal.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'step'`)?.seq ?? 0;
}
