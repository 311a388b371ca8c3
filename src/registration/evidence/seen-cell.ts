import { formatPlace, type Place } from '../model/row.ts';

/** A cell that shows something about its column. Kept only of kinds that are not personal. */
export interface SeenCell {
  place: Place;
  /** After the repairs that are certain, such as spaces taken off. */
  value: string;
}

/** How many cells a question shows. */
export const MOST_SHOWN = 3;

/** `people.csv:2: 03/04/2026`, for the details of a question. */
export function showCell({ place, value }: SeenCell): string {
  return `${formatPlace(place)}: ${value}`;
}

/** Keeps the first few. */
export function keepFirst(kept: SeenCell[], cell: SeenCell): void {
  if (kept.length < MOST_SHOWN) kept.push(cell);
}
