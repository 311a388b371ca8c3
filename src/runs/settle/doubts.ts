import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { type QueuedRow, uncertainRows } from '../../sync/journal/queued-rows.ts';
import { emailOf } from '../../sync/decide/near.ts';

/** What an uncertain row is uncertain about. */
export type Cause =
  /** A request left, and no full answer came back. */
  | 'sent'
  /** A delete was begun, and it is not known how it ended. */
  | 'deleting'
  /** The service said that it took the row, and did not list it at the audit. */
  | 'missing';

/** How the registration of a row can be told from others; undefined: it cannot. */
export type Handle = 'barcode' | 'id' | 'email' | undefined;

/** An uncertain row. */
export interface Doubt {
  row: QueuedRow;
  cause: Cause;
  handle: Handle;
}

const CAUSE = rowCodec({
  seq: value<number>(),
  sentNo: value<number>('coalesce(sent_no, 0)'),
  listedNo: value<number>('coalesce(listed_no, 0)'),
  auditedNo: value<number>(`coalesce(
    (SELECT max(no) FROM step WHERE step.run = row.run AND step.seq = row.seq AND what = 'audited'),
    (SELECT max(no) FROM row AS same JOIN step ON step.run = same.run AND step.seq = same.seq
      AND what = 'audited' WHERE same.row_key = row.row_key AND same.sent_no = row.sent_no), 0)`),
});

/**
 * The uncertain rows of a run, also those whose doubt it has taken over from another. With `match` `email` those without a barcode are known by
 * their address.
 */
export function readDoubts(
  journal: Journal,
  run: string,
  { match, fields }: { match: 'barcode' | 'email'; fields: FieldsOf },
): Doubt[] {
  const causes = new Map(
    journal
      .read(CAUSE, `FROM row WHERE run = $run AND state = 'uncertain' AND op = 'send'`, { run })
      .map((stored) => [stored.seq, causeOf(stored)]),
  );
  return uncertainRows(journal, run).map((row) => {
    const cause = causes.get(row.seq) ?? 'sent';
    return { row, cause, handle: handleOf(row, cause, match, fields) };
  });
}

/** The later of what is known of it: an audit takes back that it is held, a delete that was begun does not. */
function causeOf({ sentNo, listedNo, auditedNo }: RowOf<typeof CAUSE>): Cause {
  if (listedNo > sentNo) return 'deleting';
  return auditedNo > sentNo ? 'missing' : 'sent';
}

function handleOf(
  { registration, remoteId }: QueuedRow,
  cause: Cause,
  match: 'barcode' | 'email',
  fields: FieldsOf,
): Handle {
  if (registration.barcode !== undefined) return 'barcode';
  // While a request is unanswered, an id from before it says nothing about what it made.
  if (remoteId !== undefined && cause !== 'sent') return 'id';
  return match === 'email' && emailOf(registration, fields) !== undefined ? 'email' : undefined;
}
