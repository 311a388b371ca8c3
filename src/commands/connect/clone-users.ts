import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { heldBy } from '../../sync/journal/busy-runs.ts';
import type { Runtime } from '../../runtime.ts';
import { LOCKS_FOLDER, RunLocks } from '../../sqlite/run-locks.ts';
import type { GlobalOptions } from '../options/options.ts';
import { cloneFolder } from './clone-files.ts';

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
