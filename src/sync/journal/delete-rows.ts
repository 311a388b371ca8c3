import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import type { Place } from '../../registration/model/row.ts';
import { among, MAY_BE_LISTED, type RowState, SHOWN } from '../../registration/model/row-states.ts';
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import type { Journal } from './journal.ts';
import { writeOutcome } from './queued-rows.ts';
import type { Target } from './runs.ts';
import { forgetBase } from './forget-runs.ts';
import type { SendContext } from './send-context.ts';
import { columns, addRow } from './row-tables.ts';

const DELETION = rowCodec({
  ...columns('seq', 'barcode', 'persona', 'parentBarcode', 'state', 'status', 'message'),
  /** Id of the registration in the service; its barcode where it shows none. */
  id: value<string>(`coalesce(remote_id, barcode, '')`),
  /** As the service listed it when it was chosen. */
  before: json<RecordImage>(`coalesce(before, '{}')`),
});

/** A registration that is to be deleted, as the journal has it. */
export type DeleteRow = RowOf<typeof DELETION>;

/** Puts a registration on the list of what the run deletes. `place` is where the row stands that it belongs to. */
export function addDeletion(
  journal: Journal,
  run: string,
  seq: number,
  record: RecordImage,
  place: Place = { file: '', line: 0 },
): void {
  const { id: remoteId, persona, barcode, parentBarcode } = record;
  const own = { run, seq, ...place, op: 'delete', plan: 'delete', state: 'pending' };
  addRow(journal, { ...own, remoteId, persona, barcode, parentBarcode, before: imageOf(record) });
}

/** Puts registrations on the list of what a run deletes, each of no row of the files. Call it in a transaction. */
export function addDeletions(journal: Journal, run: string, records: Iterable<RecordImage>): void {
  const last = journal.get<{ seq?: number }>('SELECT max(seq) AS seq FROM row WHERE run = $run', { run });
  let seq = last?.seq ?? -1;
  for (const record of records) addDeletion(journal, run, (seq += 1), record);
}

/** Deletions of a run, those in some states only when given. */
export const deletions = (journal: Journal, run: string, states?: Iterable<RowState>): DeleteRow[] =>
  journal.read(
    DELETION,
    `FROM row WHERE run = $run AND op = 'delete'
       AND ($states IS NULL OR state IN (SELECT value FROM json_each($states))) ORDER BY seq`,
    { run, states: states && JSON.stringify([...states]) },
  );

/** Ids, or barcodes where none are shown, of what any run has deleted since a time. */
export function deletedSince(
  journal: Journal,
  { service, eventId }: Target,
  since: number,
): ReadonlySet<string> {
  const rows = journal.all<{ name: string }>(
    `SELECT coalesce(row.remote_id, row.barcode) AS name FROM run CROSS JOIN row ON row.run = run.id
     WHERE run.service = $service AND run.event = $event
       AND row.op = 'delete' AND row.state = 'deleted' AND row.done_at > $since
       AND coalesce(row.remote_id, row.barcode) IS NOT NULL`,
    { service, event: eventId, since },
  );
  return new Set(rows.map(({ name }) => name));
}

/** Where a deletion is written about, and when. */
export type DeletionContext = Pick<SendContext, 'journal' | 'run' | 'target' | 'clock'>;

/**
 * Notes for the pushes that sent a registration that it was deleted: the next one sends its row again. Rows of the run
 * `except` stay as they are: it knows itself what it has sent.
 */
export function noteDeletion(
  journal: Journal,
  service: string,
  { id, barcode }: { id: string | undefined; barcode: string | undefined },
  except?: string,
): void {
  forgetBase(journal, service, { id, barcode });
  // Found first: a search by either name would read the rows of all runs.
  const rows = journal.all<{ run: string; seq: number }>(
    `SELECT row.run, row.seq FROM row CROSS JOIN run ON run.id = row.run
       WHERE row.remote_id = $id AND run.service = $service AND row.op = 'send'
     UNION SELECT row.run, row.seq FROM run
       CROSS JOIN operation AS row INDEXED BY operation_barcode ON row.run = run.id AND row.barcode = $barcode
       WHERE run.service = $service AND row.op = 'send'`,
    { service, id, barcode },
  );
  for (const { run, seq } of rows) {
    if (run === except) continue;
    journal.run(
      `UPDATE operation SET state = 'deleted', listed_no = NULL, message = 'deleted with eventreg since'
       WHERE run = $run AND seq = $seq AND state ${among(MAY_BE_LISTED)}`,
      { run, seq },
    );
  }
}

/** Writes what became of a deletion, for this run and for the pushes that sent the registration. */
export function writeDeletionOutcome(
  { journal, run, target, clock }: DeletionContext,
  { seq, id, barcode }: DeleteRow,
  outcome: RowOutcome,
  what?: 'looked',
): void {
  journal.transaction(() => {
    writeOutcome(journal, run, seq, outcome, clock.now(), what);
    if (outcome.state === 'deleted') noteDeletion(journal, target.service, { id, barcode }, run);
  });
}

/** The last run that had to do with a registration. */
export interface LastSeen {
  run: string;
  /** When that was, in milliseconds since 1970. */
  at: number;
  /** It was deleted then. */
  isGone: number;
  /** What the run was to do: it has deleted it itself, or sent it, and it has gone with another since. */
  op: string;
}

/** The last run that deleted a registration, or saw it in the service, by its id or barcode. */
export function lastSeen(journal: Journal, { service, eventId }: Target, name: string): LastSeen | undefined {
  return journal.get<LastSeen>(
    `SELECT row.run, coalesce(row.done_at, run.started_at) AS at, row.op,
       row.state = 'deleted' AS isGone FROM (
       SELECT run, seq FROM row WHERE remote_id = $name
       UNION SELECT row.run, row.seq FROM run
         CROSS JOIN operation AS row INDEXED BY operation_barcode ON row.run = run.id AND row.barcode = $name) AS hit
     CROSS JOIN row ON row.run = hit.run AND row.seq = hit.seq JOIN run ON run.id = row.run
     WHERE run.service = $service AND run.event = $event AND row.state ${among([...SHOWN, 'deleted'])}
     ORDER BY max(coalesce(row.sent_no, 0), coalesce(row.listed_no, 0)) DESC LIMIT 1`,
    { service, event: eventId, name },
  );
}

/** How many registrations of a persona runs have deleted. */
export const countDeleted = (journal: Journal, { service, eventId }: Target, persona: string): number =>
  journal.count(
    `FROM run CROSS JOIN row ON row.run = run.id WHERE run.service = $service AND run.event = $event
       AND row.op = 'delete' AND row.state = 'deleted' AND row.persona = $persona`,
    { service, event: eventId, persona },
  );

/** Files of pushes that have a row for what a run has deleted: pushing them again registers it again. */
export function listsWithDeleted(journal: Journal, { service, eventId }: Target, run: string): string[] {
  const gone = deletions(journal, run, ['deleted']);
  const [ids, barcodes] = [new Set(gone.map(({ id }) => id)), new Set(gone.map(({ barcode }) => barcode))];
  const rows = journal.all<{ file: string; id?: string; barcode?: string }>(
    `SELECT row.file, row.remote_id AS id, row.barcode FROM run CROSS JOIN row ON row.run = run.id
     WHERE run.service = $service AND run.event = $event AND row.op = 'send' AND row.state = 'deleted' AND row.file <> ''`,
    { service, event: eventId },
  );
  const own = rows.filter(({ id, barcode }) => ids.has(id ?? '') || (barcode && barcodes.has(barcode)));
  return [...new Set(own.map(({ file }) => file))].sort();
}
