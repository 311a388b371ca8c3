import { SharedStateError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import type { Database } from '../sqlite/private-database.ts';
import { type Locks, RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import type { SpaceCopy } from './copy.ts';
import { tagOf } from './seal.ts';
import { LEASE_MS, type Space } from './space.ts';
import { setBack, takenOver } from './space-errors.ts';
import type { Change, Head, Position } from './space-types.ts';
import { askPatiently } from './state-database.ts';

/** The turn is kept this often, and is not relied on when it was not heard of for longer than the other. */
const RENEW_MS = LEASE_MS / 4;
const RELIED_ON_MS = LEASE_MS - RENEW_MS;
/** An outage of the database is waited out for so long. */
const OUTAGE_MS = 60_000;
export const MOST_CHANGES = 500;
/** A snapshot takes the place of changes when there are more. */
const MANY_CHANGES = 2000;

/** What a turn works with. */
export interface TurnParts {
  space: Space;
  copy: SpaceCopy;
  who: string;
  clock: Clock;
  /** Ends waiting for the database. */
  aborting: AbortSignal;
  /** Told what time it is at the database. */
  onTime: (nowMs: number, askedMs: number) => void;
}

/** This process writes to the space, until it ends its turn or another takes it. */
export class Turn implements Sharing {
  readonly db: Database;
  readonly locks: Locks;
  readonly who: string;
  readonly #parts: TurnParts;
  readonly #epoch: number;
  #shipped: Position;
  #base: number;
  #isPurged = false;
  #shipping: Promise<void> | undefined;
  /** Why nothing goes any more. */
  #error: unknown;
  /** When the statement left that last showed whose turn it is, by two clocks: one of them stands still in sleep. */
  #shownAt: readonly number[];
  readonly #renewing: NodeJS.Timeout;

  constructor(parts: TurnParts, epoch: number, { base }: Pick<Head, 'base'>) {
    this.#parts = parts;
    this.#epoch = epoch;
    this.#base = base;
    this.#shipped = parts.copy.shipped;
    this.who = parts.who;
    this.db = parts.copy.db;
    this.locks = new RunLocks(parts.copy.folder);
    this.#shownAt = this.#now();
    this.#renewing = setInterval(() => void this.#ship().catch(() => undefined), RENEW_MS).unref();
  }

  record(changes: Uint8Array): void {
    const { copy } = this.#parts;
    copy.record(changes);
    if (this.#shipped.number > copy.shipped.number) copy.noteShipped(this.#shipped);
  }

  compacted(): void {
    this.#isPurged = true;
  }

  async shipped(): Promise<void> {
    const { number } = this.#parts.copy.position;
    while (this.#shipped.number < number) await this.#ship();
  }

  async mayLeave(isRead: boolean): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
    if (!isRead) await this.shipped();
    // Who has slept may have lost the turn.
    while (this.#sinceShownMs() > RELIED_ON_MS) await this.#ship();
  }

  /** Ships what is left, packs what has become much or was purged, and lets the next one go on. */
  async end(): Promise<void> {
    const { copy } = this.#parts;
    try {
      await this.shipped();
      copy.noteShipped(this.#shipped, this.#isPurged ? 0 : undefined);
      if (this.#isPurged || this.#shipped.number - this.#base > MANY_CHANGES) await this.pack(this.#shipped);
    } finally {
      await this.giveUp();
    }
  }

  /** Lets the next one go on, as it is. */
  async giveUp(): Promise<void> {
    clearInterval(this.#renewing);
    this.#error ??= new SharedStateError('The turn has ended.');
    await this.#parts.space.giveBack(this.#epoch).catch(() => undefined);
  }

  /** Puts a snapshot of the copy, which stands there, in the place of what the space has, which stands at `from`. */
  async pack(at: Position, from = at.number): Promise<void> {
    const { space, copy } = this.#parts;
    this.#shipped = { ...at, number: from };
    await copy.packed(async (file) => {
      let part = 0;
      for (const body of copy.parts(file, at)) {
        await this.#patiently(() => space.putPart(at.number, part, body));
        part += 1;
        if (this.#sinceShownMs() > RENEW_MS) await this.#ship();
      }
    });
    const begin = async (): Promise<void> => {
      if (await space.begin(this.#epoch, from, at)) return;
      const head = await space.head();
      if (head.epoch !== this.#epoch || head.base !== at.number || !head.baseTag.equals(at.tag))
        this.#findOut(head);
    };
    await this.#patiently(begin);
    this.#shipped = at;
    this.#base = at.number;
  }

  /** One at a time: what comes meanwhile goes together with the next. */
  #ship(): Promise<void> {
    if (this.#error !== undefined) return Promise.reject(this.#error);
    this.#shipping ??= this.#shipNext().finally(() => (this.#shipping = undefined));
    return this.#shipping;
  }

  async #shipNext(): Promise<void> {
    try {
      await this.#patiently(() => this.#append(this.#parts.copy.outbox(this.#shipped.number, MOST_CHANGES)));
    } catch (error) {
      this.#error ??= error;
      throw error;
    }
  }

  async #append(changes: readonly Change[]): Promise<void> {
    const { space, clock, onTime } = this.#parts;
    const asked = this.#now();
    const askedMs = clock.now();
    const nowMs = await space.append(this.#epoch, this.#shipped.number, changes);
    if (nowMs === undefined) return this.#findOut(await space.head());
    onTime(nowMs, askedMs);
    const last = changes.at(-1);
    if (last !== undefined) this.#shipped = { number: last.number, tag: tagOf(last.body) };
    this.#shownAt = asked;
  }

  /** Where the space stands when it is not where it was left: an answer may have been lost, or the space has. */
  #findOut({ epoch, number, tag, holder }: Head): void {
    const { copy, space } = this.#parts;
    if (epoch > this.#epoch) throw takenOver(space.name, holder);
    const own = epoch === this.#epoch ? copy.tagAt(number) : undefined;
    if (own === undefined || !own.equals(tag)) throw setBack(space.name);
    this.#shipped = { number, tag };
  }

  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { clock, aborting } = this.#parts;
    return await askPatiently(ask, OUTAGE_MS, (ms) => clock.sleep(ms, aborting));
  }

  #sinceShownMs(): number {
    return Math.max(...this.#now().map((ms, clock) => ms - (this.#shownAt[clock] ?? 0)));
  }

  #now(): readonly number[] {
    const { clock } = this.#parts;
    return [clock.now(), clock.steadyMs?.() ?? clock.now()];
  }
}
