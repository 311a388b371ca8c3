import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/input/columns/header-mapping.ts';
import { personOf } from '../../../src/input/columns/heading-person.ts';
import type { Persona } from '../../../src/registration/model/persona.ts';
import { paired } from '../../support/tables.ts';
import { field } from '../persona-of-labels.ts';

const FIELDS = [
  field('first_name', 'First name', 'name'),
  field('last_name', 'Last name', 'name'),
  field('email', 'E-mail', 'email'),
  field('phone', 'Phone', 'phone'),
  field('company', 'Company', 'text'),
];

/** What each heading becomes: a field; `?` open; `-` somebody else's; `!` only a person can say; `1` who pays, and nobody else. */
function whose(headings: string, { map = '', ignore = '', fields = FIELDS } = {}): string {
  const columns = headings.split(', ');
  const persona: Persona = { id: undefined, slug: 'guest', name: 'Guest', fields };
  const overrides = new Map(
    map.split(', ').flatMap((one): [string, string][] => {
      const [heading, target] = one.split('=');
      return heading === undefined || target === undefined ? [] : [[heading, target]];
    }),
  );
  const ignored = ignore.split(', ').filter((one) => one !== '');
  const result = mapColumns(columns, { overrides, ignore: ignored, personas: [persona] });
  if ('mapping' in result) {
    return result.mapping
      .targetsFor(persona)
      .map((target) => ('slug' in target ? target.slug : target.kind))
      .join(', ');
  }
  return result.states
    .map(({ target, other }) =>
      target === null
        ? 'ignored'
        : (target ?? (other === undefined ? '?' : other.isOnly ? '1' : other.isMissed ? '!' : '-')),
    )
    .join(', ');
}

function reasons(headings: string): string[] {
  const persona: Persona = { id: undefined, slug: 'guest', name: 'Guest', fields: FIELDS };
  const result = mapColumns(headings.split(', '), { overrides: new Map(), ignore: [], personas: [persona] });
  return 'mapping' in result ? [] : result.states.flatMap(({ other }) => other?.why ?? []);
}

const PLAIN = 'First name, Last name';

