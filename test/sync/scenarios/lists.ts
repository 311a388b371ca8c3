import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { type Bench, type Ended, pushBench } from '../push-bench.ts';
import { withRecords } from '../../support/bodies.ts';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** A list of visitors: the columns besides the persona, and a row each. */
export const visitors = (columns: string, ...rows: readonly string[]): string =>
  [`persona,${columns}`, ...rows.map((row) => `visitor,${row}`), ''].join('\n');

/** The columns by which a guest is known, and the cells of one with that barcode. */
export const NAMES = 'barcode,First name,Last name,E-mail';
export const guest = (barcode: string): string =>
  `${barcode},${barcode}na,Poole,${barcode.toLowerCase()}@example.com`;

/** Guests with a company. */
export const companies = (company: string, ...barcodes: readonly string[]): string =>
  visitors(`${NAMES},Company`, ...barcodes.map((barcode) => `${guest(barcode)},${company}`));

const PEOPLE = ['Ana', 'Bob', 'Cy', 'Dee', 'Eva', 'Flo'];

/** A row each for six guests. */
export const six = (row: (name: string, at: number) => string): string[] => PEOPLE.map(row);

/** A service to which a list was pushed, a minute ago. */
export async function pushed(list: string, switches: Partial<Switches> = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  await push(bench, list);
  await bench.clock.advance(MINUTE_MS);
  return bench;
}

export const push = async (bench: Bench, list: string, ...flags: string[]): ReturnType<Bench['push']> =>
  await bench.push([bench.write('guests.csv', list), ...flags]);

/** What a dry run shows of a list. */
export const diffOf = async (bench: Bench, list: string): Promise<string> =>
  (await bench.run(['push', bench.write('guests.csv', list), '--dry-run', '--diff'])).out;

export const why = async (bench: Bench, barcode: string): Promise<string> => {
  const { out, err } = await bench.run(['runs', 'why', barcode, '--show-values']);
  return out + err;
};

/** Somebody else changes what is registered under a barcode, or under a name where there are none. */
export function edit(bench: Bench, whom: string, fields: Readonly<Record<string, string>>): void {
  const there = find(bench, whom);
  bench.sandbox.put({ ...there, fields: { ...there.fields, ...fields } });
}

export const cancel = (bench: Bench, whom: string): boolean => bench.sandbox.remove(find(bench, whom).id);

export function find(bench: Bench, whom: string): ReturnType<Bench['kept']>[number] {
  const found = bench.kept().find(({ barcode, fields }) => [barcode, fields['first_name']].includes(whom));
  if (found === undefined) throw new Error(`${whom} is not there`);
  return found;
}

/** What a field of everybody is, by barcode. */
export const all = (bench: Bench, slug: string): unknown[] => bench.kept().map(({ fields }) => fields[slug]);

/** Runs `act` once, when so many creates and updates have been answered from now on and the next request comes. */
export function after(bench: Bench, posts: number, act: () => void): void {
  const begun = bench.posts().length;
  let isDue = true;
  bench.service.fault = ({ path }) => {
    if (!isDue || !path.includes('/registration') || bench.posts().length < begun + posts) return undefined;
    isDue = false;
    act();
    return undefined;
  };
}

/** The lists of the service leave out some records, however they are asked for. */
export function hide(bench: Bench, isHidden: (record: Record<string, unknown>) => boolean): void {
  bench.service.shown = (body, { method }) =>
    method === 'GET' ? withRecords(body, (record) => (isHidden(record) ? undefined : record)) : body;
}

export const textOf = ({ out, err }: Ended): string => out + err;
