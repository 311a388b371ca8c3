import { cellText, type NamedCell } from './cell-text.ts';
import { cleanText, isClean, type ValueKind } from './clean-text.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import { isCountryCode } from '../rules/countries.ts';
import { checkErrorText } from './error-text.ts';
import type { Checked, Finding } from '../model/finding.ts';
import { takenAs } from './meanings.ts';
import { type Mended, mend, unchanged } from './mended.ts';
import { checkScripts } from './mixed-scripts.ts';
import { checkMojibake } from './mojibake.ts';
import { mendDate } from './repair-date.ts';
import { dropZeroDecimals, padDigits } from './repair-digits.ts';
import type { RepairOptions } from './repair-options.ts';
import { mendPhone, withoutScheme } from './repair-phone.ts';
import { isPersonal } from '../rules/rules.ts';
import type { PhoneWish } from './national-phones.ts';
import { SheetCell } from '../model/sheet-cell.ts';
import { sheetText } from './sheet-value.ts';

/** What a value is for: its kind, and the names by which options may mean it. */
export interface ValueAbout {
  kind: ValueKind;
  /** Slug of the field, or the reserved name. */
  name: string;
}

/** Kinds of which only digits and ASCII letters are sent, so that nothing in them is a decoding error. */
const NEVER_DECODED: readonly ValueKind[] = ['phone', 'numeric', 'date', 'barcode'];
const PADDED: readonly ValueKind[] = ['barcode', 'phone', 'numeric', 'text'];

/** The text of a cell as its kind is sent, with every repair; refused when what it holds is damaged. */
export function mendCell(at: NamedCell, about: ValueAbout, repairs: RepairOptions): Checked<Mended> {
  const text = readText(at, about.kind, repairs.fix);
  if (!text.ok) return text;
  const finding = checkDamage(text.value.value, about.kind, repairs);
  if (finding !== undefined) return { ok: false, finding };
  return repairs.fix ? mendText(text.value, at.column, about, repairs) : text;
}

/** The text before any repair that looks at it: numbers and dates of a workbook are written out. */
export function readText(at: NamedCell, kind: ValueKind, fix: boolean): Checked<Mended> {
  const { cell, escaped, written } = at;
  if (written !== undefined && typeof cell === 'string')
    return { ok: true, value: { value: cell, done: [takenAs(cell, isPersonalKind(kind))] } };
  if (typeof cell === 'string') return { ok: true, value: unescaped(cell, escaped) };
  if (cell instanceof SheetCell) return sheetText(cell, kind, fix);
  const text = cellText(cell);
  return text.ok ? { ok: true, value: unchanged(text.value) } : text;
}

function isPersonalKind(kind: ValueKind): boolean {
  return kind !== 'barcode' && isPersonal(kind);
}

/** Every repair of a text but those of choices, which `readChoice` makes. */
export function mendText(
  text: Mended,
  column: string,
  about: ValueAbout,
  repairs: RepairOptions,
): Checked<Mended> {
  const cleaned = isClean(text.value) ? text : cleanText(text, about.kind);
  // What nobody sees may have hidden an error from `checkDamage`.
  const error = cleaned === text ? undefined : checkErrorText(cleaned.value);
  if (error !== undefined) return { ok: false, finding: error };
  if (!PADDED.includes(about.kind)) return mendKind(cleaned, column, about.kind, repairs);
  const bare = about.kind === 'phone' ? withoutScheme(cleaned) : cleaned;
  const whole = about.kind === 'text' ? bare : dropZeroDecimals(bare);
  const padded = repairs.pad.size === 0 ? whole : padDigits(whole, padOf(column, about, repairs));
  return mendKind(padded, column, about.kind, repairs);
}

function mendKind(text: Mended, column: string, kind: ValueKind, repairs: RepairOptions): Checked<Mended> {
  switch (kind) {
    case 'phone':
      return mendPhone(text, phoneWishOf(column, repairs), repairs.rowCountry);
    case 'date': {
      const decision = repairs.decisions.get(column);
      // What the column shows goes before the flag, which is for columns that show nothing, or both orders.
      const order = decision?.dateOrder ?? repairs.dateOrderOf.get(column) ?? repairs.dateOrder;
      return mendDate(text, { order, conflict: decision?.dateConflict, serials: repairs.dateSerials });
    }
    case 'country':
      return { ok: true, value: mendCountry(text) };
    default:
      return { ok: true, value: text };
  }
}

/** Whose the numbers of a column are: what is said of it goes before the flag, and both before what it shows. */
export function phoneWishOf(column: string, { phones, phonesOf, decisions }: RepairOptions): PhoneWish {
  const said = phonesOf.get(column) ?? { phones, coded: undefined };
  return { ...said, coded: said.coded ?? decisions.get(column)?.coded };
}

function mendCountry(text: Mended): Mended {
  if (isCountryCode(text.value)) return text;
  return mend(text, countryCodeOf(text.value) ?? text.value, 'country name written as its code');
}

/** Without repairs too: the quote is no damage but what our own exports write, and they must be read back. */
function unescaped(cell: string, escaped: boolean): Mended {
  return escaped ? { value: cell, done: ['escape for spreadsheet programs removed'] } : unchanged(cell);
}

/** Barcodes and the barcodes of parents are padded alike, or they would not meet any more. */
function padOf(column: string, { kind, name }: ValueAbout, { pad }: RepairOptions): number | undefined {
  return pad.get(column) ?? pad.get(name) ?? (kind === 'barcode' ? pad.get('barcode') : undefined);
}

/** What is wrong with a text that is an error, was decoded wrongly, or forged, whatever its kind's rule says. */
export function checkDamage(text: string, kind: ValueKind, { accept }: RepairOptions): Finding | undefined {
  const error = checkErrorText(text);
  if (error !== undefined || NEVER_DECODED.includes(kind)) return error;
  const mojibake = accept.has('mojibake') ? undefined : checkMojibake(text);
  if (mojibake !== undefined || kind !== 'email' || accept.has('mixed-scripts')) return mojibake;
  return checkScripts(text);
}
