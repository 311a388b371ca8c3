import type { Journal } from './journal.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { type Column, rowCodec, type RowOf, value, withoutNulls } from '../../sqlite/row-codec.ts';

/** What may be done about a row. */
export type StepName =
  /** The intent was written: the request may have left from here on. */
  | 'sent'
  /** An answer came, or it is known that none will. */
  | 'answered'
  /** The service was read, and what it listed settled the row. */
  | 'looked'
  /** What comparing found stopped the row, or made it what it is. */
  | 'planned'
  /** The audit at the end of a run found otherwise than was claimed. */
  | 'audited'
  /** A person said what became of it. */
  | 'decided'
  /** It was deleted, or was to be. */
  | 'deleted'
  /** Of the run itself: what was said of it as a warning. */
  | 'warned'
  /** Of the run itself: how many requests the service allowed, as JSON. */
  | 'paced';

/** Stands for the run as a whole where a step is of no row. */
export const RUN_ITSELF = -1;

/** One thing that was done about a row. */
export interface Step {
  /** Later steps of any run have higher ones. */
  no: number;
  /** Milliseconds since 1970. */
  at: number;
  what: StepName;
  /** HTTP status. */
  status: number | undefined;
  requestId: string | undefined;
  /** State and reason, in words. Holds no values of persons. */
  detail: string | undefined;
}

/** The steps of a row that is being read, oldest first. */
export const STEPS: Column<readonly Step[]> = {
  sql: `(SELECT json_group_array(json_object('no', no, 'at', at, 'what', what, 'status', step.status,
      'requestId', request_id, 'detail', detail) ORDER BY no)
    FROM step WHERE step.run = row.run AND step.seq = row.seq)`,
  width: 1,
  read: (cells, at) => (JSON.parse(cells[at] as string) as Step[]).map(withoutNulls),
};

/** Of one row, or of the run itself. */
export const stepsOf = (journal: Journal, run: string, seq: number): Step[] =>
  journal.all<Step>(
    `SELECT no, at, what, status, request_id AS requestId, detail FROM step
     WHERE run = $run AND seq = $seq ORDER BY no`,
    { run, seq },
  );

/** Notes a step of a row. Returns its number. */
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

/** What was warned of in a run, each once. */
export function warningsOf(journal: Journal, run: string): string[] {
  const warned = stepsOf(journal, run, RUN_ITSELF).filter(({ what }) => what === 'warned');
  return [...new Set(warned.flatMap(({ detail }) => detail ?? []))];
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

/** What an audit finds besides the values of a row. The message is a clause and holds no values of persons. */
const FINDING = rowCodec({
  kind: value<FindingKind>(),
  /** Undefined where no row of the run stands for the registration. */
  seq: value<number | undefined>(),
  id: value<string | undefined>('remote_id'),
  barcode: value<string | undefined>(),
  message: value<string>(),
});
export type Finding = RowOf<typeof FINDING>;

/** Keeps a finding with its run, once. */
export function addFinding(journal: Journal, run: string, finding: Finding): void {
  const { kind, seq, id, barcode, message } = finding;
  journal.run(
    `INSERT INTO finding (run, seq, remote_id, barcode, kind, message)
     SELECT $run, $seq, $id, $barcode, $kind, $message WHERE NOT EXISTS (
       SELECT 1 FROM finding WHERE run = $run AND seq IS $seq AND remote_id IS $id AND barcode IS $barcode
         AND kind = $kind AND message = $message)`,
    { run, seq, id, barcode, kind, message },
  );
}

/** The findings of a run, oldest first; at most `limit`. */
export function readFindings(journal: Journal, run: string, limit = -1): Finding[] {
  return journal.read(FINDING, 'FROM finding WHERE run = $run ORDER BY no LIMIT $limit', { run, limit });
}

export const countFindings = (journal: Journal, run: string): number =>
  journal.count('FROM finding WHERE run = $run', { run });
