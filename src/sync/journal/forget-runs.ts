import { IN_DOUBT } from '../../registration/model/row-states.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { UNSAID } from '../decide/base.ts';
import { type BaseNames, digestOf, keyOf } from './base-codec.ts';
import type { BaseKey } from './base-store.ts';
import { readShares } from './count-run.ts';
import type { Journal } from './journal.ts';
import { noteSent } from './note-sent.ts';
import type { Run } from './run.ts';
import { deleteRun, listRuns, takeRun } from './runs.ts';

/** Rows deleted in one durable write: others can write in between. */
const ROWS_AT_ONCE = 5000;

/** Runs that ended before a time; those being worked on do not count, by whomever. */
export const oldRuns = (journal: Journal, before: number): Run[] =>
  listRuns(journal).filter((run) => (run.endedAt ?? run.startedAt) < before && !isWorkedOn(journal, run));

const isWorkedOn = (journal: Journal, run: Run): boolean =>
  run.holder !== undefined && (journal.locks.isOwn(run.id) || journal.locks.isHeld(run.id));

/** Forgets runs that ended before a time, and gives their room on the disk back. Returns how many. */
export function purgeRuns(journal: Journal, before: number): number {
  const forgotten = oldRuns(journal, before).filter(({ id }) => forgetRun(journal, id)).length;
  if (forgotten > 0) journal.compact();
  return forgotten;
}

/**
 * What every push tidies up: old runs, but for those with rows in doubt, which would be sent again
 * blindly; and what processes that were killed while reading or forgetting have left.
 */
export function tidyRuns(journal: Journal, before: number): void {
  const left = listRuns(journal).filter((run) => run.state === 'reading' && !isWorkedOn(journal, run));
  const isDoubtful = (run: string): boolean =>
    readShares(journal, run).some(({ state }) => IN_DOUBT.has(state));
  const old = oldRuns(journal, before).filter(({ id }) => !isDoubtful(id));
  for (const { id } of [...left, ...old]) forgetRun(journal, id);
}

/** Forgets a run with its rows, some thousand at a time; a kill leaves the rest to the next push. False if it is in use. */
export function forgetRun(journal: Journal, id: string): boolean {
  if (!takeRun(journal, id)) return false;
  keepBases(journal, id);
  journal.run(`UPDATE run SET state = 'reading', holder = NULL WHERE id = $id AND state <> 'reading'`, {
    id,
  });
  forgetIn(journal, id, 'operation', 'seq');
  forgetIn(journal, id, 'step', 'no');
  deleteRun(journal, id);
  return true;
}

/** What is known of people by a run outlives it. */
function keepBases(journal: Journal, run: string): void {
  const own = journal.get<{ service: string; eventId: string; event: string; at: number }>(
    `SELECT service, event AS eventId, event_info AS event, coalesce(ended_at, started_at) AS at
     FROM run WHERE id = $run AND event_info IS NOT NULL`,
    { run },
  );
  if (own === undefined) return;
  noteSent({ journal, target: own, event: JSON.parse(own.event) as EventInfo, clock: { now: () => own.at } });
}

function forgetIn(journal: Journal, run: string, table: 'operation' | 'step', key: string): void {
  const values = { run, limit: ROWS_AT_ONCE };
  const few = `DELETE FROM ${table} WHERE run = $run AND ${key} IN (
    SELECT ${key} FROM ${table} WHERE run = $run LIMIT $limit)`;
  while (journal.run(few, values) === ROWS_AT_ONCE);
}

/** Forgets all that is known of a service that is gone: that of a clone. */
export function forgetService(journal: Journal, service: string): void {
  journal.transaction(() => {
    for (const table of ['learned', 'base', 'run'])
      journal.run(`DELETE FROM ${table} WHERE service = ?`, [service]);
  });
}

/** Nothing is known of a registration any more, in whatever event of the service: it was deleted from here. */
export function forgetBase(journal: Journal, service: string, { barcode, id }: BaseNames): void {
  const key = keyOf(journal);
  const digest = (kind: BaseKey, name: string | undefined): string | undefined =>
    name === undefined ? undefined : digestOf(key, `${kind}:${name}`);
  // What hangs on it belongs to nobody by now, where it is not gone with it: its file may say so once more.
  const nothing = digestOf(key, '');
  const said = barcode === undefined ? '' : digestOf(key, barcode);
  const [seen, unseen, hidden] = [said, [said], [said, nothing, 2]].map((one) => JSON.stringify(one));
  const pair = `(pairs -> '$.":parent_barcode"')`;
  journal.run(
    `UPDATE base SET parent = NULL, pairs = iif(${pair} = $unseen, json_remove(pairs, '$.":parent_barcode"'),
       json_set(pairs, '$.":parent_barcode"', json($none)))
     WHERE parent = $said AND service = $service AND ${pair} IN ($seen, $unseen, $hidden)`,
    { service, said, none: JSON.stringify([UNSAID, nothing]), seen, unseen, hidden },
  );
  journal.run(
    `DELETE FROM base WHERE service = $service AND (
       barcode = $barcode OR (remote_id = $id AND (barcode IS NULL OR $barcode IS NULL)))`,
    { service, barcode: digest('barcode', barcode), id: digest('id', id) },
  );
}

/** Forgets the bases of events that are long over. */
export function forgetBases(journal: Journal, now: number): void {
  journal.run('DELETE FROM base WHERE expires_at < $now', { now });
}
