import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Bench, pushBench } from '../sync/push-bench.ts';
import { registerByHand } from '../sync/service-hands.ts';

const GUESTS = 60;

/** No other text has the like of it. */
const TOKEN = /zq\d+\w*x/gi;

/** A guest with a value of its own in every field; every sixth has an e-mail and a phone number that are wrong. */
function guest(n: number, version: string): string {
  const of = (field: string): string => `zq${n}${field}${version}x`;
  const wrong = n % 6 === 5;
  const email = wrong ? of('mail') : `${of('mail')}@${of('host')}.com`;
  const phone = wrong ? of('phone') : `+34600${String(100_000 + n)}`;
  const web = `https://${of('web')}.com/${of('path')}`;
  const texts = [of('first'), of('last'), email, phone, 'ES', of('company'), of('remarks')];
  return ['visitor', `EV-${n}`, ...texts, web].join(',');
}

const HEADER = 'Persona,Barcode,First name,Last name,E-mail,Mobile phone,Country,Company,Remarks,Website';

function fileOf(bench: Bench, name: string, version: string): string {
  const folder = join(bench.directory, 'zq0homex');
  mkdirSync(folder, { recursive: true });
  const guests = Array.from({ length: GUESTS }, (_, n) => guest(n, version));
  writeFileSync(join(folder, name), [HEADER, ...guests, ''].join('\n'));
  return join(folder, name);
}

test('a report tells nothing of persons unless it is asked to', async () => {
  const bench = await pushBench();
  const report = async (name: string, ...argv: string[]): Promise<string> => {
    const file = `${name}.html`;
    const ended = await bench.run([...argv, '--report', `html=${file}`, '--yes', '--progress', 'none']);
    expect([name, ended.err]).toEqual([name, expect.stringContaining(`The report is in ${file}.`)]);
    return readFileSync(join(bench.directory, file), 'utf8');
  };
  const skip = ['--invalid', 'skip', '--no-check-dns'];
  const pages: string[] = [];
  pages.push(await report('first', 'push', fileOf(bench, 'first.csv', 'a'), ...skip));
  const fields = { company: 'zq0byhandx', remarks: 'zq0byhandtoox' };
  await registerByHand(bench, { barcode: 'EV-0', fields });
  const second = fileOf(bench, 'second.csv', 'b');
  pages.push(await report('plan', 'push', second, ...skip, '--dry-run', '--diff'));
  pages.push(await report('second', 'push', second, ...skip));
  const run = bench.runs()[0]?.id ?? '';
  pages.push(await report('later', 'runs', 'report', run));
  pages.push(await report('undo', 'runs', 'undo', run, '--max-delete', '100%'));
  pages.push(await report('delete', 'delete', '--barcode', 'EV-7'));
  expect(pages.map((page) => page.match(TOKEN))).toEqual(pages.map(() => null));

  const shown = await report('shown', 'runs', 'report', run, '--show-values');
  expect(shown).toContain('This report shows values of persons.');
  // Of a row that is wrong, what is wrong with it; of the one that was edited by hand, what it was edited to.
  const told = Array.from({ length: GUESTS }, (_, n) =>
    n === 0
      ? ['zq0byhandx', 'zq0byhandtoox']
      : n % 6 === 5
        ? [`zq${n}mailbx`, `zq${n}phonebx`]
        : [...(guest(n, 'a').match(TOKEN) ?? []), ...(guest(n, 'b').match(TOKEN) ?? [])],
  ).flat();
  expect(told.length).toBeGreaterThan(800);
  expect(told.filter((token) => !shown.includes(token))).toEqual([]);
  expect(shown).not.toContain('zq0homex');
});
