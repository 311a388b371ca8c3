import type { Choice } from '../../registration/model/persona.ts';
import { firstText, isObject, type Json, text } from './json-values.ts';

const VALUE_KEYS = ['value', 'slug', 'id', 'name', 'label'];
const LABEL_KEYS = ['label', 'labels', 'name', 'names'];
/** Keys under which a group keeps its options. */
const GROUP_KEYS = ['options', 'values', 'choices', 'items', 'children'];
/** Keys under which all options may be wrapped. */
const WRAPPERS = [...GROUP_KEYS, 'data'];
/** Groups within groups: no event has more, and a hostile one cannot make us dig for ever. */
const DEEPEST = 4;
const LANGUAGE_TAG = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;
const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Options as strings, numbers, objects with any of value/slug/id/name/label, maps of value to label (one for
 * all, or one for each), or groups of any of these. An option with labels in several languages comes once
 * for each of them.
 */
export function readChoices(values: unknown): Choice[] {
  return readOptions(values, 0);
}

/** The texts of a label: one, or one for each language, English first. Empty where there is none. */
export function readLabels(value: unknown): readonly string[] {
  if (!isObject(value)) return [text(value)].filter((label) => label !== undefined);
  const texts = Object.entries(value).flatMap(([language, label]) => {
    const read = text(label);
    return read === undefined ? [] : [{ isEnglish: /^en(?:[-_]|$)/i.test(language), label: read }];
  });
  const english = texts.filter(({ isEnglish }) => isEnglish);
  const ordered = [...english, ...texts.filter(({ isEnglish }) => !isEnglish)];
  return [...new Set(ordered.map(({ label }) => label))];
}

function readOptions(values: unknown, depth: number): Choice[] {
  if (depth === DEEPEST) return [];
  if (Array.isArray(values)) return values.flatMap((entry: unknown) => readOption(entry, depth));
  if (!isObject(values)) return [];
  const wrapped = WRAPPERS.map((key) => values[key]).find(isSeveral);
  if (wrapped !== undefined) return readOptions(wrapped, depth + 1);
  return Object.entries(values).flatMap(([value, inner]) => readPair(value, inner, depth));
}

/** An entry of a list of options. */
function readOption(entry: unknown, depth: number): Choice[] {
  if (!isObject(entry)) return choicesOf(text(entry), []);
  const group = groupIn(entry);
  if (group !== undefined) return readOptions(group, depth + 1);
  const labels = LABEL_KEYS.map((key) => readLabels(entry[key])).find((found) => found.length > 0) ?? [];
  const value = firstText(entry, VALUE_KEYS) ?? labels[0];
  if (value !== undefined) return choicesOf(value, labels.length > 0 ? labels : readLabels(entry['value']));
  const [pair, another] = Object.entries(entry);
  return pair === undefined || another !== undefined ? [] : readPair(...pair, depth);
}

/** A value and what a map has for it: its label, labels by language, more about it, or the options of a group. */
function readPair(value: string, inner: unknown, depth: number): Choice[] {
  if (Array.isArray(inner)) return readOptions(inner, depth + 1);
  if (!isObject(inner)) return choicesOf(value, readLabels(inner));
  if (isByLanguage(inner)) return choicesOf(value, readLabels(inner));
  const isOption = [...VALUE_KEYS, ...LABEL_KEYS].some((key) => Object.hasOwn(inner, key));
  if (isOption && groupIn(inner) === undefined) return readOption({ value, ...inner }, depth);
  return readOptions(inner, depth + 1);
}

function choicesOf(value: string | undefined, labels: readonly string[]): Choice[] {
  if (value === undefined) return [];
  return (labels.length === 0 ? [value] : labels).map((label) => ({ value, label }));
}

/** The options of a group. What an option itself has under these names, it has as an object: that is no group. */
function groupIn(object: Json): unknown {
  const isOption = text(object['value']) !== undefined;
  return GROUP_KEYS.map((key) => object[key]).find((inner) =>
    isOption ? Array.isArray(inner) && inner.length > 0 : isSeveral(inner),
  );
}

function isSeveral(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && !isByLanguage(value));
}

/** Whether the keys of an object are languages: `{"en": "Fish", "de": "Fisch"}`. */
function isByLanguage(object: Json): boolean {
  const keys = Object.keys(object);
  return keys.length > 0 && keys.every(isLanguage);
}

function isLanguage(key: string): boolean {
  return LANGUAGE_TAG.test(key) && LANGUAGE_NAMES.of(key.slice(0, 2)) !== undefined;
}
