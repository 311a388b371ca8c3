import { describe, expect, test } from 'vitest';
import { HeadingReader } from '../../../src/input/columns/heading-reader.ts';
import { mapColumns } from '../../../src/input/columns/header-mapping.ts';
import { ColumnSamples } from '../../../src/registration/evidence/column-samples.ts';
import type { Persona } from '../../../src/registration/model/persona.ts';
import { proposeColumns } from '../../../src/input/columns/propose-columns.ts';
import { field } from '../persona-of-labels.ts';

const GUEST: Persona = {
  id: undefined,
  slug: 'guest',
  name: 'Guest',
  fields: [
    field('first_name', 'First name', 'name'),
    field('last_name', 'Last name', 'name'),
    field('email', 'E-mail', 'email'),
    field('phone', 'Phone', 'phone'),
    field('country', 'Country', 'country'),
    field('birth_date', 'Date of birth', 'date'),
    field('pass', 'Pass', 'choice', ['Standard', 'Premium']),
    field('hotel', 'Hotel', 'text'),
  ],
};

/** What is proposed for columns that hold these values, one a row. */
function propose(
  columns: Readonly<Record<string, readonly string[]>>,
  guest = GUEST,
): Record<string, string> {
  const headings = Object.keys(columns);
  const samples = new ColumnSamples();
  const rows = Math.max(...Object.values(columns).map((values) => values.length));
  for (let at = 0; at < rows; at += 1) {
    const cells = headings.map((heading) => columns[heading]?.[at] ?? '');
    samples.add({ place: { file: 'a.csv', line: at + 2 }, columns: headings, cells });
  }
  const result = mapColumns(headings, { overrides: new Map(), ignore: [], personas: [guest] });
  const states = 'states' in result ? result.states : [];
  const reader = new HeadingReader([guest]);
  const found = proposeColumns(states, [guest], reader, samples);
  return Object.fromEntries(
    [...found].map(([column, { target, why, asksPerson }]) => [
      column,
      `${asksPerson === true ? '? ' : ''}${target}: ${why}`,
    ]),
  );
}

test.each([
  ['options', ['Standard', 'premium', 'VIP', 'Standard'], 'pass: values fit'],
  ['e-mail addresses', ['a@example.com', 'b@example.org', ''], 'email: values fit'],
  ['e-mail addresses beside names', ['Ada <a@b.es>', 'mailto:b@c.es', 'c@d.es\u200b'], 'email: values fit'],
  ['e-mail addresses beside words for nothing', ['a@b.es', 'n/a', '-', ' -', 'b@c.es'], 'email: values fit'],
  ['phone numbers', ['+49 171 2345600', '0171/2345874'], 'phone: values fit'],
  ['countries', ['Spain', 'Deutschland', 'FR'], 'country: values fit'],
  ['days of many years', ['03/04/1990', '12.11.1985', '1979-02-01', '1/2/2001'], 'birth_date: values fit'],
])('Values that are %s propose the field', (_, values, expected) => {
  expect(propose({ Xyz: values })).toEqual({ Xyz: expected });
});

test('Barcodes of goods are no phone numbers by themselves', () => {
  expect(propose({ Xyz: ['0590123412345', '0590123412346', '0075678164125'] })).toEqual({});
  expect(propose({ Xyz: ['0034600000000', '0034600000001'] })).toEqual({ Xyz: 'phone: values fit' });
});

test('Words for the options in another language propose a choice, but not those for yes and no', () => {
  const size = field('size', 'Stand size', 'choice', ['Small', 'Medium', 'Large']);
  const paid = field('parking', 'Parking', 'choice', ['Yes', 'No']);
  const guest = { ...GUEST, fields: [...GUEST.fields, size, paid] };
  const columns = { Tamaño: ['Mediano', 'Grande', 'Pequeño'], Pagado: ['Sí', 'No', 'Sí'] };
  expect(propose(columns, guest)).toEqual({ Tamaño: 'size: values fit' });
});

test('Several words for options in a cell propose the field, single letters none', () => {
  const choice = (multiple: boolean, options: readonly string[]): Persona => ({
    ...GUEST,
    fields: [{ ...field('kind', 'Kind', 'choice', options), multiple }],
  });
  const equipment = choice(true, ['Projector', 'Microphone', 'Flip chart']);
  expect(propose({ Xyz: ['Beamer, Mikrofon', 'Mikrofon', 'Beamer'] }, equipment)).toEqual({
    Xyz: 'kind: values fit',
  });
  expect(propose({ Xyz: ['S', 'M', 'L'] }, choice(false, ['Small', 'Medium', 'Large']))).toEqual({});
});

