import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import { isTotalsWord } from '../../registration/evidence/totals-rows.ts';
import { EXAMPLE_BARCODE, EXAMPLE_EMAIL, maskedDomain } from '../../registration/model/own-names.ts';
import type { Field, FieldKind } from '../../registration/model/persona.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { readChoice, readChoices } from '../../registration/rules/choice-rule.ts';
import { alpha2Of } from '../../registration/rules/countries.ts';
import { countryCodeOf } from '../../registration/rules/country-names.ts';
import type { DateOrder } from '../../registration/rules/date-forms.ts';
import { type CountryOfPhone, maskPhone } from './mask-phone.ts';
import { maskBarcode, maskName, maskText, replaceSigns } from './mask-text.ts';
import { keyed, markOf, permute } from './permute.ts';

interface MaskerOptions {
  /** Undefined: everything stays as it is. */
  key: string | undefined;
  countryOf: CountryOfPhone;
  /** Whether barcodes are masked too. */
  barcodes: boolean;
}

/** Replaces what tells who somebody is, by the kind of the field; the same for a list, a file and a base. */
export class Masker {
  readonly #options: MaskerOptions;

  readonly #mask: Readonly<Record<FieldKind, Mask>>;

  constructor(options: MaskerOptions) {
    this.#options = options;
    this.#mask = { ...MASKS, phone: (key, text) => maskPhone(key, options.countryOf, text) };
  }

  /** Of its key; undefined where everything stays as it is. */
  get mark(): string | undefined {
    const { key } = this.#options;
    return key && markOf(key);
  }

  barcode(barcode: string): string {
    const { barcodes, key } = this.#options;
    return key === undefined || !barcodes || barcode === EXAMPLE_BARCODE
      ? barcode
      : maskBarcode(key, barcode);
  }

  /** A text as a file may have it. Choices, countries and numbers stay as they are. */
  text(kind: FieldKind, text: string, order?: DateOrder): string {
    const { key } = this.#options;
    // A row of totals is told by its words.
    if (key === undefined || isTotalsWord(text)) return text;
    return this.#mask[kind](key, text, order);
  }

  /** A value as a service lists it; undefined for none. What is no option, and no country, is a text like any other. */
  listed(field: Field, value: unknown): FieldValue | undefined {
    const plain = plainValue(value);
    if (plain === undefined) return undefined;
    if (field.kind === 'choice') return this.#choice(field, plain);
    const mask = (text: string): string => {
      const isCountry = field.kind === 'country' && (alpha2Of(text) ?? countryCodeOf(text)) !== undefined;
      return this.text(field.kind === 'country' && !isCountry ? 'text' : field.kind, text);
    };
    return typeof plain === 'string' ? mask(plain) : plain.map(mask);
  }

  #choice({ choices, multiple }: Field, plain: FieldValue): FieldValue {
    const other = (text: string): string => this.text('text', text);
    if (multiple) {
      const texts = typeof plain === 'string' ? [plain] : plain;
      return texts.flatMap((text) => {
        const read = readChoices(text, choices);
        return read.ok ? read.value : [other(text)];
      });
    }
    const text = typeof plain === 'string' ? plain : plain.join(', ');
    const read = readChoice(text, choices);
    return read.ok ? read.value : other(text);
  }
}

type Mask = (key: string, text: string, order?: DateOrder) => string;

const asItIs: Mask = (_key, text) => text;

/** All but phones, for which it takes to know countries. */
const MASKS: Readonly<Record<Exclude<FieldKind, 'phone'>, Mask>> = {
  choice: asItIs,
  country: asItIs,
  numeric: maskLetters,
  name: maskName,
  email: (key, text) => (text === EXAMPLE_EMAIL ? text : maskEmail(key, text)),
  date: (key, text, order) => shiftDate(text, daysOf(key), order) ?? maskLetters(key, text),
  website: maskLink,
  // Signatures are new at each reading.
  upload: (key, text) =>
    maskLink(key, canonicalValue({ kind: 'upload', choices: [], multiple: false }, text)),
  text: maskText,
};

function maskLetters(key: string, text: string): string {
  return replaceSigns(text, (signs) => {
    const letters = permute(
      key,
      signs.filter(({ alphabet }) => alphabet.length !== 10),
    );
    return signs.map(({ alphabet, place, write }) =>
      alphabet.length === 10 ? write(alphabet[place] ?? '') : (letters.shift() ?? ''),
    );
  });
}

