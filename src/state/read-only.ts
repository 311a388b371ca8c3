import { RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import type { SpaceCopy } from './copy.ts';
import type { Holder } from './space-types.ts';

/** What is read is never written back. */
export const readOnly = (copy: SpaceCopy, holder: Holder | undefined): Sharing => ({
  db: copy.db,
  who: '',
  locks: new ReadersLocks(copy, holder),
  record: () => undefined,
  compacted: () => undefined,
  shipped: () => Promise.resolve(),
  mayLeave: () => Promise.resolve(),
});

/** Who works on a run is told by whose turn it is. */
class ReadersLocks extends RunLocks {
  readonly #copy: SpaceCopy;
  readonly #holder: Holder | undefined;

  constructor(copy: SpaceCopy, holder: Holder | undefined) {
    super(copy.folder);
    this.#copy = copy;
    this.#holder = holder;
  }

  override isHeld(run: string): boolean {
    const sql = 'SELECT holder FROM run WHERE id = ?';
    const { holder } = (this.#copy.db.prepare(sql).get(run) ?? {}) as { holder?: string | null };
    const known = JSON.parse(holder ?? 'null') as Holder | null;
    return known !== null && known.host === this.#holder?.host && known.startedAt === this.#holder.startedAt;
  }
}
