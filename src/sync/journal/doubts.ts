import {
  among,
  IN_DOUBT,
  NEVER_SENT,
  type RowState,
  SENT,
  SHOWN,
  THERE,
} from '../../registration/model/row-states.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowRef } from './find-rows.ts';
import { columns } from './row-tables.ts';
import type { Journal } from './journal.ts';
import { QUEUED, type QueuedRow, writeOutcome } from './queued-rows.ts';
import type { Target } from './runs.ts';
import type { StepName } from './steps.ts';
import type { RowOutcome } from '../decide/judge-found.ts';

/** What an uncertain row is uncertain about. */
type Cause =
  /** A request left, and no full answer came back. */
  | 'sent'
  /** The service said that it took the row, and did not list it at the end. */
  | 'missing';

/** An uncertain row. */
export interface Doubt {
  row: QueuedRow;
  cause: Cause;
}

/** In SQL, of a row in doubt: it is so because one of an earlier run is. */
export const IS_ELSEWHERE = `EXISTS (SELECT 1 FROM operation AS cause WHERE cause.run = row.doubt ->> 'run'
  AND cause.seq = row.doubt ->> 'seq' AND cause.state ${among(IN_DOUBT)})`;

const SEQ = rowCodec({ seq: value<number>() });
/** In SQL: the end has taken back that the service holds it. */
const IS_MISSING = `coalesce(sent_no, 0) < (
  SELECT max(no) FROM step WHERE step.run = row.run AND step.seq = row.seq AND what = 'audited')`;

/** The uncertain rows of a run whose requests it has sent itself. */
export function doubtsOf(journal: Journal, run: string): Doubt[] {
  const own = `FROM row WHERE run = $run AND state = 'uncertain' AND op = 'send' AND NOT ${IS_ELSEWHERE}`;
  const missing = new Set(journal.read(SEQ, `${own} AND ${IS_MISSING}`, { run }).map(({ seq }) => seq));
  return journal
    .read(QUEUED, `${own} ORDER BY seq`, { run })
    .map((row) => ({ row, cause: missing.has(row.seq) ? 'missing' : 'sent' }));
}

const WITNESS = rowCodec({
  persona: value<string>(),
  isMember: flag('parent_barcode IS NOT NULL'),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
});
export type Witness = RowOf<typeof WITNESS>;

/** In SQL: in the run, or in one of its event that began later. */
export const SINCE = `run IN (SELECT its.id FROM run AS own
  JOIN run AS its ON its.service = own.service AND its.event = own.event AND its.rowid >= own.rowid WHERE own.id = $run)`;

/** Of each kind of row, by persona and members apart, the last since a run that was done, or is known to be there. */
export const newestOfKinds = (journal: Journal, run: string): Witness[] =>
  journal.read(
    WITNESS,
    `FROM (SELECT *, row_number() OVER (PARTITION BY persona, parent_barcode IS NOT NULL
         ORDER BY barcode IS NULL, done_at DESC, seq DESC) AS place FROM row
       WHERE ${SINCE} AND op = 'send' AND state ${among(SHOWN)} AND (barcode IS NOT NULL OR remote_id IS NOT NULL))
     WHERE place = 1`,
    { run },
  );

const RIVAL = rowCodec({ ...columns('run', 'seq', 'state'), registration: json<Registration>('payload') });
export type Rival = RowOf<typeof RIVAL>;

/** Rows since a run that are there or in doubt, and that no id tells apart, as far as a list shows any. */
export const unlinkedRows = (journal: Journal, run: string, idsShown: boolean): Rival[] =>
  journal.read(
    RIVAL,
    `FROM row WHERE ${SINCE} AND op = 'send' AND (remote_id IS NULL OR NOT $ids)
       AND state ${among([...THERE, ...IN_DOUBT])}`,
    { run, ids: Number(idsShown) },
  );

/** What a run was sending when it was ended is in doubt. */
export const doubtSending = (journal: Journal, run: string): void => {
  journal.run(
    `UPDATE operation SET state = 'uncertain' WHERE run = $run AND op = 'send' AND state = 'sending'`,
    { run },
  );
};

/** Uncertain rows of a run that another one has sent since, which did last, and whether the service has it from that as it is here. */
export const sentAgain = (
  journal: Journal,
  run: string,
  { service, eventId }: Target,
): { seq: number; by: string; isThere: number }[] =>
  journal.all(
    `SELECT mine.seq, past.run AS by, past.hash = mine.hash AND past.state ${among(THERE)} AS isThere, max(past.sent_no)
       FROM row AS mine
       JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run AND past.op = 'send'
         AND past.sent_no > max(coalesce(mine.sent_no, 0), coalesce(mine.listed_no, 0))
         AND past.state NOT ${among(NEVER_SENT)}
       JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event
     WHERE mine.run = $run AND mine.state = 'uncertain' AND mine.op = 'send' AND mine.doubt IS NULL GROUP BY mine.seq`,
    { run, service, event: eventId },
  );

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
  ...columns('sentNo', 'rowKey', 'barcode', 'registration', 'before'),
  doneAt: value<number>('row.done_at'),
  id: value<string | undefined>('remote_id'),
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

/** What a row keeps that is in doubt because one of an earlier run is. */
export const doubtText = ({ run, seq }: RowRef): string => JSON.stringify({ run, seq });

/** The row that one in doubt is so because of, itself where its own request was; those of later runs come after it. */
export function sameDoubt(journal: Journal, row: RowRef): RowRef[] {
  const cause = journal.get<RowRef>(
    `SELECT doubt ->> 'run' AS run, doubt ->> 'seq' AS seq FROM row
     WHERE run = $run AND seq = $seq AND ${IS_ELSEWHERE}`,
    { run: row.run, seq: row.seq },
  );
  const { run, seq } = cause ?? row;
  const followers = journal.all<RowRef>(
    `SELECT row.run, row.seq FROM source AS mine JOIN row ON row.row_key = mine.row_key
     WHERE mine.run = $run AND mine.seq = $seq AND row.doubt = $doubt AND row.state = 'uncertain'`,
    { run, seq, doubt: doubtText({ run, seq }) },
  );
  return [{ run, seq }, ...followers];
}

/** Writes what became of a row in doubt, and so of those that are in doubt because of it. */
export function writeSettled(
  journal: Journal,
  row: RowRef,
  outcome: RowOutcome,
  now: number,
  what: StepName = 'looked',
): void {
  journal.transaction(() => {
    for (const { run, seq } of sameDoubt(journal, row)) writeOutcome(journal, run, seq, outcome, now, what);
  });
}
