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
