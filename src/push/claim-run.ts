import { createHash } from 'node:crypto';
import { EventregError, EXIT } from '../errors.ts';
import { plural } from '../report/number.ts';
import type { Holder, Journal, Run } from './journal.ts';
import {
  deleteRun,
  findRunByContent,
  holderOf,
  type ProcessFacts,
  runsAtWork,
  takeRun,
  type Target,
} from './runs.ts';

/** One value for the rows of a run whatever their order: the same content finds the same run again. */
export function contentKey(journal: Journal, run: string): string {
  const hash = createHash('sha256');
  const rows = journal.iterate<{ row_key: string; hash: string }>(
    `SELECT row_key, hash FROM row WHERE run = $run AND state <> 'rejected' AND op = 'send' ORDER BY row_key`,
    { $run: run },
  );
  for (const row of rows) hash.update(`${row.row_key}\n${row.hash}\n`);
  return hash.digest('hex');
}

/** The run to work on, and whether it was there before. */
export interface ClaimedRun {
  id: string;
  resumed: boolean;
}

export interface ClaimOptions {
  /** The freshly read rows. */
  read: string;
  /** Send what was sent before as well. What is in doubt stays in doubt all the same. */
  fresh: boolean;
  /** Whether the rows will be compared with the service before they are sent. */
  compare: boolean;
  now: number;
  self: ProcessFacts;
}

/**
 * Settles which run the freshly read rows belong to. The same rows for the same event are an earlier
 * run, resumed; otherwise they are a new one. Either way rows take over what other runs know of them:
 * those sent exactly as they are count as unchanged, those in doubt stay in doubt. With `fresh`,
 * everything starts over. Throws when another process has the run. Call it in a transaction.
 */
export function claimRun(
  journal: Journal,
  target: Target,
  { read, fresh, compare, now, self }: ClaimOptions,
): ClaimedRun {
  nameRows(journal, read);
  const key = contentKey(journal, read);
  refuseIfShared(journal, target, read);
  const earlier = findRunByContent(journal, target, key);
  if (earlier !== undefined) {
    if (!takeRun(journal, earlier.id)) throw heldBy(earlier, earlier.holder, 'These rows are');
    if (!fresh) {
      resumeRun(journal, earlier.id, { read, compare, now, self });
      reopenOvertaken(journal, target, earlier.id, earlier.beganNo);
      inheritFates(journal, target, earlier.id, { since: earlier.beganNo, fresh, compare });
      return { id: earlier.id, resumed: true };
    }
    journal.run(`UPDATE run SET content_key = NULL, state = 'superseded' WHERE id = $id`, {
      $id: earlier.id,
    });
    journal.locks.release(earlier.id);
  }
  inheritFates(journal, target, read, { since: -1, fresh, compare });
  journal.run(`UPDATE run SET content_key = $key, state = 'sending' WHERE id = $id`, {
    $key: key,
    $id: read,
  });
  return { id: read, resumed: false };
}

/**
 * What claiming would come to for the freshly read rows, written to them alone: nothing else is touched,
 * so that a dry run plans from what a real one would. Throws as `claimRun` does. Call it in a transaction.
 */
export function claimForRehearsal(
  journal: Journal,
  target: Target,
  { read, fresh, compare }: Pick<ClaimOptions, 'read' | 'fresh' | 'compare'>,
): void {
  nameRows(journal, read);
  refuseIfShared(journal, target, read);
  inheritFates(journal, target, read, { since: -1, fresh, compare });
}

/** A row is known by its barcode, or else by its content and how many equal rows came before it. */
function nameRows(journal: Journal, run: string): void {
  journal.run(
    `UPDATE row SET row_key = CASE WHEN barcode IS NULL THEN 'h:' || hash || ':1' ELSE 'b:' || barcode END
     WHERE run = $run AND state <> 'rejected'`,
    { $run: run },
  );
  const repeated = journal.all<{ hash: string }>(
    `SELECT hash FROM row WHERE run = $run AND barcode IS NULL AND state <> 'rejected'
     GROUP BY hash HAVING count(*) > 1`,
    { $run: run },
  );
  for (const { hash } of repeated) {
    const rows = journal.all<{ seq: number }>(
      'SELECT seq FROM row WHERE run = $run AND row_key = $key ORDER BY seq',
      { $run: run, $key: `h:${hash}:1` },
    );
    for (const [at, { seq }] of rows.entries()) {
      journal.run('UPDATE row SET row_key = $key WHERE run = $run AND seq = $seq', {
        $run: run,
        $seq: seq,
        $key: `h:${hash}:${at + 1}`,
      });
    }
  }
}

