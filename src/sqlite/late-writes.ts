import type { DatabaseFile } from './database-file.ts';

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

  /** As a transaction, with what is added meanwhile. */
  together(work: (no: number) => void, waits: boolean): void {
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
    }, waits);
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
      this.#file.transaction(() => this.tell(), false);
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
