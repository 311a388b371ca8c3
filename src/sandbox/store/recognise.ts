import type { SandboxFile } from './database.ts';
import {
  REGISTRATION,
  type RegistrationInput,
  type StoredRow,
  type FieldValue,
  type SandboxRegistration,
} from './stored-row.ts';
import type { Switches } from './switches.ts';

/** The oldest registration that the request is about; undefined when it is about a new one. */
export function findKnown(
  file: SandboxFile,
  input: RegistrationInput,
  by: Switches['recognise'],
): StoredRow | undefined {
  const { barcode, persona } = input;
  const oldest = (where: string, values: Record<string, string>): StoredRow | undefined =>
    file.readOne(REGISTRATION, `FROM registrations WHERE ${where} ORDER BY seq`, values);
  if (by.startsWith('barcode')) {
    const anyCase = by === 'barcode-any-case' ? ' COLLATE NOCASE' : '';
    const known =
      barcode === undefined ? undefined : oldest(`barcode = $barcode${anyCase}`, { $barcode: barcode });
    if (known !== undefined || by === 'barcode' || by === 'barcode-any-case') return known;
  }
  if (by === 'barcode-or-name') {
    const { first_name: first = '', last_name: last = '' } = input.fields;
    return oldest(SAME_NAME, { $first: String(first), $last: String(last) });
  }
  const email = emailOf(input);
  if (email === undefined) return undefined;
  return by === 'email-in-persona'
    ? oldest(`${SAME_EMAIL} AND persona = $persona`, { $email: email, $persona: persona })
    : oldest(SAME_EMAIL, { $email: email });
}

/** As its index has it. */
const SAME_EMAIL = `lower(json_extract(fields, '$.email')) = $email`;

const SAME_NAME = `json_extract(fields, '$.first_name') = $first AND json_extract(fields, '$.last_name') = $last`;

function emailOf({ fields }: RegistrationInput): string | undefined {
  const email = fields['email'];
  return typeof email === 'string' && email !== '' ? email.toLowerCase() : undefined;
}

const FIRST_NUMBER = 1001;

/** The identifier of a new registration. `tag` keeps those of an earlier data set from meaning another record. */
export function newId(file: SandboxFile, idForm: Switches['idForm'], tag: string, seq: number): string {
  if (idForm === 'number') return String(FIRST_NUMBER - 1 + seq);
  if (idForm === 'reused') return String(lowestFree(file));
  return idForm === 'odd' ? `${tag}+${seq}/r=` : `reg-${tag}-${seq}`;
}

function lowestFree(file: SandboxFile): number {
  const taken = new Set(file.all<{ id: string }>('SELECT id FROM registrations').map(({ id }) => id));
  let number = FIRST_NUMBER;
  while (taken.has(String(number))) number += 1;
  return number;
}

type Fields = Readonly<Record<string, FieldValue>>;

/** What an update makes of a registration. `newBarcode` makes one up. */
export function updated(
  known: SandboxRegistration,
  input: RegistrationInput,
  switches: Switches,
  newBarcode: () => string,
): SandboxRegistration {
  const { parentOnUpdate, commsOnUpdate } = switches;
  const unsentParent = parentOnUpdate === 'merge' ? known.parentBarcode : undefined;
  const unsentComms = commsOnUpdate === 'merge' && known.enableComms;
  return {
    ...known,
    ...barcodeOf(known, input, switches, newBarcode),
    persona: input.persona,
    parentBarcode: input.parentBarcode === undefined ? unsentParent : input.parentBarcode || undefined,
    enableComms: input.enableComms ?? unsentComms,
    fields: keptFields(
      { ...unsentFields(known.fields, input.persona, switches), ...input.fields },
      switches.misstored,
      false,
    ),
  };
}

/** Fields as they are kept: without those that are empty, and wrong where the switch says so. */
export function keptFields(fields: Fields, misstored: Switches['misstored'], isNew: boolean): Fields {
  const kept = Object.entries(fields).filter(([, value]) => value.length > 0);
  if (misstored === 'nothing' || misstored === (isNew ? 'emptied' : 'once')) return Object.fromEntries(kept);
  return Object.fromEntries(
    kept.flatMap(([slug, value]): [string, FieldValue][] => {
      if (slug !== 'company') return [[slug, value]];
      return misstored === 'dropped' || misstored === 'emptied' ? [] : [[slug, value.slice(0, 3)]];
    }),
  );
}

const LOST_BY_FIELD: readonly string[] = ['phone', 'company', 'remarks'];

/** What stays of the fields that an update does not name. */
function unsentFields(
  fields: Fields,
  persona: string,
  { fieldsOnUpdate }: Pick<Switches, 'fieldsOnUpdate'>,
): Fields {
  const stays = (slug: string): boolean => {
    if (fieldsOnUpdate === 'by-field') return !LOST_BY_FIELD.includes(slug);
    return fieldsOnUpdate === 'merge' || (fieldsOnUpdate === 'by-persona' && persona !== 'exhibitor');
  };
  return Object.fromEntries(Object.entries(fields).filter(([slug]) => stays(slug)));
}

function barcodeOf(
  known: SandboxRegistration,
  input: RegistrationInput,
  { recognise, ownBarcodes }: Switches,
  newBarcode: () => string,
): Pick<SandboxRegistration, 'barcode' | 'barcodeGenerated'> {
  if (known.barcodeGenerated && ownBarcodes === 'reissued') {
    return { barcode: newBarcode(), barcodeGenerated: true };
  }
  // Known by its barcode, it keeps the spelling that it has.
  const byBarcode = recognise === 'barcode' || recognise === 'barcode-any-case';
  if (byBarcode || input.barcode === undefined || input.barcode === known.barcode) return known;
  return { barcode: input.barcode, barcodeGenerated: false };
}
