import * as z from 'zod';
import type { Choice, EventInfo, Field, FieldKind, Persona } from '../../registration/model/persona.ts';
import { firstText, isObject, type Json, text, unwrap } from './json.ts';

const id = z.union([z.string(), z.number()]);

const fieldSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  label: z.unknown().optional(),
  type: z.string().nullish(),
  values: z.unknown().optional(),
});

const personaSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  fields: z.array(fieldSchema).nullish(),
});

/** Body of GET /event. */
const eventSchema = z.looseObject({
  event_id: id,
  slug: z.string().nullish(),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  timezone: z.string().nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  personas: z.array(personaSchema).nullish(),
});

/** The event, or undefined with the reasons why the body is none. */
export function readEvent(body: unknown): { event: EventInfo } | { problems: string[] } {
  const parsed = eventSchema.safeParse(unwrap(body, ['data', 'event'], (object) => 'event_id' in object));
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`),
    };
  }
  const event = parsed.data;
  return {
    event: {
      eventId: String(event.event_id),
      ...(typeof event.event_id === 'number' ? { eventNumber: event.event_id } : {}),
      slug: event.slug ?? '',
      name: readLabels(event.name)[0] ?? '',
      timezone: event.timezone ?? undefined,
      startDate: event.start_date ?? undefined,
      endDate: event.end_date ?? undefined,
      personas: (event.personas ?? []).map(readPersona),
    },
  };
}

function readPersona(persona: z.infer<typeof personaSchema>): Persona {
  return {
    id: persona.id ?? undefined,
    slug: persona.slug,
    name: readLabels(persona.name)[0] ?? persona.slug,
    fields: (persona.fields ?? []).map(readField),
  };
}

function readField(field: z.infer<typeof fieldSchema>): Field {
  const choices = readChoices(field.values);
  const [label = field.slug, ...otherLabels] = readLabels(field.label);
  const type = field.type ?? '';
  const typed = readFieldType(type, choices.length > 0);
  const reading =
    typed.kind === 'text' ? (readPerson(field.slug) ?? readPerson(label, 'name') ?? typed) : typed;
  return {
    id: field.id ?? undefined,
    slug: field.slug,
    label,
    ...(otherLabels.length === 0 ? {} : { otherLabels }),
    type,
    ...reading,
    choices: reading.kind === 'choice' ? choices : [],
  };
}

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
export function readChoices(values: unknown, depth = 0): Choice[] {
  if (depth === DEEPEST) return [];
  if (Array.isArray(values)) return values.flatMap((entry: unknown) => readOption(entry, depth));
  if (!isObject(values)) return [];
  const wrapped = WRAPPERS.map((key) => values[key]).find(isSeveral);
  if (wrapped !== undefined) return readChoices(wrapped, depth + 1);
  return Object.entries(values).flatMap(([value, inner]) => readPair(value, inner, depth));
}

/** The texts of a label: one, or one for each language, English first. Empty where there is none. */
function readLabels(value: unknown): readonly string[] {
  if (!isObject(value)) return [text(value)].filter((label) => label !== undefined);
  const texts = Object.entries(value).flatMap(([language, label]) => {
    const read = text(label);
    return read === undefined ? [] : [{ isEnglish: /^en(?:[-_]|$)/i.test(language), label: read }];
  });
  const english = texts.filter(({ isEnglish }) => isEnglish);
  const ordered = [...english, ...texts.filter(({ isEnglish }) => !isEnglish)];
  return [...new Set(ordered.map(({ label }) => label))];
}

function readOption(entry: unknown, depth: number): Choice[] {
  if (!isObject(entry)) return choicesOf(text(entry), []);
  const group = groupIn(entry);
  if (group !== undefined) return readChoices(group, depth + 1);
  const labels = LABEL_KEYS.map((key) => readLabels(entry[key])).find((found) => found.length > 0) ?? [];
  const value = firstText(entry, VALUE_KEYS) ?? labels[0];
  if (value !== undefined) return choicesOf(value, labels.length > 0 ? labels : readLabels(entry['value']));
  const [pair, another] = Object.entries(entry);
  return pair === undefined || another !== undefined ? [] : readPair(...pair, depth);
}

/** A value and what a map has for it: its label, labels by language, more about it, or the options of a group. */
function readPair(value: string, inner: unknown, depth: number): Choice[] {
  if (Array.isArray(inner)) return readChoices(inner, depth + 1);
  if (!isObject(inner) || isByLanguage(inner)) return choicesOf(value, readLabels(inner));
  const isOption = [...VALUE_KEYS, ...LABEL_KEYS].some((key) => Object.hasOwn(inner, key));
  if (isOption && groupIn(inner) === undefined) return readOption({ value, ...inner }, depth);
  return readChoices(inner, depth + 1);
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

/**
 * Type names that a service may use, reduced to letters only, by kind. The interface shows "Name",
 * "E-mail" and "Phone number"; the rest are the usual names of such fields.
 */
const NAMES: Readonly<Record<FieldKind, readonly string[]>> = {
  name: ['name', 'firstname', 'givenname', 'lastname', 'familyname', 'fullname', 'surname'],
  email: ['email', 'emailaddress', 'mail'],
  phone: ['phone', 'phonenumber', 'telephone', 'tel', 'mobile', 'mobilenumber', 'mobilephone'],
  country: ['country', 'countrycode', 'countries', 'nationality'],
  website: ['website', 'url', 'link', 'webpage', 'weburl'],
  upload: ['upload', 'fileupload', 'file', 'attachment', 'document', 'image', 'photo', 'picture'],
  date: ['date', 'datetime', 'birthday', 'dateofbirth'],
  numeric: ['numeric', 'number', 'integer', 'digits'],
  choice: ['choice', 'radio', 'select', 'dropdown', 'singlechoice', 'options', 'option'],
  text: ['text', 'textarea', 'string', 'shorttext', 'longtext', 'textfield', 'paragraph', 'textbox', 'input'],
};

const MULTIPLE = ['checkbox', 'checkboxes', 'multiselect', 'multiplechoice', 'multichoice', 'multiple'];

const KIND_BY_NAME = new Map(
  (Object.keys(NAMES) as FieldKind[]).flatMap((kind) => NAMES[kind].map((name) => [name, kind])),
);

/** What a field's type name says about its values. */
interface TypeReading {
  kind: FieldKind;
  multiple: boolean;
  /** False when the name is not one we know: its values are not checked. */
  known: boolean;
}

/** Reads a type name, and whether the field lists options, as a kind. Options make it a choice. */
export function readFieldType(type: string, hasChoices: boolean): TypeReading {
  const name = lettersOf(type);
  const multiple = MULTIPLE.includes(name);
  const kind = KIND_BY_NAME.get(name);
  if (hasChoices) return { kind: 'choice', multiple, known: true };
  if (multiple || kind === 'choice') return { kind: 'text', multiple: false, known: false };
  return kind === undefined
    ? { kind: 'text', multiple: false, known: false }
    : { kind, multiple: false, known: true };
}

const lettersOf = (words: string): string => words.toLowerCase().replace(/[^\p{L}]/gu, '');

/**
 * What tells who somebody is does so where the service has it as any text, too: a name or an e-mail, by what it is called.
 * `but` may be the name of anything.
 */
function readPerson(called: string, but?: string): TypeReading | undefined {
  const word = lettersOf(called);
  const kind = word === but ? undefined : KIND_BY_NAME.get(word);
  return kind === 'name' || kind === 'email' ? { kind, multiple: false, known: true } : undefined;
}
