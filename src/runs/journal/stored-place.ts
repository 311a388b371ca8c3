import { formatPlace, type Place } from '../../registration/model/row.ts';

/** The columns of the journal that say where a row stands. */
export interface StoredPlace {
  file: string;
  sheet: string | null;
  line: number;
}

/** The place of a row of the journal. */
export function toPlace({ file, sheet, line }: StoredPlace): Place {
  return { file, ...(sheet === null ? {} : { sheet }), line };
}

/** `file:line`, or `file:sheet:row`. */
export function placeOf(row: StoredPlace): string {
  return formatPlace(toPlace(row));
}
