import type { Note, Reason, Reject } from '../../registration/model/row.ts';
import type { Journal } from '../journal/journal.ts';
import { type StoredPlace, toPlace } from '../journal/stored-place.ts';

/** A rejected record of the input: its own registration or a companion's cannot be sent. */
export interface RejectedRecord extends Reject {
  notes: readonly Note[];
  /** What `keepCells` kept of it, if anything. */
  raw: string | undefined;
}

interface StoredReject extends StoredPlace {
  seq: number;
  part: number;
  reasons: string;
  notes: string | null;
  raw: string | null;
}

/** All rejected records in the order of the files; one of several registrations comes once, with all reasons. */
export function* rejectedRows(journal: Journal, run: string): Generator<RejectedRecord> {
  let record: { first: number; reject: RejectedRecord } | undefined;
  for (const row of storedRejects(journal, run)) {
    const first = row.seq - row.part;
    const reasons = JSON.parse(row.reasons) as Reason[];
    if (record?.first === first) {
      record.reject = { ...record.reject, reasons: withNew(record.reject.reasons, reasons) };
      continue;
    }
    if (record !== undefined) yield record.reject;
    const notes = JSON.parse(row.notes ?? '[]') as Note[];
    record = { first, reject: { place: toPlace(row), reasons, notes, raw: row.raw ?? undefined } };
  }
  if (record !== undefined) yield record.reject;
}

/** Companions of one row are often wrong for the same reason. */
function withNew(known: readonly Reason[], more: readonly Reason[]): readonly Reason[] {
  const told = new Set(known.map((reason) => JSON.stringify(reason)));
  return [...known, ...more.filter((reason) => !told.has(JSON.stringify(reason)))];
}

function* storedRejects(journal: Journal, run: string): Generator<StoredReject> {
  const pages = journal.pages<StoredReject>(
    `SELECT row.seq, row.part, row.file, row.sheet, row.line, row.reasons, own.notes, own.raw FROM row
     LEFT JOIN row AS own ON own.run = row.run AND own.seq = row.seq - row.part
     WHERE row.run = $run AND row.state = 'rejected' AND row.seq > $after ORDER BY row.seq`,
    { $run: run },
    'seq',
  );
  for (const page of pages) yield* page;
}
