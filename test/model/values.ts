import type { FieldValue } from '../../src/sandbox/store/stored-row.ts';
import type { Random } from './random.ts';

/** Fields that files of the model have, with their labels. */
export const LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail',
  phone: 'Mobile phone',
  country: 'Country',
  company: 'Company',
  remarks: 'Remarks',
  birth_date: 'Date of birth',
  photo: 'Photo',
  ticket_type: 'Ticket type',
} as const;
export type Slug = keyof typeof LABELS;
export const SLUGS = Object.keys(LABELS) as Slug[];

/** Those that every persona has. */
export const COMMON: readonly Slug[] = ['first_name', 'last_name', 'email', 'phone', 'country', 'company'];

const FIRST = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ida', 'Jan'];
const LAST = ['Byron', 'Curie', 'Hopper', 'Lovelace', 'Noether', 'Turing'];

/** A value that a service takes and that no other guest is likely to have. */
export function anyValue(slug: Slug, random: Random): string {
  const number = random.below(90) + 10;
  const values: Readonly<Record<Slug, string>> = {
    first_name: random.pick(FIRST),
    last_name: random.pick(LAST),
    email: `guest${number}@example.com`,
    phone: `+31 20 555 01${number}`,
    country: random.pick(['NL', 'DE', 'FR', 'BE']),
    company: `${random.pick(['Quay', 'Harbour', 'Lighthouse'])} Works ${number}`,
    remarks: `remark ${number}`,
    birth_date: `19${number}-04-1${number % 10}`,
    photo: `https://files.example.com/photo-${number}.png`,
    ticket_type: random.pick(['Standard', 'Premium', 'Student', 'Press']),
  };
  return values[slug];
}

/** Whether two values are the same but for spelling, spaces, a zero time and 00 for +. Nothing is the same as empty. */
export function isSame(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  return plain(one) === plain(other);
}

function plain(value: FieldValue | undefined): string {
  return String(value ?? '')
    .toLowerCase()
    .replace(/ 00:00:00$/, '')
    .replace(/[^\p{L}\p{N}@.?=&/:]/gu, '')
    .replace(/^00(?=\d{9,}$)/, '');
}
