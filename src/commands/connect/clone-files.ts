import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile } from '../../settings/private-file.ts';

/** Where a copy of a live event is kept, whether there is one or not. */
export const cloneFolder = (stateDir: string, name: string): string => join(stateDir, 'clones', name);

/** Its registrations, and what is known of the service. */
export const cloneFile = (stateDir: string, name: string): string =>
  join(cloneFolder(stateDir, name), 'sandbox.sqlite');

/** In the folder of a clone. */
export const MASK_KEY = 'mask.key';

/** What people and lists are masked with; undefined where people are as they are. */
export const readMaskKey = (stateDir: string, name: string): string | undefined =>
  readPrivateFile(join(cloneFolder(stateDir, name), MASK_KEY))?.trim() || undefined;

/** The names of all that are there. */
export function cloneNames(stateDir: string): string[] {
  const folder = join(stateDir, 'clones');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(cloneFile(stateDir, name)))
    .sort();
}
