import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where a copy of a live event is kept, whether there is one or not. */
export const cloneFolder = (stateDir: string, name: string): string => join(stateDir, 'clones', name);

/** Its registrations, and what is known of the service. */
export const cloneFile = (stateDir: string, name: string): string =>
  join(cloneFolder(stateDir, name), 'sandbox.sqlite');

/** What people and lists are masked with; not there where people are as they are. */
export const maskKeyFile = (stateDir: string, name: string): string =>
  join(cloneFolder(stateDir, name), 'mask.key');

/** The names of all that are there. */
export function cloneNames(stateDir: string): string[] {
  const folder = join(stateDir, 'clones');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(cloneFile(stateDir, name)))
    .sort();
}
