import { RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import type { SpaceCopy } from './copy.ts';
import type { Holder } from './space-types.ts';

/** What is read is never written back. */
export const readOnly = (copy: SpaceCopy, holder: Holder | undefined): Sharing => ({
  db: copy.db,
  who: '',
  locks: new TurnLocks(copy, holder),
  record: () => undefined,
  compacted: () => undefined,
  shipped: () => Promise.resolve(),
  mayLeave: () => Promise.resolve(),
});

/** Who works on a run is told by whose turn it is. */
class TurnLocks extends RunLocks {
  readonly #db: SpaceCopy['db'];
  readonly #holder: Holder | undefined;

  constructor({ db, folder }: SpaceCopy, holder: Holder | undefined) {
    super(folder);
    this.#db = db;
    this.#holder = holder;
  }

  override take(run: string): boolean {
    return !this.isHeld(run) && super.take(run);
  }

  override isHeld(run: string): boolean {
    const row = this.#db.prepare('SELECT holder FROM run WHERE id = ?').get(run) as
      | { holder: string | null }
      | undefined;
    const known = JSON.parse(row?.holder ?? 'null') as Holder | null;
    return known !== null && known.host === this.#holder?.host && known.startedAt === this.#holder.startedAt;
  }
}
