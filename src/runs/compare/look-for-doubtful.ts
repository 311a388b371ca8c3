import { imageOf } from '../../registration/model/registration.ts';
import type { RowComparer } from './compare-row.ts';
import { chunksOf, type ComparedRow, DOUBTFUL } from '../journal/run-rows.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';

type DoubtContext = Pick<SendContext, 'journal' | 'run' | 'clock'>;

/**
 * Rows in doubt are not planned. One that was never sent gets what is there now, to be told apart later from
 * what becomes of it; where an e-mail is one person, one that finds its own, with the same values, is there.
 */
export function lookForDoubtful(context: DoubtContext, comparer: RowComparer): void {
  for (const rows of chunksOf(context, DOUBTFUL)) {
    context.journal.transaction(() => {
      for (const row of rows) look(context, comparer, row);
    });
  }
}

function look({ journal, run, clock }: DoubtContext, comparer: RowComparer, row: ComparedRow): void {
  if (row.registration.barcode === undefined && !comparer.byEmail) return;
  const { record, action } = comparer.compare(row) ?? {};
  if (record === undefined) return;
  if (row.registration.barcode !== undefined) {
    const before = JSON.stringify(imageOf(record));
    const values = { $run: run, $seq: row.seq, $before: before };
    journal.run('UPDATE row SET before = $before WHERE run = $run AND seq = $seq', values);
  } else if (action === 'unchanged') {
    const message = 'found in the service by its e-mail';
    writeOutcome(
      journal,
      run,
      row.seq,
      { state: 'done', remoteId: record.id, message },
      clock.now(),
      'looked',
    );
  }
}
