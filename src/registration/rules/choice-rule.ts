import { type Checked, type Finding, refuse, findingOf } from '../model/row.ts';
import { nearest } from './closest.ts';
import type { Choice, Field } from '../model/persona.ts';

const MOST_LISTED = 10;
const LONGEST_LISTED = 60;
/** Each value is compared with each choice: a hostile cell must not take seconds. */
const MOST_VALUES = 1000;

/** Apart from each other, whatever the options are. */
const SEPARATORS = /[;|\r\n]/u;
/** What people write between options: commas, slashes, and their words for "and". */
const LOOSE: readonly RegExp[] = [/,/iu, /\//iu, /\s(?:and|und|et|y|e|en|&|\+)\s/iu];

/** Longer texts are no options with words between them. */
const LONGEST_LOOSE = 1000;

/** What the person says that a text means; undefined where nothing is said of it. */
export type Mean = (text: string) => string | undefined;

/**
 * The allowed value that a text means: the value itself, else a label, else either one ignoring case
 * and white space. A label or a look that fits two values is refused, never guessed.
 */
export function readChoice(text: string, choices: readonly Choice[]): Checked<string> {
  const found = meantBy(text, choices);
  const value = onlyValue(found);
  if (value !== undefined) return { ok: true, value };
  if (found.length === 0) return { ok: false, finding: notAllowed(text, choices) };
  const problem = `fits several allowed values: ${listValues(valuesOf(found))}`;
  return refuse('choice-several', problem, 'write it exactly as one of them');
}

/** The same without words: undefined where a text means no value, or several. */
export function choiceOf(text: string, choices: readonly Choice[]): string | undefined {
  return onlyValue(meantBy(text, choices));
}

/** Whether a text is an allowed value or a label to the letter. */
export function isExactly(text: string, choices: readonly Choice[]): boolean {
  return choices.some(({ value, label }) => value === text || label === text);
}

function meantBy(text: string, choices: readonly Choice[]): readonly Choice[] {
  const same = choices.find(({ value }) => value === text);
  if (same !== undefined) return [same];
  const labelled = choices.filter(({ label }) => label === text);
  return labelled.length > 0 ? labelled : alike(text, choices);
}

/** The value of the only option that there is, whatever its labels. */
export function onlyValue(choices: readonly Choice[]): string | undefined {
  const [only, another] = valuesOf(choices);
  return another === undefined ? only : undefined;
}

/** Several options in one text. Repeated ones count once. */
export function readChoices(
  text: string,
  choices: readonly Choice[],
  mean?: Mean,
): Checked<readonly string[]> {
  const whole = readChoice(text, choices);
  return whole.ok
    ? { ok: true, value: [whole.value] }
    : readEach(splitChoices(text, choices, mean), choices, mean);
}

/** The parts of a text that surely holds several options: a JSON array, or apart by `;`, `|` or line breaks. */
export function plainParts(text: string): readonly string[] {
  return jsonStrings(text) ?? apart(text, []);
}

/**
 * The parts of a text that holds several options, also where they are apart by what people put between words: by that
 * which no option has inside, and where each part is an option. Else the parts that tell best what is wrong.
 */
export function splitChoices(text: string, choices: readonly Choice[], mean?: Mean): readonly string[] {
  const plain = plainParts(text);
  if (text.length > LONGEST_LOOSE || readEach(plain, choices, mean).ok) return plain;
  const ways = looseWays(text, choices);
  const isSome = (part: string): boolean => part !== '' && readEach([part], choices, mean).ok;
  return (
    ways.find((parts) => readEach(parts, choices, mean).ok) ??
    ways.find((parts) => parts.some(isSome)) ??
    plain
  );
}

/** The ways to part a text at what people put between words and no option has inside, each into more parts than it surely has. */
export function looseWays(text: string, choices: readonly Choice[]): readonly (readonly string[])[] {
  const isFree = (one: RegExp): boolean =>
    !choices.some(({ value, label }) => one.test(value) || one.test(label));
  const free = LOOSE.filter(isFree);
  const least = plainParts(text).length;
  return [...free.map((one) => [one]), free]
    .map((between) => apart(text, between))
    .filter((parts) => parts.length > least);
}

function apart(text: string, between: readonly RegExp[]): string[] {
  const any = [SEPARATORS, ...between].map(({ source }) => source).join('|');
  return text.split(new RegExp(any, 'iu')).map((part) => part.trim());
}

/** Several options, each in a text of its own; blank ones are passed over. All wrong ones are named. */
export function readEach(
  texts: readonly string[],
  choices: readonly Choice[],
  mean: Mean = () => undefined,
): Checked<readonly string[]> {
  if (texts.length > MOST_VALUES)
    return refuse('choice-unknown', 'holds more than 1,000 values', 'keep those that are meant');
  const values = new Set<string>();
  const wrong: { text: string; finding: Finding }[] = [];
  for (const text of texts.map((part) => part.trim())) {
    const meant = mean(text) ?? text;
    const read = meant === '' ? undefined : readChoice(meant, choices);
    if (read?.ok === true) values.add(read.value);
    else if (read !== undefined) wrong.push({ text, finding: read.finding });
  }
  const [first, second] = wrong;
  if (first === undefined && values.size === 0)
    return refuse('choice-unknown', 'holds no value', 'empty the cell');
  if (first === undefined) return { ok: true, value: [...values] };
  if (second === undefined && texts.length === 1) return { ok: false, finding: first.finding };
  return severalWrong(wrong, choices);
}

/** One of the allowed values; several of them when the field takes several. */
export function checkChoice(text: string, field: Pick<Field, 'choices' | 'multiple'>): Finding | undefined {
  const read = field.multiple ? readChoices(text, field.choices) : readChoice(text, field.choices);
  return read.ok ? undefined : read.finding;
}

function severalWrong(
  wrong: readonly { text: string; finding: Finding }[],
  choices: readonly Choice[],
): { ok: false; finding: Finding } {
  const texts = wrong.map(({ text }) => text);
  const verb = wrong.length === 1 ? 'is' : 'are';
  return refuse(
    'choice-unknown',
    `holds ${listValues(texts)}, which ${verb} not among the allowed values ${listValues(valuesOf(choices))}`,
    wrong.length === 1 ? wrong[0]?.finding.remedy : undefined,
  );
}

function notAllowed(text: string, choices: readonly Choice[]): Finding {
  const close = nearest(text, [...valuesOf(choices), ...choices.map((choice) => choice.label)]);
  return findingOf(
    'choice-unknown',
    `is not one of the allowed values ${listValues(valuesOf(choices))}`,
    close === undefined ? undefined : `write "${close}"`,
  );
}

/** A service may define a value with white space at its ends, which no cell can name exactly. */
function alike(text: string, choices: readonly Choice[]): readonly Choice[] {
  const trimmed = choices.filter(({ value }) => value.trim() === text);
  if (trimmed.length > 0) return trimmed;
  const folded = fold(text);
  return choices.filter((choice) => fold(choice.value) === folded || fold(choice.label) === folded);
}

/** The different values of the choices, in their order. */
export function valuesOf(choices: readonly Choice[]): string[] {
  return [...new Set(choices.map((choice) => choice.value))];
}

/** `"a", "b" and 3 more`. */
function listValues(values: readonly string[]): string {
  const shown = values.slice(0, MOST_LISTED).map((value) => `"${clip(value)}"`);
  const rest = values.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function clip(value: string): string {
  return value.length > LONGEST_LISTED ? `${value.slice(0, LONGEST_LISTED)}…` : value;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, '');
}

/** The strings of a JSON array; undefined when the text is no JSON array of strings. */
function jsonStrings(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) && json.every((entry) => typeof entry === 'string') ? json : undefined;
  } catch {
    return undefined;
  }
}
