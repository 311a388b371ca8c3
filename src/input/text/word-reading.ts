/** What a word shows when it is read in one encoding. */
export interface WordReading {
  /** Bits of the languages that have all its letters. */
  languages: number;
  /** True when it holds signs beyond ASCII. */
  signs: boolean;
}

/**
 * The languages that the single-byte encodings are used for: their letters beyond a-z, and those that are usual in names and
 * loan words; and what no word of them holds, in small letters.
 */
const SPELLINGS: Readonly<Record<string, readonly [letters: string, never?: RegExp]>> = {
  Spanish: ['áéíñóúü', /ñ(?![aeiouáéíóú])/],
  French: ['àâæçèéêëîïôœùûüÿ', /è(?:[aeiouyàâéêëîïôùûü]|$)|iæ|ù.|à./],
  German: ['äöüß', /^ß/],
  Italian: ['àèéìíòóùú', /[àèìòù]./],
  Portuguese: ['àáâãçéêíóôõúü', /ã(?![oeiz]|s?$)|õ(?!e|s?$)|à./],
  Catalan: ['àçèéíïòóúü', /è[aeiouàéíïòóúü]/],
  Dutch: ['áéèêëïíóöúüç', /è(?:[aeiou]|$)/],
  Swedish: ['åäöé'],
  Danish: ['åæøé', /iæ/],
  Norwegian: ['åæøéòôó', /iæ/],
  Finnish: ['åäöšž'],
  Icelandic: ['áðéíóúýþæö', /iæ|^ð|þ$/],
  Estonian: ['äõöüšž'],
  Polish: ['ąćęłńóśźż', /[ćńśź][aąeęioóuy]|^[ąę]/],
  Czech: ['áčďéěíňóřšťúůýž', /řr|rř|(?:^|[^bpvfmdtn])ě|(?:^|[aeiouyáéíóúý])ů/],
  Slovak: ['áäčďéíĺľňóôŕšťúýž', /(?:^|[aeiouyáäéíóôúý])[ĺŕ]|[ĺŕ](?:[aeiouyáäéíóôúý]|$)/],
  Hungarian: ['áéíóöőúüű'],
  Slovenian: ['čšžćđ', /(?:^|[^aeiou])ć(?![aeiou])/],
  Croatian: ['čćđšž', /(?:^|[^aeiou])ć(?![aeiou])/],
  Romanian: ['ăâîşţșț', /ă[aeo]/],
  Albanian: ['çë'],
};
const LANGUAGES = Object.values(SPELLINGS);

const ANY_LANGUAGE = 2 ** LANGUAGES.length - 1;

/** Stand before a word or a number, never behind a letter. */
const OPENING = '¿¡“„‚«‹£€§';
/** Stand behind a word or a number, never before a letter. */
const CLOSING = '”“’‘´»›…™®©ªº°€£¢‰²³¹';
/** Stand between words and numbers, with blanks round them. */
const APART = '–—•·×±½¼¾';
/** Stand anywhere: the no-break space and the soft hyphen. */
const UNSEEN = '\u00A0\u00AD';
const APOSTROPHES = '’‘´';
const ELISION = /^(?:[cdjlmnost]|qu|un|all|dall|dell|nell|sull|lorsqu|jusqu|puisqu|aujourd)$/i;
const CONTRACTION = /^(?:[stdmnk]|ll|re|ve)$/i;
/** Words of one small letter beyond ASCII. */
const SHORT_WORDS = 'àáåæèéêíìóòôöúù';

/**
 * What a word shows, as one encoding reads it: `Peña` is of Spanish. Undefined when no word of any
 * language looks so, as `Pe–a` or `JosŽ`.
 */
export function readWord(word: string): WordReading | undefined {
  const parts = word.match(/[\p{Lu}\p{Ll}]+|\d+|[^\p{Lu}\p{Ll}\d]/gu) ?? [];
  const reading: WordReading = { languages: ANY_LANGUAGE, signs: false };
  for (const [at, part] of parts.entries()) {
    if (isAscii(part)) continue;
    const around = [parts[at - 1], parts[at + 1]] as const;
    if (isWord(part)) reading.languages &= fitLetters(part, around);
    else if (!fitsSign(part, ...around)) return undefined;
    if (reading.languages === 0) return undefined;
    reading.signs ||= !isWord(part);
  }
  return reading;
}

/**
 * How much must come together to explain the words: the languages they need, each word at least one of
 * its own, and one more for signs. Chosen greedily, so now and then one too many.
 */
export function weighReadings(readings: readonly WordReading[]): number {
  let open = readings.map(({ languages }) => languages).filter((languages) => languages !== ANY_LANGUAGE);
  let count = readings.some(({ signs }) => signs) ? 1 : 0;
  while (open.length > 0) {
    const left = LANGUAGES.map((_, at) => open.filter((languages) => (languages & (1 << at)) === 0));
    // That of the language which explains most of them.
    open = left.reduce((least, one) => (one.length < least.length ? one : least));
    count++;
  }
  return count;
}

/** Bits of the languages that a word in small letters, beyond ASCII, may be of. */
function languagesOf(word: string): number {
  const special = Array.from(word).filter((letter) => !isAscii(letter));
  let bits = 0;
  for (const [at, [letters, never]] of LANGUAGES.entries()) {
    const known = special.every((letter) => letters.includes(letter));
    if (known && never?.test(word) !== true) bits |= 1 << at;
  }
  return bits;
}

function isWord(part: string | undefined): boolean {
  return part !== undefined && /^[\p{Lu}\p{Ll}]/u.test(part);
}

function isAscii(part: string): boolean {
  return /^[\0-\x7f]*$/.test(part);
}

function fitLetters(part: string, around: readonly (string | undefined)[]): number {
  // In these languages no longer word does without plain letters; in alphabets of their own all do.
  if (part.length > 3 && !/[a-z]/i.test(part)) return 0;
  if (part.length === 1 && !isShortWord(part, around)) return 0;
  // A special capital among small letters is one that another encoding has made: JosŽ. The other way
  // round, MüLLER, is what programs write that can only raise ASCII letters.
  if (/[^\P{Lu}A-Z]/u.test(part.slice(1)) && /\p{Ll}/u.test(part.replaceAll('ß', ''))) return 0;
  return languagesOf(part.toLowerCase());
}

/** A letter on its own: an initial, or a word. */
function isShortWord(letter: string, around: readonly (string | undefined)[]): boolean {
  if (SHORT_WORDS.includes(letter)) return true;
  return /^\p{Lu}$/u.test(letter) && !around.some((part) => part !== undefined && /^\d/.test(part));
}

function fitsSign(sign: string, before: string | undefined, after: string | undefined): boolean {
  if (UNSEEN.includes(sign)) return true;
  if (sign === '‘' && !isWord(before)) return true;
  if (APOSTROPHES.includes(sign) && isWord(after)) return fitsApostrophe(before, after);
  if (sign === '·' && before?.endsWith('l') === true && after?.startsWith('l') === true) return true;
  if (OPENING.includes(sign) && !isWord(before)) return true;
  if (CLOSING.includes(sign) && !isWord(after)) return true;
  return APART.includes(sign) && !isWord(before) && !isWord(after);
}

/** `O’Brien`, `l’été`, `it’s`, `’t Hof`; not `Mar’a`. */
function fitsApostrophe(before = '', after = ''): boolean {
  if (!isWord(before)) return CONTRACTION.test(after);
  return CONTRACTION.test(after) || ELISION.test(before) || /^\p{Lu}/u.test(after);
}
