import { Writable } from 'node:stream';
import type { FieldsOf } from '../../src/registration/changes/aspect.ts';
import type { Field, FieldKind } from '../../src/registration/model/persona.ts';
import type { PlanEntry } from '../../src/sync/plan/plan-entries.ts';

function field(slug: string, kind: FieldKind): Field {
  const choices = kind === 'choice' ? [{ value: 'veg', label: 'Vegetarian' }] : [];
  return { id: undefined, slug, label: slug, type: kind, kind, choices, multiple: false, known: true };
}

const VISITOR: readonly Field[] = [
  field('first_name', 'name'),
  field('email', 'email'),
  field('phone', 'phone'),
  field('country', 'country'),
  field('meals', 'choice'),
  field('remarks', 'text'),
];

/** Fields of one persona, `visitor`. */
export const FIELDS: FieldsOf = (persona) => (persona === 'visitor' ? VISITOR : []);

/** An entry that creates somebody, or what a test says otherwise. */
export function entry(over: Partial<PlanEntry> = {}): PlanEntry {
  const barcode = over.barcode ?? 'EV-1';
  return {
    place: { file: 'guests.csv', line: 2 },
    key: `b:${barcode}`,
    action: 'create',
    barcode,
    id: undefined,
    persona: 'visitor',
    state: over.action === 'conflict' || over.action === 'unchanged' ? over.action : 'pending',
    changes: [
      { field: 'first_name', before: undefined, after: 'Adalovelace' },
      { field: 'country', before: undefined, after: 'GB' },
    ],
    why: undefined,
    ...over,
  };
}

/** One of everything that a plan can hold. */
export const EVERYTHING: readonly PlanEntry[] = [
  entry(),
  entry({
    barcode: 'EV-2',
    place: { file: 'guests.xlsx', sheet: 'Guests', line: 3 },
    action: 'update',
    id: 'reg-2',
    changes: [
      { field: 'phone', before: '+34600111222', after: '+34600333444' },
      { field: 'meals', before: ['veg', 'none'], after: ['veg'] },
      { field: 'remarks', before: 'brings a dog', after: undefined },
    ],
  }),
  entry({ barcode: 'EV-3', action: 'unchanged', id: 'reg-3', changes: [] }),
  entry({
    barcode: 'EV-4',
    place: { file: 'guests.csv', line: 5 },
    action: 'conflict',
    id: 'reg-4',
    changes: [{ field: 'country', before: 'FR', after: 'GB' }],
    why: 'edited in the service since it was sent: country; --overwrite sends the file’s values',
  }),
  entry({ barcode: 'EV-5', place: { file: 'guests.csv', line: 6 }, action: 'unknown', changes: [] }),
  entry({
    barcode: 'EV-6',
    place: { file: 'guests.csv', line: 7 },
    action: 'unknown',
    state: 'uncertain',
    changes: [],
  }),
  entry({
    key: 'd:reg-9',
    barcode: 'EV-9',
    place: undefined,
    action: 'delete',
    id: 'reg-9',
    changes: [{ field: 'first_name', before: 'Zoe', after: undefined }],
  }),
];

/** A stream that remembers what was written to it. */
export function recording(): { stream: Writable; text: () => string } {
  let written = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      written += chunk;
      done();
    },
  });
  return { stream, text: () => written };
}
