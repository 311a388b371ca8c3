import { SharedStateError } from '../errors.ts';
import type { Database } from '../sqlite/private-database.ts';
import { type Locks, RunLocks } from '../sqlite/run-locks.ts';
import type { Sharing } from '../sqlite/sharing.ts';
import type { SpaceCopy } from './copy.ts';
import { tagOf } from './seal.ts';
import { LEASE_MS, type Space } from './space.ts';
import { nameOf, setBack, takenOver } from './space-errors.ts';
import type { Head, Position, SpaceOptions } from './space-types.ts';
import { askPatiently, unlessLost } from './state-database.ts';

/** The turn is kept this often, and is not relied on when it was not heard of for longer than the other. */
const RENEW_MS = LEASE_MS / 4;
const RELIED_ON_MS = LEASE_MS - RENEW_MS;
/** An outage of the database is waited out for so long. */
const OUTAGE_MS = 60_000;
const AWAY = 'The shared state is away: nothing leaves until it is back, which is waited for a minute.';
export const MOST_CHANGES = 500;
/** A snapshot takes the place of changes when there are more. */
const MANY_CHANGES = 2000;

/** A space, and who is on the way to it. */
export interface Way {
  readonly space: Space;
  readonly options: SpaceOptions;
}

/** This process writes to the space, until it ends its turn or another takes it. */
export class Turn implements Sharing {
  readonly db: Database;
  readonly locks: Locks;
  readonly who: string;
  leadMs = 0;
  readonly #way: Way;
  readonly #copy: SpaceCopy;
  readonly #epoch: number;
  /** What the space has, as it has answered; and what is there when all that is under way has arrived. */
  #shipped: Position;
  #sent: Position;
  #base: number;
  #isPurged = false;
  #hasEnded = false;
  #shipping: Promise<void> = Promise.resolve();
  #mending: Promise<void> | undefined;
  /** Why nothing goes any more. */
  #error: unknown;
  /** When the statement left that last showed whose turn it is, by two clocks: one of them stands still in sleep. */
  #shownAt: readonly [number, number];
  readonly #renewing: NodeJS.Timeout;

  constructor(way: Way, copy: SpaceCopy, { epoch, base }: Head) {
    this.#way = way;
    this.#copy = copy;
    this.#epoch = epoch;
    this.#base = base;
    this.#shipped = this.#sent = copy.shipped;
    this.who = nameOf(way.options.self);
    this.db = copy.db;
    this.locks = new RunLocks(copy.folder);
    this.#shownAt = this.#now();
    this.#renewing = setInterval(() => void this.#ship().catch(() => undefined), RENEW_MS).unref();
  }

  record(changes: Uint8Array): void {
    this.#copy.record(changes);
    if (this.#shipped.number > this.#copy.shipped.number) this.#copy.noteShipped(this.#shipped);
  }

  compacted(): void {
    this.#isPurged = true;
  }

  async shipped(): Promise<void> {
    const { number } = this.#copy.position;
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
    const copy = this.#copy;
    try {
      const isMuch = this.#isPurged || copy.position.number - this.#base > MANY_CHANGES;
      const isOver = (): boolean => (isMuch ? this.#shipped.number === copy.position.number : this.#hasEnded);
      // Behind its end it would begin anew.
      if (!isMuch) clearInterval(this.#renewing);
      while (!isOver()) await this.#ship(!isMuch);
      copy.noteShipped(this.#shipped, this.#isPurged ? 0 : undefined);
      if (isMuch) await this.pack(this.#shipped);
    } finally {
      await this.giveUp();
    }
  }

  /** Lets the next one go on, as it is. */
  async giveUp(): Promise<void> {
    clearInterval(this.#renewing);
    this.#error ??= new SharedStateError('The turn has ended.');
    if (!this.#hasEnded) await this.#way.space.giveBack(this.#epoch).catch(() => undefined);
  }

  /** Puts a snapshot of the copy, which stands there, in the place of what the space has, which stands at `from`. `isParted`: see `Space.begin`. */
  async pack(at: Position, from = at.number, isParted = false): Promise<void> {
    const [{ space }, copy] = [this.#way, this.#copy];
    this.#shipped = this.#sent = { ...at, number: from };
    await copy.packed(async (file) => {
      for (const [part, body] of copy.parts(file, at))
        await this.#patiently(() => space.putPart(at.number, part, body));
    });
    await this.#patiently(async () => {
      if (!(await space.begin(this.#epoch, from, at, isParted))) this.#findOut(await space.head());
    });
    this.#shipped = this.#sent = at;
    this.#base = at.number;
  }

  /**
   * Ships what is new, without waiting for what is under way: each goes on from the one before, and is taken only after
   * it. `isLast`: the turn ends with it, unless more is left.
   */
  async #ship(isLast = false): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
    if (this.#mending !== undefined) return await this.#mending;
    const isNew = this.#sent.number < this.#copy.position.number;
    const isUnderWay = this.#shipped.number < this.#sent.number;
    if (isNew || isLast || !isUnderWay) this.#shipping = this.#shipNext(isLast);
    await this.#shipping;
  }

  async #shipNext(isLast: boolean): Promise<void> {
    try {
      const isTaken = await this.#append(isLast).catch(unlessLost);
      if (isTaken === undefined && this.#mending === undefined) this.#way.options.tell(AWAY);
      if (isTaken !== true) await (this.#mending ??= this.#mend());
    } catch (error) {
      this.#error ??= error;
      throw error;
    }
  }

  /** What was under way behind one that failed fails as well: now they go one by one, until there is an answer. */
  async #mend(): Promise<void> {
    const again = async (): Promise<void> => {
      this.#sent = this.#shipped;
      if (!(await this.#append(false))) this.#findOut(await this.#way.space.head());
    };
    await this.#patiently(again).finally(() => (this.#mending = undefined));
  }

  /** Whether the space has taken it. */
  async #append(isLast: boolean): Promise<boolean> {
    const asked = this.#now();
    const from = this.#sent;
    const changes = this.#copy.outbox(from.number, MOST_CHANGES);
    const last = changes.at(-1);
    const at = last === undefined ? from : { number: last.number, tag: tagOf(last.body) };
    this.#sent = at;
    const ends = isLast && at.number === this.#copy.position.number;
    if (!(await this.#way.space.append(this.#epoch, from.number, changes, ends ? 'NULL' : undefined)))
      return false;
    this.#shipped = at;
    this.#shownAt = asked;
    this.#hasEnded = ends;
    // The least of late: who left sooner than was thought would come too early.
    const tookMs = this.#now()[1] - asked[1];
    this.leadMs = this.leadMs === 0 ? tookMs : Math.min(tookMs, this.leadMs + 1);
    return true;
  }

  /** Where the space stands when it is not where it was left: an answer may have been lost, or the space has. */
  #findOut({ epoch, number, tag, holder }: Head): void {
    const { name } = this.#way.space;
    if (epoch > this.#epoch) throw takenOver(name, holder);
    if (epoch !== this.#epoch || !this.#copy.knows({ number, tag })) throw setBack(name);
    this.#shipped = this.#sent = { number, tag };
  }

  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { clock, aborting } = this.#way.options;
    return await askPatiently(ask, OUTAGE_MS, (ms) => clock.sleep(ms, aborting));
  }

  #sinceShownMs(): number {
    return Math.max(...this.#now().map((ms, clock) => ms - (this.#shownAt[clock] ?? 0)));
  }

  #now(): readonly [number, number] {
    const { clock } = this.#way.options;
    return [clock.now(), clock.steadyMs?.() ?? clock.now()];
  }
}
