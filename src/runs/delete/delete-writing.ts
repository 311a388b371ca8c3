import type { DeleteRow } from '../../sync/journal/delete-rows.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { noteDeletion } from '../../sync/journal/runs.ts';
import { addStep } from '../../sync/journal/steps.ts';

/** Where a deletion is written about. */
export interface DeletionOf {
  journal: Journal;
  run: string;
  service: string;
  now: number;
}

/** Writes the intent: from here on the request with this id may have left. It is on the disk when this returns. */
export function writeDeletionIntent(
  { journal, run, service, now }: DeletionOf,
  { seq, id, barcode }: DeleteRow,
  requestId: string,
): void {
  journal.transaction(() => {
    const no = addStep(journal, run, seq, { at: now, what: 'deleted', requestId, detail: 'asked for' });
    journal.run(
      `UPDATE row SET state = 'sending', attempts = attempts + 1, sent_at = $now, sent_no = $no
       WHERE run = $run AND seq = $seq`,
      { run, seq, now, no },
    );
    noteDeletion(journal, service, { id, barcode }, 'uncertain', run);
  });
}

/** Writes what became of a deletion, for this run and for the pushes that sent the registration. */
export function writeDeletionOutcome(
  { journal, run, service, now }: DeletionOf,
  { seq, id, barcode }: DeleteRow,
  outcome: RowOutcome,
  what: 'deleted' | 'looked' = 'deleted',
): void {
  journal.transaction(() => {
    writeOutcome(journal, run, seq, outcome, now, what);
    if (outcome.state === 'deleted') noteDeletion(journal, service, { id, barcode }, 'deleted', run);
    // The service has said that it keeps it.
    if (outcome.state === 'failed') noteDeletion(journal, service, { id, barcode }, 'done', run);
  });
}
