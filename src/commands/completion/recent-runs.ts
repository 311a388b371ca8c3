import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MOST_RUNS = 20;

/** The newest runs of this machine, newest first; none where they cannot be read at once. */
export async function recentRuns(stateDir: string): Promise<readonly { id: string; about: string }[]> {
  const file = join(stateDir, 'journal.sqlite');
  if (!existsSync(file)) return [];
  try {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    // Read only, and without the checks of a journal that is to be worked with: a shell is waiting.
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = database
        .prepare(`SELECT id, kind, state FROM run WHERE state <> 'reading' ORDER BY started_at DESC LIMIT ?`)
        .all(MOST_RUNS) as unknown as readonly { id: string; kind: string; state: string }[];
      return rows.map(({ id, kind, state }) => ({ id, about: `${kind}, ${state}` }));
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}
