import { among, OPEN, SENT, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import { countRun } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { deleteRun, holderOf, listRuns, type ProcessFacts, takeRun, type Target } from '../journal/runs.ts';

/** Whether a run has rows that are not sent, or in doubt. */
function hasOpenRows(journal: Journal, run: string): boolean {
  return journal.has(`FROM row WHERE run = $run AND state ${among(OPEN)}`, { run });
}

/** Whether an interrupted run has something left to do: rows to send, or sent ones that nobody has looked at since. */
export function isUnfinished(journal: Journal, { id, state }: Run): boolean {
  if (hasOpenRows(journal, id)) return true;
  if (state !== 'sending' && state !== 'interrupted') return false;
  return journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND state ${among(SENT)} AND checked_at IS NULL`,
    { run: id },
  );
}

/** The freshly read rows, and what is known of them. */
interface Edited {
  read: string;
  /** The interrupted run of exactly these rows, when it is not to be gone on with. */
  same: string | undefined;
  now: number;
}

/**
 * Closes interrupted pushes that the freshly read rows go on from: those of a file that was edited since, and
 * those of which every open row is among them as it was. They are never gone on with again. Returns them, newest first.
 */
export function closeEdited(journal: Journal, target: Target, { read, same, now }: Edited): string[] {
  const runs = listRuns(journal);
  const files = runs.find(({ id }) => id === read)?.files ?? [];
  const isEdited = (run: Run): boolean =>
    hasOpenRows(journal, run.id) &&
    isGoneOnFrom(journal, run, { read, files }) &&
    !journal.locks.isOwn(run.id) &&
    takeRun(journal, run.id);
  const closed = runs.filter(
    (run) => run.id !== read && isInterrupted(run, target) && (run.id === same || isEdited(run)),
  );
  for (const run of closed) {
    close(journal, run, { by: read, now });
    journal.locks.release(run.id);
  }
  return closed.map(({ id }) => id);
}

function isInterrupted({ kind, service, event, state }: Run, target: Target): boolean {
  if (kind !== 'push' || service !== target.service || event !== target.eventId) return false;
  return state === 'sending' || state === 'interrupted' || state === 'stopped';
}

/** What comes from standard input has no name that says whether it is the same list. */
function isGoneOnFrom(
  journal: Journal,
  run: Run,
  { read, files }: { read: string; files: readonly string[] },
): boolean {
  if (run.files.some((file) => file !== '-' && files.includes(file))) return true;
  return !journal.has(
    `FROM row AS theirs WHERE theirs.run = $run AND theirs.state ${among(OPEN)} AND NOT EXISTS (
       SELECT 1 FROM row AS mine WHERE mine.row_key = theirs.row_key AND mine.hash = theirs.hash AND mine.run = $read)`,
    { run: run.id, read },
  );
}

function close(journal: Journal, { id, endedAt }: Run, { by, now }: { by: string; now: number }): void {
  const counts = JSON.stringify(countRun(journal, id));
  journal.run(
    `UPDATE run SET content_key = NULL, state = 'closed', holder = NULL, continued_by = $by,
       ended_at = $ended, counts = coalesce(counts, $counts) WHERE id = $id`,
    { id, by, ended: endedAt ?? now, counts },
  );
}

/** Goes on with an earlier run: places come from the files as they are now, all else from the journal. */
export function resumeRun(
  journal: Journal,
  id: string,
  { read, compare, now, self }: { read: string; compare: boolean; now: number; self: ProcessFacts },
): void {
  journal.run(
    `UPDATE row SET (file, sheet, line, part, notes) = (SELECT file, sheet, line, part, notes FROM row AS fresh WHERE fresh.run = $read AND fresh.row_key = row.row_key)
     WHERE run = $id AND row_key IN (SELECT row_key FROM row WHERE run = $read)`,
    { id, read },
  );
  journal.run(`DELETE FROM row WHERE run = $id AND state = 'rejected'`, { id });
  journal.run(
    `UPDATE row SET run = $id, seq = seq + 1 + (SELECT coalesce(max(seq), 0) FROM row AS kept WHERE kept.run = $id)
     WHERE run = $read AND state = 'rejected'`,
    { id, read },
  );
  journal.run(
    `UPDATE row SET state = 'pending' WHERE run = $id AND op = 'send' AND state ${among([...TRIED_AGAIN, 'deleted'])}`,
    { id },
  );
  journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $id AND state = 'sending'`, { id });
  // What was in conflict is looked at again: the service may have been put right since. A row without a
  // barcode that the service held before would be doubled by that.
  journal.run(
    `UPDATE row SET state = CASE WHEN barcode IS NULL AND listed_no IS NOT NULL THEN iif(attempts > 0, 'done', 'unchanged')
       WHEN barcode IS NULL OR $compare THEN 'pending' ELSE 'uncertain' END
     WHERE run = $id AND state = 'conflict'`,
    { id, compare: compare ? 1 : 0 },
  );
  // What was planned and never sent is planned anew: other answers, or flags, may have been given since.
  journal.run(
    `UPDATE row SET barcode = json_extract(payload, '$.barcode'), plan = NULL, ask = NULL, verdicts = NULL,
       before = NULL, latest = NULL, near = NULL, proof = NULL, message = NULL,
       remote_id = CASE WHEN barcode IS json_extract(payload, '$.barcode') THEN remote_id END
     WHERE run = $id AND op = 'send' AND state = 'pending' AND attempts = 0`,
    { id },
  );
  journal.run(
    `UPDATE run SET state = 'sending', ended_at = NULL, counts = NULL, message = NULL, holder = $holder,
       files = (SELECT files FROM run AS fresh WHERE fresh.id = $read) WHERE id = $id`,
    { id, read, holder: JSON.stringify(holderOf(self, now)) },
  );
  deleteRun(journal, read);
}