test.each([
  ['Xyz', ['M.', 'M.', 'Mme'], ['Small', 'Medium', 'Large']],
  ['Title', ['Mrs', 'Miss', 'Mrs'], ['Male', 'Female', 'Diverse']],
  ['Anrede', ['Herr', 'Frau', 'Frau'], ['Male', 'Female', 'Diverse']],
])('Titles are no options of another field: %s', (heading, titles, options) => {
  const guest = { ...GUEST, fields: [...GUEST.fields, field('kind', 'Kind', 'choice', options)] };
  expect(propose({ [heading]: titles }, guest)).toEqual({});
});

test('The word for a person in another language is none for personas', () => {
  expect(propose({ 'Persona de contacto': ['Ana Ruiz', 'Luis Gil'] })).toEqual({
    'Persona de contacto': 'first_name+last_name: each name is split',
  });
});

test('A code of a country proposes it where the heading speaks of it', () => {
  expect(propose({ 'In welchem Land wohnen Sie?': ['D', 'A', 'FR'] })).toEqual({
    'In welchem Land wohnen Sie?': 'country: name and values fit',
  });
});

test('The first words of the name of a choice propose it, of nothing else', () => {
  const choice = field('kind', 'Ticket type', 'choice', ['Day', 'Night']);
  const guest = {
    ...GUEST,
    fields: [...GUEST.fields, choice, field('count', 'Number of guests', 'numeric')],
  };
  expect(propose({ Ticket: ['Standard (1 day)', 'VIP'], Number: ['1', '2'] }, guest)).toEqual({
    Ticket: 'kind: its name',
  });
});

test.each([
  ['one cell', ['Spain']],
  ['too few that fit', ['Standard', 'Premium', 'a', 'b', 'c']],
  ['days of one year, such as of orders', ['01.03.2027', '02.03.2027', '03.03.2027', '04.03.2027']],
  ['numbers without a sign of what they are', ['49171234560', '49171234561']],
  ['yes and no, though No is a code of Norway', ['Yes', 'No', 'no', 'N/A', 'No', 'nein']],
  ['no, and what is no country', ['No', 'no', 'NO', 'perhaps']],
  ['titles', ['Mr', 'Ms', 'Mr', 'Mrs']],
  ['states of America', ['CA', 'IL', 'GA']],
  ['languages', ['DE', 'FR', 'IT']],
  ['times', ['2027/02/01 9:00:10', '2027/02/02 9:00:10']],
])('Values that prove nothing propose nothing: %s', (_, values) => {
  expect(propose({ Xyz: values })).toEqual({});
});

test('A heading that speaks of a field proposes it, unless its values are none', () => {
  expect(propose({ 'Your e-mail': ['Ada Lane <a@b.es>', 'mailto:b@c.es'] })).toEqual({
    'Your e-mail': 'email: name and values fit',
  });
  expect(propose({ 'What is your first name?': ['Ana'] })).toEqual({
    'What is your first name?': 'first_name: its name',
  });
  expect(propose({ 'Your e-mail, please': ['a@example.com', 'b@example.com'] })).toEqual({
    'Your e-mail, please': 'email: name and values fit',
  });
  expect(propose({ 'May we send you e-mail?': ['Yes', 'No'] })).toEqual({});
  expect(propose({ Hotle: ['Ritz'] })).toEqual({ Hotle: 'hotel: its name' });
});

test('What is of somebody else is not proposed', () => {
  const mails = ['a@example.com', 'b@example.com'];
  expect(propose({ 'E-Mail Käufer': mails, 'E-Mail Teilnehmer': mails })).toEqual({
    'E-Mail Teilnehmer': 'email: name and values fit',
  });
  const phones = ['+49 171 2345600', '0171/2345874'];
  expect(propose({ 'Emergency phone number': phones, 'Your phone': phones })).toEqual({
    'Your phone': 'phone: name and values fit',
  });
});

const MAILS = ['a@example.com', 'b@example.com'];
const PHONES = ['+49 171 2345600', '0171/2345874'];

const AROUND_GUESTS = `
  ICE email | EA e-mail | Email pagatore | Email do encarregado de educação | Daughter email |
  Son’s email | Correo de la hija | E-Mail der Tochter | Courriel de la nounou |
  Email della figlia | E-mail dochter | Tél. personne à prévenir | ICE number | Nanny phone |
  Telefono pagatore | Telefon Großmutter | Telefone da avó
`;

