import { EXIT, type ExitCode } from '../errors.ts';
import { SAMPLE_DOMAIN, sampleBarcode } from '../registration/model/own-names.ts';
import { type OutputRecord, createRecordWriter } from '../report/records/record-writer.ts';
import { replaceFile, streamInto } from '../report/records/replace-file.ts';
import { plural } from '../report/words/number.ts';
import type { GlobalOptions } from './options/options.ts';
import { typedCommand } from './options/help.ts';
import { writtenFormat } from './options/written-file.ts';
import { settleOutputFile } from './terminal/output-file.ts';
import { say, tellPrograms, type Call } from './terminal/terminal.ts';

/** People of the sample, and what else differs from one to the next: lists of unlike length, so that few are alike. */
const FIRST =
  'Aïcha Björn Chiara Diego Emma Fatima Georg Hanna Ivo Joana Kenji Lucía Matteo Nora Oskar Priya'.split(' ');
const LAST =
  'Andersen,Bianchi,Costa,Dubois,Eriksson,Fischer,García,Haddad,Ivanova,Jansen,Kowalska,Lefèvre,Müller,Novák,O’Brien,Peña,Rossi,Schäfer,Tanaka'.split(
    ',',
  );
const COUNTRIES = ['Germany', 'Netherlands', 'Spain', 'France', 'Poland', 'Sweden', 'Italy'];
const PREFIXES = ['+49 1512', '+31 6 12', '+34 612', '+33 6 12', '+48 512', '+46 70 1', '+39 347'];
const DIGITS = [7, 6, 6, 6, 6, 6, 7];
const COMPANIES = [
  'Harbour Logistics',
  'Van Dijk Shipping',
  'Portside Cranes',
  '',
  'Blue Buoy',
  'Muelle Sur',
];
const TICKETS = ['Standard', 'Standard', 'Premium', 'Standard', 'Student', 'Press'];
const LUNCHES = ['Meat', 'Fish', 'Vegetarian', ''];
const NEEDS = ['', '', 'Gluten free', '', 'Vegan', '', 'Halal; Gluten free', ''];

const PEOPLE = 40;

function personAt(at: number): OutputRecord {
  const first = itemAt(FIRST, at);
  const last = itemAt(LAST, at * 3);
  return {
    Persona: 'visitor',
    Barcode: sampleBarcode(at + 1),
    'First name': first,
    'Last name': last,
    'E-mail': `${plain(first)}.${plain(last)}.${at + 1}@${SAMPLE_DOMAIN}`,
    'Mobile phone': phoneAt(at),
    Country: itemAt(COUNTRIES, at),
    Company: itemAt(COMPANIES, at),
    'Ticket type': itemAt(TICKETS, at),
    Lunch: itemAt(LUNCHES, at),
    'Dietary needs': itemAt(NEEDS, at),
    'Date of birth': `${1960 + ((at * 7) % 45)}-${twoDigits(1 + (at % 12))}-${twoDigits(1 + ((at * 5) % 28))}`,
  };
}

/** A mobile number of the country, with the spaces that people put into it. */
function phoneAt(at: number): string {
  const digits = itemAt(DIGITS, at);
  const number = String(345_678 + at * 1_111)
    .padStart(7, '2')
    .slice(-digits);
  return `${itemAt(PREFIXES, at)} ${number}`;
}

function itemAt<Item>(items: readonly Item[], at: number): Item {
  return items[at % items.length] as Item;
}

/** As it stands in an address. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export async function writeSample(call: Call<GlobalOptions & { file: string }>): Promise<ExitCode> {
  const { file: to } = call.options;
  const place = { flag: 'sandbox sample', file: to, inputs: [], content: 'with the sample' };
  const path = await settleOutputFile(place, call);
  const people = Array.from({ length: PEOPLE }, (_, at) => personAt(at));
  await replaceFile(path, async (file) => {
    const stream = streamInto(file);
    const format = writtenFormat(to) ?? 'csv';
    const columns = Object.keys(people[0] ?? {});
    const writer = createRecordWriter({ format, stream, columns, width: 0, color: false });
    for (const person of people) await writer.write(person);
    await writer.end();
  });
  await tellPrograms(call, 'sandbox-sample@1', { file: path, guests: people.length });
  const next = typedCommand(['push', to], { sandbox: true });
  say(call, `${plural(people.length, 'guest', 'guests')} written to ${to}. Next: ${next}`);
  return EXIT.done;
}
