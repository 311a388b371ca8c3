import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text, workbook } from '../../support/workbook.ts';
import { pushBench } from '../../sync/push-bench.ts';
import { follow, type Sent } from './printed-command.ts';
import { casesOf } from '../../support/night.ts';

/** A list as people have it, and what the command that is printed for it sends. */
interface List {
  what: string;
  lines: readonly string[];
  persona?: string;
  sent: readonly Readonly<Record<string, unknown>>[];
  /** What the hint says of what is left out. */
  says?: string;
}

const NAMES = 'First name,Last name,E-mail';
const ANN = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' };
const TOM = { first_name: 'Tom', last_name: 'Ray', email: 'tom@example.com' };
const [ANN_CELLS, TOM_CELLS] = [Object.values(ANN).join(','), Object.values(TOM).join(',')];

const LISTS: readonly List[] = [
  {
    what: 'dates of people who are all from the USA',
    lines: [
      `${NAMES},Country,Birth date`,
      `${ANN_CELLS},USA,03/04/1985`,
      `${TOM_CELLS},United States,05/06/1990`,
    ],
    sent: [
      { ...ANN, country: 'US', birth_date: '1985-03-04' },
      { ...TOM, country: 'US', birth_date: '1990-05-06' },
    ],
  },
  {
    what: 'dates of people who are from elsewhere',
    lines: [`${NAMES},Country,Birth date`, `${ANN_CELLS},Ireland,03/04/1985`],
    sent: [{ ...ANN, country: 'IE', birth_date: '1985-04-03' }],
  },
  {
    what: 'dates of people who live in states of the USA',
    lines: [
      `${NAMES},City,State,ZIP,Birth date`,
      `${ANN_CELLS},Austin,TX,78701,03/04/1985`,
      `${TOM_CELLS},Portland,ME,04101,05/06/1990`,
    ],
    sent: [
      { ...ANN, birth_date: '1985-03-04' },
      { ...TOM, birth_date: '1990-05-06' },
    ],
  },
  {
    what: 'dates of people with phones of the USA',
    lines: [
      `${NAMES},Phone,Birth date`,
      `${ANN_CELLS},+1 512 867 5309,03/04/1985`,
      `${TOM_CELLS},+1 206 867 5310,05/06/1990`,
    ],
    sent: [
      { ...ANN, phone: '+1 512 867 5309', birth_date: '1985-03-04' },
      { ...TOM, phone: '+1 206 867 5310', birth_date: '1990-05-06' },
    ],
  },
  {
    what: 'dates of people whose phones have the form of the USA',
    lines: [
      `${NAMES},Phone,Birth date`,
      `${ANN_CELLS},(512) 867-5309,03/04/1985`,
      `${TOM_CELLS},206-867-5310,05/06/1990`,
    ],
    sent: [
      { ...ANN, phone: '+15128675309', birth_date: '1985-03-04' },
      { ...TOM, phone: '+12068675310', birth_date: '1990-05-06' },
    ],
  },
  {
    what: 'dates of which nothing speaks: a guess, which is said',
    lines: [`${NAMES},Birth date`, `${ANN_CELLS},03/04/1985`, `${TOM_CELLS},05/06/1990`],
    sent: [
      { ...ANN, birth_date: '1985-04-03' },
      { ...TOM, birth_date: '1990-06-05' },
    ],
    says: '(leaves out: --set date-order=mdy, which is as likely)',
  },
  {
    what: 'last names of who orders, in a language that calls them names',
    lines: ['Commande,Prénom acheteur,Nom acheteur,E-mail acheteur', `C-1,${ANN_CELLS}`, `C-2,${TOM_CELLS}`],
    sent: [ANN, TOM],
  },
  {
    what: 'a form that speaks to the reader, and somebody who cannot come',
    lines: [
      "Full name,E-mail for your ticket,What's your mobile number? We only use it on the day,Will you join us?",
      'Ann Lee,ann@example.com,+447911123456,Yes',
      "Tom Ray,tom@example.com,+447911123457,Sadly I can't make it",
    ],
    sent: [{ ...ANN, phone: '+447911123456' }],
  },
  {
    what: 'times in a column of their own',
    persona: 'speaker',
    lines: [
      `${NAMES},Talk date,Uhrzeit`,
      `${ANN_CELLS},2027-03-04,9:30`,
      `${TOM_CELLS},2027-03-05,14.00 Uhr`,
    ],
    sent: [
      { ...ANN, talk_at: '2027-03-04 09:30:00' },
      { ...TOM, talk_at: '2027-03-05 14:00:00' },
    ],
  },
  {
    what: 'an address of somebody else alone: left out',
    lines: ["First name,Last name,Guardian's e-mail", ANN_CELLS, TOM_CELLS],
    sent: [
      { first_name: 'Ann', last_name: 'Lee' },
      { first_name: 'Tom', last_name: 'Ray' },
    ],
    says: `"Guardian's e-mail"`,
  },
  {
    what: 'dates under a heading in Spanish',
    lines: [`${NAMES},Fecha de nacimiento`, `${ANN_CELLS},03/04/1985`, `${TOM_CELLS},05/06/1990`],
    sent: [
      { ...ANN, birth_date: '1985-04-03' },
      { ...TOM, birth_date: '1990-06-05' },
    ],
  },
  {
    what: 'dates beside one of a row that is left out',
    lines: [`${NAMES},Status,Birth date`, `${ANN_CELLS},Paid,03/04/1985`, `${TOM_CELLS},Refunded,12/25/1990`],
    sent: [{ ...ANN, birth_date: '1985-03-04' }],
  },
  {
    what: 'tickets in front of names',
    lines: [
      'Ticket,Name,E-mail',
      'Standard ticket,Ann Lee,ann@example.com',
      'Premium ticket,Tom Ray,tom@example.com',
    ],
    sent: [
      { ...ANN, ticket_type: 'Standard' },
      { ...TOM, ticket_type: 'Premium' },
    ],
  },
  {
    what: 'types of registrations that are tickets',
    lines: [`${NAMES},Registration Type`, `${ANN_CELLS},Student`, `${TOM_CELLS},Press`],
    sent: [
      { ...ANN, ticket_type: 'Student' },
      { ...TOM, ticket_type: 'Press' },
    ],
  },
  {
    what: 'pupils, and names that are not yet known',
    lines: [
      'Nº;Aluno;Encarregado de educação;E-mail do aluno',
      '1;Ann Lee;Pat Lee;ann@example.com',
      '2;por confirmar;Pat Ray;tom@example.com',
    ],
    sent: [ANN, { email: 'tom@example.com' }],
  },
  {
    what: 'phones of people who live in one country, beside those of others',
    lines: [
      `${NAMES},Telefoon`,
      'Ann,Lee,ann@wind.nl,010 412 3456',
      'Tom,Ray,tom@wind.nl,020 555 1234',
      'Bo,Fox,bo@zee.be,+32 3 234 56 78',
    ],
    sent: [
      { ...ANN, email: 'ann@wind.nl', phone: '+31104123456' },
      { first_name: 'Bo', last_name: 'Fox', email: 'bo@zee.be', phone: '+32 3 234 56 78' },
      { ...TOM, email: 'tom@wind.nl', phone: '+31205551234' },
    ],
  },
  {
    what: 'names as badges have them',
    lines: ['E-mail,Name on badge', 'ann@example.com,Ann Lee', 'tom@example.com,Tom Ray'],
    sent: [ANN, TOM],
  },
  {
    what: 'names that a form asks for in words of its own',
    lines: ['E-Mail;Wie heißen Sie?', 'ann@example.com;Ann Lee', 'tom@example.com;Tom Ray'],
    sent: [ANN, TOM],
  },
  {
    what: 'a contact person who is the only one',
    persona: 'exhibitor',
    lines: ['Company,Contact person,E-mail', 'Acme,Ann Lee,ann@example.com', 'Sea,Tom Ray,tom@example.com'],
    sent: [
      { ...ANN, company: 'Acme' },
      { ...TOM, company: 'Sea' },
    ],
  },
  {
    what: 'an Ansprechpartner who is the only one',
    persona: 'exhibitor',
    lines: ['Firma;Ansprechpartner;E-Mail', 'Acme;Ann Lee;ann@example.com', 'Sea;Tom Ray;tom@example.com'],
    sent: [
      { ...ANN, company: 'Acme' },
      { ...TOM, company: 'Sea' },
    ],
  },
  {
    what: 'headings over two rows that speak of a person',
    lines: ['Person,,Kontakt,Firma', 'Vorname,Nachname,E-Mail,', `${ANN_CELLS},Wave`, `${TOM_CELLS},Sea`],
    sent: [
      { ...ANN, company: 'Wave' },
      { ...TOM, company: 'Sea' },
    ],
  },
  {
    what: 'a long question whose values are tickets',
    lines: [
      `${NAMES},"What kind of ticket would you like? (Please note that students bring proof)"`,
      `${ANN_CELLS},Standard (free of charge)`,
      `${TOM_CELLS},Premium – €120 incl. dinner`,
    ],
    sent: [
      { ...ANN, ticket_type: 'Standard' },
      { ...TOM, ticket_type: 'Premium' },
    ],
  },
  {
    what: 'links to tickets, and a consent to photos',
    lines: [
      `${NAMES},Unique Ticket URL,Photo consent`,
      `${ANN_CELLS},https://tickets.example/a/1,yes`,
      `${TOM_CELLS},https://tickets.example/a/2,no`,
    ],
    sent: [ANN, TOM],
    says: '(leaves out: "Unique Ticket URL", "Photo consent")',
  },
  {
    what: 'a line below that says of when it is',
    lines: [
      'Name;E-mail;Anzahl Gäste',
      'Ann Lee;ann@example.com;2',
      'Tom Ray;tom@example.com;1',
      'Gesamt;;3',
      'Stand: 12.01.2027;;',
    ],
    sent: [
      { ...ANN, guests: '2' },
      { ...TOM, guests: '1' },
    ],
  },
  {
    what: 'phone numbers that nothing tells the country of',
    lines: [`${NAMES},Phone`, `${ANN_CELLS},0171 1112223`, `${TOM_CELLS},0171 2223334`],
    sent: [ANN, TOM],
  },
  {
    what: 'phone numbers of people with addresses of one country',
    lines: [
      'Name,Mail,Handy',
      'Ann Lee,ann@gmx.de,0171 1112223',
      'Tom Ray,tom@web.de,0171 2223334',
      'Bo Fox,bo@gmail.com,0171 3334445',
    ],
    sent: [
      { ...ANN, email: 'ann@gmx.de', phone: '+491711112223' },
      { first_name: 'Bo', last_name: 'Fox', email: 'bo@gmail.com', phone: '+491713334445' },
      { ...TOM, email: 'tom@web.de', phone: '+491712223334' },
    ],
  },
  {
    what: 'phone numbers with an extension, and with words',
    lines: [
      `${NAMES},Phone`,
      `${ANN_CELLS},+44 7400 123455 x12`,
      `${TOM_CELLS},07400 123456 (office)`,
      'Bo,Fox,bo@mail.co.uk,07400 123457',
      'Cy,Fox,cy@mail.co.uk,+44 7400 123458 ext. 4',
    ],
    sent: [
      { ...ANN, phone: '+44 7400 123455' },
      { first_name: 'Bo', last_name: 'Fox', email: 'bo@mail.co.uk', phone: '+447400123457' },
      { first_name: 'Cy', last_name: 'Fox', email: 'cy@mail.co.uk', phone: '+44 7400 123458' },
      { ...TOM, phone: '+447400123456' },
    ],
  },
  {
    what: 'attendees in columns',
    lines: [
      'Order,Buyer name,Buyer email,Attendee 1 first name,Attendee 1 last name,Attendee 1 email,Attendee 1 ticket,Attendee 2 first name,Attendee 2 last name,Attendee 2 email,Attendee 2 ticket',
      `1,Pat Payer,pat@example.com,${ANN_CELLS},Premium,${TOM_CELLS},Standard`,
      '2,Pat Payer,pat@example.com,Bo,Fox,bo@example.com,Student,,,,',
    ],
    sent: [
      { ...ANN, ticket_type: 'Premium' },
      { first_name: 'Bo', last_name: 'Fox', email: 'bo@example.com', ticket_type: 'Student' },
      { ...TOM, ticket_type: 'Standard' },
    ],
  },
  {
    what: 'tickets in columns, each with its person',
    lines: [
      'Order,Buyer email,Ticket 1 type,Ticket 1 first name,Ticket 1 last name,Ticket 1 email,Ticket 2 type,Ticket 2 first name,Ticket 2 last name,Ticket 2 email',
      `1,pat@example.com,Premium,${ANN_CELLS},Standard,${TOM_CELLS}`,
      '2,pat@example.com,Press,Bo,Fox,bo@example.com,Student,Cy,Fox,cy@example.com',
    ],
    sent: [
      { ...ANN, ticket_type: 'Premium' },
      { first_name: 'Bo', last_name: 'Fox', email: 'bo@example.com', ticket_type: 'Press' },
      { first_name: 'Cy', last_name: 'Fox', email: 'cy@example.com', ticket_type: 'Student' },
      { ...TOM, ticket_type: 'Standard' },
    ],
  },
  {
    what: 'a heading with both names in brackets, and a reunion that some do not come to',
    lines: [
      'Naam (voornaam + achternaam);E-mailadres;Kom je naar de reünie?;Hoeveel personen neem je mee?',
      'Ann Lee;ann@example.com;Ja, gezellig!;2',
      'Tom Ray;tom@example.com;Ja;1',
      'Bo Fox;bo@example.com;Nee, helaas;',
    ],
    sent: [
      { ...ANN, guests: '2' },
      { ...TOM, guests: '1' },
    ],
  },
  {
    what: 'who is not present, in French',
    lines: [
      'Nom et prénom;Adresse e-mail;Serez-vous présent(e) ?;Souhaitez-vous un billet ?',
      'Lee Ann;ann@example.com;Oui;Tarif plein',
      'Ray Tom;tom@example.com;Oui;Presse',
      'Fox Bo;bo@example.com;Non;Étudiant',
    ],
    sent: [
      { ...ANN, ticket_type: 'Standard' },
      { ...TOM, ticket_type: 'Press' },
    ],
  },
  {
    what: 'participants in columns, in French',
    lines: [
      'Nom acheteur;E-mail acheteur;Prénom participant 1;Nom participant 1;E-mail participant 1;Prénom participant 2;Nom participant 2;E-mail participant 2',
      `Pat Payer;pat@example.com;${ANN_CELLS.replaceAll(',', ';')};${TOM_CELLS.replaceAll(',', ';')}`,
    ],
    sent: [ANN, TOM],
  },
  {
    what: 'a form that knows nobody by its own e-mail, and asks for one',
    lines: [
      'ID,E-Mail,Name,Wie lautet Ihr Vorname?,Und Ihr Nachname?,Unter welcher E-Mail-Adresse erreichen wir Sie?,Kommen Sie?',
      `1,anonymous,,${ANN_CELLS},Ja`,
      `2,anonymous,,${TOM_CELLS},"Ja, gerne"`,
      '3,anonymous,,Bo,Fox,bo@example.com,"Nein, leider nicht"',
    ],
    sent: [ANN, TOM],
  },
  {
    what: 'a contact whose address says so, too',
    persona: 'exhibitor',
    lines: [
      'Bedrijf,Contactpersoon,E-mail contactpersoon',
      'Acme,Ann Lee,ann@example.com',
      'Sea,Tom Ray,tom@example.com',
    ],
    sent: [
      { ...ANN, company: 'Acme' },
      { ...TOM, company: 'Sea' },
    ],
  },
  {
    what: 'last names that are called names, below a heading of their own',
    persona: 'speaker',
    lines: [
      'Referent/in / Vorname,Referent/in / Name,Referent/in / E-Mail,Internet,Über mich',
      `${ANN_CELLS},https://lee.example,Sails`,
      `${TOM_CELLS},https://ray.example,Rows`,
    ],
    sent: [
      { ...ANN, website: 'https://lee.example', biography: 'Sails' },
      { ...TOM, website: 'https://ray.example', biography: 'Rows' },
    ],
  },
  {
    what: 'a question for how many come along, and meals in Dutch',
    lines: [
      `${NAMES},How many people will you bring along?,Maaltijd,Dieetwensen`,
      `${ANN_CELLS},2,Vega,`,
      `${TOM_CELLS},1,Vlees,Veganistisch`,
    ],
    sent: [
      { ...ANN, guests: '2', meal: 'Vegetarian' },
      { ...TOM, guests: '1', meal: 'Meat', dietary_needs: ['Vegan'] },
    ],
  },
  {
    what: 'how many come along, in French',
    lines: ['Prénom;Nom;E-mail;Accompagnants', 'Ann;Lee;ann@example.com;2', 'Tom;Ray;tom@example.com;1'],
    sent: [
      { ...ANN, guests: '2' },
      { ...TOM, guests: '1' },
    ],
  },
  {
    what: 'dates of talks, and a part of a last name that ends in an apostrophe',
    persona: 'speaker',
    lines: [
      'Voornaam;Tussenvoegsel;Achternaam;E-mail;Vortrag am',
      "Ann;d';Hondt;ann@example.com;12.05.2027 10:30",
      'Tom;van der;Ray;tom@example.com;11.05.2027 14:00',
    ],
    sent: [
      { ...ANN, last_name: "d'Hondt", talk_at: '2027-05-12 10:30:00' },
      { ...TOM, last_name: 'van der Ray', talk_at: '2027-05-11 14:00:00' },
    ],
  },
  {
    what: 'several people of a row, in numbered columns',
    persona: 'exhibitor',
    lines: [
      'Company,Staff 1 first,Staff 1 last,Staff 1 email,Staff 2 first,Staff 2 last,Staff 2 email',
      `Wave,${ANN_CELLS},${TOM_CELLS}`,
    ],
    sent: [{ ...ANN, company: 'Wave' }, TOM],
  },
  {
    what: 'days and times of the only thing that has any',
    persona: 'speaker',
    lines: [
      'First name,Last name,Email,Date,Time',
      `${ANN_CELLS},2027-06-14,9:30`,
      `${TOM_CELLS},2027-06-15,14:00`,
    ],
    sent: [
      { ...ANN, talk_at: '2027-06-14 09:30' },
      { ...TOM, talk_at: '2027-06-15 14:00' },
    ],
  },
  {
    what: 'a landline in front of a mobile phone',
    lines: [
      'First name,Last name,Email,Work phone,Cell',
      `${ANN_CELLS},+442079460958,+447911123456`,
      `${TOM_CELLS},+442079460959,`,
    ],
    sent: [
      { ...ANN, phone: '+447911123456' },
      { ...TOM, phone: '+442079460959' },
    ],
  },
  {
    what: 'two columns of e-mails with one heading',
    persona: 'exhibitor',
    lines: [
      'Company,Contact First,Contact Last,Contact Email,Contact Email',
      `Wave,${ANN_CELLS},bills@example.com`,
      `Sea,${TOM_CELLS},`,
    ],
    sent: [
      { ...ANN, company: 'Wave' },
      { ...TOM, company: 'Sea' },
    ],
    says: '"Contact Email (2 of 2)"',
  },
];

