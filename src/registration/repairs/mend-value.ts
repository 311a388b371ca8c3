import { hasTrait, type ValueKind } from '../model/persona.ts';
import { type Checked, type Finding, findingOf } from '../model/row.ts';
import { SheetCell } from '../model/sheet-cell.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import { checkEmail, isSaidOfOthers } from '../rules/email-rule.ts';
import { cellText, type NamedCell } from './cell-text.ts';
import { cleanText, isClean, mend, type Mended, unchanged } from './clean-text.ts';
import { takenAs } from './meanings.ts';
import { checkMojibake } from './mojibake.ts';
import { mendDate } from './repair-date.ts';
import type { RepairOptions } from './repair-options.ts';
import { mendPhone, type PhoneWish, withoutScheme } from './repair-phone.ts';
import { sheetText } from './sheet-value.ts';

const failed = (problem: string, remedy: string): Finding => findingOf('cell-error', problem, remedy);

/** What a value is for: its kind, and the names by which options may mean it. */
export interface ValueAbout {
  kind: ValueKind;
  /** Slug of the field, or the reserved name. */
  name: string;
  /** Of a date: days alone, since it is one of birth. */
  isBirth?: boolean;
}

const AS_CODE = 'country name written as its code';

/** The text of a cell as its kind is sent, with every repair; refused when what it holds is damaged. */
export function mendCell(at: NamedCell, about: ValueAbout, repairs: RepairOptions): Checked<Mended> {
  const text = readText(at, about.kind);
  if (!text.ok) return text;
  const finding = checkDamage(text.value.value, about.kind, repairs);
  if (finding !== undefined) return { ok: false, finding };
  return mendText(text.value, at, about, repairs);
}

/** The text before any repair that looks at it: numbers and dates of a workbook are written out. */
export function readText(at: NamedCell, kind: ValueKind): Checked<Mended> {
  const { cell, escaped, written } = at;
  if (written !== undefined && typeof cell === 'string')
    return { ok: true, value: { value: cell, done: [takenAs(cell, !hasTrait(kind, 'listed'))] } };
  if (typeof cell === 'string') {
    const done = escaped === undefined ? [] : ['escape for spreadsheet programs removed'];
    return { ok: true, value: { value: cell, done } };
  }
  if (cell instanceof SheetCell) return sheetText(cell, kind);
  const text = cellText(cell);
  return text.ok ? { ok: true, value: unchanged(text.value) } : text;
}

/** Every repair of a text but those of choices, which `readChoice` makes. */
export function mendText(
  text: Mended,
  at: NamedCell,
  about: ValueAbout,
  repairs: RepairOptions,
): Checked<Mended> {
  const cleaned = isClean(text.value) ? text : cleanText(text, about.kind);
  // What nobody sees may have hidden an error from `checkDamage`.
  const error = cleaned === text ? undefined : checkErrorText(cleaned.value);
  if (error !== undefined) return { ok: false, finding: error };
  if (!hasTrait(about.kind, 'padded')) return mendKind(cleaned, at, about, repairs);
  const bare = about.kind === 'phone' ? withoutScheme(cleaned) : cleaned;
  const whole = about.kind === 'text' ? bare : dropZeroDecimals(bare);
  const { pad } = repairs;
  // Barcodes and the barcodes of parents are padded alike, or they would not meet any more.
  const ofAll = about.kind === 'barcode' ? pad.get('barcode') : undefined;
  const padded = padDigits(whole, pad.get(at.column) ?? pad.get(about.name) ?? ofAll);
  return mendKind(padded, at, about, repairs);
}

/** Whether a date is a day alone: of a birth, or in a cell of a workbook that shows no time. */
export function isDayAlone({ cell }: NamedCell, { isBirth = false }: ValueAbout): boolean {
  return cell instanceof SheetCell ? cell.format.kind === 'date' : isBirth;
}

function mendKind(text: Mended, at: NamedCell, about: ValueAbout, repairs: RepairOptions): Checked<Mended> {
  const { column } = at;
  switch (about.kind) {
    case 'phone':
      return mendPhone(text, phoneWishOf(column, repairs), repairs.rowCountries ?? []);
    case 'date': {
      const decision = repairs.decisions.get(column);
      // What the column shows goes before the flag, which is for columns that show nothing, or both orders.
      const order = decision?.dateOrder ?? repairs.dateOrder;
      return mendDate(text, {
        order,
        conflict: decision?.dateConflict,
        serials: repairs.dateSerials,
        isDay: isDayAlone(at, about),
        hidden: repairs.hiddenTimes,
      });
    }
    case 'country':
      return { ok: true, value: mend(text, countryCodeOf(text.value) ?? text.value, AS_CODE) };
    case 'email':
      return { ok: true, value: onlyAddress(text) };
    default:
      return { ok: true, value: text };
  }
}

/** Whose the numbers of a column are: what is said of it goes before the flag, and both before what it shows. */
export function phoneWishOf(column: string, { phones, phonesOf, decisions }: RepairOptions): PhoneWish {
  const said = phonesOf.get(column) ?? { phones, unsaid: phones?.country === '' };
  return { ...said, coded: decisions.get(column)?.coded === true };
}

