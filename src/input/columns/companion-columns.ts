import { COMPANION_WORDS, GUEST_WORDS, JOINING_WORDS, OWN_WORDS } from './aliases.ts';
import { LONGEST_NAME, looseName, withoutMark } from './alias-index.ts';

/** A column of somebody who comes along, and what it is called besides. */
export interface CompanionName {
  /** From 1 on; 0 for the row's own person, as the first of its attendees is. */
  number: number;
  /** Empty where that is all that the heading says. */
  name: string;
}

const MOST_DIGITS = 3;

/** 1 to 999; undefined for anything else. */
function companionNumber(digits: string): number | undefined {
  if (digits.length > MOST_DIGITS || !/^\d+$/.test(digits)) return undefined;
  return Number(digits) === 0 ? undefined : Number(digits);
}

/** A run of letters or of digits in a heading, as names are compared. */
interface Token {
  text: string;
  start: number;
  end: number;
}

const JOINING: ReadonlySet<string> = new Set(JOINING_WORDS);

/** A word for a companion among the tokens of a heading, with a number behind it: `guest no 2`; some mean one also without. */
const anyOf = (words: readonly string[]): string => `(?:${words.map(spaced).join('|')})`;
const OWN = `(?<own>${anyOf(OWN_WORDS)} (?:no )?0*1(?!\\d))`;
const NUMBERED = `${anyOf([...COMPANION_WORDS, ...GUEST_WORDS, ...OWN_WORDS])} (?:no )?0*(?<number>[1-9]\\d*)(?!\\d)`;
const PLAIN = `${anyOf(COMPANION_WORDS)}(?! (?:no )?\\d)`;
const IN_FRONT = new RegExp(`^(?:${OWN}|${NUMBERED}|${PLAIN})(?= |$)`);
const BEHIND = new RegExp(`(?<= )(?:${OWN}|${NUMBERED}|${PLAIN})$`);

/**
 * What a heading says of which companion: `Guest 2 E-mail`, `E-mail (guest 2)`, `Prénom de
 * l’accompagnant 1`, `Plus one first name`. Undefined when it names no companion.
 */
export function companionColumn(heading: string): CompanionName | undefined {
  if (heading.length > LONGEST_NAME) return undefined;
  const tokens = tokensOf(withoutMark(heading));
  const texts = tokens.map(({ text }) => text).join(' ');
  const first = IN_FRONT.exec(texts);
  const found = first ?? BEHIND.exec(texts);
  if (found === null) return undefined;
  const { own, number: told = '1' } = found.groups ?? {};
  const number = own === undefined ? companionNumber(told) : 0;
  if (number === undefined) return undefined;
  const countTo = (end: number): number => texts.slice(0, end).trim().split(' ').length;
  return first === null
    ? rest(heading, number, withoutJoining(tokens.slice(0, countTo(found.index))))
    : rest(heading, number, tokens.slice(countTo(first[0].length)));
}

function rest(heading: string, number: number, tokens: readonly Token[]): CompanionName {
  // `Companion 1's first name`
  const own = tokens[0]?.text === 's' && tokens.length > 1 ? tokens.slice(1) : tokens;
  const [first] = own;
  const last = own.at(-1);
  return { number, name: first && last ? heading.slice(first.start, last.end) : '' };
}

function withoutJoining(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ text }) => !JOINING.has(text));
  return tokens.slice(0, last + 1);
}

function tokensOf(heading: string): Token[] {
  const found = [...heading.matchAll(/\p{N}+|[\p{L}\p{M}]+/gu)].map((match) => ({
    text: looseName(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  return found.filter(({ text }) => text !== '');
}

function spaced(word: string): string {
  return tokensOf(word)
    .map(({ text }) => text)
    .join(' ');
}

/** The words and the number of several people of a row. */
const MANY = /^(.*?) ?0*([1-9]\d*)$/;

/** A column that says something of somebody, and under which words. */
interface CountedColumn {
  at: number;
  role: string;
  key: string;
  kind: string;
  concept: string | undefined;
  fills: string;
}

/**
 * Several people of a row, by the indexes of their columns: each has a name, and more, under words that differ in their
 * numbers only, as in `Staff 1 name`, `Staff 1 e-mail`, `Staff 2 name`. Words for whoever comes need two of them.
 */
export function manyAmong(people: readonly CountedColumn[]): ReadonlyMap<number, number> {
  const counted = people.flatMap(({ at, role, key, kind, concept, fills }) => {
    const [, words = '', number = ''] = MANY.exec(key) ?? [];
    return number === '' || fills === '' ? [] : [{ at, role, words, number: Number(number), kind, concept }];
  });
  const isWhole = (one: { words: string; number: number }): boolean => {
    const own = counted.filter(({ words, number }) => words === one.words && number === one.number);
    return own.some(({ kind }) => kind === 'name') && new Set(own.map(({ concept }) => concept)).size > 1;
  };
  const whole = counted.filter(isWhole);
  const isOneOfMany = ({ role, words, number }: (typeof whole)[number]): boolean =>
    (role === 'plain' && words !== '') ||
    whole.some((other) => other.words === words && other.number !== number);
  return new Map(whole.filter(isOneOfMany).map(({ at, number }) => [at, number]));
}