test.each(AROUND_GUESTS.split('|').map((heading) => heading.trim()))(
  'What is of somebody around the guest is not proposed: %s',
  (heading) => {
    const isMail = /mail|correo|courriel/i.test(heading);
    expect(
      propose({ Vorname: ['Ada', 'Bo'], Nachname: ['L', 'M'], [heading]: isMail ? MAILS : PHONES }),
    ).toEqual({});
  },
);

test.each([
  ['Sales rep email', MAILS, '? email'],
  ['Branch e-mail', MAILS, '? email'],
  ['Reception phone', PHONES, '? phone'],
  ['Correo del hotel', MAILS, '? email'],
  ['E-mail (old)', MAILS, '? email'],
  ['Your work e-mail', MAILS, 'email'],
  ['Private email address', MAILS, 'email'],
  ['Which e-mail address can we reach you at?', MAILS, 'email'],
  ['Unter welcher E-Mail-Adresse erreichen wir Sie am besten?', MAILS, 'email'],
  ['Ihre Handynummer, nur für den Tag selbst', PHONES, 'phone'],
  ['Your sales rep’s email', MAILS, '? email'],
  ['Business mobile number', PHONES, 'phone'],
  ['Dienstliche E-Mail-Adresse', MAILS, 'email'],
  ['Correo electrónico del trabajo', MAILS, 'email'],
  ['Phone number incl. country code', PHONES, 'phone'],
  ['Attendee Email', ['a@example.com'], 'email'],
  ['Attendee Email', ['none'], undefined],
  ['Email opt-in', ['Yes', 'No'], undefined],
])('An address beside words that say nothing known may be anybody’s: %s %s', (heading, values, expected) => {
  const { [heading]: said } = propose({ Vorname: ['Ada', 'Bo'], Nachname: ['L', 'M'], [heading]: values });
  expect(said?.replace(/: (.*)/, '')).toBe(expected);
});

test('Beside one that speaks of the guest, none that may be anybody’s is asked about', () => {
  expect(propose({ 'Sales rep email': MAILS, 'Your email': MAILS })).toEqual({
    'Your email': 'email: name and values fit',
  });
  const unsure = ': is the guest’s or somebody else’s: nothing says who of the list comes';
  expect(propose({ 'Sales rep email': MAILS, 'Branch email': MAILS })).toEqual({
    'Sales rep email': `? email${unsure}`,
    'Branch email': `? email${unsure}`,
  });
});

test('Of a full name beside columns of its parts, these are proposed', () => {
  const columns = {
    'Attendee name': ['Ada Maria Lane', 'Bo Marsh'],
    'Attendee name: Given name': ['Ada Maria', 'Bo'],
    'Attendee name: Family name': ['Lane', 'Marsh'],
  };
  expect(propose(columns)).toEqual({
    'Attendee name': 'null: other columns have both names',
    'Attendee name: Given name': 'first_name: its name',
    'Attendee name: Family name': 'last_name: its name',
  });
  const blank = { ...columns, 'Attendee name: Given name': ['', ''] };
  expect(propose(blank)['Attendee name']).toBe('first_name+last_name: each name is split');
});

test('What only values show of two columns is proposed for neither', () => {
  expect(propose({ Abc: ['Standard', 'Premium'], Xyz: ['Premium', 'Standard'] })).toEqual({});
});

test('A field that has its column is not proposed again', () => {
  expect(propose({ Country: ['ES'], Xyz: ['Spain', 'France'] })).toEqual({});
});

test('A column that is just called a name is proposed as last names beside one of first names only', () => {
  const beside = { Name: ['Köhler', 'Weiß'], Vorname: ['Björn', 'Ruth'] };
  expect(propose(beside)).toEqual({ Name: 'last_name: its name' });
  const prefixed = { 'Teilnehmer Name': ['Köhler'], 'Teilnehmer Vorname': ['Björn'] };
  expect(propose(prefixed)).toEqual({ 'Teilnehmer Name': 'last_name: its name' });
  expect(propose({ Name: ['Köhler'], Vorname: ['Björn'], Nachname: ['Köhler'] })).toEqual({
    Name: 'null: says no more than "Nachname"',
  });
});

test('Another address of the guest fills what the first leaves blank, be that known or proposed', () => {
  const [own, work] = [
    ['a@b.es', ''],
    ['', 'c@d.es'],
  ];
  expect(propose({ 'E-mail': own, 'E-mail office': work })).toEqual({
    'E-mail office': 'else email: "E-mail" goes first',
  });
  expect(propose({ 'Contact / E-mail private': own, 'Contact / E-mail company': work })).toEqual({
    'Contact / E-mail private': 'email: its name',
    'Contact / E-mail company': 'else email: "Contact / E-mail private" goes first',
  });
});

