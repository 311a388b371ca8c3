import { formatPlace, type Place } from '../../registration/model/row.ts';
import { plural } from '../../report/words/number.ts';

/** A row that names a parent. */
export interface Member extends Place {
  seq: number;
  barcode?: string;
  parent_barcode: string;
}

const MOST_IN_CIRCLE = 6;

/** For each row the rows of the cycle on which it hangs, or in which it is. Every row is walked once. */
export function findCycles(rows: readonly Member[]): Map<Member, readonly Member[]> {
  const byBarcode = new Map(
    rows.flatMap((row) => (row.barcode === undefined ? [] : [[row.barcode, row] as const])),
  );
  const cycles = new Map<Member, readonly Member[]>();
  for (const row of rows) {
    const path = new Map<Member, number>();
    let current: Member | undefined = row;
    while (current !== undefined && !cycles.has(current) && !path.has(current)) {
      path.set(current, path.size);
      current = byBarcode.get(current.parent_barcode);
    }
    if (current === undefined) continue;
    const cycle = cycles.get(current) ?? [...path.keys()].slice(path.get(current));
    for (const walked of path.keys()) cycles.set(walked, cycle);
  }
  return cycles;
}

/** `makes a circle of parents: a.csv:2 → a.csv:3 → a.csv:2` */
export function describeCycle(row: Member, cycle: readonly Member[]): string {
  const index = cycle.indexOf(row);
  const inside = index >= 0;
  const start = Math.max(0, index);
  // From the row on, and round: a circle may be as long as the file.
  const named = [
    ...cycle.slice(start, start + MOST_IN_CIRCLE),
    ...cycle.slice(0, Math.min(start, MOST_IN_CIRCLE)),
  ]
    .slice(0, MOST_IN_CIRCLE)
    .map(formatPlace);
  const more = cycle.length - named.length;
  const names = [
    ...named,
    ...(more > 0 ? [plural(more, 'more row', 'more rows')] : []),
    ...named.slice(0, 1),
  ];
  return `${inside ? 'makes' : 'leads to'} a circle of parents: ${names.join(' → ')}`;
}
