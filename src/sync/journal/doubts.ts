import {
  among,
  IN_DOUBT,
  NEVER_SENT,
  type RowState,
  SENT,
  SHOWN,
  THERE,
} from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { countRun } from './count-run.ts';
import type { RowRef } from './find-rows.ts';
import type { Journal } from './journal.ts';
import { type QueuedRow, uncertainRows } from './queued-rows.ts';
import type { RowOp } from './run.ts';
import { holderOf, noteLater, type ProcessFacts, type Target } from './runs.ts';

/** What an uncertain row is uncertain about. */
type Cause =
  /** A request left, and no full answer came back. */
  | 'sent'
  /** A delete was begun, and it is not known how it ended. */
  | 'deleting'
  /** The service said that it took the row, and did not list it at the end. */
  | 'missing';

const CAUSE = rowCodec({
  seq: value<number>(),
  sentNo: value<number>('coalesce(sent_no, 0)'),
  listedNo: value<number>('coalesce(listed_no, 0)'),
  auditedNo: value<number>(`coalesce(
    (SELECT max(no) FROM step WHERE step.run = row.run AND step.seq = row.seq AND what = 'audited'),
    (SELECT max(no) FROM row AS same JOIN step ON step.run = same.run AND step.seq = same.seq
      AND what = 'audited' WHERE same.row_key = row.row_key AND same.sent_no = row.sent_no), 0)`),
});

/** An uncertain row. */
export interface Doubt {
  row: QueuedRow;
  cause: Cause;
}

/** The uncertain rows of a run, also those whose doubt it has taken over from another. */
export function doubtsOf(journal: Journal, run: string): Doubt[] {
  const causes = new Map(
    journal
      .read(CAUSE, `FROM row WHERE run = $run AND state = 'uncertain' AND op = 'send'`, { run })
      .map((stored) => [stored.seq, causeOf(stored)]),
  );
  return uncertainRows(journal, run).map((row) => ({ row, cause: causes.get(row.seq) ?? 'sent' }));
}

/** The later of what is known of it: the end takes back that it is held, a delete that was begun does not. */
function causeOf({ sentNo, listedNo, auditedNo }: RowOf<typeof CAUSE>): Cause {
  if (listedNo > sentNo) return 'deleting';
  return auditedNo > sentNo ? 'missing' : 'sent';
}

const WITNESS = rowCodec({
  persona: value<string>(),
  isMember: flag('parent_barcode IS NOT NULL'),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
});
export type Witness = RowOf<typeof WITNESS>;

/** Of each kind of row of a run, by persona and members apart, the last that was done, or is known to be there. */
export function newestOfKinds(journal: Journal, run: string): Witness[] {
  return journal.read(
    WITNESS,
    `FROM (SELECT *, row_number() OVER (PARTITION BY persona, parent_barcode IS NOT NULL
         ORDER BY barcode IS NULL, done_at DESC, seq DESC) AS place FROM row
       WHERE run = $run AND op = 'send' AND state ${among(SHOWN)} AND (barcode IS NOT NULL OR remote_id IS NOT NULL))
     WHERE place = 1`,
    { run },
  );
}

const RIVAL = rowCodec({
  seq: value<number>(),
  state: value<RowState>(),
  registration: json<Registration>('payload'),
});
export type Rival = RowOf<typeof RIVAL>;

