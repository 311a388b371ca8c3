import { alpha2Of, isCountryCode } from '../rules/countries.ts';
import { countryCodeOf } from '../rules/country-names.ts';
import type { Choice, Field, FieldKind } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import { choiceOf, plainParts } from '../rules/choice-rule.ts';

/** What tells the values of a field apart. */
export type ValueRules = Pick<Field, 'kind' | 'choices' | 'multiple'>;

/**
 * Whether two values of a field mean the same, however each is written: 5 and "05" of a number, an option
 * by its value or its label, an e-mail address in any case. Nothing, null, an empty text and an empty list
 * are the same.
 */
export function sameValue(rules: ValueRules, one: unknown, other: unknown): boolean {
  return one === other || canonicalValue(rules, one) === canonicalValue(rules, other);
}

/** One text for all ways to write a value of the field; empty for no value. */
export function canonicalValue(rules: ValueRules, value: unknown): string {
  const isOne = typeof value === 'string' && !(rules.kind === 'choice' && rules.multiple);
  if (isOne) return canonicalText(rules, value);
  const parts = entriesOf(value)
    .flatMap((entry) => partsOf(rules, entry))
    .map((text) => canonicalText(rules, text))
    .filter((text) => text !== '');
  const kept = rules.kind === 'choice' ? [...new Set(parts)] : parts;
  if (kept.length < 2) return kept[0] ?? '';
  return JSON.stringify(kept.sort());
}

/** A listed value as a row would write it; undefined when there is none. */
export function plainValue(value: unknown): FieldValue | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  const texts = entriesOf(value)
    .map((entry) => textOf(entry))
    .filter((text) => text !== '');
  const [first, ...more] = texts;
  return first !== undefined && (Array.isArray(value) || more.length > 0) ? texts : first;
}

/** Nobody sends lists within lists, so what lies deeper need not be understood. */
const DEEPEST = 4;

/** The single values of a value, also of a list that an object holds as its `value`. */
function entriesOf(value: unknown, depth = 0): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (depth === DEEPEST) return [value];
  if (Array.isArray(value)) return value.flatMap((entry) => entriesOf(entry, depth + 1));
  const inner = typeof value === 'object' ? (value as { value?: unknown }).value : undefined;
  return typeof inner === 'object' && inner !== null ? entriesOf(inner, depth + 1) : [value];
}

/** The texts of one entry of a value: several where an option field writes them into one text. */
function partsOf(rules: ValueRules, entry: unknown): readonly string[] {
  const text = textOf(entry, (candidate) => isRecognised(rules, candidate));
  return rules.kind === 'choice' && rules.multiple ? splitNamedChoices(text, rules.choices) : [text];
}

/** Keys under which a service may put the value of an object, best first. */
const VALUE_KEYS = ['value', 'slug', 'id', 'label', 'name', 'code', 'url'];

/** A text for whatever stands for a value. Of an object, what is recognised as one, else the first there is. */
function textOf(entry: unknown, recognised: (text: string) => boolean = () => false): string {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const object = entry as Readonly<Record<string, unknown>>;
  const texts = VALUE_KEYS.map((key) => (Object.hasOwn(object, key) ? object[key] : undefined))
    .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    .map(String);
  return texts.find(recognised) ?? texts[0] ?? JSON.stringify(entry);
}

function isRecognised({ kind, choices }: ValueRules, text: string): boolean {
  if (kind === 'choice') return choiceOf(text, choices) !== undefined;
  if (kind === 'country') return isCountryCode(text.trim());
  return (kind === 'website' || kind === 'upload') && URL_START.test(text);
}

function canonicalText({ kind, choices }: ValueRules, text: string): string {
  return kind === 'choice' ? (choiceOf(text, choices) ?? collapse(text)) : CANONICAL[kind](collapse(text));
}

const CANONICAL: Readonly<Record<Exclude<FieldKind, 'choice'>, (text: string) => string>> = {
  name: (text) => text,
  text: (text) => text,
  email: (text) => text.toLowerCase().normalize('NFC'),
  phone: canonicalPhone,
  country: (text) => alpha2Of(text) ?? countryCodeOf(text) ?? text,
  website: (text) => (URL_START.test(text) && URL.canParse(text) ? new URL(text).href : text),
  upload: canonicalUpload,
  date: canonicalDate,
  numeric: (text) => /^0*(\d+)(?:\.0+)?$/.exec(text)?.[1] ?? text,
};

/** Plain, with single spaces between its words: most values are. */
const TIDY = /^[!-~]+(?: [!-~]+)*$/;

const collapse = (text: string): string =>
  TIDY.test(text) ? text : text.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The digits: whether a number has + or 00 in front, or neither, is how it is written. */
function canonicalPhone(text: string): string {
  if (!/^\+?[\d ()./-]*\d[\d ()./-]*$/.test(text)) return text;
  return text.replace(/\D/g, '').replace(/^(?:00)+(?=\d)/, '');
}

const URL_START = /^https?:\/\//i;

/** What storage services add to a link so that it holds for a while: it is new at each reading. */
const SIGNATURE = /signature|^sig$|token|expires|credential|policy|hmac|^x-(?:amz|goog|ms)-/i;

function canonicalUpload(text: string): string {
  if (!URL_START.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const signed = [...url.searchParams.keys()].filter((name) => SIGNATURE.test(name));
  for (const name of signed) url.searchParams.delete(name);
  return url.href.replace(/\?$/, '');
}

/** The day, and the time unless it is midnight. A time zone is left out: what is sent has none. */
function canonicalDate(text: string): string {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?(?:\.0+)? ?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text,
    );
  if (parts === null) return text;
  const [, day = '', minutes = '00:00', seconds = '00'] = parts;
  return minutes === '00:00' && seconds === '00' ? day : `${day} ${minutes}:${seconds}`;
}

/** The options of a text that may hold several; the text itself where its parts are none. */
function splitNamedChoices(text: string, choices: readonly Choice[]): readonly string[] {
  if (choiceOf(text, choices) !== undefined) return [text];
  const split = [plainParts(text), text.split(',')].find(
    (parts) => parts.length > 1 && parts.every((part) => choiceOf(part, choices) !== undefined),
  );
  return split ?? [text];
}
