import type { Note, Reason, Reject } from '../../registration/model/row.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** A rejected record of the input: its own registration or a companion's cannot be sent. */
export interface RejectedRecord extends Reject {
  notes: readonly Note[];
  /** What `keepCells` kept of it, if anything. */
  raw: string | undefined;
}

const REJECT = rowCodec({
  seq: value<number>('row.seq'),
  part: value<number>('row.part'),
  place: place(),
  reasons: json<readonly Reason[]>('row.reasons'),
  notes: json<readonly Note[]>(`coalesce(own.notes, '[]')`),
  raw: value<string | undefined>('own.raw'),
});

/** All rejected records in the order of the files; one of several registrations comes once, with all reasons. */
export function* rejectedRows(journal: Journal, run: string): Generator<RejectedRecord> {
  let record: { first: number; reject: RejectedRecord } | undefined;
  for (const { seq, part, ...reject } of storedRejects(journal, run)) {
    const first = seq - part;
    if (record?.first === first) {
      record.reject = { ...record.reject, reasons: withNew(record.reject.reasons, reject.reasons) };
      continue;
    }
    if (record !== undefined) yield record.reject;
    record = { first, reject };
  }
  if (record !== undefined) yield record.reject;
}

/** Companions of one row are often wrong for the same reason. */
function withNew(known: readonly Reason[], more: readonly Reason[]): readonly Reason[] {
  const told = new Set(known.map((reason) => JSON.stringify(reason)));
  return [...known, ...more.filter((reason) => !told.has(JSON.stringify(reason)))];
}

function* storedRejects(journal: Journal, run: string): Generator<RowOf<typeof REJECT>> {
  const pages = journal.readPages(
    REJECT,
    `FROM row LEFT JOIN row AS own ON own.run = row.run AND own.seq = row.seq - row.part
     WHERE row.run = $run AND row.state = 'rejected' AND row.seq > $after ORDER BY row.seq`,
    { run },
    'seq',
  );
  for (const page of pages) yield* page;
}