describe('Columns of several people', () => {
  test.each([
    [`${PLAIN}, E-mail, Emergency contact phone`, 'first_name, last_name, email, -'],
    [`${PLAIN}, E-mail, Phone (emergency), Partner name`, 'first_name, last_name, email, -, -'],
    [`${PLAIN}, E-mail, Kontakt Vorname, Kontakt E-Mail`, 'first_name, last_name, email, -, -'],
    [`${PLAIN}, Phone, Hotel name, Hotel phone`, 'first_name, last_name, phone, -, -'],
    [`${PLAIN}, Email of the person who books, Attendee email`, 'first_name, last_name, -, ?'],
    [`${PLAIN}, Order email`, 'first_name, last_name, !'],
    [`${PLAIN}, Child email`, 'first_name, last_name, !'],
    [`${PLAIN}, E-mail (payer)`, 'first_name, last_name, !'],
    [`${PLAIN}, E-mail, Attendee email`, 'first_name, last_name, !, !'],
    [`${PLAIN}, E-mail, Booth staff 1, Booth staff 1 email`, 'first_name, last_name, email, 1, 1'],
    [`${PLAIN}, E-mail, Hall 1, Shift 1 email`, 'first_name, last_name, email, ?, ?'],
    [`${PLAIN}, E-mail, Guest name, Guest email`, '!, !, !, !, !'],
    ...paired(`
      First name, Last name, E-mail, Phone, Company → first_name, last_name, email, phone, company |
      First name, Last name, Contact email → first_name, last_name, email |
      First name, Last name, Work email, Organization → first_name, last_name, email, company |
      Attendee first name, Attendee last name, E-mail, Phone → first_name, last_name, email, phone |
      Contact first name, Contact last name, Contact email → ?, ?, email |
      Registrant first name, Registrant last name, Registrant email → ?, ?, ? |
      What is your first name?, What is your email?, Your last name, Phone → ?, ?, ?, phone |
      Ticket holder name, Ticket email → ?, ? |
      Name, E-Mail, Guest 1 Name, Guest 1 E-Mail → ?, email, ?, companion 1 email |
      First name, Last name, E-mail, Parent code → first_name, last_name, email, parent_barcode |
      Order Name, Order Email, Ticket First Name, Ticket Email → -, -, ?, ? |
      Contact name, Contact email, Participant first name, Participant email → -, -, first_name, ? |
      Registrant name, Registrant email, Guest name, Guest email → -, -, ?, ? |
      E-mail, Attendee name, Attendee email, Phone → -, ?, ?, - |
      orderEmail, attendeeEmail, attendeeFirstName, attendeeLastName → -, ?, first_name, last_name |
      buyer_email, first_name, last_name, email → -, first_name, last_name, email |
      Name Käufer, E-Mail Käufer, Teilnehmername, Teilnehmeremail → -, -, ?, ? |
      Name des Anmelders, E-Mail-Adresse des Anmelders, Name der Gäste, E-Mail Gast → -, -, ?, ? |
      Acheteur email, Participant nom, Participant email → -, ?, ? |
      Comprador email, Nombre del asistente, Asistente email → -, ?, ? |
      Email acquirente, Nome partecipante, Email partecipante → -, ?, ? |
      E-mail do comprador, Nome do participante, E-mail do participante → -, ?, ? |
      E-mail besteller, Naam deelnemer, E-mail deelnemer → -, ?, ? |
      First name A, Last name A, Email A, First name B, Last name B, Email B → !, !, !, !, !, ! |
      Vorname, Nachname, E-Mail, Vorname 2, Nachname 2, E-Mail 2 → !, !, !, !, !, ! |
      Name, Email, Name1, Email1 → !, !, !, ! |
      Billing first name, Billing last name, Billing email → 1, 1, 1 |
      Billing first name, Billing last name, Order email → 1, 1, 1 |
      Billing first name, Billing last name, Own email, Order email → 1, 1, ?, 1 |
      Billing first name, Billing last name, Emergency email → !, !, ! |
      Billing first name, Billing last name, Billing email, E-mail → !, !, -, email |
      Rechnungs-Vorname, Rechnungs-Nachname, Rechnungs-E-Mail → 1, 1, 1 |
      Billing email, Company → !, company | Emergency contact name, Emergency contact email → !, ! |
      Haupt Name, Haupt E-Mail, Neben Name, Neben E-Mail → !, !, !, ! |
      Attendee 1 name, Attendee 1 email, Attendee 2 name, Attendee 2 email → ?, email, ?, companion 2 email |
      Parent email, Child first name, Child last name → !, ?, ? |
      Parent email, Student first name, Student last name → !, ?, ? | Attendee name, Contact email → ?, !
    `),
  ])('%s: %s', (headings, expected) => {
    expect(whose(headings)).toBe(expected);
  });

  test('What the owner of a list has said settles the rest', () => {
    const two = `${PLAIN}, E-mail, Guest name, Guest email`;
    expect(whose(two, { map: 'First name=first_name' })).toBe('first_name, last_name, email, -, -');
    expect(whose(two, { ignore: 'Guest name, Guest email' })).toBe(
      'first_name, last_name, email, ignored, ignored',
    );
    const address = `${PLAIN}, E-mail, Attendee email`;
    expect(whose(address, { map: 'Attendee email=email' })).toBe('first_name, last_name, -, email');
    expect(whose(`${PLAIN}, Order email`, { map: 'Order email=email' })).toBe('first_name, last_name, email');
    expect(whose('Haupt Name, Haupt E-Mail, Neben Name, Neben E-Mail', { map: 'Neben E-Mail=email' })).toBe(
      '-, -, ?, email',
    );
  });

  test('The rest is left out together, but what only a person can say', () => {
    expect(whose(`${PLAIN}, E-mail, Emergency phone`, { ignore: '*' })).toBe(
      'first_name, last_name, email, ignored',
    );
    expect(whose(`${PLAIN}, Order email, Order phone`, { ignore: '*' })).toBe(
      'first_name, last_name, !, ignored',
    );
  });

  test.each([
    [
      'Participant first name, Participant last name, Participant e-mail, Participant phone',
      'first_name, last_name, ?, ?',
    ],
    [`${PLAIN}, Your email, Hotel phone, Shoe size`, 'first_name, last_name, ?, ignored, ignored'],
    [`${PLAIN}, E-mail, Your second email`, 'first_name, last_name, email, ignored'],
    ['What is your name?, E-mail, Shoe size', '?, email, ignored'],
  ])(
    'What seems to be the guest’s, and is in no other column, is not left out with the rest: %s',
    (headings, expected) => {
      expect(whose(headings, { ignore: '*' })).toBe(expected);
    },
  );

  test.each([
    ['E-mail, Attendee email', 'is the guest’s or somebody else’s: nothing says who of the list comes'],
    ['Order email', 'speaks of somebody else than the guest'],
  ])('It is said why: %s', (headings, why) => {
    expect(reasons(`${PLAIN}, ${headings}`)).toEqual(headings.split(', ').map(() => why));
  });

  test('A field of such a name is that field, unless another column may be it', () => {
    const fields = [...FIELDS, field('emergency_phone', 'Emergency phone', 'phone')];
    expect(whose(`${PLAIN}, Phone, Emergency phone`, { fields })).toBe(
      'first_name, last_name, phone, emergency_phone',
    );
    const own = [...FIELDS.slice(0, 2), field('email', 'Contact email', 'email')];
    expect(whose(`${PLAIN}, Contact email`, { fields: own })).toBe('first_name, last_name, email');
    expect(whose('Contact email, Participant name, Participant email', { fields: own })).toBe('-, ?, ?');
  });
});

