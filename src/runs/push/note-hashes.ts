import { hashOf } from '../../registration/model/identity.ts';
import type { Journal } from '../journal/journal.ts';

/** Gives rows of a dry run their hashes, which reading has left out: only what is compared with other runs needs them. */
export function noteHashes(journal: Journal, run: string, which = 'TRUE'): void {
  if (!journal.isDryRun) return;
  const pages = journal.pages<{ seq: number; payload: null }>(
    `SELECT seq, payload FROM row WHERE run = $run AND seq > $after AND hash IS NULL AND row_key IS NOT NULL AND ${which}
     ORDER BY seq`,
    { $run: run },
    'seq',
  );
  for (const page of pages) {
    journal.transaction(() => {
      for (const row of page) {
        const hash = hashOf(journal.registrationOf(row));
        journal.run('UPDATE row SET hash = ? WHERE run = ? AND seq = ?', [hash, run, row.seq]);
      }
    });
  }
}
