import { type KnownBase, ownAmong } from '../../../src/sync/journal/base-codec.ts';
import { PARENT, PERSONA } from '../../../src/registration/changes/aspect.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import { writtenText } from '../../../src/sync/decide/base.ts';
import { personOf } from '../../../src/sync/decide/judge-person.ts';
import type { BaseKey } from '../../../src/sync/journal/base-store.ts';
import { type Answer, Matches, type MatchFacts } from '../../../src/sync/match/match.ts';
import { Memory, type Shown } from '../../../src/sync/match/memory.ts';
import { Rows } from '../../../src/sync/match/rows.ts';
import { ListedRecords } from '../../../src/sync/snapshot/listed-records.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';

const EVENT = event(
  ...['visitor', 'speaker'].map((slug) =>
    persona(slug, [
      field('first', 'name'),
      field('last', 'name'),
      field('mail', 'email'),
      field('phone', 'phone'),
    ]),
  ),
);
export const FIELDS = fieldsOf(EVENT);

/** `Ana Diaz ana@x.test T1 key=h:1 id=r1 persona=speaker state=unchanged phone=1`: all but the names may be left out. */
function read(text: string): { registration: Registration; more: Readonly<Record<string, string>> } {
  const words = text.split(' ');
  const more = Object.fromEntries(words.filter((word) => word.includes('=')).map((word) => word.split('=')));
  const mail = words.find((word) => word.includes('@'));
  const barcode = words.find((word) => /^[\w-]*\d$/.test(word));
  const [first, last] = words.filter((word) => /^\p{L}+$/u.test(word));
  const values = { first, last, mail, phone: more['phone'] };
  const fields = Object.entries(values).flatMap(([slug, value]) =>
    value === undefined ? [] : [[slug, value]],
  );
  const registration = {
    persona: more['persona'] ?? 'visitor',
    fields: Object.fromEntries(fields) as Record<string, string>,
    barcode,
    parentBarcode: more['parent'],
    enableComms: false,
  };
  return { registration, more };
}

const digest = (text: string): string => `#${text}`;
const nameOf = (key: string, name: string): string => `${key}:${name}`;

/** What these files, unless it says others, said of a registration, and the service was seen to hold. */
function baseOf(text: string, no: number): KnownBase {
  const { registration, more } = read(text);
  const isSeen = more['seen'] !== 'no';
  const { email, name } = personOf(registration, FIELDS);
  const named = (key: BaseKey, of: string | undefined): string | undefined => of && nameOf(key, of);
  const { persona: own, parentBarcode, fields } = registration;
  const values = { ...fields, [PERSONA.key]: own, [PARENT.key]: parentBarcode };
  const said = Object.entries(values).map(
    ([slug, value]): [string, { said: string; seen: string | undefined }] => {
      const told = digest(writtenText(value));
      return [slug, { said: told, seen: isSeen ? told : undefined }];
    },
  );
  return {
    no,
    barcode: named('barcode', registration.barcode),
    id: named('id', more['id']),
    rowKey: named('rowKey', more['key']),
    email: named('email', email),
    name: named('name', name),
    files: [more['files'] ?? 'own'],
    gone: false,
    pairs: new Map(said),
  };
}

export interface World {
  rows: readonly string[];
  listed?: readonly string[];
  bases?: readonly string[];
}

/** Whom the rows are about, and which registrations they are, by what is told apart of them. */
export function who(
  { rows, listed = [], bases = [] }: World,
  options: Partial<Pick<MatchFacts, 'match' | 'recognition'>> = {},
  some: Partial<Shown> = {},
): string[] {
  const shown = {
    ids: true,
    idsStay: true,
    barcodes: true,
    emails: true,
    values: true,
    isList: true,
    isWhole: true,
    kinds: new Set(['visitor', 'speaker']),
    ...some,
  };
  const records = new ListedRecords(FIELDS, ['visitor', 'speaker']);
  for (const [at, text] of listed.entries()) {
    const { registration, more } = read(text);
    records.add([{ ...registration, enableComms: undefined, id: more['id'] ?? `r${at + 1}` }]);
  }
  const known = bases.map(baseOf);
  const store = {
    isEmpty: known.length === 0,
    digest,
    nameOf,
    find: (key: BaseKey, name: string | undefined) =>
      name === undefined ? [] : known.filter((base) => base[key] === nameOf(key, name)),
    bareOf: (files: string) => known.filter((base) => !base.email && base.files.includes(files)),
    read: ({ barcode, id }: { barcode: string | undefined; id: string | undefined }) => {
      const digestOf = (key: BaseKey, name: string | undefined) => name && nameOf(key, name);
      return ownAmong({
        by: { barcode: digestOf('barcode', barcode), id: digestOf('id', id) },
        found: known,
      });
    },
  };
  const own = rows.map((text, seq) => {
    const { registration, more } = read(text);
    return {
      seq,
      depth: 0,
      inDoubt: more['state'] === 'uncertain',
      registration,
      place: `row ${seq}`,
      ...personOf(registration, FIELDS),
      persona: registration.persona,
      barcode: registration.barcode,
      rowKey:
        more['key'] ?? (registration.barcode === undefined ? `row ${seq}` : `b:${registration.barcode}`),
    };
  });
  const matches = new Matches({
    rows: new Rows(own),
    listed: records,
    memory: new Memory(store, () => records.numbered(), shown, FIELDS),
    fields: FIELDS,
    shown,
    files: 'own',
    match: options.match ?? 'barcode',
    recognition: options.recognition ?? { email: undefined, 'email-across': undefined, case: undefined },
  });
  return own.map(({ seq }) => wordsOf(matches.of(seq)));
}

function wordsOf(answer: Answer): string {
  switch (answer.kind) {
    case 'same':
      return `same ${answer.record.id ?? ''}`;
    case 'several':
      return `several ${answer.records.map(({ id }) => id).join(' ')}`;
    case 'someone-else':
      return `someone-else ${answer.record.id ?? ''} ${answer.fields.join(' ')}`.trim();
    case 'alike':
      return `alike ${(answer.asked?.records ?? []).map(({ id }) => id).join(' ')}`.trim();
    case 'new':
      return `new${answer.near === undefined ? '' : ` near ${answer.near.map(({ key }) => key).join(' ')}`}`;
    default:
      return answer.kind;
  }
}
