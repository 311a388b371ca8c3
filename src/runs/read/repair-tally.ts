import type { Note, Place } from '../../registration/model/row.ts';

/** How often a repair was made in a column, with the first cell as an example. */
interface RepairCount {
  column: string;
  field: string;
  repair: string;
  cells: number;
  place: Place;
  note: Note;
}

/** Different repairs are few: a column, times what can be wrong with it. More are counted together. */
const MOST_KINDS = 1000;
/** Notes that the summary for programs lists; the journal has all. */
const MOST_LISTED = 1000;

/** Counts what was mended, in constant memory. */
export class RepairTally {
  readonly #counts = new Map<string, RepairCount>();
  readonly #listed: { place: Place; note: Note }[] = [];
  #cells = 0;

  add(place: Place, note: Note): void {
    this.#cells += 1;
    if (this.#listed.length < MOST_LISTED) this.#listed.push({ place, note });
    const { column, field, repair } = note;
    const key = JSON.stringify([column, repair]);
    const known = this.#counts.get(key);
    if (known !== undefined) known.cells += 1;
    else if (this.#counts.size < MOST_KINDS) {
      this.#counts.set(key, { column, field, repair, cells: 1, place, note });
    }
  }

  /** Cells that were mended. */
  get cells(): number {
    return this.#cells;
  }

  /** By column and repair, the most frequent first. */
  counts(): readonly RepairCount[] {
    return [...this.#counts.values()].sort((a, b) => b.cells - a.cells);
  }

  /** The first 1,000, in the order of the files. */
  listed(): readonly { place: Place; note: Note }[] {
    return this.#listed;
  }
}
