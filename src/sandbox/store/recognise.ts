import type { Database } from '../../sqlite/private-database.ts';
import type { RegistrationInput, StoredRow } from './stored-row.ts';
import type { Switches } from './switches.ts';

/** The oldest registration that the request is about; undefined when it is about a new one. */
export function findKnown(
  database: Database,
  input: RegistrationInput,
  by: Switches['recognise'],
): StoredRow | undefined {
  const { barcode, persona } = input;
  const oldest = (where: string, ...values: string[]): StoredRow | undefined =>
    database.prepare(`SELECT * FROM registrations WHERE ${where} ORDER BY seq LIMIT 1`).get(...values) as
      | StoredRow
      | undefined;
  if (by === 'barcode-any-case') {
    return barcode === undefined ? undefined : oldest('barcode = ? COLLATE NOCASE', barcode);
  }
  if (by.startsWith('barcode')) {
    const known = barcode === undefined ? undefined : oldest('barcode = ?', barcode);
    if (known !== undefined || by === 'barcode') return known;
  }
  if (by === 'barcode-or-name') {
    const { first_name: first = '', last_name: last = '' } = input.fields;
    return oldest(SAME_NAME, String(first), String(last));
  }
  const email = emailOf(input);
  if (email === undefined) return undefined;
  return by === 'email-in-persona'
    ? oldest(`${SAME_EMAIL} AND persona = ?`, email, persona)
    : oldest(SAME_EMAIL, email);
}

/** As its index has it. */
const SAME_EMAIL = `lower(json_extract(fields, '$.email')) = ?`;

const SAME_NAME = `json_extract(fields, '$.first_name') = ? AND json_extract(fields, '$.last_name') = ?`;

function emailOf({ fields }: RegistrationInput): string | undefined {
  const email = fields['email'];
  return typeof email === 'string' && email !== '' ? email.toLowerCase() : undefined;
}

const FIRST_NUMBER = 1001;

/** The identifier of a new registration. `tag` keeps those of an earlier data set from meaning another record. */
export function newId(database: Database, idForm: Switches['idForm'], tag: string, seq: number): string {
  if (idForm === 'number') return String(FIRST_NUMBER - 1 + seq);
  if (idForm === 'reused') return String(lowestFree(database));
  return idForm === 'odd' ? `${tag}+${seq}/r=` : `reg-${tag}-${seq}`;
}

function lowestFree(database: Database): number {
  const taken = new Set(
    (database.prepare('SELECT id FROM registrations').all() as { id: string }[]).map(({ id }) => id),
  );
  let number = FIRST_NUMBER;
  while (taken.has(String(number))) number += 1;
  return number;
}
