/** Things by a key: in no more room than a map takes where a key has one of them, as nearly all do. */
export class Lookup<Key, Item extends object> {
  readonly #found = new Map<Key, Item | Item[]>();

  get size(): number {
    return this.#found.size;
  }

  keys(): Iterable<Key> {
    return this.#found.keys();
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
