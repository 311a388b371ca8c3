import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeRuntimeOverrides } from './fake-runtime.ts';
import type { Fault, PassingRequest } from './faulty-service.ts';
import { workbook } from './workbook.ts';

/** A list in which everything that could give somebody away is unlike anything else. */
export interface Canaries {
  /** Home of the person who pushes; config and state lie below it. */
  home: string;
  /** What `push` takes: the file, and what its columns are. */
  argv: readonly string[];
  /** Makes the machine and the profile canaries as well. */
  overrides: FakeRuntimeOverrides;
  /** Answers some rows with errors that quote all that was sent, some with none, and some with ids that quote. */
  fault: (request: PassingRequest) => Fault | undefined;
  /** What must not be found anywhere, in lower case. */
  tokens: readonly string[];
}

const GUESTS = 240;

/** What columns are called, and what they hold; `zq` begins no word of any language. */
const COLUMNS: readonly { field: string; of: (at: string, number: number) => string }[] = [
  { field: 'barcode', of: (at) => `ZQBC${at}` },
  { field: 'first_name', of: (at) => `Zqfn${at}` },
  { field: 'last_name', of: (at) => `Zqln${at} Zqmn${at}` },
  { field: 'email', of: (at, number) => `zqem${at}@${number % 10 === 3 ? '' : `zqdo${at}.example`}` },
  { field: 'phone', of: (at) => `+31690000${at}` },
  { field: 'company', of: (at) => `Zqco${at} and zqpa${at}` },
  { field: 'website', of: (at) => `https://zqwe${at}.example/zqpt${at}` },
  { field: 'photo', of: (at) => `https://photos.example/zqph${at}.jpg` },
  {
    field: 'birth_date',
    of: (_at, number) => new Date(Date.UTC(1950, 0, 1 + number)).toISOString().slice(0, 10),
  },
  { field: 'guests', of: (at) => `73${at}91` },
  { field: 'ticket_type', of: (at, number) => (number % 10 === 4 ? `zqtt${at}` : 'Premium') },
  { field: 'remarks', of: (at) => `zqre${at}, must not be in the first row with zqrw${at}` },
];

/** Makes 240 guests with unique values below a directory, in a workbook whose very headings are unique. */
export function canaries(directory: string): Canaries {
  const home = join(directory, 'zqhome', 'zquser');
  const file = join(home, 'zqfolder', 'zqfile.xlsx');
  mkdirSync(join(home, 'zqfolder'), { recursive: true });
  mkdirSync(join(home, 'config'));
  const profiles = { current: 'zqprofile', profiles: { zqprofile: {} } };
  writeFileSync(join(home, 'config', 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
  const guests = Array.from({ length: GUESTS }, (_, number) => valuesOf(number));
  const rows = [COLUMNS.map(({ field }) => headingOf(field)), ...guests];
  const xml = `<sheetData>${rows.map(rowXml).join('')}</sheetData>`;
  writeFileSync(file, workbook({ sheets: [{ name: 'zqsheet', xml }] }));
  const maps = COLUMNS.flatMap(({ field }) => ['--map', `${headingOf(field)}=${field}`]);
  return {
    home,
    argv: [file, '--persona', 'visitor', '--invalid', 'skip', ...maps],
    overrides: { directory: home, cwd: home, self: { pid: 4242, host: 'zqmachine', startedAt: 0 } },
    fault: faultOf,
    tokens: tokensOf(guests),
  };
}

/** The canaries that stand in a text, or in bytes. */
export function leaked({ tokens }: Canaries, ...texts: readonly (string | Buffer)[]): string[] {
  const all = texts.map((text) => text.toString().toLowerCase());
  return tokens.filter((token) => all.some((text) => text.includes(token)));
}

const valuesOf = (number: number): string[] =>
  COLUMNS.map(({ of }) => of(String(number).padStart(4, '0'), number));

const headingOf = (field: string): string => `zqhead ${field.replaceAll('_', '')}zq`;

function rowXml(cells: readonly string[]): string {
  return `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;
}

/** Words that are nobody else's, and whole values that are none but digits. */
function tokensOf(guests: readonly (readonly string[])[]): string[] {
  const words = guests.flat().flatMap((value) => value.toLowerCase().match(/zq[a-z]+\d+/g) ?? []);
  const digits = guests.flat().flatMap((value) => /^\+?([\d-]{8,})$/.exec(value)?.[1] ?? []);
  const around = ['zqhome', 'zquser', 'zqfolder', 'zqfile', 'zqsheet', 'zqhead', 'zqprofile', 'zqmachine'];
  return [...new Set([...words, ...digits, ...around])];
}

function faultOf({ method, body }: PassingRequest): Fault | undefined {
  const number = Number(/ZQBC(\d+)/.exec(body)?.[1] ?? Number.NaN);
  if (method !== 'POST' || Number.isNaN(number)) return undefined;
  const { fields = {} } = JSON.parse(body) as { fields?: Readonly<Record<string, string>> };
  const quoting = `${Object.values(fields).join(' ')} is not allowed, like ZQBC${String(number + 1).padStart(4, '0')}`;
  const headers = { 'content-type': 'application/json', 'x-request-id': String(Object.values(fields)[0]) };
  if (number % 7 === 0) {
    const errors = Object.fromEntries(
      Object.entries(fields).map(([slug, value]) => [slug, `${value} is too long`]),
    );
    return { answer: { status: 422, headers, body: JSON.stringify({ message: quoting, errors }) } };
  }
  if (number % 11 === 0) return { answer: { status: 500, headers, body: quoting } };
  return number % 13 === 0 ? { answer: 'cut' } : undefined;
}