/** What is wrong with a text that is an error, was decoded wrongly, or forged, whatever its kind's rule says. */
export function checkDamage(text: string, kind: ValueKind, { accept }: RepairOptions): Finding | undefined {
  const error = checkErrorText(text);
  if (error !== undefined || hasTrait(kind, 'ascii')) return error;
  const mojibake = accept.has('mojibake') ? undefined : checkMojibake(text);
  if (mojibake !== undefined || kind !== 'email' || accept.has('mixed-scripts')) return mojibake;
  return checkScripts(text);
}

/**
 * What spreadsheet programs show for a failed formula, to the letter, in English, German, French, Spanish,
 * Italian and Portuguese: an export as text holds these instead of values.
 */
const ERROR = new RegExp(
  `^\\s*(?:#(?:${[
    String.raw`N/A|N/D|NV|¡?NUM!|NÚM!|ZAHL!|NOMBRE!`,
    String.raw`¡?REF!|BEZUG!|RIF!|¡?VALOR!|VALUE!|WERT!|VALEUR!|VALORE!`,
    String.raw`NAME\?|NOM\?|¿NOMBRE\?|NOME\?|¡?DIV/0!|NULL!|NUL!|¡NULO!|NULO!|NULLO!`,
    String.raw`SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA`,
  ].join('|')})|Err:\\d{3})\\s*$`,
);

/** Fewer signs may be meant. */
const TOO_NARROW = /^\s*#{4,}\s*$/;

/** A text that is the error of a spreadsheet program, such as `#N/A`, is damage in whatever column it stands. */
export function checkErrorText(text: string): Finding | undefined {
  if (TOO_NARROW.test(text)) {
    return failed(
      'is what a spreadsheet shows when a column is too narrow',
      'widen the column there and export again',
    );
  }
  if (!ERROR.test(text)) return undefined;
  return failed(
    'is an error of the spreadsheet that the file was made with',
    'mend the formula there and export again, or empty the cell',
  );
}

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets with letters that look like Latin ones. */
const LOOK_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** An address that mixes alphabets within its name or within one label of its domain, as forged ones do. */
function checkScripts(address: string): Finding | undefined {
  if (!BEYOND_ASCII.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  const parts = [address.slice(0, Math.max(at, 0)), ...address.slice(at + 1).split('.')];
  if (!parts.some((part) => LATIN.test(part) && LOOK_ALIKE.test(part))) return undefined;
  return findingOf(
    'text-mixed',
    'mixes letters of different alphabets that look alike',
    'type it again, or take it as it is with --set accept=mixed-scripts',
  );
}

const WHOLE = /^(\d+)\.0+$/;
/** `12.000` is twelve to some and twelve thousand to others. */
const GROUPED = /^\d{1,3}\.000$/;
const DIGITS = /^\d+$/;

/** Takes off decimals that are nothing: `12345.0`. */
function dropZeroDecimals(text: Mended): Mended {
  if (!text.value.endsWith('0') || GROUPED.test(text.value)) return text;
  const whole = WHOLE.exec(text.value)?.[1];
  return whole === undefined ? text : mend(text, whole, 'decimals of nothing removed');
}

/** Puts zeros in front of shorter numbers; other texts stay as they are. */
function padDigits(text: Mended, width: number | undefined): Mended {
  if (width === undefined || text.value.length >= width || !DIGITS.test(text.value)) return text;
  return mend(text, text.value.padStart(width, '0'), `zeros put in front up to ${width} digits`);
}

/** Longer texts are no address with a name. */
const LONGEST = 500;
const ADDRESS = String.raw`(?!['‘])[^\s"“”,;:|<>()[\]@]+@[^\s"'“”‘’,;:|<>()[\]@?]+`;
const ADDRESSES = new RegExp(ADDRESS, 'g');
/** In front: `mailto:`, `Ada: `, `(work) `; around it brackets or quotes; behind it `(work)`, `?subject=…`, `;`. */
const IN_FRONT = String.raw`(?:[^@]*:\s+)?(?:(?:mailto|smtp|e-?mail|mail):\s*)*(?:\([^()@]*\))?`;
const BEHIND = String.raw`(?:\?[^\s@]*)?["'”’)\]]*\s*(?:\([^()@]*\)|<[^<>@]*>)?[\s,;]*`;
const SET_OFF = new RegExp(
  String.raw`^(?:[^<>@]*<\s*(?:mailto:)?(${ADDRESS})\s*>|${IN_FRONT}[\s"'“‘([]*(${ADDRESS}))${BEHIND}$`,
  'i',
);

/**
 * The e-mail address of a text that sets it off from what stands beside it: `Ada Lane <ada@example.com>`. Bare words
 * beside one are left to be refused: a space may have come into the address. So is what is said to be
 * somebody else's.
 */
export function onlyAddress(text: Mended): Mended {
  const { value } = text;
  if (value.length > LONGEST || !value.includes('@') || checkEmail(value) === undefined) return text;
  const all = new Set(value.match(ADDRESSES)?.map((one) => one.toLowerCase()));
  const [, inBrackets, bare] = SET_OFF.exec(value) ?? [];
  // Where an address stands for the name, too: `ada@example.com <ada@example.com>`.
  const twice = value.split('@').length > 2 && all.size === 1 ? value.match(ADDRESSES)?.[0] : undefined;
  const address = inBrackets ?? bare ?? twice;
  if (address === undefined || checkEmail(address) !== undefined || isSaidOfOthers(value)) return text;
  return mend(text, address, 'only the address kept');
}
