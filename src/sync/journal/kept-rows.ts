import { hashOf } from '../../registration/model/registration.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import { json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { Ingested } from '../ingest/ingest.ts';
import { type InputRow, isSendable, type PackedPayloads } from '../ingest/input-row.ts';
import { rejectedRecords } from '../ingest/rejects.ts';
import type { Journal } from './journal.ts';

const COLUMNS =
  'state, seq, file, sheet, line, part, row_key, persona, barcode, parent_barcode, depth, enable_comms, notes, reasons';
const VALUES = COLUMNS.replace(/\w+/g, '?');
const INSERT = `INSERT INTO row (${COLUMNS}, hash, payload, run) VALUES (${VALUES}, ?, ?, ?)`;
/** Whoever has a barcode is new until comparing says otherwise: most are, and need not be written again. */
const INSERT_DRY = `INSERT INTO temp.row (${COLUMNS}, plan) VALUES (${VALUES}, ?)`;

/** Puts the rows of files into a run. */
export function keepRows(journal: Journal, run: string, { rows, payloads }: Ingested): void {
  journal.transaction(() => {
    for (const row of rows) keepRow(journal, run, row, payloads);
  });
  journal.endReading();
}

function keepRow(journal: Journal, run: string, row: InputRow, payloads: PackedPayloads): void {
  const { seq, part, barcode, notes, reasons } = row;
  const registration = payloads.registrationOf(row);
  const { file, sheet, line } = row.place;
  const isSent = isSendable(row);
  const cells = [
    isSent ? 'pending' : 'rejected',
    seq,
    file,
    sheet,
    line,
    part,
    isSent ? row.key : undefined,
    registration?.persona,
    barcode,
    row.parentBarcode,
    row.depth,
    registration?.enableComms === true ? 1 : 0,
    part > 0 || notes.length === 0 ? undefined : JSON.stringify(notes),
    isSent ? undefined : JSON.stringify(reasons),
  ];
  if (journal.isDryRun)
    journal.run(INSERT_DRY, [...cells, isSent && barcode !== undefined ? 'create' : undefined]);
  else
    journal.run(INSERT, [
      ...cells,
      registration && hashOf(registration),
      registration && JSON.stringify(registration),
      run,
    ]);
}

const REJECT = rowCodec({
  seq: value<number>('row.seq'),
  part: value<number>('row.part'),
  place: place(),
  reasons: json<readonly Reason[]>('row.reasons'),
  notes: json<readonly Note[]>(`coalesce(own.notes, '[]')`),
});
type Rejected = RowOf<typeof REJECT>;

/** All rejected records of a run, in the order of the files. */
export const rejectedRows = (journal: Journal, run: string): Iterable<Rejected> =>
  rejectedRecords(storedRejects(journal, run));

function* storedRejects(journal: Journal, run: string): Generator<Rejected> {
  const pages = journal.readPages(
    REJECT,
    `FROM row LEFT JOIN row AS own ON own.run = row.run AND own.seq = row.seq - row.part
     WHERE row.run = $run AND row.state = 'rejected' AND row.seq > $after ORDER BY row.seq`,
    { run },
    'seq',
  );
  for (const page of pages) yield* page;
}
