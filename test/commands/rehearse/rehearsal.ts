import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { type Bench, pushBench } from '../../sync/push-bench.ts';

const HEADER =
  'Persona,Barcode,Parent barcode,First name,Last name,E-mail,Mobile phone,Country,Company,Ticket type,Date of birth,Number of guests,Website,Photo,Remarks';

/** What is said of a guest otherwise than of most. */
export type Told = Partial<Record<'barcode' | 'parent' | 'email' | 'phone' | 'company' | 'first', string>>;

/** A guest in whom all that tells who it is, is unlike that of any other; ones that go together share an e-mail. */
export function guest(n: number, told: Told = {}): string {
  const at = `zqkv${n}xqj`;
  const phone = `+3460${String(1_000_000 + n)}`;
  const born = new Date(Date.UTC(1950, 0, 1 + n)).toISOString().slice(0, 10);
  const parent = n % 10 === 3 ? `EV-${n - 1}` : '';
  const email = n % 25 === 4 ? `${at}mail@${at}host.com` : `${at}mail@gmail.com`;
  return [
    'visitor',
    told.barcode ?? `EV-${n}`,
    told.parent ?? parent,
    told.first ?? `${at}first`,
    `van ${at}last`,
    told.email ?? email,
    told.phone ?? phone,
    ['ES', 'ESP', 'NL'][n % 3],
    told.company ?? `${at}company and sons`,
    n % 7 === 0 ? '' : 'Premium',
    born,
    n % 5,
    `https://www.${at}web.com/${at}path`,
    n % 4 === 0 ? `https://photos.example/${at}photo.jpg` : '',
    n % 3 === 0 ? '' : `Knows ${at}friend`,
  ].join(',');
}

export const listOf = (guests: readonly string[]): string => [HEADER, ...guests, ''].join('\n');

/** What stands in no text but one about a guest. */
export const TOKEN = /zqkv\d+xqj/gi;

const SLUGS =
  'persona,barcode,parent_barcode,first_name,last_name,email,phone,country,company,ticket_type,birth_date,guests,website,photo,remarks'.split(
    ',',
  );

/** A service with many people whom another machine has sent. */
export async function peopledEvent(switches: Partial<Switches>, guests: number): Promise<Bench> {
  const bench = await pushBench(switches);
  const twin = guest(guests, { email: 'zqkv1xqjmail@gmail.com' });
  const all = [...Array.from({ length: guests }, (_, n) => guest(n)), twin];
  for (const [n, line] of all.entries()) {
    const cells = line.split(',').map((cell, at): [string, string] => [SLUGS[at] ?? '', cell]);
    const { persona = '', barcode = '', parent_barcode: parent, ...fields } = Object.fromEntries(cells);
    const filled = Object.entries(fields).filter(([, value]) => value !== '');
    bench.sandbox.put({
      id: `reg-${n}`,
      persona,
      barcode,
      barcodeGenerated: false,
      parentBarcode: parent || undefined,
      enableComms: n % 9 === 0,
      fields: Object.fromEntries(filled),
      createdAt: n * 1000,
      updatedAt: n * 1000,
    });
  }
  return bench;
}

/** A service that has a list, of which some registrations were changed by others since. */
export async function liveEvent(
  switches: Partial<Switches>,
  guests = 40,
  env: Readonly<Record<string, string>> = {},
): Promise<Bench> {
  const bench = await pushBench(switches);
  const all = Array.from({ length: guests }, (_, n) => guest(n));
  // The same person twice, and people without barcodes.
  all.push(guest(guests, { email: 'zqkv1xqjmail@gmail.com' }));
  all.push(...[101, 102, 103].map((n) => guest(n, { barcode: '', parent: '' })));
  bench.write('first.csv', listOf(all));
  const push = ['push', 'first.csv', '--no-check-dns', '--yes', '--progress', 'none'];
  await bench.run(push, { env: { ...bench.env, ...env } });
  const [one, other] = [5, 6].map((n) =>
    bench.sandbox.registrations().find(({ barcode }) => barcode === `EV-${n}`),
  );
  for (const found of [one, other]) {
    if (found === undefined) continue;
    bench.sandbox.put({ ...found, fields: { ...found.fields, company: 'zqkv999xqj by hand' } });
  }
  const gone = bench.sandbox.registrations().find(({ barcode }) => barcode === 'EV-8');
  if (gone !== undefined) bench.sandbox.remove(gone.id);
  return bench;
}

/** The next list: with edits of its own, a new guest, and rows that are wrong. */
export function nextList(guests = 40): string {
  const told: Readonly<Record<number, Told>> = {
    2: { company: 'zqkv2xqj moved' },
    5: { company: 'zqkv5xqj against a hand' },
    11: { email: 'no address' },
    12: { phone: '12' },
    13: { first: 'ZQKV13XQJFIRST' },
    14: { email: 'ZQKV14XQJMAIL@gmail.com' },
  };
  const all = Array.from({ length: guests }, (_, n) => guest(n, told[n]));
  all.push(guest(guests + 1), guest(guests + 2, { email: 'zqkv3xqjmail@gmail.com' }));
  all.push(
    ...[101, 102, 104].map((n) =>
      guest(n, { barcode: '', parent: '', ...(n === 102 && { company: 'zqkv102xqj moved' }) }),
    ),
  );
  return listOf(all);
}

/** What a dry run says of a list, without where it is. */
export async function planOf(bench: Pick<Bench, 'run'>, file: string, ...flags: string[]): Promise<string> {
  const words = ['push', file, '--dry-run', '--no-check-dns', '--invalid', 'skip', '--yes', ...flags];
  const text = await bench.run([...words, '--progress', 'none']);
  const json = await bench.run([...words, '--progress', 'none', '--json']);
  const document = JSON.parse(json.out) as Record<string, unknown>;
  const { run: _run, host: _host, profile: _profile, duration_ms: _ms, ...rest } = document;
  const said = `${text.code} ${text.out}\n${text.err}`
    .replaceAll(file, 'FILE')
    // It names where it is for.
    .replace(/(?<= this is the command: ).*$/gm, 'COMMAND')
    .replace(/^Practice service.*\n/gm, '')
    .replace(/ at 127\.0\.0\.1:\d+ \(profile [^)]*\)/g, '');
  const all = `${said}\n${JSON.stringify(rest, undefined, 1).replaceAll(file, 'FILE')}`;
  // Of what is refused the first letters and digits show; the id of what is gone is known of runs at the service alone.
  return all
    .replace(/\p{L}(?=•)/gu, 'x')
    .replace(/(?<=•)\d+(?=•)/g, '0')
    .replace(/"registration_id": "[^"]*"/g, '"registration_id": null');
}

/** All files below a folder, as text. */
export function textBelow(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => (statSync(path).isDirectory() ? textBelow(path) : readFileSync(path, 'latin1')))
    .join('\n');
}
