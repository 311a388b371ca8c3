import { type Locks, RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import type { SpaceCopy } from './copy.ts';
import type { Holder } from './space-types.ts';

/** What is read is never written back. */
export const readOnly = (copy: SpaceCopy, holder: Holder | undefined): Sharing => ({
  db: copy.db,
  who: '',
  locks: locksOf(copy, holder),
  record: () => undefined,
  compacted: () => undefined,
  shipped: () => Promise.resolve(),
  mayLeave: () => Promise.resolve(),
});

/** Who works on a run is told by whose turn it is. */
function locksOf({ db, folder }: SpaceCopy, holder: Holder | undefined): Locks {
  const isHeld = (run: string): boolean => {
    const row = db.prepare('SELECT holder FROM run WHERE id = ?').get(run) as
      | { holder: string | null }
      | undefined;
    const known = JSON.parse(row?.holder ?? 'null') as Holder | null;
    return known !== null && known.host === holder?.host && known.startedAt === holder.startedAt;
  };
  return Object.assign(new RunLocks(folder), { isHeld });
}
