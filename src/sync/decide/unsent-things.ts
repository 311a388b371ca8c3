import {
  type Aspect,
  fieldAspect,
  type FieldsOf,
  MESSAGES,
  PARENT,
} from '../../registration/changes/aspect.ts';
import type { Field } from '../../registration/model/persona.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { canonicalValue, sameValue } from '../../registration/changes/same-value.ts';

/** What an update does to something that it does not send: leave it as it is, or take it away. */
export type UnsentRule = 'merge' | 'reset';
/** By the name of the thing: `visitor:phone`, `parent`, `comms`. What is not in it is not known. */
export type UnsentRules = ReadonlyMap<string, UnsentRule>;

/** One thing that a registration holds and a row does not send. */
export interface UnsentThing {
  /** By which it is learnt what becomes of it: `visitor:phone`, `parent`, `comms`. */
  name: string;
  aspect: Aspect;
  /** Undefined for the parent and for messages. */
  field: Field | undefined;
}

/** What an update did to something that it did not send: it stayed, is gone, or is another value now. */
export type UnsentFate = 'merge' | 'reset' | 'changed';

/** What a registration holds, as far as it is shown, and a row does not send. */
export function unsentThings(
  { persona, fields, parentBarcode, leavesGroup, enableComms }: Registration,
  before: RecordImage,
  fieldsOf: FieldsOf,
): UnsentThing[] {
  const own = fieldsOf(persona);
  const things = own
    .filter(({ slug }) => !Object.hasOwn(fields, slug))
    .map((field) => ({ name: fieldThing(persona, field.slug), aspect: fieldAspect(field.slug, own), field }))
    .filter(({ aspect }) => holds(aspect, before));
  return [
    ...(parentBarcode === undefined && leavesGroup !== true && holds(PARENT, before) ? [PARENT_THING] : []),
    ...(!enableComms && before.enableComms === true ? [COMMS_THING] : []),
    ...things,
  ];
}

const PARENT_THING: UnsentThing = { name: 'parent', aspect: PARENT, field: undefined };
/** Messages to people are never sent along. */
export const COMMS_THING: UnsentThing = { name: 'comms', aspect: MESSAGES, field: undefined };

/** The name of a field of a persona, as it is learnt. */
export function fieldThing(persona: string, slug: string): string {
  return `${encodeURIComponent(persona)}:${slug}`;
}

/** The names of things as people know them: `phone of visitor, parent_barcode`. */
export function describeThings(names: Iterable<string>): string {
  return [...names].map(describeThing).join(', ');
}

function describeThing(name: string): string {
  if (name === PARENT_THING.name) return PARENT.field;
  if (name === COMMS_THING.name) return MESSAGES.field;
  const at = name.indexOf(':');
  return `${name.slice(at + 1)} of ${decodeURIComponent(name.slice(0, at))}`;
}

/** What became of a thing, by what is listed before and after; undefined when that is not shown. */
export function fateOf(
  { aspect }: UnsentThing,
  before: RecordImage,
  now: RecordImage,
): UnsentFate | undefined {
  const { rules, of } = aspect;
  const value = of(now);
  if (aspect === MESSAGES) return value === undefined ? undefined : value === true ? 'merge' : 'reset';
  if (aspect !== PARENT && now.fields === undefined) return undefined;
  if (sameValue(rules, of(before), value)) return 'merge';
  return canonicalValue(rules, value) === '' ? 'reset' : 'changed';
}

function holds({ rules, of }: Aspect, record: RecordImage): boolean {
  return canonicalValue(rules, of(record)) !== '';
}

export function isMove({ persona }: Registration, before: RecordImage): boolean {
  return before.persona !== undefined && before.persona !== persona;
}
