import { type FieldsOf, PARENT, fieldAspect } from '../../registration/changes/aspect.ts';
import { type Field, hasTrait } from '../../registration/model/persona.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { canonicalValue, plainValue } from '../../registration/changes/same-value.ts';
import { checkValue } from '../../registration/rules/rules.ts';
import { NOTHING_CUT, type Sight } from './base.ts';

/** A row that is to be sent, and what is known of the registration that it changes. */
export interface SentFacts {
  /** What the row asks for. */
  registration: Registration;
  /** Its registration as it was just read; undefined when there is none, or nobody has looked. */
  before: RecordImage | undefined;
  fields: FieldsOf;
  /** Fields that the service refuses to take back, and keeps as they are where they are not sent. */
  untaken?: ReadonlySet<string>;
  /** Whether a text is to the letter what the file once sent in a field, so that no service can have altered it. */
  sentByFile?: (slug: string, text: string) => boolean;
  /** Where the service shows no parents by their barcodes: the one that its id is of, or that this machine sent last. */
  lastParent?: (() => string | undefined) | undefined;
  /** What this machine said last of a value that the service shows otherwise. */
  lastWord?: LastWord;
  /** What this machine said last in a field, whoever has touched it since. */
  saidLast?: (slug: string) => FieldValue | undefined;
  sight?: Sight | undefined;
}

/**
 * What this machine said last of a value that the service shows otherwise, and that nobody has touched since: cut,
 * written its own way, or not shown at all. `lost`: it said something, and does not know any more what.
 */
export type LastWord = (field: Field, shown: unknown) => { value: FieldValue } | 'lost' | undefined;

/** What goes over the wire for a row. */
export interface WhatIsSent {
  /** The row, with what its registration holds besides. Made anew for each request, never stored. */
  registration: Registration;
  /** What is sent although the row does not say it: slugs, `parent_barcode`. */
  along: readonly string[];
  /** What may be lost, and cannot be sent as it is listed: with any of it, nothing may be sent. */
  cannot: readonly string[];
}

/** What is sent for a row: the whole registration as listed, with what the row changes; messages where it asks for them. */
export function whatIsSent(facts: SentFacts): WhatIsSent {
  const { registration, before } = facts;
  if (before === undefined) return { registration, along: [], cannot: [] };
  const parent = isSilent(registration) ? (before.parentBarcode ?? facts.lastParent?.()) : undefined;
  const carried = carriedFields(facts, before);
  const values = carried.flatMap(({ slug, value }): [string, FieldValue][] =>
    value === undefined ? [] : [[slug, value]],
  );
  return {
    registration: {
      ...registration,
      parentBarcode: parent ?? registration.parentBarcode,
      // fromEntries defines keys, so that a field called __proto__ is a key like any other.
      fields: Object.fromEntries([...Object.entries(registration.fields), ...values]),
    },
    along: [...(parent === undefined ? [] : [PARENT.field]), ...values.map(([slug]) => slug)],
    cannot: [
      ...(before.parentId !== undefined && isSilent(registration) && parent === undefined
        ? [PARENT.field]
        : []),
      ...carried.flatMap(({ slug, value }) => (value === undefined ? [slug] : [])),
    ],
  };
}

/** A row says nothing of a parent. */
const isSilent = ({ parentBarcode, leavesGroup }: Registration): boolean =>
  parentBarcode === undefined && leavesGroup !== true;

/** What a registration holds in fields that the row does not speak of; undefined for what cannot be sent. */
function carriedFields(
  facts: SentFacts,
  before: RecordImage,
): { slug: string; value: FieldValue | undefined }[] {
  const { registration, fields, untaken, lastWord, saidLast = () => undefined, sight } = facts;
  const { persona } = registration;
  if (before.fields === undefined) return [];
  const moves = before.persona !== undefined && before.persona !== persona;
  const own = fields(persona);
  sight?.learn({ image: before, own, say: (slug) => registration.fields[slug] ?? saidLast(slug) });
  const kept = moves
    ? own.filter(({ slug }) => fields(before.persona ?? '').some((one) => one.slug === slug))
    : own;
  return kept
    .filter(({ slug }) => !Object.hasOwn(registration.fields, slug) && untaken?.has(slug) !== true)
    .flatMap((field) => {
      const { slug } = field;
      const shown = fieldAspect(slug, own).of(before);
      if (canonicalValue(field, shown) !== '') return [{ slug, value: valueBack(field, shown, facts) }];
      const word = moves ? undefined : lastWord?.(field, shown);
      return word === undefined ? [] : [{ slug, value: word === 'lost' ? undefined : word.value }];
    });
}

