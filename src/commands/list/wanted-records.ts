import { UsageError } from '../../errors.ts';
import { nearest, normaliseName } from '../../input/source/nearest-name.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { nameWords } from '../../registration/rules/fold-letters.ts';
import type { EventInfo, Field } from '../../registration/model/persona.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import { cellText } from '../../report/words/data-text.ts';
import { visible } from '../../report/words/escape.ts';
import { flatRecord, RECORD_COLUMNS } from './list-printer.ts';

/** What is asked of registrations beyond what the service itself can look for. */
export interface Wanted {
  /** Each `field=value`. */
  where: readonly string[];
  email?: string | undefined;
  name?: string | undefined;
}

/** Whether a registration is one of those that are asked for. */
export type IsWanted = (record: RawRecord) => boolean;

/**
 * Makes one test of all wishes. Fields go by slug or label, values by all the ways to write them. Throws a
 * UsageError for a field that no kind of guest has.
 */
export function wantedRecords({ where, email, name }: Wanted, event: EventInfo): IsWanted {
  const fields = event.personas.flatMap((persona) => persona.fields);
  const tests = where.map((wish) => whereTest(wish, fields));
  if (email !== undefined) tests.push(anyOf(ofKind(fields, 'email'), (field) => hasValue(field, email)));
  if (name !== undefined) tests.push(nameTest(name, ofKind(fields, 'name')));
  return (record) => tests.every((test) => test(record));
}

function ofKind(fields: readonly Field[], kind: Field['kind']): readonly Field[] {
  return fields.filter((field) => field.kind === kind);
}

function anyOf(fields: readonly Field[], toTest: (field: Field) => IsWanted): IsWanted {
  const tests = fields.map(toTest);
  return (record) => tests.some((test) => test(record));
}

function whereTest(wish: string, fields: readonly Field[]): IsWanted {
  const separator = wish.indexOf('=');
  const asked = wish.slice(0, separator).trim();
  const value = wish.slice(separator + 1).trim();
  const isAsked = (name: string): boolean => normaliseName(name) === normaliseName(asked);
  const found = fields.filter(({ slug, label }) => isAsked(slug) || isAsked(label));
  if (found.length > 0) return anyOf(found, (field) => hasValue(field, value));
  const column = RECORD_COLUMNS.find(isAsked);
  if (column === undefined) throw unknownField(asked, fields);
  return (record) => fold(cellText(flatRecord(record)[column])) === fold(value);
}

/** Of a field with several values, one of them does. */
function hasValue(field: Field, value: string): IsWanted {
  const wanted = fold(canonicalValue(field, value));
  return ({ fields }) => {
    const listed = fields?.[field.slug];
    const each: readonly unknown[] = Array.isArray(listed) ? listed : [];
    return [listed, ...each].some((one) => fold(canonicalValue(field, one)) === wanted);
  };
}

/** Every word has to begin a word of the name, or a part of one, such as what comes after a hyphen. */
function nameTest(name: string, fields: readonly Field[]): IsWanted {
  const wanted = nameWords(name);
  return (record) => {
    const text = fields.map(({ slug }) => cellText(record.fields?.[slug])).join(' ');
    const words = [...nameWords(text), ...nameWords(text.replaceAll(/[\p{P}\p{S}]/gu, ' '))];
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
}

/** Without what people leave out when they type a value: case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}

function unknownField(asked: string, fields: readonly Field[]): UsageError {
  const names = [...new Set([...fields.map(({ slug }) => slug), ...RECORD_COLUMNS])];
  const near = nearest(asked, [...names, ...fields.map(({ label }) => label)]);
  return new UsageError(`--where: the event has no field "${visible(asked)}".`, {
    hint: near === undefined ? `It has ${names.map(visible).join(', ')}.` : `Did you mean ${visible(near)}?`,
  });
}
