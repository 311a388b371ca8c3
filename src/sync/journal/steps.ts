import type { Journal } from './journal.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { type Column, rowCodec, type RowOf, value, withoutNulls } from '../../sqlite/row-codec.ts';

/** What may be done about a row. */
export type StepName =
  /** The service was read, and what it listed settled the row. */
  | 'looked'
  /** What comparing found stopped the row, or made it what it is. */
  | 'planned'
  /** The audit at the end of a run found otherwise than was claimed. */
  | 'audited'
  /** A person said what became of it. */
  | 'decided'
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
  /**
   * `sent`: the intent was written, from here on the request may have left; `answered`: an answer came, or it is known that
   * none will; `deleted`: either of them, of what is to be deleted.
   */
  what: StepName | 'sent' | 'answered' | 'deleted';
  /** HTTP status. */
  status: number | undefined;
  requestId: string | undefined;
  /** State and reason, in words. Holds no values of persons. */
  detail: string | undefined;
}

/** A request for a row, as its row keeps it. */
type Send = Omit<Step, 'what'> & { answer?: Omit<Step, 'what'> };

/** The steps of a row that is being read, oldest first: its requests, and what else was done about it. */
export const STEPS: Column<readonly Step[]> = {
  sql: `row.op, row.sends, (SELECT json_group_array(json_object('no', no, 'at', at, 'what', what, 'status', step.status,
      'requestId', request_id, 'detail', detail)) FROM step WHERE step.run = row.run AND step.seq = row.seq)`,
  width: 3,
  read: (cells, at) => {
    const others = (JSON.parse(cells[at + 2] as string) as Step[]).map(withoutNulls);
    const sends = JSON.parse((cells[at + 1] ?? '[]') as string) as Send[];
    const all = [...others, ...sends.flatMap((send) => stepsOfSend(send, cells[at] === 'delete'))];
    return all.sort((one, other) => one.no - other.no);
  },
};

function stepsOfSend({ answer, ...send }: Send, isDeletion: boolean): Step[] {
  const none = { status: undefined, requestId: undefined, detail: undefined };
  const sent = { what: 'sent', ...none, ...send } as const;
  const answered =
    answer &&
    ({ ...none, ...answer, what: 'answered', requestId: answer.requestId ?? send.requestId } as const);
  const steps: Step[] = answered === undefined ? [sent] : [sent, answered];
  if (!isDeletion) return steps;
  return steps.map((step) => ({ ...step, what: 'deleted', detail: step === sent ? ASKED : step.detail }));
}

const ASKED = 'asked for';

/** Of the run itself. */
export const stepsOfRun = (journal: Journal, run: string): Step[] =>
  journal.all<Step>(
    `SELECT no, at, what, status, request_id AS requestId, detail FROM step
     WHERE run = $run AND seq = ${RUN_ITSELF} ORDER BY no`,
    { run },
  );

/** Notes a step of a row. Returns its number. */
export function addStep(
  journal: Journal,
  run: string,
  seq: number,
  { at, what, status, requestId, detail }: Pick<Step, 'at'> & Partial<Step> & { what: StepName },
): number {
  const no = journal.nextNo();
  journal.add('step', { run, seq, no, at, what, status, requestId, detail });
  return no;
}

/** What was warned of in a run, each once. */
export function warningsOf(journal: Journal, run: string): string[] {
  const warned = stepsOfRun(journal, run).filter(({ what }) => what === 'warned');
  return [...new Set(warned.flatMap(({ detail }) => detail ?? []))];
}

/** When the requests for rows of a run left, the first first. */
export const sentTimes = (journal: Journal, run: string): number[] =>
  journal
    .all<{ at: number }>(
      `SELECT send.value ->> 'at' AS at FROM operation, json_each(operation.sends) AS send WHERE run = $run ORDER BY at`,
      { run },
    )
    .map(({ at }) => at);

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
export const readFindings = (journal: Journal, run: string, limit = -1): Finding[] =>
  journal.read(FINDING, 'FROM finding WHERE run = $run ORDER BY no LIMIT $limit', { run, limit });

export const countFindings = (journal: Journal, run: string): number =>
  journal.count('FROM finding WHERE run = $run', { run });