function valueBack(
  field: Field,
  shown: unknown,
  { sentByFile, lastWord, sight }: SentFacts,
): FieldValue | undefined {
  const word = lastWord?.(field, shown);
  if (word !== undefined && word !== 'lost') return word.value;
  const value = sendBack(shown, field, sight);
  if (value !== undefined || typeof shown !== 'string' || sentByFile === undefined) return value;
  if (sentByFile(field.slug, shown)) return shown;
  // The file's own link with a signature behind it.
  const link = shown.split('?', 1).join('');
  return (field.kind === 'upload' || field.kind === 'website') && sentByFile(field.slug, link)
    ? link
    : undefined;
}

/**
 * What to send so that a field holds again what a registration lists in it: empty text for no value. Undefined
 * when that cannot be sent: an object in which nothing stands for a value, a label that is not one option's, a
 * link that the service has signed, a time in a zone, and what the list shows in another form than it is stored:
 * what the field's own rule refuses, masked, cut or HTML-escaped texts.
 */
export function sendBack(
  shown: unknown,
  field: Field | undefined,
  sight = NOTHING_CUT,
): FieldValue | undefined {
  const plain = plainValue(shown);
  if (plain === undefined) return sight.isWhole(plain, field) ? '' : undefined;
  const texts = typeof plain === 'string' ? [plain] : plain;
  // An object of which nothing stands for a value comes as its JSON.
  if (texts.some((text) => text.startsWith('{') && !isText(shown))) return undefined;
  if (field?.kind === 'choice') return chosen(field, shown);
  if (!sight.isWhole(shown, field)) return undefined;
  if (field === undefined) return plain;
  if (typeof plain === 'string') return textBack(plain, shown, field);
  return isSendable(plain, field) && !plain.some((text) => isSigned(text, field)) ? plain : undefined;
}

/** Whether the rule of a field has nothing against a value that is to be sent back. */
export function isSendable(value: FieldValue, field: Field): boolean {
  const texts = typeof value === 'string' ? [value] : value;
  return texts.every((text) => checkValue(text.trim(), field) === undefined);
}

const isFormed = ({ kind }: Pick<Field, 'kind'>): boolean => hasTrait(kind, 'formed');

/** As it is listed, unless it may only be sent in another form: a country by its code, a day without a time. */
function textBack(plain: string, shown: unknown, field: Field): string | undefined {
  const mayDiffer = isFormed(field) || typeof shown !== 'string';
  // Digits that were a text may have had zeros in front.
  if (typeof shown === 'number' && !isFormed(field)) return undefined;
  const forms = mayDiffer ? [plain, canonicalValue(field, shown)] : [plain];
  const text = forms.find((form) => isSendable(form, field));
  if (text === undefined || isSigned(text, field)) return undefined;
  return field.kind === 'date' && ZONED_TIME.test(plain.replace(/\s+/gu, ' ').trim()) ? undefined : text;
}

/** A time that is not midnight, and a zone: what is sent has none, so it would be another time. */
const ZONED_TIME = /[T ](?!00:00(?::00(?:\.0+)?)?(?!:\d))\d{2}:\S* ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/i;

/** Names by which storage services sign their links. */
const SIGNATURES = /signature|^sig$|token|expires|credential|policy|hmac/i;

/** A link that may hold for this reader and this hour alone. A guest's own web site may have a query of its own. */
function isSigned(text: string, { kind }: Field): boolean {
  const [, ...query] = text.split('?');
  if (kind === 'upload') return query.length > 0;
  const names = [...new URLSearchParams(query.join('?')).keys()];
  return kind === 'website' && names.some((name) => SIGNATURES.test(name));
}

const isText = (shown: unknown): boolean =>
  typeof shown === 'string' || (Array.isArray(shown) && shown.every((entry) => typeof entry === 'string'));

/** The options of a value, by what is sent for them; undefined where one is none, or is more than one. */
function chosen(field: Field, shown: unknown): FieldValue | undefined {
  const entries = Array.isArray(shown) ? (shown as unknown[]) : [shown];
  const values = entries.flatMap((entry) => choicesIn(field, entry));
  if (values.some((one) => field.choices.every(({ value }) => value !== one))) return undefined;
  if (field.multiple) return values;
  return values.length > 1 ? undefined : (values[0] ?? '');
}

function choicesIn(field: Field, entry: unknown): string[] {
  const text = canonicalValue(field, entry);
  if (field.choices.some(({ value }) => value === text) || !text.startsWith('[')) {
    return text === '' ? [] : [text];
  }
  return JSON.parse(text) as string[];
}
