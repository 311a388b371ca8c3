import type { Journal } from './journal.ts';

type Values = Parameters<Journal['all']>[1];

/**
 * Temporary tables of a journal that one holder has at a time. The next one to take those of a name makes them anew, and
 * whoever had them before is refused from then on: what it would read is not its own any more.
 */
export class HeldTables {
  readonly #journal: Journal;
  readonly #name: string;

  /** `statements` make the tables, and empty them. */
  constructor(journal: Journal, name: string, statements: readonly string[]) {
    this.#journal = journal;
    this.#name = name;
    journal.holders.set(name, this);
    for (const sql of statements) journal.run(sql);
  }

  /** Throws when somebody else has taken the tables since: that is a defect, and no answer is better than a wrong one. */
  check(): void {
    if (this.#journal.holders.get(this.#name) === this) return;
    throw new Error(`The temporary tables of ${this.#name} were taken by another while they were in use.`);
  }

  /** The journal that has the tables. Throws as `check` does. */
  get journal(): Journal {
    this.check();
    return this.#journal;
  }

  *pages<Row extends object>(sql: string, values: Values, key: keyof Row): Generator<Row[]> {
    for (const page of this.#journal.pages<Row>(sql, values ?? {}, key)) {
      this.check();
      yield page;
    }
    // Tables that were emptied meanwhile look like the end.
    this.check();
  }
}
