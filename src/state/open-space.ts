import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../sqlite/private-database.ts';
import { type Locks, RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import { Journal } from '../sync/journal/journal.ts';
import { VERSION } from '../sync/journal/journal-tables.ts';
import { catchUp } from './catch-up.ts';
import { SpaceCopy } from './copy.ts';
import { LEASE_MS, Space } from './space.ts';
import { atWork, notFree, setBack } from './space-errors.ts';
import type { Head, SpaceOptions } from './space-types.ts';
import { askPatiently, StateDatabase } from './state-database.ts';
import { Turn } from './turn.ts';

/** At the beginning a database that is away is an error soon: the address may be wrong. */
const FIRST_MS = 5000;
/** Who waits looks so often whether the other has ended. */
const LOOK_MS = 1000;

/** What a space is opened for: `does` is what others are told who wait, as in "pushes guests.csv". */
export interface Writing {
  does: string;
  maxWaitMs: number | undefined;
}

/** A journal that is a copy of a space, until it is ended. */
export interface OpenSpace {
  journal: Journal;
  /** The copy on this machine. */
  folder: string;
  /** Ships what is left, and lets the next one go on. */
  end: () => Promise<void>;
}

/** The way to a space: ask it for one thing, and close it. */
export class SpaceOpener {
  readonly space: Space;
  /** How much the clock of the database is ahead of this machine's, in milliseconds. */
  aheadMs = 0;
  readonly options: SpaceOptions;
  #close: (() => void)[] = [];

  constructor(options: SpaceOptions) {
    this.options = options;
    this.space = new Space(new StateDatabase(options.address), options.key, VERSION);
  }

  async close(): Promise<void> {
    this.#letGo();
    await this.space.database.close();
  }

  /** Waits for the turn, at most so long, and brings the copy of this machine up to the space. */
  async openToWrite(writing: Writing): Promise<OpenSpace> {
    const { copy, turn } = await this.#begin(writing, (copy, head) => catchUp(this, copy, head));
    return this.#opened(copy, turn, () => turn.end());
  }

  /** Nothing that is written to it stays. Waits for nobody. */
  async openToRead(): Promise<OpenSpace> {
    const { copy, head } = await this.#openCaughtUp();
    copy.db.exec('BEGIN IMMEDIATE');
    return this.#opened(copy, readOnly(copy, head), () => Promise.resolve(copy.db.exec('ROLLBACK')));
  }

  /** Puts what is known here in the place of what the space has: the journal of `from`, else the copy of this machine. */
  async move(writing: Writing, from: string | undefined): Promise<void> {
    let isParted = false;
    const { copy, turn, head } = await this.#begin(writing, async (copy, { number, tag }) => {
      isParted = !copy.knows({ number, tag });
      const at = { number: Math.max(number, copy.position.number) + 1, tag: randomBytes(tag.length) };
      if (from !== undefined) await copy.load(at, (draft) => Promise.resolve(copyFile(from, draft)));
      copy.stand(at);
    });
    try {
      await turn.pack(copy.position, head.number, isParted);
    } finally {
      await turn.giveUp();
    }
  }

  /** Copies what the space has to a file. */
  async export(file: string): Promise<void> {
    const { copy } = await this.#openCaughtUp();
    await copy.packed((packed) => Promise.resolve(copyFile(packed, file)));
  }

  /** Where the space and the copy of this machine stand; `hasGoneBack`: the space lacks what it had; `isParted`: and has what others did since. */
  async standing() {
    const head = await this.head();
    const copy = await this.#openCopy(head);
    const { position, shipped } = copy;
    const unshipped = position.number - shipped.number;
    const hasGoneBack = (await this.space.cameBy(shipped, head)) === false;
    const isParted = hasGoneBack && !copy.knows(head);
    this.#letGo();
    return { head, copy: { number: position.number, unshipped, hasGoneBack, isParted, folder: copy.folder } };
  }

  #letGo(): void {
    for (const close of this.#close.splice(0).reverse()) close();
  }

  /** Where the space stands, and what time it is there. */
  async head(): Promise<Head> {
    return await this.#ask(() => this.space.head());
  }

  async #ask<Answer extends Head | undefined>(ask: () => Promise<Answer>): Promise<Answer> {
    const { clock, stopping } = this.options;
    const askedMs = clock.now();
    const answer = await askPatiently(ask, FIRST_MS, (ms) => clock.sleep(ms, stopping));
    // Times are the database's.
    if (answer !== undefined) this.aheadMs = Math.round(answer.nowMs - (askedMs + clock.now()) / 2);
    return answer;
  }

  async #waitForTurn({ does, maxWaitMs = Infinity }: Writing): Promise<Head> {
    const { self, stopping, tell, clock } = this.options;
    let waitedMs = 0;
    for (let told = 0; ; ) {
      const own = await this.#ask(() => this.space.take({ ...self, does }));
      if (own !== undefined) return own;
      const head = await this.head();
      if (head.leftMs === 0) continue;
      if (waitedMs >= maxWaitMs) throw notFree(this.space.name, head);
      if (head.epoch !== told) tell(`Waiting: ${atWork(head.holder)}.`);
      told = head.epoch;
      const waitMs = Math.min(LOOK_MS, head.leftMs + 1, maxWaitMs - waitedMs);
      await clock.sleep(waitMs, stopping);
      waitedMs += waitMs;
    }
  }

  /** Waits for the turn and goes to work on a copy; gives the turn back where that fails. */
  async #begin(writing: Writing, prepare: (copy: SpaceCopy, head: Head) => Promise<void>) {
    const head = await this.#waitForTurn(writing);
    const keep = (): unknown => this.space.append(head.epoch, head.number, []).catch(() => undefined);
    const keeping = setInterval(keep, LEASE_MS / 4);
    try {
      const copy = await this.#openCopy(head);
      await prepare(copy, head);
      return { copy, turn: new Turn(this, copy, head), head };
    } catch (error) {
      await this.space.giveBack(head.epoch).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(keeping);
    }
  }

  async #openCaughtUp(): Promise<{ copy: SpaceCopy; head: Head }> {
    const head = await this.head();
    const copy = await this.#openCopy(head, true);
    try {
      await catchUp(this, copy, head);
      return { copy, head };
    } catch (error) {
      this.#letGo();
      // A snapshot may have taken the place of what was being read.
      if ((await this.head()).base === head.base) throw error;
      return await this.#openCaughtUp();
    }
  }

  /** A copy that no other process has open; to read, one with nothing of its own that would have to give way. */
  async #openCopy(head: Head, toRead = false): Promise<SpaceCopy> {
    const { stateDir, key } = this.options;
    const { name: space, start } = this.space;
    const folder = join(stateDir, 'spaces', start.tag.toString('hex'));
    const locks = new RunLocks(folder);
    for (let count = 1; ; count += 1) {
      const name = `copy-${count}`;
      if (!locks.take(name)) continue;
      const copy = new SpaceCopy(join(folder, name), { space, key, start });
      const { position, shipped } = copy;
      this.#close.push(
        () => locks.release(name),
        () => copy.db.isOpen && copy.db.close(),
      );
      if (!toRead || position.number === shipped.number || head.number === shipped.number) return copy;
      if ((await this.space.cameBy(shipped, head)) === false) throw setBack(space);
      this.#letGo();
    }
  }

  #opened(copy: SpaceCopy, sharing: Sharing, end: OpenSpace['end']): OpenSpace {
    const journal = new Journal(copy.folder, { sharing });
    return {
      journal,
      folder: copy.folder,
      end: async () => {
        try {
          await end();
        } finally {
          journal.close();
          await this.close();
        }
      },
    };
  }
}

/** Copies a journal as it is at a moment, whoever writes to it. */
function copyFile(from: string, to: string): void {
  const db = new Database(from);
  db.prepare('VACUUM INTO ?').run(to);
  db.close();
}

/** What is read is never written back. */
const readOnly = (copy: SpaceCopy, head: Head): Sharing => ({
  db: copy.db,
  who: '',
  leadMs: 0,
  locks: locksOf(copy, head),
  record: () => undefined,
  compacted: () => undefined,
  shipped: () => Promise.resolve(),
  mayLeave: () => Promise.resolve(),
});

/** Who works on a run is told by whose turn it is. */
function locksOf({ db, folder }: SpaceCopy, { holder, leftMs }: Head): Locks {
  const own = new RunLocks(folder);
  const take = own.take.bind(own);
  const sql = `SELECT 1 FROM run WHERE id = ? AND holder ->> 'host' = ? AND holder ->> 'startedAt' = ?`;
  const isHeld = (run: string): boolean =>
    leftMs > 0 && db.prepare(sql).get(run, holder?.host ?? '', holder?.startedAt ?? 0) !== undefined;
  return Object.assign(own, { isHeld, take: (run: string) => !isHeld(run) && take(run) });
}
