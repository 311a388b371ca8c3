/** The value under a key, made when it is first asked for. */
export function madeOnce<Key, Value extends object>(
  all: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make();
  all.set(key, made);
  return made;
}

/** As `Object.fromEntries`, in a quarter of its time: of rows there are many. */
export function recordOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const record: Record<string, Value> = {};
  for (const [key, value] of entries) {
    // What is defined is a key like any other, be it one that stands for something when it is set.
    if (key === '__proto__')
      Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
    else record[key] = value;
  }
  return record;
}

/** Columns say the same again and again, or else nearly nothing twice. */
const MOST = 200;

/** What is made of texts, once of each that comes again: the first so many are kept, unless hardly any of them does. */
export class Repeats<Made> {
  readonly #made = new Map<string, Made>();
  #hits = 0;
  #isOfUse = true;

  /** `make` goes by the text alone. */
  of(text: string, make: (text: string) => Made): Made {
    if (!this.#isOfUse) return make(text);
    const known = this.#made.get(text);
    if (known !== undefined) {
      this.#hits += 1;
      return known;
    }
    const made = make(text);
    if (this.#made.size < MOST) this.#made.set(text, made);
    else this.#isOfUse = 2 * this.#hits > MOST;
    return made;
  }
}

/** Things by a key: in no more room than a map takes where a key has one of them, as nearly all do. */
export class Lookup<Key, Item extends object | string> {
  readonly #found = new Map<Key, Item | Item[]>();

  get size(): number {
    return this.#found.size;
  }

  keys(): Iterable<Key> {
    return this.#found.keys();
  }

  /** What has one key, for each of them. */
  groups(): (readonly Item[])[] {
    return [...this.#found.keys()].map((key) => this.of(key));
  }

  /** What has no key is not found by one. */
  add(key: Key | undefined, item: Item): void {
    if (key === undefined) return;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, item);
    else if (Array.isArray(known)) known.push(item);
    else this.#found.set(key, [known, item]);
  }

  /** In the order in which they came. */
  of(key: Key | undefined): readonly Item[] {
    const found = key === undefined ? undefined : this.#found.get(key);
    if (found === undefined) return [];
    return Array.isArray(found) ? found : [found];
  }
}

/** The first so many of some that pass a test; the others are not looked at. */
export function firstOf<Item>(items: Iterable<Item>, most: number, test: (item: Item) => boolean): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    if (found.length === most) break;
    if (test(item)) found.push(item);
  }
  return found;
}
