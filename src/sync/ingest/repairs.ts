import type { Note, Place } from '../../registration/model/row.ts';
import type { InputRow } from './input-row.ts';

/** A note, and where its cell stands. */
interface Repair {
  place: Place;
  note: Note;
}

/** How often a repair was made in a column, with the first cell as an example. */
interface RepairCount extends Repair, Pick<Note, 'column' | 'repair'> {
  cells: number;
}

/** Notes that the summary for programs lists; the journal has all. */
const MOST_LISTED = 1000;

/** What was mended in the files. */
export interface Repairs {
  /** Cells in all. */
  readonly cells: number;
  /** By column and repair, the most frequent first. */
  counts: () => readonly RepairCount[];
  /** The first 1,000, in the order of the files. */
  listed: () => readonly Repair[];
}

export function repairsOf(rows: readonly InputRow[]): Repairs {
  const counts = new Map<string, RepairCount>();
  const listed: Repair[] = [];
  let cells = 0;
  for (const { place, notes, part } of rows) {
    for (const note of part === 0 ? notes : []) {
      cells += 1;
      if (listed.length < MOST_LISTED) listed.push({ place, note });
      const { column, repair } = note;
      const key = JSON.stringify([column, repair]);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { column, repair, cells: 1, place, note });
      else known.cells += 1;
    }
  }
  const sorted = [...counts.values()].sort((one, other) => other.cells - one.cells);
  return { cells, counts: () => sorted, listed: () => listed };
}
