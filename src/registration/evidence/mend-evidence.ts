import type { FieldKind } from '../model/persona.ts';
import { madeOnce } from '../model/maps.ts';
import { checkEmail } from '../rules/email-rule.ts';
import { checkWebsite } from '../rules/url-rule.ts';
import { foldValue, type Meanings, meaningsOf } from '../repairs/meanings.ts';
import { countRow, type OpenValue } from './choice-evidence.ts';

/** A text or a form of texts that is refused as it is, `www.*`, and what may be meant, the likeliest first. */
export interface Mendable extends OpenValue {
  /** For people: `"www.acme.es"`. */
  label: string;
  /** As meanings have it, `https://www.*`, and for people. */
  meant: readonly { meaning: string; label: string }[];
}

type Mend = Pick<Mendable, 'text' | 'label' | 'meant'>;

/** More of them are no slips. */
const MOST_OPEN = 50;
/** A time may stand behind it. */
const SHORT_YEAR = /^\d{1,2}([/.])\d{1,2}\1(\d)(\d)(,? |T|$)/;
/** Exports of address books put all addresses of a person into one cell, the main one first. */
const JOINED = ' ::: ';
const AMID_WORDS = /^((?:\([^)\d]*\)|[^\d+(])*)([+(]?[\d\s()./-]*\d)([^+]*)$/su;
/** Longer texts are no number; the cap keeps hostile cells cheap. */
const LONGEST = 100;
const [SHORTEST_NUMBER, WHOLE_NUMBER, LONGEST_EXTENSION] = [5, 7, 5];
/** Two whole numbers in one cell: behind a slash the second shows by how it begins that it is another. */
const TWO_NUMBERS =
  /^([+(]?\d[\d\s()./-]*?)(\s*[,;|\n]\s*|\s\p{L}{1,6}\s|\s*\/\s*(?:\+|\(?0))([+(\d][\d\s()./-]*)$/u;
/** A list of guests may speak of so many years ahead; of no birth, of course. */
const YEARS_AHEAD = 20;

/** Texts of one column that are refused, and that one change mends at which nobody wonders. */
export class MendEvidence {
  readonly column: string;
  readonly #said: Meanings | undefined;
  readonly #year: number;
  readonly #open = new Map<string, Mendable>();

  /** `today`: as yyyy-mm-dd. */
  constructor(column: string, said: Meanings | undefined, today: string) {
    this.column = column;
    this.#said = said;
    this.#year = Number(today.slice(0, 4));
  }

  /** Looks at one text that is not blank; `isBirth`: for a date of birth. Returns what it most likely is. */
  add(
    text: string,
    { kind, isBirth = false }: { kind?: FieldKind; isBirth?: boolean },
    line: number,
  ): string {
    const mend =
      kind === 'date' ? mendYear(text, this.#year + (isBirth ? 0 : YEARS_AHEAD)) : mendOf(text, kind);
    if (mend === undefined || this.#said?.has(foldValue(mend.text)) === true) return text;
    countRow(
      madeOnce(this.#open, mend.text, () => ({ ...mend, rows: 0, lines: [] })),
      line,
    );
    const likely = meaningsOf({ [mend.text]: mend.meant[0]?.meaning ?? text });
    return likely.get(foldValue(text), text) ?? text;
  }

  /** The most frequent first; none where they are too many to be slips. */
  get open(): readonly Mendable[] {
    const open = this.#open.size > MOST_OPEN ? [] : [...this.#open.values()];
    return open.sort((one, other) => other.rows - one.rows);
  }
}

function mendOf(text: string, kind: FieldKind | undefined): Mend | undefined {
  if (kind === 'phone') return mendNumber(text);
  if (kind === 'email') return text.includes(JOINED) ? mendJoined(text) : undefined;
  if (kind !== 'website' && kind !== 'upload') return undefined;
  const label = `https://${text}`;
  if (/^https?:/i.test(text) || checkWebsite(label) !== undefined) return undefined;
  const isWww = /^www\./i.test(text);
  const [form, meaning] = isWww ? ['www.*', 'https://www.*'] : [text, label];
  return { text: form, label: `"${text}"`, meant: [{ meaning, label }] };
}

function mendJoined(text: string): Mend | undefined {
  const [first = ''] = text.split(JOINED);
  if (checkEmail(first) !== undefined) return undefined;
  const meant = [{ meaning: '*', label: 'the first of them' }];
  return { text: `*${JOINED}*`, label: `"…${JOINED}…"`, meant };
}

const digitsOf = (text: string): number => text.replace(/\D/g, '').length;

/** The first of two numbers; else one amid words that say whose or what it is, or behind which its extension stands. */
function mendNumber(text: string): Mend | undefined {
  if (text.length > LONGEST) return undefined;
  const [, one = '', joint = '', other = ''] = TWO_NUMBERS.exec(text) ?? [];
  if (Math.min(digitsOf(one), digitsOf(other)) >= WHOLE_NUMBER) {
    const meant = [{ meaning: '*', label: 'the first of them' }];
    return { text: `*${joint}*`, label: `two numbers: "…${joint}…"`, meant };
  }
  const [, before = '', number = '', behind = ''] = AMID_WORDS.exec(text) ?? [];
  const [digits, more] = [number, behind].map(digitsOf);
  if (Number(digits) < SHORTEST_NUMBER || Number(more) > LONGEST_EXTENSION) return undefined;
  if (!/\p{L}/u.test(before + behind) || /[*#]/.test(text)) return undefined;
  const form = `${before}*${behind.replace(/\d+/g, '*')}`;
  const label = `"${form.replaceAll('*', '…')}"`;
  return { text: form, label, meant: [{ meaning: '*', label: 'the number alone' }] };
}

/** The last year of the century that is meant is `latest`: in 2027, 31 is 2031 for a visit, and 1931 for a birth. */
function mendYear(text: string, latest: number): Mend | undefined {
  const [, mark = '', tens = '', ones = '', before = ''] = SHORT_YEAR.exec(text) ?? [];
  if (tens === '') return undefined;
  const isEarlier = (year: string): boolean => 2000 + Number(year) > latest;
  const centuries = isEarlier(tens + ones) ? ['19', '20'] : ['20', '19'];
  // Of the ten years in which the century ends, each is meant by itself.
  const last = isEarlier(`${tens}0`) === isEarlier(`${tens}9`) ? '#' : ones;
  const form = `*${mark}*${mark}`;
  const behind = before === '' ? '' : `${before}*`;
  const label = (century: string): string => `${tens}${ones} is ${century}${tens}${ones}`;
  return {
    text: `${form}${tens}${last}${behind}`,
    label: `${last === '#' ? 'years like' : 'the year'} ${tens}${ones}`,
    meant: centuries.map((century) => ({
      meaning: `${form}${century}${tens}${last}${behind}`,
      label: label(century),
    })),
  };
}
