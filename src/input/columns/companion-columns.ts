import { COMPANION_WORDS, GUEST_WORDS, JOINING_WORDS } from './aliases.ts';
import { looseName, withoutMark } from './alias-index.ts';
import { UsageError } from '../../errors.ts';

/** A column of somebody who comes along, and what it is called besides. */
export interface CompanionName {
  /** From 1 on. */
  number: number;
  name: string;
}

const NUMBER = '{n}';
const FIELD = '{field}';
const MOST_DIGITS = 3;

/** Reads a pattern, `Gast {n}: {field}`, as one of headings. Throws a UsageError unless `{n}` and `{field}` stand in it once each. */
export function readCompanionPattern(text: string): RegExp {
  const parts = fold(text).split(/(\{n\}|\{field\})/);
  const marks = [parts[1], parts[3]];
  if (parts.length !== 5 || ![NUMBER, FIELD].every((mark) => marks.includes(mark))) {
    throw new UsageError(`The companion pattern "${text}" must hold {n} and {field}, once each.`, {
      hint: 'Write for example "Guest {n} {field}" for columns such as "Guest 2 E-mail".',
    });
  }
  const sources = new Map([
    [NUMBER, `(?<n>\\d{1,${MOST_DIGITS}})`],
    [FIELD, '(?<field>.+?)'],
  ]);
  const source = parts.map((part) => sources.get(part) ?? part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${source.join('')}$`, 'u');
}

/** The parts of a heading that fits the pattern; case and the amount of white space make no difference. */
export function matchPattern(heading: string, pattern: RegExp): CompanionName | undefined {
  const { n = '', field = '' } = pattern.exec(fold(heading))?.groups ?? {};
  const number = companionNumber(n);
  return number === undefined || field.trim() === '' ? undefined : { number, name: field.trim() };
}

/** 1 to 999; undefined for anything else. */
function companionNumber(digits: string): number | undefined {
  if (digits.length > MOST_DIGITS || !/^\d+$/.test(digits)) return undefined;
  return Number(digits) === 0 ? undefined : Number(digits);
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().split(/\s+/).join(' ');
}

/** Longer texts are no names of columns. */
const LONGEST_NAME = 300;

/** A run of letters or of digits in a heading, as names are compared. */
interface Token {
  text: string;
  start: number;
  end: number;
}

const JOINING: ReadonlySet<string> = new Set(JOINING_WORDS);

/** A word for a companion among the tokens of a heading, with a number behind it: `guest no 2`; some mean one also without. */
const NUMBERED = `(?:${[...COMPANION_WORDS, ...GUEST_WORDS].map(spaced).join('|')}) (?:no )?0*([1-9]\\d*)(?!\\d)`;
const PLAIN = `(?:${COMPANION_WORDS.map(spaced).join('|')})(?! (?:no )?\\d)`;
const IN_FRONT = new RegExp(`^(?:${NUMBERED}|${PLAIN})(?= |$)`);
const BEHIND = new RegExp(`(?<= )(?:${NUMBERED}|${PLAIN})$`);

/**
 * What a heading says of which companion: `Guest 2 E-mail`, `E-mail (guest 2)`, `Prénom de
 * l’accompagnant 1`, `Plus one first name`. Undefined when it names no companion, or nothing besides.
 */
export function companionColumn(heading: string): CompanionName | undefined {
  if (heading.length > LONGEST_NAME) return undefined;
  const tokens = tokensOf(withoutMark(heading));
  const texts = tokens.map(({ text }) => text).join(' ');
  const first = IN_FRONT.exec(texts);
  const found = first ?? BEHIND.exec(texts);
  const number = found === null ? undefined : companionNumber(found[1] ?? '1');
  if (found === null || number === undefined) return undefined;
  const countTo = (end: number): number => texts.slice(0, end).trim().split(' ').length;
  return first === null
    ? rest(heading, number, withoutJoining(tokens.slice(0, countTo(found.index))))
    : rest(heading, number, tokens.slice(countTo(first[0].length)));
}

function rest(heading: string, number: number, tokens: readonly Token[]): CompanionName | undefined {
  // `Companion 1's first name`
  const own = tokens[0]?.text === 's' && tokens.length > 1 ? tokens.slice(1) : tokens;
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { number, name: heading.slice(first.start, last.end) };
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