const byEmail = (one: Sent, other: Sent): number =>
  String(one['email']).localeCompare(String(other['email']));

test.each(casesOf(LISTS, 2))(
  'What is printed for $what is complete, and right',
  async ({ lines, persona = 'visitor', sent, says }) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', lines.join('\n'));
    const followed = await follow(bench, file, '--persona', persona);
    const posted = bench.posts().map(({ body }) => (JSON.parse(body ?? '{}') as { fields: Sent }).fields);
    expect([followed?.code ?? 0, posted.sort(byEmail)]).toEqual([0, sent]);
    if (says !== undefined) expect(followed?.hint).toContain(says);
  },
);

describe('of a workbook', () => {
  const sheet = (
    rows: readonly string[],
    { merged = '', columns = '' }: { merged?: string; columns?: string },
  ) => {
    const xml = rows.map((row, at) => {
      const cells = row
        .split(',')
        .map((cell, of) => (cell === '' ? '' : text(cell, `${'ABCDEFG'[of]}${at + 1}`)));
      return `<row r="${at + 1}">${cells.join('')}</row>`;
    });
    return workbook({
      sheets: [{ name: 'List', xml: `${columns}<sheetData>${xml.join('')}</sheetData>${merged}` }],
    });
  };

  test('hidden columns are left out, and named as hidden', async () => {
    const bench = await pushBench();
    const rows = [
      `${NAMES},Remarks,Phone`,
      `${ANN_CELLS},do not let in,+447911123456`,
      `${TOM_CELLS},,+447911123457`,
    ];
    const columns = '<cols><col min="4" max="5" width="9" hidden="1"/></cols>';
    writeFileSync(join(bench.directory, 'a.xlsx'), sheet(rows, { columns }));
    const followed = await follow(bench, 'a.xlsx', '--persona', 'visitor');
    expect(followed?.sent).toEqual([ANN, TOM]);
    expect(followed?.hint).toContain('(leaves out: 2 hidden columns ("Remarks", "Phone"))');
  });

  test('the name of a column may stand turned over two rows', async () => {
    const bench = await pushBench();
    const rows = [`${NAMES},Stand,,`, ',,,Number,Size,Company', `${ANN_CELLS},12,Large,Wave`];
    const merged = '<mergeCells count="1"><mergeCell ref="D1:F1"/></mergeCells>';
    writeFileSync(join(bench.directory, 'a.xlsx'), sheet(rows, { merged }));
    const followed = await follow(bench, 'a.xlsx', '--persona', 'exhibitor');
    expect(followed?.sent).toEqual([{ ...ANN, stand_number: '12', stand_size: 'Large', company: 'Wave' }]);
  });

  test('a row that is merged across the columns is nobody', async () => {
    const bench = await pushBench();
    const rows = [`${NAMES},Company`, 'HALL A', `${ANN_CELLS},Wave`, 'HALL B', `${TOM_CELLS},Sea`];
    const merged = '<mergeCells count="2"><mergeCell ref="A2:D2"/><mergeCell ref="A4:D4"/></mergeCells>';
    writeFileSync(join(bench.directory, 'a.xlsx'), sheet(rows, { merged }));
    const followed = await follow(bench, 'a.xlsx', '--persona', 'visitor');
    expect(followed?.sent).toEqual([
      { ...ANN, company: 'Wave' },
      { ...TOM, company: 'Sea' },
    ]);
  });
});

test('Of several options in a text, one that is not known is asked about, and lost nowhere', async () => {
  const bench = await pushBench();
  const lines = [
    `${NAMES},Session type,Technik`,
    `${ANN_CELLS},Talk,"Beamer, Mikrofon"`,
    `${TOM_CELLS},Talk,"Beamer, 2 Mikrofone"`,
  ];
  const file = bench.write('a.csv', lines.join('\n'));
  const { code, err } = await bench.run(['push', file, '--persona', 'speaker', '--map', 'Technik=equipment']);
  expect([code, bench.posts(), err.replaceAll(/\s+/g, ' ')]).toEqual([
    3,
    [],
    expect.stringMatching(/2 Mikrofone.*To say what these values mean, add --write-mapping FILE/),
  ]);
});
