import { type Checked, refuse } from '../model/row.ts';

const unclear = (problem: string, remedy: string) => refuse('name-unclear', problem, remedy);

/** Words that belong to the last name behind them, as in `Jan van der Berg`. */
const PARTICLES: ReadonlySet<string> = new Set(
  "van von vom de der den da di du do dos das la le al el bin ter ten op aan het 't ’t zu zum zur y del della dello dei degli dal dalla ní ó nic uí".split(
    ' ',
  ),
);
/** What stands behind a last name, with or without a comma, and is none. */
const SUFFIXES: ReadonlySet<string> = new Set(
  'jr sr ii iii iv phd md mba msc bsc mph llm dds esq mdb mdl mep'.split(' '),
);
/** What is one only as it is written here: without its dots or capitals it may be a name, such as `Amartya Sen`. */
const WRITTEN_SUFFIX = /^(?:[Jj]un\.|[Ss]en\.|[MB]\.?A\.?|[Dd]ipl\.?-.+)$/u;
/** Two people in one cell, or a choice of names. */
const SEVERAL = /[&+/;|]|\s(?:and|und|et|og|och)\s/iu;
/** Remarks: `Jan Maier (VIP)`. */
const BRACKETS = /[()[\]{}]/u;

/** A full name in its two parts; the last name is blank where there is only one word. */
export interface SplitName {
  first: string;
  last: string;
}

/**
 * Splits a full name: at its comma, where the last name stands in front of it; else in front of the last word, which
 * takes its particles along: `Jan | van der Berg`. A single word is a first name. Where the last name stands in front, only a
 * single word behind it shows where that ends: `De Luca | Anna`.
 */
export function splitName(text: string, isLastFirst = false): Checked<SplitName> {
  const name = text.trim().split(/\s+/u).join(' ');
  const parts = name.split(',').map((part) => part.trim());
  const [whole = '', ...behind] = parts;
  const several = unclear('holds more than one name', 'give everybody a row of their own');
  if (SEVERAL.test(name)) return several;
  const remedy = 'keep the first and the last name only';
  if (BRACKETS.test(name)) {
    return unclear('has something in brackets, so it is not split', remedy);
  }
  if (name.split(/[\s,]+/u).some((word) => word !== '' && !/\p{L}/u.test(word))) {
    return unclear('has a part without a letter, so it is not split', remedy);
  }
  if (isLastFirst && behind.length === 0) {
    const words = whole.split(' ');
    const end = words.findIndex((word) => !PARTICLES.has(word.toLowerCase())) + 1;
    return end > 0 && words.length === end + 1
      ? { ok: true, value: { first: words[end] ?? '', last: words.slice(0, end).join(' ') } }
      : unclear('does not show where the last name ends', 'write it as "Last name, First name"');
  }
  if (behind.every(isSuffix)) {
    const { first, last } = splitWords(whole.split(' '));
    // It joins last names only.
    if (/\sy(?:\s|$)/iu.test(first)) return several;
    return { ok: true, value: { first, last: [last, ...behind].join(', ') } };
  }
  if (parts.length > 2 || parts.includes('')) {
    return unclear('cannot be split into a first and a last name', 'write it as "Last name, First name"');
  }
  return { ok: true, value: { first: behind.join(''), last: whole } };
}

function splitWords(words: readonly string[]): SplitName {
  let end = words.length - 1;
  while (end > 1 && isSuffix(words[end] ?? '')) end -= 1;
  let from = end;
  while (from > 0 && isParticle(words[from - 1] ?? '', from - 1)) {
    from -= 1;
    // Two last names are joined by it.
    if (words[from]?.toLowerCase() === 'y' && from > 1) from -= 1;
  }
  if (words.length === 1) return { first: words.join(' '), last: '' };
  return { first: words.slice(0, from).join(' '), last: words.slice(from).join(' ') };
}

/** In front of all, a capital shows a first name: `Al Gore`, but `de Vries`. */
function isParticle(word: string, at: number): boolean {
  return PARTICLES.has(word.toLowerCase()) && (at > 0 || word === word.toLowerCase());
}

/** Whether a word tells of a name how it is split, and is not what somebody is called: `van`, `Jr.`, `and`. */
export function isNamePart(word: string): boolean {
  return PARTICLES.has(word.toLowerCase()) || isSuffix(word) || /^(?:and|und|et|og|och)$/iu.test(word);
}

function isSuffix(word: string): boolean {
  return WRITTEN_SUFFIX.test(word) || SUFFIXES.has(word.toLowerCase().replaceAll('.', ''));
}