test.each([
  ['Teilnehmername', 'comes', 'teilnehm', 'full_name'],
  ['attendeeEmail', 'comes', 'attendee', 'email'],
  ['Attendee 2 phone', 'comes', 'attendee 2', 'phone'],
  ['Phone (emergency)', 'other', 'emergency', 'phone'],
  ['Contact person e-mail', 'unsure', 'contact', 'email'],
  ['Rechnungs-E-Mail', 'other', 'rechnung', 'email'],
  ['Filiale E-Mail', 'plain', 'filiale', 'email'],
  ['Which e-mail address can we reach you at?', 'plain', '', 'email'],
  ['Ticket name', 'comes', '', undefined],
  ['Attendee #', 'comes', 'attendee', undefined],
  ['Organisation', 'plain', '', undefined],
  ['Workshops to book', 'plain', 'workshops to book', undefined],
  ['Which T-shirt do you want to order?', 'plain', expect.any(String), undefined],
  ['¿Qué taller quiere reservar?', 'plain', expect.any(String), undefined],
  ['Essen bestellen', 'plain', 'essen bestellen', undefined],
])('%s speaks of: %s, %s, %s', (heading, role, key, concept) => {
  expect(personOf(heading)).toMatchObject({ role, key, concept });
});

describe('Groups of headings', () => {
  const NAMES = 'Person / First name, Person / Last name';
  test.each([
    [`${PLAIN}, Contact / E-mail, Contact / Mobile phone`, 'first_name, last_name, email, phone'],
    [`${NAMES}, Contact / E-mail`, 'first_name, last_name, email'],
    [`${PLAIN}, Contact / Name, Contact / E-mail`, 'first_name, last_name, -, !'],
    [`${PLAIN}, E-mail, Billing / Company, Billing / E-mail`, 'first_name, last_name, email, -, -'],
    [`${PLAIN}, Address / Company`, 'first_name, last_name, ?'],
    [`${PLAIN}, Person / Contact / E-mail`, 'first_name, last_name, email'],
  ])('are of who comes where nobody else is named: %s', (headings, targets) => {
    expect(whose(headings)).toBe(targets);
  });
});

describe('Columns that are called alike', () => {
  const ALIKE = `${PLAIN}, E-mail, Name (1 of 2), Name (2 of 2)`;

  test('are left out together, or one by one', () => {
    const used = 'first_name, last_name, email, ignored, ignored';
    expect(whose(ALIKE, { ignore: 'name' })).toBe(used);
    expect(whose(ALIKE, { ignore: 'Name (2 of 2), Name (1 of 2)' })).toBe(used);
    expect(whose(ALIKE, { ignore: 'Name (2 of 2)' })).toBe('first_name, last_name, email, ?, ignored');
  });

  test('have to be told apart to be mapped', () => {
    const persona: Persona = { id: undefined, slug: 'guest', name: 'Guest', fields: FIELDS };
    const overrides = new Map([['Name', 'company']]);
    const result = mapColumns(ALIKE.split(', '), { overrides, ignore: [], personas: [persona] });
    expect('problems' in result && result.problems[0]).toBe(
      '--map "Name=company" may mean the column "Name (1 of 2)" or "Name (2 of 2)"; write its name exactly.',
    );
    expect(whose(ALIKE, { map: 'Name (1 of 2)=company', ignore: 'Name (2 of 2)' })).toBe(
      'first_name, last_name, email, company, ignored',
    );
  });

  test('are both what their heading says', () => {
    expect(whose(`${PLAIN}, E-mail (1 of 2), E-mail (2 of 2)`)).toBe('first_name, last_name, email, ?');
  });
});