const LINK = /^(?<scheme>\s*https?:\/\/)(?<host>[^/?#\s]*)(?<path>.*)$/isu;

/** A link to a host that cannot exist. */
function maskLink(key: string, text: string): string {
  const { scheme, host = '', path = '' } = LINK.exec(text)?.groups ?? {};
  if (scheme === undefined) return maskText(key, text);
  const plain = decoded(path);
  const masked = maskText(key, plain);
  return `${scheme}${maskDomain(key, host)}${plain === path ? masked : encodeURI(masked)}`;
}

/** Escapes are no letters. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const DAY_MS = 24 * 60 * 60_000;
/** About three years. */
const MOST_DAYS = 1000;
const LEAST_DAYS = 15;

const YEAR_FIRST = /^(\s*)(\d{4})([-/.]?)(\d{1,2})\3(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\s*)(\d{1,2})([-/.])(\d{1,2})\3(\d{4})(?!\d)/;
const SERIAL = /^(\s*)(\d{5})(?=(?:\.\d+)?\s*$)/;

/** By how many days all dates are earlier. */
function daysOf(key: string): number {
  return LEAST_DAYS + (keyed(key, 'dates').readUInt32BE() % MOST_DAYS);
}

/** A date so many days earlier, written as it was; undefined for what is none. A time behind it stays. */
function shiftDate(text: string, days: number, order: DateOrder = 'dmy'): string | undefined {
  const serial = SERIAL.exec(text);
  if (serial !== null) return text.replace(SERIAL, `$1${Number(serial[2]) - days}`);
  const first = YEAR_FIRST.exec(text);
  if (first !== null) {
    const [whole, space = '', year = '', sign = '', month = '', day = ''] = first;
    const [y, m, d] = shifted([year, month, day], days) ?? [];
    return y === undefined ? undefined : `${space}${y}${sign}${m}${sign}${d}${text.slice(whole.length)}`;
  }
  const last = YEAR_LAST.exec(text);
  if (last === null) return undefined;
  const [whole, space = '', one = '', sign = '', other = '', year = ''] = last;
  const isDayFirst = order === 'dmy';
  const [y, m, d] = shifted(isDayFirst ? [year, other, one] : [year, one, other], days) ?? [];
  if (y === undefined) return undefined;
  const pair = isDayFirst ? `${d}${sign}${m}` : `${m}${sign}${d}`;
  return `${space}${pair}${sign}${y}${text.slice(whole.length)}`;
}

type Parts = readonly [year: string, month: string, day: string];

/** Undefined where the calendar has no such day. Each part is as wide as it was, where it may be narrower. */
function shifted([year, month, day]: Parts, days: number): string[] | undefined {
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const earlier = new Date(date.getTime() - days * DAY_MS);
  const wide = (number: number, like: string): string => String(number).padStart(like.length, '0');
  return [
    wide(earlier.getUTCFullYear(), year),
    wide(earlier.getUTCMonth() + 1, month),
    wide(earlier.getUTCDate(), day),
  ];
}

/** Mail providers that many people have an address at: that they are there says nothing of a person. */
const PROVIDER =
  /^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|orange|free|laposte|libero|seznam|wp|mail|yandex|qq|163|126|naver|proton|protonmail|zoho)\.(?:com|net|org|me|de|at|ch|fr|es|it|pt|nl|be|uk|ie|pl|cz|ru|br|mx|ar|in|jp|cn|co\.[a-z]{2}|com\.[a-z]{2})$/i;
const SCHEME = /^\s*(?:mailto:\s*)*/i;
/** A domain that somebody may be written to, with what stands behind it. */
const DOMAIN = /^(?<name>[^\s@<>,;"]*\.[^\s@<>,;".]*)(?<rest>.*)$/su;

/**
 * An e-mail address at a domain that cannot exist: that of a large provider shows through, any other is masked like
 * its name. The domain tells which key it was. What is wrong with an address stays wrong.
 */
function maskEmail(key: string, text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const address = text.slice(scheme.length);
  const at = address.lastIndexOf('@');
  if (at < 0) return scheme + maskText(key, address);
  return `${scheme}${maskText(key, address.slice(0, at))}@${maskDomain(key, address.slice(at + 1))}`;
}

/** Also the host of a link. */
function maskDomain(key: string, domain: string): string {
  const { name, rest = '' } = DOMAIN.exec(domain)?.groups ?? {};
  if (name === undefined) return maskText(key, domain);
  const masked = PROVIDER.test(name) ? name : maskText(key, name);
  // A number at its end is no domain, and no address has one.
  const isNone = name.endsWith('.') || /\.\d+$/.test(name);
  return `${masked}${isNone ? '' : maskedDomain(markOf(key))}${maskText(key, rest)}`;
}
