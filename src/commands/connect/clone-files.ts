import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeDirectory } from '../../make-directory.ts';
import { removeFolder } from '../../put-in-place.ts';
import { markOf } from '../../rehearsal/mask/permute.ts';
import { readPrivateFile } from '../../settings/private-file.ts';
import { type Locks, LOCKS_FOLDER, RunLocks } from '../../sqlite/run-locks.ts';
import { heldBy } from '../../sync/journal/runs.ts';
import type { Runtime } from '../../runtime.ts';
import type { GlobalOptions } from '../options/options.ts';

/** Where a copy of a live event is kept, whether there is one or not. */
export const cloneFolder = (stateDir: string, name: string): string => join(stateDir, 'clones', name);

/** Its registrations, and what is known of the service. */
export const cloneFile = (stateDir: string, name: string): string =>
  join(cloneFolder(stateDir, name), 'sandbox.sqlite');

export const MASK_KEY = 'mask.key';

/** What people and lists are masked with; undefined where people are as they are. */
export const readMaskKey = (stateDir: string, name: string): string | undefined =>
  readPrivateFile(join(cloneFolder(stateDir, name), MASK_KEY))?.trim() || undefined;

export function cloneNames(stateDir: string): string[] {
  return foldersIn(stateDir)
    .filter((name) => !name.startsWith(DRAFT) && existsSync(cloneFile(stateDir, name)))
    .sort();
}

/** The folder of a clone that is being made, which no clone can be called like. */
const DRAFT = '.draft-';

/** Makes the folder that a clone is made in; nobody removes it while this process lives. */
export function makeDraft(stateDir: string, locks: Locks): string {
  const above = join(stateDir, 'clones');
  makeDirectory(above);
  const folder = mkdtempSync(join(above, DRAFT));
  locks.take(lockOf(basename(folder)));
  return folder;
}

/** Removes a draft, if it is not a clone by now. */
export function endDraft(folder: string, locks: Locks): void {
  removeFolder(folder);
  locks.forget(lockOf(basename(folder)));
}

/** Drafts that were left when the making of a clone was killed: there are people in them. */
export function leftDrafts(stateDir: string, locks: Locks): string[] {
  return foldersIn(stateDir)
    .filter((name) => name.startsWith(DRAFT) && !locks.isHeld(lockOf(name)))
    .map((name) => cloneFolder(stateDir, name));
}

/** Removes them; returns how many there were. */
export function removeLeftDrafts(stateDir: string, locks: Locks): number {
  const left = leftDrafts(stateDir, locks);
  for (const folder of left) endDraft(folder, locks);
  return left.length;
}

const lockOf = (draft: string): string => `clone${draft}`;

function foldersIn(stateDir: string): string[] {
  const folder = join(stateDir, 'clones');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The clone of this machine whose people are masked by a key. */
export function cloneMaskedBy(stateDir: string, mark: string): string | undefined {
  return cloneNames(stateDir).find((one) => {
    const key = readMaskKey(stateDir, one);
    return key !== undefined && markOf(key) === mark;
  });
}

type Parts = Pick<Runtime, 'paths' | 'self'>;

/** Shows other processes that this one uses a clone, until what it returns is called. Of the demo event nobody minds. */
export function holdClone({ paths, self }: Parts, sandbox: GlobalOptions['sandbox']): () => void {
  if (typeof sandbox !== 'string') return () => undefined;
  const locks = new RunLocks(cloneFolder(paths.state, sandbox));
  const mine = String(self.pid);
  return locks.take(mine) ? () => locks.forget(mine) : () => undefined;
}

/** Throws a GuardError where another process uses a clone: it would go on with a file that is gone. */
export function refuseUsedClone({ paths, self }: Parts, name: string): void {
  const folder = cloneFolder(paths.state, name);
  if (!existsSync(join(folder, LOCKS_FOLDER))) return;
  const locks = new RunLocks(folder);
  const user = readdirSync(join(folder, LOCKS_FOLDER)).find((pid) => locks.isHeld(pid));
  if (user === undefined) return;
  throw heldBy(`The clone ${name} is used`, { pid: Number(user), host: self.host });
}
