import { addToSheet, addToText } from '../support/one-column-more.ts';
import type { Knowledge } from '../support/person-at-terminal.ts';

/** A list of fixtures/people, and what those know who have it. */
export interface KnownList {
  file: string;
  knows: Knowledge;
  addColumn: (file: string) => Promise<void>;
  /** Who stands in it twice; without anybody to ask, both rows are sent, with a warning. */
  twice?: string;
  /** Some of them are to be written to. */
  writesToPeople?: true;
  /** What is reached so far, where that is less than is promised. */
  notYet?: Partial<Record<'answers' | 'wrong' | 'again' | 'added' | 'stuck' | 'ends', number>>;
}

const FORM_OF_TALKS = {
  who: 'Wie heißen Sie? (Vor- und Nachname)',
  email: 'Unter welcher E-Mail-Adresse erreichen wir Sie am besten?',
  phone: 'Ihre Handynummer, nur für den Tag selbst',
  company: 'Für welches Unternehmen oder welche Organisation sprechen Sie?',
  country: 'Aus welchem Land reisen Sie an?',
  kind: 'Was möchten Sie anbieten?',
  equipment: 'Welche Technik brauchen Sie im Raum? (Mehrfachauswahl)',
  biography: 'Erzählen Sie uns in zwei, drei Sätzen etwas über sich (Kurzbiografie für das Programmheft)',
};

/** What is said in German of talks. */
const TALKS = {
  '"Vortrag"': 'Talk',
  '"Podium"': 'Panel',
  '"Podiumsdiskussion"': 'Panel',
  '"Beamer"': 'Projector',
  '"Mikrofon"': 'Microphone',
  '"Flipchart"': 'Flip chart',
  '"Nichts davon"': 'left blank',
};

/** A form that was sent again says what is right. */
const THE_LATER_ONE = [/stands? twice/, /^Keep the later/] as const;

const SPEAKERS = [/who are the people/, /^Speaker/] as const;

/** What people do who have no Excel, and nothing else to do about some rows. */
const SEND_OTHERS = [/What now/, /^Send the other/] as const;

export const KNOWN_LISTS: readonly KnownList[] = [
  {
    file: 'exhibitors.xlsx',
    knows: {
      choices: [[/who are the people/, /^Exhibitor/], [/hidden/i, /^leave .*out|left out/], SEND_OTHERS],
      rows: {
        'Stand / Nº': 'Stand number',
        'Stand / Tamaño': 'Stand size',
        'Montaje desde': 'Build-up from',
        Acreditaciones: 'left out',
        '"Pequeño"': 'Small',
        '"Mediano"': 'Medium',
        '"Grande"': 'Large',
      },
    },
    addColumn: (file) => addToSheet(file, { column: 'O', headingRow: 4, lastRow: 34 }),
  },
  {
    file: 'call-for-talks.csv',
    twice: 'Mirjam Zuber',
    addColumn: (file) => addToText(file, 'utf8', ','),
    knows: {
      choices: [SPEAKERS, THE_LATER_ONE, SEND_OTHERS],
      rows: {
        [FORM_OF_TALKS.who]: 'First name + Last name',
        [FORM_OF_TALKS.email]: 'E-mail',
        [FORM_OF_TALKS.phone]: 'Mobile phone',
        [FORM_OF_TALKS.company]: 'Company',
        [FORM_OF_TALKS.country]: 'Country',
        [FORM_OF_TALKS.kind]: 'Session type',
        [FORM_OF_TALKS.equipment]: 'Equipment',
        [FORM_OF_TALKS.biography]: 'Biography',
        ...TALKS,
      },
    },
  },
  {
    file: 'speakers.csv',
    writesToPeople: true,
    addColumn: (file) => addToText(file, 'latin1', ';'),
    knows: {
      choices: [SPEAKERS, THE_LATER_ONE, SEND_OTHERS],
      rows: {
        Art: 'Session type',
        'Titel des Beitrags': 'left out',
        Termin: 'Date and time of the talk',
        Technik: 'Equipment',
        Kurzbiografie: 'Biography',
        'Mitteilungen senden': 'enable_comms',
        Reisekosten: 'left out',
        '"WAHR"': 'true',
        '"FALSCH"': 'false',
        ...TALKS,
      },
    },
  },
  {
    file: 'orders.csv',
    addColumn: (file) => addToText(file, 'utf8', ','),
    knows: {
      choices: [SEND_OTHERS],
      rows: {
        'Order date': 'left out',
        'Billing first name': 'First name',
        'Billing last name': 'Last name',
        'Own email': 'E-mail',
        'Order email': 'E-mail',
        'Billing phone': 'Mobile phone',
        'Billing country': 'Country',
        Ticket: 'Ticket type',
        Quantity: 'left out',
        '"Standard ticket"': 'Standard',
        '"Premium ticket (incl. dinner)"': 'Premium',
        '"Student ticket"': 'Student',
      },
    },
  },
  {
    file: 'shop-attendees.csv',
    addColumn: (file) => addToText(file, 'utf8', ','),
    knows: {
      choices: [SEND_OTHERS],
      rows: {
        name: 'First name + Last name',
        created_at: 'left out',
        'What company do you work for?': 'Company',
        'Where do you live?': 'Country',
        '"Standard (free of charge)"': 'Standard',
        '"Premium – €120 incl. dinner"': 'Premium',
        '"Student (ID required)"': 'Student',
        '"Press accreditation"': 'Press',
      },
    },
  },
];
