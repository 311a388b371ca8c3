import { madeOnce } from '../model/maps.ts';
import type { Field } from '../model/persona.ts';
import type { RecordImage, Registration } from '../model/registration.ts';
import { plainValue, sameValue, type ValueRules } from './same-value.ts';

/** A registration as a row has it, or as the service lists it. */
type Holder = Registration | RecordImage;

/** One thing about a registration that a row asks for, and by which it can be told from another. */
export interface Aspect {
  /** What tells it apart from all others: a field may have the slug `persona`. */
  key: string;
  /** Slug of the field, or `persona`, `parent_barcode`, `enable_comms`. */
  field: string;
  rules: ValueRules;
  /** Nothing listed there means that it is not shown, not that there is none. */
  mayBeHidden: boolean;
  /** The value that a registration has there; undefined when it has, or shows, none. */
  of: (holder: Holder) => unknown;
}

/** The fields of a persona by its slug; none for one that the event does not have. */
export type FieldsOf = (persona: string) => readonly Field[];

const TEXT: ValueRules = { kind: 'text', choices: [], multiple: false };

/** The persona, which a row always names. */
export const PERSONA = besideFields('persona', true, ({ persona }) => persona);
/** The parent that a row names. */
export const PARENT = besideFields('parent_barcode', false, ({ parentBarcode }) => parentBarcode);
/** What a registration is known by: an update is sent under it, and cannot change it. */
export const BARCODE = besideFields('barcode', true, ({ barcode }) => barcode);
/** Whether the service is to write to the person. */
export const MESSAGES = besideFields('enable_comms', true, ({ enableComms }) => enableComms);

function besideFields(field: string, mayBeHidden: boolean, of: Aspect['of']): Aspect {
  return { key: `:${field}`, field, rules: TEXT, mayBeHidden, of };
}

/** Everything that a row asks for, in the order in which changes are told. */
export function aspectsOf(registration: Registration, fields: FieldsOf): Aspect[] {
  const own = fields(registration.persona);
  const around = [PERSONA];
  if (registration.parentBarcode !== undefined || registration.leavesGroup === true) around.push(PARENT);
  // Messages that are on are never taken back by a file that does not mention them.
  if (registration.enableComms) around.push(MESSAGES);
  const known = madeOnce(fieldAspects, own, () => new Map<string, Aspect>());
  for (const slug of Object.keys(registration.fields)) around.push(known.get(slug) ?? fieldAspect(slug, own));
  return around;
}

const allAspects = new WeakMap<readonly Field[], readonly Aspect[]>();

/** Everything that a registration of a persona may hold and a row need not speak of. */
export function unsaidAspects(persona: string, fields: FieldsOf): readonly Aspect[] {
  const own = fields(persona);
  return madeOnce(allAspects, own, () => [PARENT, ...own.map(({ slug }) => fieldAspect(slug, own))]);
}

const fieldAspects = new WeakMap<readonly Field[], Map<string, Aspect>>();

/** One field, by its rules where the persona has it. */
export function fieldAspect(slug: string, own: readonly Field[]): Aspect {
  const known = madeOnce(fieldAspects, own, () => new Map<string, Aspect>());
  return madeOnce(known, slug, () => newFieldAspect(slug, own));
}

function newFieldAspect(slug: string, own: readonly Field[]): Aspect {
  return {
    key: slug,
    field: slug,
    rules: own.find((field) => field.slug === slug) ?? TEXT,
    mayBeHidden: false,
    of: ({ fields }) => (fields !== undefined && Object.hasOwn(fields, slug) ? fields[slug] : undefined),
  };
}

/** The name of an aspect for people, by its key. */
export const fieldOfKey = (key: string): string => key.replace(/^:/, '');

/** Whether a listed record has otherwise what a row asks for, or what it was before. */
export function differs(aspect: Aspect, wanted: Holder, record: RecordImage): boolean {
  const listed = aspect.of(record);
  if (listed === undefined && aspect.mayBeHidden) return false;
  return !sameValue(aspect.rules, aspect.of(wanted), listed);
}

/** Whether two values are written alike to the letter; a number is written as its digits. */
export function isWrittenAlike(one: unknown, other: unknown): boolean {
  return JSON.stringify(plainValue(one)) === JSON.stringify(plainValue(other));
}
