import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import { isTotalsWord } from '../../registration/evidence/totals-rows.ts';
import type { Field, FieldKind } from '../../registration/model/persona.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { EXAMPLE_BARCODE, EXAMPLE_EMAIL } from '../../registration/model/own-names.ts';
import type { DateOrder } from '../../registration/rules/date-forms.ts';
import { readChoice, readChoices } from '../../registration/rules/choice-rule.ts';
import { countryCodeOf } from '../../registration/rules/country-names.ts';
import { alpha2Of } from '../../registration/rules/countries.ts';
import { daysOf, shiftDate } from './mask-date.ts';
import { maskDomain, maskEmail } from './mask-email.ts';
import { type CountryOfPhone, maskPhone } from './mask-phone.ts';
import { maskBarcode, maskName, maskText, replaceSigns } from './mask-text.ts';
import { markOf, permute } from './permute.ts';

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
