import { hasTrait, type ValueKind } from '../model/persona.ts';
import { type Finding, findingOf } from '../model/row.ts';
import type { SheetCell } from '../model/sheet-cell.ts';

/** What the number format of a cell shows of a whole number: its digits only, with separators, or letters and signs of its own too. */
const DISPLAYS = ['digits', 'separated', 'more'] as const;
type Display = (typeof DISPLAYS)[number];

/** Spreadsheet programs take no longer code; the cap keeps hostile workbooks cheap. */
const LONGEST_CODE = 255;
const LONGEST_SHOWN = 40;
const SEPARATORS = ' ./()-';
/** Stands for what a format shows as it is and is no separator. */
const MORE = '"';
/** `@` shows a number as it is, as General does. */
const DIGITS = /^[#0?,.@]*$/;
const SEPARATED = /^[#0?,.@ /()-]*$/;

/** Why a number cannot be taken for its digits: the sheet shows something else, as with `"HTF27-"0000`. */
export function checkDigitFormat(cell: SheetCell, kind: ValueKind): Finding | undefined {
  if (cell.type !== 'number' || !hasTrait(kind, 'zeros')) return undefined;
  const { code } = cell.format;
  const shows = worstDisplay(code);
  // Separators say nothing in phone numbers and little in texts; in a barcode they may be part of it.
  if (shows === 'digits' || (shows === 'separated' && kind !== 'barcode')) return undefined;
  const shown = code.length > LONGEST_SHOWN ? `${code.slice(0, LONGEST_SHOWN)}…` : code;
  return findingOf(
    'cell-type',
    `shows more than its digits (number format ${shown})`,
    'format the column as Text, and type what the sheet shows',
  );
}

/** Digits up to which the format of a cell fills up a number of this kind with zeros. */
export function zerosOf({ format }: SheetCell, kind: ValueKind): number {
  if (kind !== 'phone') return format.zeros;
  const { shows, zeros } = readDisplay(format.code);
  return shows === 'separated' ? zeros : format.zeros;
}

/** Of a code with conditions, any section may be the one that shows the number. */
function worstDisplay(code: string): Display {
  const sections = /\[[<>=]/.test(code) && code.length <= LONGEST_CODE ? code.split(';') : [code];
  const shown = sections.map((section) => readDisplay(section).shows);
  // They stand from the harmless to the worst.
  return DISPLAYS.findLast((display) => shown.includes(display)) ?? 'digits';
}

/** With the placeholders `0` in front of decimals and exponent. */
function readDisplay(code: string): { shows: Display; zeros: number } {
  if (code === 'General') return { shows: 'digits', zeros: 0 };
  if (code.length > LONGEST_CODE) return { shows: 'more', zeros: 0 };
  // An exponent ends the digits as decimals do. Spaces at the ends separate nothing.
  const shown = shownSection(code).trim().replace('general', '#').replace(/e[+-]/, '.');
  const whole = shown.split('.', 1)[0] ?? '';
  const zeros = whole.split('0').length - 1;
  if (DIGITS.test(shown)) return { shows: 'digits', zeros };
  return { shows: SEPARATED.test(shown) ? 'separated' : 'more', zeros };
}

/** What a code shows of positive numbers; of what it shows as it is, separators stay: a dot as a dash. */
function shownSection(code: string): string {
  let shown = '';
  for (const { kind, text } of firstSection(code)) {
    if (kind === 'symbol') shown += text;
    else if (kind === 'quoted')
      shown += Array.from(text, (one) => (one === '.' ? '-' : SEPARATORS.includes(one) ? one : MORE)).join(
        '',
      );
    // `[$HTF-409]` shows HTF; `[$-409]` is a locale only.
    else if (/^\$[^-]/.test(text)) shown += MORE;
  }
  return shown;
}

/** A symbol in small letters, what is shown as it is, or what stands in brackets: a colour, condition or locale. */
interface CodePiece {
  kind: 'symbol' | 'quoted' | 'bracket';
  text: string;
}

/** The part of a number format's code that is for positive numbers, without widths, piece by piece. */
export function* firstSection(code: string): Generator<CodePiece> {
  for (let at = 0; at < code.length && code.charAt(at) !== ';'; at += 1) {
    const sign = code.charAt(at);
    if (sign === '[' || sign === '"') {
      const found = code.indexOf(sign === '[' ? ']' : '"', at + 1);
      const end = found === -1 ? code.length : found;
      yield { kind: sign === '[' ? 'bracket' : 'quoted', text: code.slice(at + 1, end) };
      at = end;
    } else if (sign === '\\' || sign === '_' || sign === '*') {
      at += 1;
      if (sign === '\\') yield { kind: 'quoted', text: code.charAt(at) };
    } else yield { kind: 'symbol', text: sign.toLowerCase() };
  }
}
