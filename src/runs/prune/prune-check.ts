import { UNFINISHED } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { listedAs } from '../delete/delete-name.ts';
import { deletions } from '../journal/delete-rows.ts';
import { writeDeletionOutcome } from '../delete/delete-writing.ts';
import type { ListReading } from '../listed/read-listed.ts';
import type { Journal } from '../journal/journal.ts';
import { emailOf } from '../judge/near.ts';
import { rowCodec, type RowOf, said, value } from '../journal/row-codec.ts';
import type { SendContext } from '../journal/send-context.ts';

type CheckContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock'>;

/**
 * Takes off the list of a run what its rows have turned out to stand for: the service answered a row with its
 * id, or lists it under the barcode of a row by now. Returns how many.
 */
export function keepOwn({ journal, run, target, clock }: CheckContext, { listed }: ListReading): number {
  const about = { journal, run, service: target.service, now: clock.now() };
  let kept = 0;
  for (const row of deletions(journal, run, { states: UNFINISHED })) {
    const barcodes = listedAs(listed, row.before).flatMap(({ barcode }) => barcode ?? []);
    if (!isSent(journal, run, row.id, barcodes)) continue;
    const message = 'stays: the service took it for a row of the file';
    writeDeletionOutcome(about, row, { state: 'unchanged', message }, 'looked');
    kept += 1;
  }
  return kept;
}

function isSent(journal: Journal, run: string, id: string, barcodes: readonly string[]): boolean {
  const byId = `FROM row WHERE remote_id = $id AND run = $run AND op = 'send'`;
  if (journal.has(byId, { run, id })) return true;
  return journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND barcode IN (SELECT value FROM json_each($barcodes))`,
    { run, barcodes: JSON.stringify(barcodes) },
  );
}

/** Rows of a run that are not listed: not by barcode, nor by id, nor, where they have no barcode, by e-mail. */
export function countUnlisted({ journal, run, event }: CheckContext, { listed }: ListReading): number {
  const fields = fieldsOf(event);
  let count = 0;
  for (const page of unlisted(journal, run, listed.reading)) {
    for (const { barcode, registration } of page) {
      const email = barcode === undefined ? emailOf(registration, fields) : undefined;
      if (email === undefined || listed.byEmail(registration.persona, email).length === 0) count += 1;
    }
  }
  return count;
}

const UNLISTED = rowCodec({
  seq: value<number>('row.seq'),
  barcode: value<string | undefined>(),
  registration: said(),
});

const unlisted = (journal: Journal, run: string, reading: number): Generator<RowOf<typeof UNLISTED>[]> =>
  journal.readPages(
    UNLISTED,
    `FROM row WHERE run = $run AND seq > $after AND op = 'send' AND state <> 'rejected'
       AND NOT EXISTS (SELECT 1 FROM temp.listed WHERE listed.reading = $reading AND listed.barcode = row.barcode)
       AND NOT EXISTS (SELECT 1 FROM temp.listed WHERE listed.reading = $reading AND listed.id = row.remote_id)
     ORDER BY seq`,
    { run, reading },
    'seq',
  );
