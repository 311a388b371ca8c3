import { expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';
import { casesOf } from '../../support/night.ts';

/** The values of one person in columns: first and last name, e-mail, phone. */
type Headings = readonly [string, string, string, string] | readonly [string, string, string];

const prefixed = (word: string): Headings => [
  `${word} first name`,
  `${word} last name`,
  `${word} email`,
  `${word} phone`,
];
const german = (word: string): Headings => [
  `${word} Vorname`,
  `${word} Nachname`,
  `${word} E-Mail`,
  `${word} Telefon`,
];
const behind = (word: string): Headings => [
  `First name (${word})`,
  `Last name (${word})`,
  `E-mail (${word})`,
];
const camel = (word: string): Headings => [`${word}FirstName`, `${word}LastName`, `${word}Email`];
const PLAIN: Headings = ['First name', 'Last name', 'E-mail', 'Phone'];

/** Two people in the columns of a list: somebody else, and who comes. */
const PAIRS: readonly [string, Headings, Headings][] = [
  ['order and ticket', prefixed('Order'), prefixed('Ticket')],
  ['buyer and attendee', prefixed('Buyer'), prefixed('Attendee')],
  ['registrant and guest', prefixed('Registrant'), prefixed('Guest')],
  ['contact and participant', prefixed('Contact'), prefixed('Participant')],
  ['billing and plain', prefixed('Billing'), PLAIN],
  ['emergency contact and plain', prefixed('Emergency contact'), PLAIN],
  ['assistant and delegate', prefixed('Assistant'), prefixed('Delegate')],
  ['partner and plain', prefixed('Partner'), PLAIN],
  ['parent and student', prefixed('Parent'), prefixed('Student')],
  ['agent and speaker', prefixed("Speaker's agent"), prefixed('Speaker')],
  ['payer behind', behind('payer'), behind('attendee')],
  ['who books', behind('of the person who books'), PLAIN],
  ['in JSON style', camel('order'), camel('attendee')],
  [
    'with lines below',
    ['buyer_first_name', 'buyer_last_name', 'buyer_email'],
    ['first_name', 'last_name', 'email'],
  ],
  ['Anmelder and Teilnehmer', german('Anmelder'), german('Teilnehmer')],
  ['Käufer and Gast', german('Käufer'), german('Gast')],
  [
    'Rechnung and plain',
    ['Rechnungs-Vorname', 'Rechnungs-Nachname', 'Rechnungs-E-Mail'],
    ['Vorname', 'Nachname', 'E-Mail'],
  ],
  ['Ansprechpartner and plain', german('Ansprechpartner'), ['Vorname', 'Nachname', 'E-Mail', 'Telefon']],
  [
    'acheteur and participant',
    ['Prénom acheteur', 'Nom acheteur', 'Email acheteur'],
    ['Prénom participant', 'Nom participant', 'Email participant'],
  ],
  [
    'comprador and asistente',
    ['Nombre comprador', 'Apellidos comprador', 'Correo comprador'],
    ['Nombre asistente', 'Apellidos asistente', 'Correo asistente'],
  ],
  [
    'acquirente and partecipante',
    ['Nome acquirente', 'Cognome acquirente', 'Email acquirente'],
    ['Nome partecipante', 'Cognome partecipante', 'Email partecipante'],
  ],
  [
    'comprador e participante',
    ['Nome comprador', 'Sobrenome comprador', 'E-mail comprador'],
    ['Nome participante', 'Sobrenome participante', 'E-mail participante'],
  ],
  [
    'besteller and deelnemer',
    ['Voornaam besteller', 'Achternaam besteller', 'E-mail besteller'],
    ['Voornaam deelnemer', 'Achternaam deelnemer', 'E-mail deelnemer'],
  ],
  ['two unknown groups', german('Filiale'), german('Zentrale')],
  ['plain and guest', PLAIN, prefixed('Guest')],
];

const GUESTS = [
  ['Ada', 'Lane', 'ada@example.com', '+4915112345678'],
  ['Bo', 'Marsh', 'bo@example.com', '+4915112345679'],
];
const PAYER = ['Pat', 'Payer', 'pay@example.com', '+4915112345670'];

const wordsOf = (command: string): string[] =>
  (command.match(/"(?:\\.|[^"])*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));

test.each(casesOf(PAIRS, 3))('Nothing but the guests’ own values is sent: %s', async (_, other, guest) => {
  for (const columns of [
    [...other, ...guest],
    [...guest, ...other],
    [...other.slice(2), ...guest],
    [...other, ...guest.slice(0, 2)],
  ]) {
    const bench = await pushBench();
    const rows = GUESTS.map((values) =>
      columns.map((heading) => {
        const at = guest.indexOf(heading);
        return at < 0 ? PAYER[other.indexOf(heading)] : values[at];
      }),
    );
    const file = bench.write('a.csv', [columns, ...rows].map((cells) => cells.join(',')).join('\n'));
    const { code, err } = await bench.push([file, '--persona', 'visitor']);
    const command = /this is the command: eventreg push \S+ (.*)/.exec(err)?.[1];
    const last = command === undefined ? { code } : await bench.push([file, ...wordsOf(command)]);
    const sent = bench.kept().map(({ fields }) => fields);
    expect(JSON.stringify(sent)).not.toMatch(/Pat|Payer|pay@|5670/);
    if (last.code !== 0) expect([[2, 3, 7].includes(last.code), sent]).toEqual([true, []]);
    else expect(sent.map((fields) => fields['first_name'])).toEqual(['Ada', 'Bo']);
  }
});
