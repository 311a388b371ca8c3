import type { FieldValue, SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Ended } from './bench.ts';
import { LABELS, type Slug } from './values.ts';
import type { Attribute } from './world.ts';

/** What a command has said, read so that words and keys may change. */
export interface Said {
  code: number;
  /** The one object of a push. */
  summary: Readonly<Record<string, unknown>>;
  run: string | undefined;
  /** Entries of the diff; undefined when none was asked for. */
  plan: readonly ToldEntry[] | undefined;
  /** All that was said of single registrations: a line or an entry each. */
  lines: readonly string[];
  /** Every number of the summary with its key. */
  numbers: readonly [key: string, number: number][];
  text: string;
}

export interface ToldEntry {
  action: string;
  place: string | null;
  barcode: string | null;
  registration_id: string | null;
  changes: readonly { field: string; before?: FieldValue; after?: FieldValue; left?: string | null }[];
  why: string | null;
}

export function readSaid({ code, out, err }: Ended): Said {
  const document = (parsed(out) ?? {}) as Record<string, unknown>;
  const { schema: _schema, exit: _exit, stopped_by: _guard, error: _error, results, ...told } = document;
  // An undo has a list of what became of each; how it ended is said of it besides.
  const summary = results === undefined ? told : {};
  const { plan, ...others } = summary;
  const entries = entriesOf(results ?? others);
  return {
    code,
    summary,
    run: typeof summary['run'] === 'string' ? summary['run'] : undefined,
    plan: (plan as ToldEntry[] | null | undefined)?.map(asSent),
    lines: [...entries.map((entry) => JSON.stringify(entry)), ...err.split('\n')],
    numbers: numbersOf(others),
    text: `${out}\n${err}`,
  };
}

/** Without what is shown as left alone. */
const asSent = (entry: ToldEntry): ToldEntry => ({
  ...entry,
  changes: entry.changes.filter(({ left }) => left === undefined || left === null),
});

/** The entries of all lists in it, wherever they are. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(entriesOf) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number of the summary; undefined when it has none of that name. */
export function countOf(said: Said, name: string): number | undefined {
  const value = said.summary[name];
  return typeof value === 'number' ? value : undefined;
}

/** Of how many registrations that were sent it is said that nobody has seen what became of them. */
export function notVerified({ summary }: Said): number {
  const { unverified = 0 } = (summary['audit'] ?? {}) as { unverified?: number };
  return unverified;
}

/** Words by which a change of an attribute is told. */
const WORDS: Readonly<Record<string, RegExp>> = {
  persona: /persona/i,
  barcode: /barcode/i,
  parent_barcode: /parent|group|member/i,
  enable_comms: /enable_comms|message|comm/i,
};

/** Whether something was said of the registration, or of the row that stands for it. */
export function names(
  said: Said,
  registration: Pick<SandboxRegistration, 'id' | 'barcode'>,
  place: string | undefined,
  attribute?: Attribute,
): boolean {
  const subjects = [registration.barcode, registration.id, ...(place === undefined ? [] : [place])];
  const isAbout = (line: string): boolean => subjects.some((subject) => mentions(line, subject));
  return said.lines.some((line) => isAbout(line) && (attribute === undefined || speaksOf(line, attribute)));
}

/** `EV-1` is not mentioned by `EV-10`. */
function mentions(line: string, word: string): boolean {
  let at = line.indexOf(word);
  while (at >= 0) {
    const around = `${line[at - 1] ?? ' '}${line[at + word.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
    at = line.indexOf(word, at + 1);
  }
  return false;
}

function speaksOf(line: string, attribute: Attribute): boolean {
  const words = WORDS[attribute];
  if (words !== undefined) return words.test(line);
  return line.includes(attribute) || line.includes(LABELS[attribute as Slug]);
}

/** Whether it is said how many people get no messages any more. */
export function tellsOfMessagesTakenBack(said: Said): boolean {
  return tells(said, /takes? back|taken.?back|took back|takes_back|takesBack/i);
}

/** Whether it is said how many registrations could not be looked at again before they were sent. */
export function tellsOfNotLookedAt(said: Said): boolean {
  return tells(said, /not (?:be )?looked at|not_looked|notLooked|unlooked|not_rechecked|not rechecked/i);
}

/** Whether it is said that nobody can see who belongs to a group. */
export function tellsOfHiddenGroups(said: Said): boolean {
  return tells(said, /does not show who belongs to a group/i);
}

/** Whether it is said that an earlier run has sent what is not looked at now. */
export function tellsOfSentBefore(said: Said): boolean {
  return tells(said, /sent before and not changed|sent by an earlier run/i);
}

/** Whether it is said beforehand that rows cannot be compared. */
export function tellsOfNotCompared(said: Said): boolean {
  return tells(said, /cannot be compared/i);
}

/** Whether it is said that what was sent could not be read back. */
export function tellsOfNotVerified(said: Said): boolean {
  return tells(said, /not verified|unverified|not done/i);
}

/** Whether it is said that some may be new or not. */
export function tellsOfNotProven(said: Said): boolean {
  return tells(said, /not proven|not_proven|notProven|unproven|not looked at/i);
}

/** In words, or as a number that is not 0. */
function tells({ lines, numbers }: Said, what: RegExp): boolean {
  return (
    lines.some((line) => what.test(line)) || numbers.some(([key, number]) => number > 0 && what.test(key))
  );
}

function numbersOf(value: unknown): [string, number][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'number' ? [[key, one] as [string, number]] : numbersOf(one),
  );
}
