import { among, OPEN } from '../../registration/model/row-states.ts';
import { createHash } from 'node:crypto';
import type { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import type { Holder, Run } from '../journal/run.ts';
import type { Journal } from '../journal/journal.ts';
import { heldBy } from '../journal/busy-runs.ts';
import { inheritFates } from '../plan/inherit-fates.ts';
import { closeEdited, isUnfinished, resumeRun } from '../plan/interrupted-runs.ts';
import { findRunByContent, type ProcessFacts, runsAtWork, takeRun, type Target } from '../journal/runs.ts';
import { rowCodec, said, value } from '../../sqlite/row-codec.ts';
import { hashOf } from '../../registration/model/registration.ts';

/** One value for the rows of a run whatever their order: the same content finds the same run again. */
export function contentKey(journal: Journal, run: string): string {
  noteHashes(journal, run);
  const hash = createHash('sha256');
  const rows = journal.iterate<{ row_key: string; hash: string }>(
    `SELECT row_key, hash FROM row WHERE run = $run AND state <> 'rejected' AND op = 'send' ORDER BY row_key`,
    { run },
  );
  for (const row of rows) hash.update(`${row.row_key}\n${row.hash}\n`);
  return hash.digest('hex');
}

/** The run to work on. */
export interface ClaimedRun {
  id: string;
  /** It was interrupted before, and is gone on with. */
  resumed: boolean;
  /** Interrupted runs of files that were edited since: this one goes on from them. */
  from: readonly string[];
}

interface ClaimOptions {
  /** The freshly read rows. */
  read: string;
  /** Start over instead of going on with what was interrupted. */
  fresh: boolean;
  /** Whether the rows will be compared with the service before they are sent. */
  compare: boolean;
  now: number;
  self: ProcessFacts;
}

/**
 * Settles which run the freshly read rows belong to: the one that was interrupted with the same rows for the
 * same event, or a new one. What other runs know of the rows is taken over later, by `inheritKnown`. Throws
 * when another process has the run. Call it in a transaction.
 */
export function claimRun(
  journal: Journal,
  target: Target,
  { read, fresh, compare, now, self }: ClaimOptions,
): ClaimedRun {
  nameRows(journal, read);
  const key = contentKey(journal, read);
  refuseIfShared(journal, target, read);
  const same = findRunByContent(journal, target, key);
  if (same !== undefined && !takeRun(journal, same.id))
    throw sentElsewhere('These rows are', same, same.holder);
  if (same !== undefined && !fresh && isUnfinished(journal, same)) {
    resumeRun(journal, same.id, { read, compare, now, self });
    return { id: same.id, resumed: true, from: [] };
  }
  const from = closeEdited(journal, target, { read, same: same?.id, now });
  journal.run(`UPDATE run SET content_key = $key, state = 'sending' WHERE id = $id`, { key, id: read });
  return { id: read, resumed: false, from };
}

/**
 * What claiming would come to for the freshly read rows, written to them alone: nothing else is touched,
 * so that a dry run plans from what a real one would. Throws as `claimRun` does. Call it in a transaction.
 */
export function claimForDryRun(
  journal: Journal,
  target: Target,
  { read, ...options }: Pick<ClaimOptions, 'read' | 'fresh' | 'compare'>,
): void {
  nameRows(journal, read);
  refuseIfShared(journal, target, read);
  if (!journal.has('FROM main.row')) return;
  noteHashes(journal, read, 'EXISTS (SELECT 1 FROM main.row AS past WHERE past.row_key = row.row_key)');
  inheritFates(journal, target, read, { ...options, since: -1 });
}

/**
 * A row is known by its barcode, or else by its content and how many equal rows came before it. Reading has named it
 * as if there were none before.
 */
function nameRows(journal: Journal, run: string): void {
  journal.run(
    `UPDATE row SET row_key = rtrim(row_key, '1') || named.n FROM (
       SELECT seq, row_number() OVER (PARTITION BY row_key ORDER BY seq) AS n FROM row
       WHERE run = $run AND barcode IS NULL AND state <> 'rejected') AS named
     WHERE row.run = $run AND row.seq = named.seq AND named.n > 1`,
    { run },
  );
}

/** The error for rows that another process sends. */
function sentElsewhere(rows: string, { id }: Run, holder: Holder | undefined): GuardError {
  const when =
    holder && `, started ${shortTime(holder.startedAt)}, at it since ${shortTime(holder.since)} UTC`;
  return heldBy(`${rows} being sent`, holder, { run: id, when });
}

const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Rows that another process is about to send, in a run of other files, are not sent by this one too. */
function refuseIfShared(journal: Journal, target: Target, read: string): void {
  for (const { run, holder } of runsAtWork(journal, target, read)) {
    const shared = journal.count(
      `FROM row AS mine WHERE mine.run = $read AND mine.state <> 'rejected' AND (
         EXISTS (SELECT 1 FROM main.row AS theirs WHERE theirs.row_key = mine.row_key AND theirs.run = $run)
         OR mine.barcode IN (SELECT barcode FROM main.row WHERE run = $run AND op = 'delete' AND barcode IS NOT NULL
           AND state ${among(OPEN)}))`,
      { run: run.id, read },
    );
    if (shared > 0) throw sentElsewhere(`${plural(shared, 'row is', 'rows are')} also`, run, holder);
  }
}

const ROW = rowCodec({ seq: value<number>('row.seq'), registration: said() });

/** Gives rows of a dry run their hashes, which reading has left out: only what is compared with other runs needs them. */
function noteHashes(journal: Journal, run: string, which = 'TRUE'): void {
  if (!journal.isDryRun) return;
  const pages = journal.readPages(
    ROW,
    `FROM row WHERE run = $run AND seq > $after AND hash IS NULL AND row_key IS NOT NULL AND ${which}
     ORDER BY seq`,
    { run },
    'seq',
  );
  for (const page of pages) {
    journal.transaction(() => {
      for (const { seq, registration } of page) {
        const hash = hashOf(registration);
        journal.run('UPDATE row SET hash = ? WHERE run = ? AND seq = ?', [hash, run, seq]);
      }
    });
  }
}