/** Rows of a run without a barcode that are there or in doubt, and whose registration is not known. */
export const unlinkedRows = (journal: Journal, run: string): Generator<Rival> =>
  journal.readAll(
    RIVAL,
    `FROM row WHERE run = $run AND op = 'send' AND barcode IS NULL AND remote_id IS NULL
       AND state ${among([...THERE, ...IN_DOUBT])} AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );

/** What is said of a row. */
export const messageOf = (journal: Journal, run: string, seq: number): string | undefined =>
  journal.get<{ message?: string }>('SELECT message FROM row WHERE run = $run AND seq = $seq', { run, seq })
    ?.message;

/** Whether a run is in doubt about something that no newer run has taken over: that one is asked instead. */
export function hasOwnDoubt(journal: Journal, run: string): boolean {
  return journal.has(
    `FROM row AS mine JOIN run AS own ON own.id = mine.run
     WHERE mine.run = $run AND mine.op = 'send' AND mine.state = 'uncertain' AND NOT EXISTS (
       SELECT 1 FROM row AS newer JOIN run AS later ON later.id = newer.run AND later.rowid > own.rowid
       WHERE newer.row_key = mine.row_key AND newer.sent_no = mine.sent_no AND newer.state = 'uncertain')`,
    { run },
  );
}

const LATER_FATE = rowCodec({
  seq: value<number>(),
  run: value<string>(),
  state: value<RowState>(),
  /** The later run has the row as it is here. */
  isSame: flag('same'),
  remoteId: value<string | undefined>(),
});

/** What later runs know of the uncertain rows of a run, whose registrations they have sent since. */
export const laterFates = (
  journal: Journal,
  run: string,
  { service, eventId }: Target,
): RowOf<typeof LATER_FATE>[] =>
  journal.read(
    LATER_FATE,
    `FROM (SELECT mine.seq, past.run, past.state, past.hash = mine.hash AS same, past.remote_id, row_number() OVER
         (PARTITION BY mine.seq ORDER BY max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0)) DESC) AS place
       FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
         JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event AND run.state <> 'reading'
       WHERE mine.run = $run AND mine.state = 'uncertain' AND mine.op = 'send' AND past.op = 'send'
         AND past.state NOT ${among(NEVER_SENT)}
         AND max(coalesce(past.sent_no, 0), coalesce(past.listed_no, 0))
           > max(coalesce(mine.sent_no, 0), coalesce(mine.listed_no, 0)))
     WHERE place = 1`,
    { run, service, event: eventId },
  );

/**
 * Notes who settles the doubts of a run, which is locked for that. What it was sending is in doubt: the process
 * that did is no more. Its state stays, and what it came to at its end.
 */
export function takeUpDoubts(journal: Journal, run: string, self: ProcessFacts, now: number): void {
  journal.transaction(() => {
    journal.run(
      `UPDATE operation SET state = 'uncertain' WHERE run = $id AND op = 'send' AND state = 'sending'`,
      {
        id: run,
      },
    );
    journal.run('UPDATE run SET holder = $holder, counts = coalesce(counts, $counts) WHERE id = $id', {
      id: run,
      holder: JSON.stringify(holderOf(self, now)),
      counts: JSON.stringify(countRun(journal, run)),
    });
  });
}

/** Lets go of a run whose doubts were looked into, with a line on what became of them, if anything. */
export function giveDoubtsBack(journal: Journal, run: string, text: string | undefined, now: number): void {
  journal.run(
    `UPDATE run SET holder = NULL, ended_at = coalesce(ended_at, $now),
       state = CASE state WHEN 'sending' THEN 'interrupted' ELSE state END WHERE id = $id`,
    { id: run, now },
  );
  if (text !== undefined) noteLater(journal, run, { at: now, text });
  journal.locks.release(run);
}

/** How many of some rows are in each state, most first. */
export const statesOf = (
  journal: Journal,
  run: string,
  seqs: readonly number[],
): { state: RowState; n: number }[] =>
  journal.all(
    `SELECT state, count(*) AS n FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))
     GROUP BY state ORDER BY n DESC, state`,
    { run, seqs: JSON.stringify(seqs) },
  );

const UNSEEN_SEND = rowCodec({
  sentNo: value<number>('coalesce(sent_no, 0)'),
  doneAt: value<number>(),
  rowKey: value<string | undefined>(),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
  registration: json<Registration>('coalesce(ask, payload)'),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
});
/** What was sent, and nobody has seen in the service since. */
export type UnseenSend = RowOf<typeof UNSEEN_SEND>;

/** What runs of an event have sent since a time (milliseconds since 1970). */
export const unseenSends = (journal: Journal, { service, eventId }: Target, sinceMs: number): UnseenSend[] =>
  journal.read(
    UNSEEN_SEND,
    `FROM run CROSS JOIN row ON row.run = run.id
     WHERE run.service = $service AND run.event = $event AND coalesce(run.ended_at, $since) >= $since
       AND row.op = 'send' AND row.state ${among(SENT)} AND row.done_at > $since
       AND (row.checked_at IS NULL OR row.checked_at < row.done_at)`,
    { service, event: eventId, since: sinceMs },
  );

const DECIDED = rowCodec({
  run: value<string>(),
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  barcode: value<string | undefined>(),
});
/** A row that a person is to decide. */
export type DecidedRow = RowOf<typeof DECIDED>;

export const decidedRow = (journal: Journal, { run, seq }: RowRef): DecidedRow | undefined =>
  journal.readOne(DECIDED, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });

/** The same doubt in other runs: each takes those of earlier ones over, with the number of the request that caused them. */
export function twinsOf(journal: Journal, { run, seq }: RowRef): RowRef[] {
  return journal.all<RowRef>(
    `SELECT row.run, row.seq FROM row AS mine
       JOIN run AS own ON own.id = mine.run
       JOIN row ON row.row_key = mine.row_key AND row.sent_no = mine.sent_no AND row.run <> mine.run
       JOIN run ON run.id = row.run AND run.service = own.service AND run.event = own.event
     WHERE mine.run = $run AND mine.seq = $seq AND row.op = 'send' AND row.state ${among(IN_DOUBT)}`,
    { run, seq },
  );
}

/** A person's word is not held against the list at the next reading back. */
export function noteChecked(journal: Journal, run: string, seq: number): void {
  journal.run('UPDATE operation SET checked_at = done_at WHERE run = $run AND seq = $seq', { run, seq });
}
