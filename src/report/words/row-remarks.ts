import type { DocumentBody } from '../../documents/documents.ts';
import { cut } from '../../registration/model/cut.ts';
import {
  formatPlace,
  type Note,
  type Place,
  type Reason,
  type Reject,
} from '../../registration/model/row.ts';
import { visible, visibleSpaces } from './escape.ts';
import { mask } from '../../registration/evidence/mask.ts';

type MendedRecord = DocumentBody<'runs-show@1'>['rows'][number]['mended'][number];
type ReasonRecord = DocumentBody<'runs-why@1'>['stories'][number]['runs'][number]['reasons'][number];

const MAX_VALUE_CHARACTERS = 80;
const MAX_NAME_CHARACTERS = 60;

/** Where a row stands, for programs. */
export const placeRecord = (place: Place | undefined) => ({
  file: place?.file ?? null,
  sheet: place?.sheet ?? null,
  line: place?.line ?? null,
});

/** A reason for programs; values of persons are masked unless `showValues`. */
export function reasonRecord(reason: Reason, showValues: boolean): ReasonRecord {
  const { column = null, field = null, code, value = null, problem, remedy = null, personal } = reason;
  const shown = value === null || !personal || showValues ? value : mask(value);
  return { column, field, code, value: shown, message: problem, remedy };
}

/**
 * One line a reason: `attendees.csv:12  column "E-mail" (email): "a••@e••" is not a valid e-mail
 * address; write it as name@example.com`. Personal values are masked unless `showValues`.
 */
export function formatReject(reject: Reject, options: { showValues: boolean }): string[] {
  const place = visible(formatPlace(reject.place));
  return reject.reasons.map((reason) => `${place}  ${formatReason(reason, options.showValues)}`);
}

/** A reason as one line, without its place. All text in it is safe to print. */
export function formatReason(reason: Reason, showValues: boolean): string {
  const { value, personal, problem, remedy } = reason;
  const quoted = value === undefined ? '' : `${quoteValue(value, personal && !showValues)} `;
  const joint = value === undefined ? ' ' : ': ';
  const subject = formatSubject(reason);
  const head = `${subject === '' ? '' : subject + joint}${quoted}${visible(problem)}`;
  return remedy === undefined ? head : `${head}; ${visible(remedy)}`;
}

function formatSubject({ column, field }: Reason): string {
  if (column === undefined) return field === undefined ? '' : `field "${visible(field)}"`;
  const name = `column "${visible(column)}"`;
  return field === undefined ? name : `${name} (${visible(field)})`;
}

/** A mended cell for programs; values of persons are masked unless `showValues`. */
export function mendedRecord(
  { column, field, repair, before, after, personal }: Note,
  showValues: boolean,
): MendedRecord {
  const show = (text: string): string => (personal && !showValues ? mask(text) : text);
  return { column, field, repair, before: show(before), after: show(after) };
}

/** A note as one line: `guests.csv:12  column "Country" (country): "Spain" → "ES", country name written as its code`. */
export function formatNote(place: Place, note: Note, showValues: boolean): string {
  const column = visible(cut(note.column, MAX_NAME_CHARACTERS));
  const change = `${formatChange(note, showValues)}, ${visible(note.repair)}`;
  return `${visible(formatPlace(place))}  column "${column}" (${visible(note.field)}): ${change}`;
}

/** `"Spain" → "ES"`. Personal values are masked unless `showValues`. */
export function formatChange({ before, after, personal }: Note, showValues: boolean): string {
  const masked = personal && !showValues;
  return `${quoteValue(before, masked)} → ${quoteValue(after, masked)}`;
}

/** A value of a file in quotes, masked or else cut off. */
export function quoteValue(value: string, masked: boolean, longest = MAX_VALUE_CHARACTERS): string {
  return `"${visibleSpaces(masked ? mask(value) : cut(value, longest))}"`;
}
