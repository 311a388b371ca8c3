import { createHash } from 'node:crypto';
import { EventregError, EXIT } from '../errors.ts';
import { plural } from '../report/number.ts';
import type { Holder, Journal, Run } from './journal.ts';
import {
  deleteRun,
  findRunByContent,
  holderOf,
  otherHolder,
  type ProcessFacts,
  type Target,
  listRuns,
} from './runs.ts';

/** One value for the rows of a run whatever their order: the same content finds the same run again. */
function contentKey(journal: Journal, run: string): string {
  const hash = createHash('sha256');
  const rows = journal.iterate<{ row_key: string; hash: string }>(
    `SELECT row_key, hash FROM row WHERE run = $run AND state <> 'rejected' ORDER BY row_key`,
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

/**
 * Settles which run the freshly read rows belong to. The same rows for the same event are an earlier
 * run, resumed; otherwise they are a new one. Either way rows take over what other runs know of them:
 * those sent exactly as they are count as unchanged, those in doubt stay in doubt. With `fresh`,
 * everything starts over. Throws when another process has the run. Call it in a transaction.
 */
export function claimRun(
  journal: Journal,
  target: Target,
  { read, fresh, now, self }: { read: string; fresh: boolean; now: number; self: ProcessFacts },
): ClaimedRun {
  nameRows(journal, read);
  const key = contentKey(journal, read);
  refuseIfShared(journal, target, read, self);
  const earlier = findRunByContent(journal, target, key);
  if (earlier !== undefined) {
    refuseIfHeld(earlier, self);
    if (!fresh) {
      resumeRun(journal, earlier.id, read, now, self);
      reopenOvertaken(journal, target, earlier.id, earlier.startedAt);
      inheritFates(journal, target, earlier.id, earlier.startedAt);
      return { id: earlier.id, resumed: true };
    }
    journal.run(`UPDATE run SET content_key = NULL, state = 'superseded' WHERE id = $id`, {
      $id: earlier.id,
    });
  }
  if (!fresh) inheritFates(journal, target, read, -1);
  journal.run(`UPDATE run SET content_key = $key, state = 'sending' WHERE id = $id`, {
    $key: key,
    $id: read,
  });
  return { id: read, resumed: false };
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
function resumeRun(journal: Journal, id: string, read: string, now: number, self: ProcessFacts): void {
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
    `UPDATE row SET state = 'pending' WHERE run = $id AND state IN ('failed', 'blocked', 'deleted')`,
    { $id: id },
  );
  journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $id AND state = 'sending'`, { $id: id });
  // What was in conflict is looked at again: the service may have been put right since.
  journal.run(
    `UPDATE row SET state = CASE WHEN barcode IS NULL THEN 'pending' ELSE 'uncertain' END
     WHERE run = $id AND state = 'conflict'`,
    { $id: id },
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
 * knows of: after the row was sent, else after `$since`.
 */
const LATER_FATES = `
  SELECT mine.seq, past.state, past.hash, past.sent_at, past.message, row_number() OVER
    (PARTITION BY mine.seq ORDER BY past.sent_at DESC, past.done_at DESC) AS place
  FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
    JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event
  WHERE mine.run = $id AND mine.row_key IS NOT NULL
    AND past.state NOT IN ('rejected', 'unchanged', 'pending', 'blocked')
    AND past.sent_at > coalesce(mine.sent_at, $since)`;

/** A run that is resumed: what it sent may have been overtaken since, by an edited file or a delete. */
function reopenOvertaken(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET state = 'pending' FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1
       AND row.state IN ('done', 'accepted', 'unchanged')
       AND NOT (fate.state IN ('done', 'accepted') AND fate.hash = row.hash)`,
    { $id: id, $service: service, $event: eventId, $since: since },
  );
}

/**
 * Pending rows whose latest fate elsewhere is to have been sent exactly as they are need no sending;
 * those of which it is not known, or which were in conflict, are looked up and not sent blindly.
 */
function inheritFates(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET sent_at = fate.sent_at,
       message = CASE WHEN fate.state IN ('done', 'accepted') THEN NULL ELSE fate.message END,
       state = CASE WHEN fate.state IN ('done', 'accepted') THEN 'unchanged'
         WHEN fate.state = 'conflict' AND row.barcode IS NULL THEN 'pending' ELSE 'uncertain' END
     FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1 AND row.state = 'pending'
       AND fate.hash = row.hash AND fate.state IN ('done', 'accepted', 'uncertain', 'sending', 'conflict')`,
    { $id: id, $service: service, $event: eventId, $since: since },
  );
}

/** Two processes never work on one run. */
function refuseIfHeld(run: Run, self: ProcessFacts): void {
  const holder = otherHolder(run, self);
  if (holder !== undefined) throw heldBy(run, holder, 'These rows are');
}

function heldBy(run: Run, holder: Holder, what: string): EventregError {
  const since = new Date(holder.since).toISOString().slice(0, 19).replace('T', ' ');
  return new EventregError(
    EXIT.guarded,
    `${what} being sent by another eventreg: process ${holder.pid} on ${holder.host}, since ${since} UTC (run ${run.id}).`,
    { hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.' },
  );
}

/** Rows that another process is about to send, in a run of other files, are not sent by this one too. */
function refuseIfShared(journal: Journal, target: Target, read: string, self: ProcessFacts): void {
  const others = listRuns(journal).filter(
    (run) => run.id !== read && run.service === target.service && run.event === target.eventId,
  );
  for (const run of others) {
    const holder = otherHolder(run, self);
    if (holder === undefined || run.state !== 'sending') continue;
    const shared = journal.get<{ n: number }>(
      `SELECT count(*) AS n FROM row AS mine JOIN row AS theirs ON theirs.row_key = mine.row_key AND theirs.run = $run
       WHERE mine.run = $read AND mine.state <> 'rejected'`,
      { $run: run.id, $read: read },
    );
    if (shared !== undefined && shared.n > 0)
      throw heldBy(run, holder, `${plural(shared.n, 'row is', 'rows are')} also`);
  }
}
