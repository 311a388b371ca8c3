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
export function companionNumber(digits: string): number | undefined {
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
