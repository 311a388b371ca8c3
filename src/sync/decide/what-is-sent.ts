import { fieldAspect, type FieldsOf, MESSAGES, PARENT } from '../../registration/changes/aspect.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import { fieldThing, isMove, type UnsentRules, type UnsentThing, unsentThings } from './unsent-things.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { isSendable, sendBack } from './send-back.ts';
import type { Field } from '../../registration/model/persona.ts';

/** A row that is to be sent, and what is known of what an update does to the rest of its registration. */
export interface SentFacts {
  /** What the row asks for. */
  registration: Registration;
  /** Its registration as it was just read; undefined when there is none, or nobody has looked. */
  before: RecordImage | undefined;
  fields: FieldsOf;
  rules: UnsentRules;
  /** Things that are left out to see what becomes of them, by name. */
  leaveOut?: ReadonlySet<string>;
  /** Whether a text is to the letter what the file once sent in a field, so that no service can have altered it. */
  sentByFile?: (slug: string, text: string) => boolean;
  /** Where the service shows no parents: the one that this machine itself sent last. */
  lastParent?: (() => string | undefined) | undefined;
  /** What this machine said last of a value that the service shows otherwise. */
  lastWord?: LastWord;
}

/** What goes over the wire for a row. */
export interface WhatIsSent {
  /** The row, with what its registration holds besides. Made anew for each request, never stored. */
  registration: Registration;
  /** What is sent although the row does not say it: slugs, `parent_barcode`. */
  along: readonly string[];
  /** What may be lost, and cannot be sent as it is listed: with any of it, nothing may be sent. */
  cannot: readonly string[];
  /** The registration asks for messages to the person, which is never sent along and may not stay. */
  takesBackMessages: boolean;
}

/**
 * What is sent for a row: what it asks for, and all else that its registration holds, unless that very thing
 * is proven to stay when it is left out.
 */
export function whatIsSent(facts: SentFacts): WhatIsSent {
  const { registration, leaveOut } = facts;
  const open = openThings(facts);
  const takesBackMessages = open.some(({ aspect }) => aspect === MESSAGES);
  const sent = open.filter(({ aspect, name }) => aspect !== MESSAGES && leaveOut?.has(name) !== true);
  const values = sent.map((thing) => ({ thing, value: valueBack(thing, facts) }));
  const parent = values.find(({ thing }) => thing.aspect === PARENT)?.value;
  const known = typeof parent === 'string' ? undefined : unseenParent(facts);
  const unseen = unseenValues(facts);
  const own = values.flatMap(({ thing, value }): [string, FieldValue][] =>
    thing.field === undefined || value === undefined ? [] : [[thing.field.slug, value]],
  );
  const hidden = unseen.flatMap(([slug, word]): [string, FieldValue][] =>
    word === 'lost' ? [] : [[slug, word.value]],
  );
  return {
    registration: {
      ...registration,
      parentBarcode: typeof parent === 'string' ? parent : (known ?? registration.parentBarcode),
      // fromEntries defines keys, so that a field called __proto__ is a key like any other.
      fields: Object.fromEntries([...Object.entries(registration.fields), ...own, ...hidden]),
    },
    along: [
      ...(known === undefined ? [] : [PARENT.field]),
      ...values.filter(({ value }) => value !== undefined).map(({ thing }) => thing.aspect.field),
      ...hidden.map(([slug]) => slug),
    ],
    cannot: [
      ...values.filter(({ value }) => value === undefined).map(({ thing }) => thing.aspect.field),
      ...unseen.filter(([, word]) => word === 'lost').map(([slug]) => slug),
    ],
    takesBackMessages,
  };
}

/** The parent that an update may take away unseen. */
function unseenParent({ registration, before, rules, lastParent }: SentFacts): string | undefined {
  const { parentBarcode, leavesGroup } = registration;
  if (before === undefined || before.parentBarcode !== undefined) return undefined;
  if (parentBarcode !== undefined || leavesGroup === true) return undefined;
  return isMove(registration, before) || rules.get('parent') !== 'merge' ? lastParent?.() : undefined;
}

/** Fields that the service does not show a value of, though this machine has sent one, and that an update may empty. */
function unseenValues({ registration, before, fields, rules, lastWord }: SentFacts) {
  if (before?.fields === undefined || lastWord === undefined || isMove(registration, before)) return [];
  const { persona } = registration;
  return fields(persona).flatMap((field) => {
    const isSaid = Object.hasOwn(registration.fields, field.slug);
    const shown = fieldAspect(field.slug, fields(persona)).of(before);
    if (isSaid || canonicalValue(field, shown) !== '') return [];
    if (rules.get(fieldThing(persona, field.slug)) === 'merge') return [];
    const word = lastWord(field, shown);
    return word === undefined ? [] : [[field.slug, word] as const];
  });
}

/** What cannot be sent back as it is listed, and is not proven to stay either: slugs, `parent_barcode`. */
export function cannotSendBack(facts: SentFacts): readonly string[] {
  return whatIsSent(facts).cannot;
}

/** Why a row with such things is not sent, as a clause. */
export function whyNotSent(cannot: readonly string[]): string {
  return `not sent: its registration holds what the file does not have and what cannot be sent back exactly as it is listed: ${cannot.join(', ')}; give the file such a column, or change it in the service`;
}

/**
 * The names of those things that may be left out to see what becomes of them: nothing is known of them yet,
 * and what is lost can be sent back. Nothing of a registration that moves to another persona.
 */
export function mayBeTried(facts: SentFacts): string[] {
  const { before, rules, registration } = facts;
  if (before?.fields === undefined || isMove(registration, before)) return [];
  return openThings(facts)
    .filter((thing) => !rules.has(thing.name) && isSureBack(thing, facts))
    .map(({ name }) => name);
}

function isSureBack(thing: UnsentThing, facts: SentFacts): boolean {
  const value = thing.aspect === MESSAGES ? undefined : valueBack(thing, facts);
  return value !== undefined && (thing.field === undefined || isSendable(value, thing.field));
}

/** What the row does not send and what is not proven to stay. */
function openThings({ registration, before, fields, rules }: SentFacts): UnsentThing[] {
  if (before === undefined) return [];
  // What an update leaves as it is may still go with a move.
  const moves = isMove(registration, before);
  return unsentThings(registration, before, fields).filter(
    ({ name }) => moves || rules.get(name) !== 'merge',
  );
}

function valueBack(
  { aspect, field }: UnsentThing,
  { before = {}, sentByFile, lastWord }: SentFacts,
): FieldValue | undefined {
  const shown = aspect.of(before);
  if (field === undefined) return typeof shown === 'string' ? shown : undefined;
  const word = lastWord?.(field, shown);
  if (word !== undefined && word !== 'lost') return word.value;
  const value = sendBack(shown, field);
  if (value !== undefined || typeof shown !== 'string' || sentByFile === undefined) return value;
  if (sentByFile(field.slug, shown)) return shown;
  // The file's own link with a signature behind it.
  const link = shown.split('?', 1).join('');
  return (field.kind === 'upload' || field.kind === 'website') && sentByFile(field.slug, link)
    ? link
    : undefined;
}

/**
 * What this machine said last of a value that the service shows otherwise, and that nobody has touched since: cut,
 * written its own way, or not shown at all. `lost`: it said something, and does not know any more what.
 */
export type LastWord = (field: Field, shown: unknown) => { value: FieldValue } | 'lost' | undefined;