/** Goes on with an earlier run: places come from the files as they are now, all else from the journal. */
function resumeRun(
  journal: Journal,
  id: string,
  { read, compare, now, self }: Omit<ClaimOptions, 'fresh'>,
): void {
  journal.run(
    `UPDATE row SET (file, sheet, line, part, notes) = (SELECT file, sheet, line, part, notes FROM row AS fresh WHERE fresh.run = $read AND fresh.row_key = row.row_key)
     WHERE run = $id AND row_key IN (SELECT row_key FROM row WHERE run = $read)`,
    { $id: id, $read: read },
  );
  journal.run(`DELETE FROM row WHERE run = $id AND state = 'rejected'`, { $id: id });
  journal.run(
    `UPDATE row SET run = $id, seq = seq + 1 + (SELECT coalesce(max(seq), 0) FROM row AS kept WHERE kept.run = $id)
     WHERE run = $read AND state = 'rejected'`,
    { $id: id, $read: read },
  );
  journal.run(
    `UPDATE row SET state = 'pending' WHERE run = $id AND op = 'send' AND state IN ('failed', 'blocked', 'deleted')`,
    { $id: id },
  );
  journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $id AND state = 'sending'`, { $id: id });
  // What was in conflict is looked at again: the service may have been put right since. A row without a
  // barcode that the service held before would be doubled by that.
  journal.run(
    `UPDATE row SET state = CASE WHEN barcode IS NULL AND held_no IS NOT NULL THEN iif(attempts > 0, 'done', 'unchanged')
       WHEN barcode IS NULL OR $compare THEN 'pending' ELSE 'uncertain' END
     WHERE run = $id AND state = 'conflict'`,
    { $id: id, $compare: compare ? 1 : 0 },
  );
  journal.run(
    `UPDATE run SET state = 'sending', ended_at = NULL, message = NULL, holder = $holder,
       files = (SELECT files FROM run AS fresh WHERE fresh.id = $read) WHERE id = $id`,
    { $id: id, $read: read, $holder: JSON.stringify(holderOf(self, now)) },
  );
  deleteRun(journal, read);
}

/**
 * What other runs of the event did last to the registrations of a run's rows, later than the run itself
 * knows of: after the row was sent or seen, else after step `$since`.
 */
const LATER_FATES = `
  SELECT mine.seq, past.state, past.hash, past.sent_at, past.sent_no, past.held_no, past.message, past.after, past.checked_at,
    past.plan, past.before, past.remote_id, row_number() OVER
    (PARTITION BY mine.seq ORDER BY max(coalesce(past.sent_no, 0), coalesce(past.held_no, 0)) DESC) AS place
  FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
    JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event AND run.state <> 'reading'
  WHERE mine.run = $id AND mine.row_key IS NOT NULL
    AND past.state NOT IN ('rejected', 'pending', 'blocked')
    AND max(coalesce(past.sent_no, 0), coalesce(past.held_no, 0))
      > max(coalesce(mine.sent_no, $since), coalesce(mine.held_no, $since))`;

/** A run that is resumed: what it sent may have been overtaken since, by an edited file or a delete. */
function reopenOvertaken(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET state = 'pending' FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1
       AND row.state IN ('done', 'accepted', 'unchanged')
       AND NOT (fate.state IN ('done', 'accepted', 'unchanged') AND fate.hash = row.hash)`,
    { $id: id, $service: service, $event: eventId, $since: since },
  );
}

/**
 * Pending rows whose latest fate elsewhere is to have been sent exactly as they are need no sending;
 * those of which it is not known are looked up and not sent blindly, also when everything is sent anew.
 */
function inheritFates(
  journal: Journal,
  { service, eventId }: Target,
  id: string,
  { since, fresh, compare }: { since: number; fresh: boolean; compare: boolean },
): void {
  const known = `(fate.state IN ('done', 'accepted', 'unchanged')
    OR (fate.state = 'conflict' AND row.barcode IS NULL AND fate.held_no IS NOT NULL))`;
  journal.run(
    `UPDATE row SET sent_at = fate.sent_at, sent_no = fate.sent_no, held_no = fate.held_no, after = fate.after,
       checked_at = fate.checked_at,
       plan = CASE WHEN ${known} THEN NULL ELSE fate.plan END,
       before = CASE WHEN ${known} THEN NULL ELSE fate.before END,
       remote_id = coalesce(fate.remote_id, row.remote_id),
       message = CASE WHEN ${known} THEN NULL ELSE fate.message END,
       state = CASE WHEN ${known} THEN 'unchanged' ELSE 'uncertain' END
     FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1 AND row.state = 'pending'
       AND fate.hash = row.hash
       AND (fate.state IN ('uncertain', 'sending') OR (${known} AND NOT $fresh)
         OR (fate.state = 'conflict' AND row.barcode IS NOT NULL AND NOT $compare))`,
    {
      $id: id,
      $service: service,
      $event: eventId,
      $since: since,
      $fresh: fresh ? 1 : 0,
      $compare: compare ? 1 : 0,
    },
  );
}

function heldBy(run: Run, holder: Holder | undefined, what: string): EventregError {
  const who =
    holder === undefined
      ? 'another eventreg'
      : `another eventreg: process ${holder.pid} on ${holder.host}, started ${shortTime(holder.startedAt)}, at it since ${shortTime(holder.since)} UTC`;
  return new EventregError(EXIT.guarded, `${what} being sent by ${who} (run ${run.id}).`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.',
  });
}

const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Rows that another process is about to send, in a run of other files, are not sent by this one too. */
function refuseIfShared(journal: Journal, target: Target, read: string): void {
  for (const { run, holder } of runsAtWork(journal, target, read)) {
    const shared = journal.get<{ n: number }>(
      `SELECT count(*) AS n FROM row AS mine WHERE mine.run = $read AND mine.state <> 'rejected' AND (
         EXISTS (SELECT 1 FROM row AS theirs WHERE theirs.row_key = mine.row_key AND theirs.run = $run)
         OR mine.barcode IN (SELECT barcode FROM row WHERE run = $run AND op = 'delete' AND barcode IS NOT NULL
           AND state IN ('pending', 'sending', 'uncertain')))`,
      { $run: run.id, $read: read },
    );
    if (shared !== undefined && shared.n > 0)
      throw heldBy(run, holder, `${plural(shared.n, 'row is', 'rows are')} also`);
  }
}
