const MOST_SHAPES = 1000;

/** Gives rows of the same columns one array, so that work on the columns is done once. */
export class ShapeCache {
  #shapes = new Map<string, readonly string[]>();
  #last: readonly string[] = [];

  /** The shared array equal to `columns`. At most 1,000 are kept. */
  share(columns: readonly string[]): readonly string[] {
    if (!sameNames(columns, this.#last)) this.#last = this.#find(columns);
    return this.#last;
  }

  #find(columns: readonly string[]): readonly string[] {
    const key = JSON.stringify(columns);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (this.#shapes.size >= MOST_SHAPES) this.#shapes.clear();
    this.#shapes.set(key, columns);
    return columns;
  }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
