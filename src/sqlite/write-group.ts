import type { DatabaseFile } from './database-file.ts';

/** A write that waits for its turn. */
interface Waiting {
  write: () => unknown;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Of what a durable write takes, so much may be spent on waiting for what else is to be in it. */
const WORTH = 0.25;

/**
 * Puts writes that are asked for right after one another into one durable write: a disk takes as long for one row as
 * for ten. They are made in the order in which they were asked for.
 */
export class WriteGroup {
  /** How many have a request at the service, and will write what came of it: while there are none, a group is complete. */
  expected = 0;
  readonly #transaction: (work: () => void) => void;
  readonly #shipped: (() => Promise<void>) | undefined;
  #waiting: Waiting[] = [];
  /** What the last durable write took, in milliseconds. */
  #tookMs = 0;

  /**
   * `transaction` makes all that its work writes durable before it returns, or throws and has written nothing.
   * `shipped`: resolves when that is also where others read it.
   */
  constructor(transaction: (work: () => void) => void, shipped?: () => Promise<void>) {
    this.#transaction = transaction;
    this.#shipped = shipped;
  }

  /** Resolves when it is on the disk, and where others read it. See `addHere`. */
  async add(write: () => unknown): Promise<void> {
    await this.addHere(write);
    await this.#shipped?.();
  }

  /**
   * Resolves when it is on the disk. A write that returns an error was not made, and is rejected with it, alone. When the
   * disk fails, every write of the turn is rejected, and none has been made.
   */
  addHere(write: () => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ write, resolve, reject }) === 1) this.#gather(0, 0);
    });
  }

  /** Writes once no other write has come for a while, or can come. Whoever asks waits for it, so that they come to an end. */
  #gather(known: number, sinceMs: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      const nowMs = performance.now();
      if (length > known) this.#gather(length, nowMs);
      else if (this.expected > 0 && nowMs - sinceMs < WORTH * this.#tookMs) this.#gather(known, sinceMs);
      else this.#flush(nowMs);
    });
  }

  #flush(nowMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#transaction(() => {
        for (const { write, reject } of waiting) {
          const kept = write();
          if (kept instanceof Error) reject(kept);
        }
      });
    } catch (error) {
      // To those that were kept back this is no news: they have been rejected.
      for (const { reject } of waiting) reject(error);
      return;
    }
    this.#tookMs = performance.now() - nowMs;
    for (const { resolve } of waiting) resolve();
  }
}

interface LateWish {
  list: string;
  tell: readonly string[];
  ofRows: RegExp;
  next: () => number;
}

/** Written into a statement that is right whether rows have been told or not. */
export const ASIDE = '/* late writes aside */';

/**
 * What is to be written into rows, kept in a list to which all that is written together is added at once. Rows are told of
 * it before anything is asked of them, many at once: so each is written once for all that became of it meanwhile.
 */
export class LateWrites {
  /** That of what is being written together, while something is. */
  no: number | undefined;
  readonly #file: DatabaseFile;
  readonly #list: string;
  readonly #tell: readonly string[];
  readonly #ofRows: RegExp;
  readonly #next: () => number;
  /** What is being written, by what it is of. */
  #now: Record<string, object[]> = {};
  /** What rows may have yet to be told of, and whether that was the last of it. */
  readonly #about = new Map<string, boolean>();
  /** Within a transaction: rows have been told of all that was kept. */
  #areTold = false;

  /**
   * `list`: the table that keeps it in its column of that name, by number; `tell`: what tells rows of it; `ofRows`: what asks
   * of rows; `next`: the number for what is written together.
   */
  constructor(file: DatabaseFile, { list, tell, ofRows, next }: LateWish) {
    this.#file = file;
    this.#list = list;
    this.#tell = tell;
    this.#ofRows = ofRows;
    this.#next = next;
  }

  /**
   * Part of what writes `together`. `of`: what its row is of; `about`: names of what it is about; `isLast`: all else of that
   * comes after rows were told.
   */
  add(of: string, write: object, about: readonly string[], isLast = false): void {
    const known = about.map((name) => this.#about.get(name)).filter((one) => one !== undefined);
    if (known.some((isOver) => isOver || !isLast)) this.tell();
    for (const name of about) this.#about.set(name, isLast);
    (this.#now[of] ??= []).push(write);
  }

  /** Whether rows may have yet to be told of something. */
  keepsOf(name: string): boolean {
    return this.#about.has(name);
  }

  /** Whether nothing is kept yet of what is being written together. */
  get isEmpty(): boolean {
    return Object.keys(this.#now).length === 0;
  }

  /** All or nothing, with what is added meanwhile. */
  together(work: (no: number) => void): void {
    this.#file.transaction(() => {
      // Those of one that has failed.
      this.#now = {};
      this.no = this.#next();
      try {
        work(this.no);
        this.#keep();
        if (this.#file.sharing !== undefined) this.tell();
      } finally {
        this.no = undefined;
      }
    });
  }

  /** Call before each statement, and before a transaction. */
  before(sql: string): void {
    if (!this.#file.isWriting) this.#areTold = false;
    if (!this.#ofRows.test(sql) || sql.includes(ASIDE)) return;
    this.catchUp();
    // Whoever writes has the file alone.
    this.#areTold = this.#file.isWriting;
  }

  /** Tells rows of all that is left. */
  catchUp(): void {
    if (!this.isEmpty || (!this.#areTold && this.#file.has(`FROM ${this.#list}`)))
      this.#file.withoutWaiting(() => this.#file.transaction(() => this.tell()));
  }

  /** Tells rows of all; part of a transaction. */
  tell(): void {
    this.#keep();
    this.#about.clear();
    for (const statement of this.#tell) this.#file.run(statement);
    this.#file.run(`DELETE FROM ${this.#list}`);
  }

  #keep(): void {
    if (this.isEmpty) return;
    const list = JSON.stringify(this.#now);
    this.#now = {};
    this.#areTold = false;
    this.#file.run(`INSERT INTO ${this.#list} (no, list) VALUES (?, ?)`, [this.no, list]);
  }
}
