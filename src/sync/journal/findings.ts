import type { FindingKind } from '../../report/views/summary-view.ts';
import type { Journal } from './journal.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

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
