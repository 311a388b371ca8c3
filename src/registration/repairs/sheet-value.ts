import { mend, type Mended, unchanged } from './clean-text.ts';
import { dayOf } from '../rules/date-forms.ts';
import { checkDigitFormat, zerosOf } from './digit-format.ts';
import { hasTrait, type ValueKind } from '../model/persona.ts';
import { type Checked, type Finding, refuse, findingOf } from '../model/row.ts';
import { nextDay, serialDate, serialTime, shownDay } from './serial-date.ts';
import type { NumberFormat, SheetCell } from '../model/sheet-cell.ts';

const unfit = (problem: string, remedy: string): { ok: false; finding: Finding } =>
  refuse('cell-type', problem, remedy);

/** A number as a workbook may store it; bounded, so that no file makes it slow. */
export const STORED_NUMBER = /^[+-]?\d{1,400}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,3})?$/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
/** From here on a double has no room for every integer, and spreadsheets keep 15 digits only. */
const TOO_LARGE = 1e15;
/** More zeros than any code of digits has; a format may ask for as many as it likes. */
const MOST_ZEROS = 255;
const TIMES: readonly NumberFormat['kind'][] = ['time', 'clock', 'span'];
const AS_TEXT = 'format the column as Text and export again';

/** Why a row with this cell cannot be sent, whatever its column is. */
export function checkSheetCell(cell: SheetCell): Finding | undefined {
  if (cell.type === 'error') {
    return findingOf('cell-error', `holds the error ${cell.stored}`, 'mend the formula, or empty the cell');
  }
  if (cell.type !== 'missing') return undefined;
  return findingOf(
    'cell-error',
    'is a formula without a stored value',
    'open the file in a spreadsheet program, let it calculate, and save it',
  );
}

/** The text of a cell of a workbook that is no text, as a value of this kind has it. */
export function sheetText(cell: SheetCell, kind: ValueKind): Checked<Mended> {
  const finding = checkSheetCell(cell);
  if (finding !== undefined) return { ok: false, finding };
  if (cell.type === 'boolean') {
    if (!hasTrait(kind, 'digits') && kind !== 'date') return { ok: true, value: unchanged(showTruth(cell)) };
    return unfit('is TRUE or FALSE, not a value of this column', 'write the value, or empty the cell');
  }
  const isDate = cell.type === 'date' || cell.format.kind === 'date' || cell.format.kind === 'datetime';
  const isTime = !isDate && TIMES.includes(cell.format.kind);
  const shown = isDate || isTime ? undefined : checkDigitFormat(cell, kind);
  if (shown !== undefined) return { ok: false, finding: shown };
  return isDate || isTime ? dateText(cell, kind, isDate) : numberText(cell, kind);
}

/** `TRUE` or `FALSE`, as spreadsheet programs show and export what a workbook stores as 1 or 0. */
export function showTruth({ stored }: SheetCell): 'TRUE' | 'FALSE' {
  return stored === '1' || stored === 'true' ? 'TRUE' : 'FALSE';
}

function dateText(cell: SheetCell, kind: ValueKind, isDate: boolean): Checked<Mended> {
  if (hasTrait(kind, 'digits')) return unfit(isDate ? 'is a date' : 'is a time', AS_TEXT);
  if (kind === 'date' && !isDate)
    return unfit('shows a time without a date', 'write it as yyyy-mm-dd hh:MM:ss');
  const text = isDate ? dayText(cell, kind) : serialTime(storedNumber(cell), cell.format.kind);
  const what = isDate ? 'date' : 'time';
  if (!text.ok) return text;
  return { ok: true, value: mend(unchanged(cell.stored), text.value, `${what} of the workbook written out`) };
}

/** With its time, but for midnight of a date; without one that is not shown, unless for a date, which may be asked about. */
function dayText(cell: SheetCell, kind: ValueKind): Checked<string> {
  const shows = kind !== 'date' && cell.format.kind === 'datetime' ? 'datetime' : 'date';
  const text =
    cell.type === 'date' ? isoText(cell.stored, shows) : serialDate(storedNumber(cell), cell.date1904, shows);
  if (!text.ok || kind === 'date' || cell.format.kind !== 'date') return text;
  const [day = '', time = ''] = text.value.split(' ');
  return { ok: true, value: shownDay(time) === 'next' ? nextDay(day) : day };
}

/** A date that the workbook stores as text: `2026-02-26`, `2026-02-26T10:00:00.000`. */
function isoText(stored: string, shows: 'date' | 'datetime'): Checked<string> {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/.exec(stored);
  const day = dayOf(parts?.[1], parts?.[2], parts?.[3]);
  if (parts === null || day === undefined) {
    return unfit(
      'is a date that the workbook stores in a form of its own',
      'write it as yyyy-mm-dd, as text',
    );
  }
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(4, 7).map((part) => Number(part ?? 0));
  const fraction = Number(`0.${parts[7] ?? '0'}`);
  const time = hours * 3600 + minutes * 60 + Math.round(seconds + fraction);
  if (time === 0 && shows === 'date') return { ok: true, value: day };
  const iso = new Date(Date.parse(`${day}T00:00:00Z`) + time * 1000).toISOString();
  return { ok: true, value: `${iso.slice(0, 10)} ${iso.slice(11, 19)}` };
}

function numberText(cell: SheetCell, kind: ValueKind): Checked<Mended> {
  const number = storedNumber(cell);
  const whole = Number.isInteger(number) && number >= 0;
  if (!(Math.abs(number) < TOO_LARGE))
    return refuse('digits-lost', 'is a number too long to be read exactly', AS_TEXT);
  if ((kind === 'barcode' || kind === 'phone') && !whole) return unfit('is not a whole number', AS_TEXT);
  // Plain digits below 1e15; only fractions near 0 have an exponent.
  const text = String(number === 0 ? 0 : number);
  if (!PLAIN_NUMBER.test(text))
    return refuse('digits-lost', 'is a number too long to be read exactly', 'write it as text');
  const plain = mend(unchanged(cell.stored), text, 'number read as its digits');
  if (!whole || !hasTrait(kind, 'zeros')) return { ok: true, value: plain };
  const padded = text.padStart(Math.min(zerosOf(cell, kind), MOST_ZEROS), '0');
  return { ok: true, value: mend(plain, padded, 'zeros of the number format written out') };
}

/** NaN when the workbook stores something else than a number. */
function storedNumber(cell: SheetCell): number {
  return STORED_NUMBER.test(cell.stored) ? Number(cell.stored) : Number.NaN;
}