test('A column that says no more than that somebody comes along has their names, where it has any', () => {
  for (const names of [
    ['Karl Weiß', 'ja', '+1'],
    ['Karl Weiß', 'Tom', 'Kim'],
  ])
    expect(propose({ Begleitung: names })).toEqual({
      Begleitung: 'companion 1 first_name+last_name: each name is split',
    });
  expect(propose({ Begleitung: ['Karl Weiß', 'vegan', 'glutenfrei', 'laktosefrei'] })).toEqual({});
  expect(propose({ Begleitung: ['2', 'ja', '+1'] })).toEqual({});
});

test.each([
  [
    { 'Tél. fixe': ['01 42 33 44 55', '04 95 11 22 33'], 'Tél. portable': ['06 12 34 56 78', ''] },
    { 'Tél. fixe': 'phone: where "Tél. portable" is blank', 'Tél. portable': 'phone: its name' },
  ],
  [
    { Telefon: ['030 1234567', ''], Mobil: ['0171 2345678', '0160 9998877'] },
    { Telefon: 'null: "Mobil" goes first', Mobil: 'phone: its name' },
  ],
  [
    { 'Work email': ['a@b.es', 'c@d.es'], 'Personal email': ['a@x.es', ''] },
    {
      'Work email': '? email: one of several that the guest has: which goes first?',
      'Personal email': '? email: one of several that the guest has: which goes first?',
    },
  ],
])(
  'Of several phones of one guest a mobile one goes first, and of two alike none: %j',
  (columns, expected) => {
    expect(propose(columns)).toEqual(expected);
  },
);

test('Days without a time are shown without one', () => {
  const samples = new ColumnSamples();
  const place = { file: 'a.csv', line: 2 };
  samples.add({ place, columns: ['Arrival'], cells: ['2027-03-04 00:00:00'] });
  samples.add({ place, columns: ['Arrival'], cells: ['2027-03-04 09:30:00'] });
  expect(samples.show('Arrival')).toBe('2027-03-04, 2027-03-04 09:30:00');
});

test('What many rows show counts as what few do', () => {
  const many = Array.from({ length: 500 }, (_, at) => `guest${at}@example.com`);
  expect(propose({ Xyz: many })).toEqual({ Xyz: 'email: values fit' });
});

