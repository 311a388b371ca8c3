/** A letter or a digit, told apart from how it is written: as the place that it has in its alphabet. */
export interface Sign {
  alphabet: readonly string[];
  place: number;
  /** Writes a sign of the alphabet as this one is written: large, or full-width. */
  write: (sign: string) => string;
}

const FULL_WIDTH = /[\uFF01-\uFF5E]/;
const FULL_WIDTH_OFFSET = 0xfee0;

/** What is kept apart within a block of Unicode: what is masked stays in its script. */
const SCRIPTS = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Han',
  'Hiragana',
  'Katakana',
].map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));

type Reading = { sign: Sign; accents: string } | undefined;
const known = new Map<string, Reading>();

/** The letter or the digit that a character is, without its accents, which `accents` has; undefined for any other. */
export function readSign(character: string): Reading {
  const reading = known.get(character);
  if (reading !== undefined || known.has(character)) return reading;
  const read = readNew(character);
  known.set(character, read);
  return read;
}

function readNew(character: string): Reading {
  const isWide = FULL_WIDTH.test(character);
  const plain = isWide ? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET) : character;
  const { letter, accents } = withoutAccents(plain);
  if (!/^[\p{L}\p{Nd}]$/u.test(letter)) return undefined;
  const small = smallOf(letter);
  const alphabet = alphabetOf(small ?? letter);
  const write = (sign: string): string => {
    const cased = small === undefined ? sign : sign.toUpperCase();
    return isWide ? String.fromCharCode(cased.charCodeAt(0) + FULL_WIDTH_OFFSET) : cased;
  };
  return {
    sign: { alphabet, place: alphabet.indexOf(small ?? letter), write },
    accents,
  };
}

/** A syllable that is made of letters is one itself. */
function withoutAccents(character: string): { letter: string; accents: string } {
  const [letter = '', ...marks] = character.normalize('NFD');
  const isAccented = marks.every((mark) => /^\p{M}$/u.test(mark));
  return isAccented ? { letter, accents: marks.join('') } : { letter: character, accents: '' };
}

/** The small letter of a capital, where each has the other for its only partner. */
function smallOf(letter: string): string | undefined {
  const small = letter.toLowerCase();
  return small !== letter && isPair(small, letter) ? small : undefined;
}

const isPair = (small: string, capital: string): boolean =>
  Array.from(small).length === 1 && small.toUpperCase() === capital && capital.toLowerCase() === small;

/** Letters of today, where their block has others. */
const COMMON = [
  'αβγδεζηθικλμνξοπρστυφχψω',
  'абвгдежзиклмнопрстуфхцчшщъыьэюя',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
].map((letters) => Array.from(letters));

const alphabets = new Map<string, readonly string[]>();

/** All signs that may stand for this one: the common letters, else those of its block that are of its script and kind. */
function alphabetOf(sign: string): readonly string[] {
  const common = COMMON.find((letters) => letters.includes(sign));
  if (common !== undefined) return common;
  const code = sign.codePointAt(0) ?? 0;
  const key = `${code < 0x80 ? 'ascii' : code >> 8} ${kindOf(sign)}`;
  let alphabet = alphabets.get(key);
  if (alphabet === undefined) {
    const first = code & ~0xff;
    const block = Array.from({ length: 0x100 }, (_, at) => String.fromCodePoint(first + at));
    const isAscii = code < 0x80;
    alphabet = block.filter(
      (other) =>
        other.charCodeAt(0) < 0x80 === isAscii &&
        isPlain(other) &&
        kindOf(other) === kindOf(sign) &&
        !COMMON.some((letters) => letters.includes(other)),
    );
    alphabets.set(key, alphabet);
  }
  return alphabet;
}

/** Neither a capital, for which its small letter stands, nor written with an accent. */
const isPlain = (sign: string): boolean => withoutAccents(sign).accents === '' && smallOf(sign) === undefined;

function kindOf(sign: string): string {
  if (/^\p{Nd}$/u.test(sign)) return 'digit';
  if (!/^\p{L}$/u.test(sign)) return 'none';
  const hasCapital = isPair(sign, sign.toUpperCase()) && sign.toUpperCase() !== sign;
  return `${SCRIPTS.findIndex((script) => script.test(sign))} ${hasCapital}`;
}
