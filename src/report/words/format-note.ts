import { formatPlace, type Note, type Place } from '../../registration/model/row.ts';
import { cut } from '../../registration/model/cut.ts';
import { visible, visibleSpaces } from './escape.ts';
import { mask } from './mask.ts';

const MAX_VALUE_CHARACTERS = 80;
const MAX_NAME_CHARACTERS = 60;

/** A note as one line: `guests.csv:12  column "Country" (country): "Spain" → "ES", country name written as its code`. */
export function formatNote(place: Place, note: Note, showValues: boolean): string {
  const column = visible(cut(note.column, MAX_NAME_CHARACTERS));
  const change = `${formatChange(note, showValues)}, ${visible(note.repair)}`;
  return `${visible(formatPlace(place))}  column "${column}" (${visible(note.field)}): ${change}`;
}

/** `"Spain" → "ES"`. Personal values are masked unless `showValues`. */
export function formatChange({ before, after, personal }: Note, showValues: boolean): string {
  const show = (text: string): string =>
    visibleSpaces(personal && !showValues ? mask(text) : cut(text, MAX_VALUE_CHARACTERS));
  return `"${show(before)}" → "${show(after)}"`;
}