describe('a column of full names', () => {
  const BOTH = 'first_name+last_name: each name is split';
  const FULL = ['Björn Köhler', 'Ruth Anna Weiß', 'Cher', '-', 'n/a', '-', 'N/A', ' – ', ''];

  test.each([
    'Name',
    'Full name',
    'Teilnehmer',
    'What is your full name?',
    'Ihr Name',
    'Fullt navn',
    'Fulde navn',
  ])('"%s" is proposed as both names', (heading) =>
    expect(propose({ [heading]: FULL })).toEqual({ [heading]: BOTH }),
  );

  test('is proposed beside an empty column of first names', () => {
    expect(propose({ Vorname: ['-', 'n/a'], 'Vor- und Zuname': FULL })).toEqual({ 'Vor- und Zuname': BOTH });
  });

  test('belongs to whom its heading names', () => {
    expect(propose({ Vorname: ['A'], Nachname: ['B'], 'Gast 1 Name': FULL })).toEqual({
      'Gast 1 Name': 'companion 1 first_name+last_name: each name is split',
    });
  });

  test.each([
    ['no names', { Name: ['', '-'] }],
    ['first names elsewhere', { Name: ['Köhler von Amt'], Vorname: ['Björn'], Nachname: ['K'] }],
    ['names of others', { 'Buyer full name': FULL }],
    ['what stands beside barcodes', { Barcode: ['A1', 'B2'], Benevnelse: FULL }],
    ['what is written otherwise', { Middag: ['Fisk uten saus', 'kjøtt og ris', 'Vegetar'] }],
    ['what many say', { Hall: ['North Hall', 'North Hall', 'South Hall', 'South Hall', 'South Hall'] }],
  ])('is not proposed for %s', (_, columns) => expect(propose(columns)).toEqual({}));

  test.each(['Benevnelse', 'Name of your school'])(
    'is asked about where nothing else gives a name, whatever its heading is: %s',
    (heading) => {
      const asked = { [heading]: '? first_name+last_name: may be full names' };
      expect(propose({ [heading]: FULL, 'E-mail': ['a@b.es'] })).toEqual(asked);
      expect(propose({ [heading]: FULL, Vorname: ['Ada'], Nachname: ['Lane'] })).toEqual({});
      expect(propose({ Name: ['Smith, J. (Jim)', 'Baker', 'Ann Lane'], Barcode: ['A1'] })).toEqual({
        Name: '? first_name+last_name: may be full names',
      });
    },
  );

  test.each([
    'Nom et prénom',
    'NOM Prénom',
    'Cognome e Nome',
    'Cognome Nome',
    'Apellidos y nombre',
    'Name Vorname',
    'Teilnehmer Nachname, Vorname',
    'Surname and first name',
    'Name (last, first)',
    'Nom de famille et prénom',
    'Naam (achternaam voornaam)',
  ])('has the last name in front where its heading says so: %s', (heading) => {
    const names = ['Dupont Jean', 'De Luca Ruth', 'Weiß, Ada'];
    expect(propose({ [heading]: names })).toEqual({ [heading]: 'last_name+first_name: last name in front' });
    expect(propose({ [heading]: ['Rossi Maria Grazia'] })).toEqual({
      [heading]: '? last_name+first_name: may be full names',
    });
  });

  test.each(['Vorname Name', 'Prénom et nom', 'Nombre y apellidos', 'Name and surname', 'Nome e cognome'])(
    'has the first name in front where its heading says so: %s',
    (heading) => expect(propose({ [heading]: ['Jean Dupont', 'Ruth De Luca'] })).toEqual({ [heading]: BOTH }),
  );

  test.each(['Name (first name)', 'Surname, first name, allergies'])(
    'is none whose heading speaks of something else: %s',
    (heading) =>
      expect(propose({ [heading]: ['Jean Dupont', 'Ruth Luca'] })[heading] ?? '').not.toContain('last_name+'),
  );

  test('may have the last name in front of a comma', () => {
    expect(propose({ 'Name, Vorname': ['Dupont, Jean', 'Weiß, Ruth'] })).toEqual({ 'Name, Vorname': BOTH });
  });
});

test.each([
  [
    {
      'First name': ['Ada', '', ''],
      'Last name': ['Lane', '', ''],
      Name: ['Ada Lane', 'Bo Marsh', 'Cy Nord'],
    },
    { Name: 'else first_name+last_name: "First name" and "Last name" go first' },
  ],
  [
    { 'First name': ['Ada', 'N/A'], 'Last name': ['Lane', 'N/A'], Name: ['Ada Lane', 'Bo Marsh'] },
    { Name: 'else first_name+last_name: "First name" and "Last name" go first' },
  ],
  [
    { 'First name': ['Ada', 'Bo'], 'Last name': ['Lane', 'Marsh'], Name: ['Ada Lane', 'Bo Marsh'] },
    { Name: 'null: says no more than "First name" and "Last name"' },
  ],
  [
    { Vorname: ['Ada', ''], Nachname: ['Lane', ''], Name: ['Lane, Ada', 'Bo Marsh'] },
    { Name: 'else first_name+last_name: "Vorname" and "Nachname" go first' },
  ],
  [
    {
      Vorname: ['Ada', 'Bo', ''],
      Nachname: ['Lane', 'Marsh', ''],
      Name: ['Ada Lane', 'Bob Marsh', 'Cy Nord'],
    },
    { Name: 'else first_name+last_name: "Vorname" and "Nachname" go first, 1 row differs' },
  ],
  [
    { Vorname: ['Ada', 'Bo', ''], Nachname: ['Lane', 'Marsh', ''], Name: ['Acme', 'Globex', 'Initech'] },
    { Name: '? else first_name+last_name: "Vorname" and "Nachname" go first, 2 rows differ' },
  ],
  [
    { 'E-mail (1 of 2)': ['a@example.com', ''], 'E-mail (2 of 2)': ['', 'b@example.com'] },
    { 'E-mail (2 of 2)': 'else email: "E-mail (1 of 2)" goes first' },
  ],
  [
    { 'E-mail (1 of 2)': ['a@example.com', ''], 'e-mail (2 of 2)': ['x@example.com', 'b@example.com'] },
    { 'e-mail (2 of 2)': '? email: differs from "E-mail (1 of 2)" in 1 row' },
  ],
])(
  'Beside columns of its field one is proposed where it fills what they leave blank: %j',
  (columns, expected) => {
    expect(propose(columns)).toMatchObject(expected);
    expect(Object.keys(propose(columns))).toEqual(Object.keys(expected));
  },
);
