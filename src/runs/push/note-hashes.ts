import { hashOf } from '../../registration/model/identity.ts';
import type { Journal } from '../journal/journal.ts';

const PAGE = 500;

/** Gives rows of a dry run their hashes, which reading has left out: only what is compared with other runs needs them. */
export function noteHashes(journal: Journal, run: string, which = 'TRUE'): void {
  if (!journal.isDryRun) return;
  for (let after = -1; ; ) {
    const page = journal.all<{ seq: number; payload: null }>(
      `SELECT seq, payload FROM row WHERE run = $run AND seq > $after AND hash IS NULL AND row_key IS NOT NULL AND ${which}
       ORDER BY seq LIMIT ${PAGE}`,
      { $run: run, $after: after },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    journal.transaction(() => {
      for (const row of page) {
        const hash = hashOf(journal.registrationOf(row));
        journal.run('UPDATE row SET hash = ? WHERE run = ? AND seq = ?', [hash, run, row.seq]);
      }
    });
    after = last.seq;
  }
}
