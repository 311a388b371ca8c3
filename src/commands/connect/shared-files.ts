import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../settings/private-file.ts';
import type { Runtime } from '../../runtime.ts';
import type { Journal } from '../../sync/journal/journal.ts';

/** Where mappings are remembered: on this machine, or for all that share their state. */
export const mappingsFolder = ({ paths }: Pick<Runtime, 'paths'>): string => paths.shared ?? paths.config;

/** What is shared beside the runs: files of the copy, whose texts are kept with what was learnt. */
const FILES = ['mappings.json', 'pacing.json'];

const keptText = (journal: Journal, name: string): string | undefined =>
  journal.get<{ value: string }>(`SELECT value FROM learned WHERE service = '' AND name = $name`, { name })
    ?.value;

/** Writes them as the others have left them. */
export function recallBeside(journal: Journal, folder: string): void {
  for (const name of FILES) {
    const text = keptText(journal, name);
    if (text !== undefined) writePrivateFile(join(folder, name), text);
  }
}

/** Keeps them for the others. */
export function keepBeside(journal: Journal, folder: string, now: number): void {
  for (const name of FILES) {
    const file = join(folder, name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (text === undefined || text === keptText(journal, name)) continue;
    journal.run(`INSERT OR REPLACE INTO learned (service, name, value, at) VALUES ('', ?, ?, ?)`, [
      name,
      text,
      now,
    ]);
  }
}
