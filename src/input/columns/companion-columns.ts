import { COMPANION_WORDS, GUEST_WORDS, JOINING_WORDS } from './aliases.ts';
import { looseName, withoutMark } from './alias-index.ts';
import { UsageError } from '../../errors.ts';

/** From `--set companion-pattern`: how headings name companions, `Gast {n}: {field}`. */
export interface CompanionPattern {
  before: string;
  between: string;
  after: string;
  numberFirst: boolean;
}

/** A column of somebody who comes along, and what it is called besides. */
export interface CompanionName {
  /** From 1 on. */
  number: number;
  name: string;
}

const NUMBER = '{n}';
const FIELD = '{field}';
const MOST_DIGITS = 3;

/** Reads a pattern. Throws a UsageError unless `{n}` and `{field}` stand in it once each. */
export function readCompanionPattern(text: string): CompanionPattern {
  const parts = fold(text).split(/(\{n\}|\{field\})/);
  const [before = '', first, between = '', second, after = ''] = parts;
  const complete = (first === NUMBER && second === FIELD) || (first === FIELD && second === NUMBER);
  if (parts.length !== 5 || !complete) {
    throw new UsageError(`The companion pattern "${text}" must hold {n} and {field}, once each.`, {
      hint: 'Write for example "Guest {n} {field}" for columns such as "Guest 2 E-mail".',
    });
  }
  return { before, between, after, numberFirst: first === NUMBER };
}

/** The parts of a heading that fits the pattern; case and the amount of white space make no difference. */
export function matchPattern(heading: string, pattern: CompanionPattern): CompanionName | undefined {
  const { before, after } = pattern;
  const name = fold(heading);
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const inner = name.slice(before.length, name.length - after.length);
  const split = pattern.numberFirst
    ? splitAtStart(inner, pattern.between)
    : splitAtEnd(inner, pattern.between);
  if (split === undefined) return undefined;
  const number = companionNumber(split.digits);
  return number === undefined || split.name === '' ? undefined : { number, name: split.name };
}

/** 1 to 999; undefined for anything else. */
function companionNumber(digits: string): number | undefined {
  if (digits.length > MOST_DIGITS || !/^\d+$/.test(digits)) return undefined;
  return Number(digits) === 0 ? undefined : Number(digits);
}

function splitAtStart(text: string, between: string): { digits: string; name: string } | undefined {
  const digits = /^\d*/.exec(text)?.[0] ?? '';
  if (!text.startsWith(between, digits.length)) return undefined;
  return { digits, name: text.slice(digits.length + between.length).trim() };
}

function splitAtEnd(text: string, between: string): { digits: string; name: string } | undefined {
  let start = text.length;
  while (start > 0 && /\d/.test(text.charAt(start - 1))) start--;
  const rest = text.slice(0, start);
  if (!rest.endsWith(between)) return undefined;
  return { digits: text.slice(start), name: rest.slice(0, rest.length - between.length).trim() };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().split(/\s+/).join(' ');
}

/** Longer texts are no names of columns. */
const LONGEST_NAME = 300;

/** A run of letters or of digits in a heading. */
interface Token {
  /** As names are compared. */
  text: string;
  start: number;
  end: number;
}

/** A word for a companion, as its tokens. */
interface Word {
  tokens: readonly string[];
  /** Whether it means nobody in particular without a number. */
  numbered: boolean;
}

const WORDS: readonly Word[] = [
  ...COMPANION_WORDS.map((word) => ({ tokens: wordTokens(word), numbered: false })),
  ...GUEST_WORDS.map((word) => ({ tokens: wordTokens(word), numbered: true })),
];
const JOINING: ReadonlySet<string> = new Set(JOINING_WORDS);

/** A part of a heading that names a companion: tokens `from` up to `to`. */
interface Mention {
  number: number;
  from: number;
  to: number;
}

/**
 * What a heading says of which companion: `Guest 2 E-mail`, `E-mail (guest 2)`, `Prénom de
 * l’accompagnant 1`, `Plus one first name`. Undefined when it names no companion, or nothing besides.
 */
export function companionColumn(heading: string): CompanionName | undefined {
  if (heading.length > LONGEST_NAME) return undefined;
  const tokens = tokensOf(withoutMark(heading));
  const first = mentionAt(tokens, 0);
  if (first !== undefined) return rest(heading, first.number, tokens.slice(first.to));
  for (let from = 1; from < tokens.length; from++) {
    const last = mentionAt(tokens, from);
    if (last?.to === tokens.length) return rest(heading, last.number, withoutJoining(tokens.slice(0, from)));
  }
  return undefined;
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

/** The mention that begins at a token. */
function mentionAt(tokens: readonly Token[], from: number): Mention | undefined {
  for (const word of WORDS) {
    if (!word.tokens.every((text, at) => tokens[from + at]?.text === text)) continue;
    const mention = numberBehind(tokens, from, from + word.tokens.length, word.numbered);
    if (mention !== undefined) return mention;
  }
  return undefined;
}

function numberBehind(
  tokens: readonly Token[],
  from: number,
  behind: number,
  numbered: boolean,
): Mention | undefined {
  // `Guest no. 2`
  const at = tokens[behind]?.text === 'no' && isNumber(tokens[behind + 1]) ? behind + 1 : behind;
  const number = companionNumber(tokens[at]?.text ?? '');
  if (number !== undefined) return { number, from, to: at + 1 };
  return numbered || isNumber(tokens[at]) ? undefined : { number: 1, from, to: behind };
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && /^\d/.test(token.text);
}

function tokensOf(heading: string): Token[] {
  return [...heading.matchAll(/\p{N}+|[\p{L}\p{M}]+/gu)].map((match) => ({
    text: looseName(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function wordTokens(word: string): readonly string[] {
  return tokensOf(word).map(({ text }) => text);
}
