import { expect, test } from 'vitest';
import { pushBench } from '../push-bench.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';

const FULL = 'Name,E-mail\nAnna Maria Schmidt,a@example.com\n"Berg, Jan",b@example.com\nCher,c@example.com\n';
const SPLIT = [
  { first_name: 'Anna Maria', last_name: 'Schmidt', email: 'a@example.com' },
  { first_name: 'Jan', last_name: 'Berg', email: 'b@example.com' },
  { first_name: 'Cher', email: 'c@example.com' },
];
const NONE = 'No column gives the Last name, so people are registered without it.';

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

test('Full names are split once a person has seen how, and the second push sends nothing', async () => {
  const bench = await pushBench();
  const argv = [bench.write('a.csv', FULL), '--persona', 'visitor'];
  const { asked, terminal } = person({ '2 columns of a.csv: 1 proposed': {} });
  const first = await bench.push(argv, terminal);
  expect([first.code, asked.length]).toEqual([0, 1]);
  expect(first.err).toContain('"Name": "Anna Maria Schmidt" → "Anna Maria" | "Schmidt"');
  expect(first.err).toContain('--map "Name=first_name+last_name"');
  expect(first.err).toContain('"Name" is First name and Last name');
  expect(bench.kept().map(({ fields }) => fields)).toEqual(SPLIT);

  const second = await bench.push(argv);
  expect([second.code, JSON.parse(second.out)]).toEqual([
    0,
    expect.objectContaining({ sent: 0, unchanged: 3 }),
  ]);
});

test('Without a terminal it is an error that shows no name, and a flag or a mapping file says it', async () => {
  const bench = await pushBench();
  const argv = [bench.write('a.csv', FULL), '--persona', 'visitor'];
  const open = await bench.push(argv);
  expect(open.code).toBe(2);
  expect(open.err).toContain('--map "Name=first_name+last_name": each name is split');
  expect(open.err).not.toContain('Schmidt');
  const mapping = bench.write('m.json', '{"columns": {"Name": "first_name+last_name"}}');
  expect((await bench.push([...argv, '--mapping', mapping])).code).toBe(0);
  expect(bench.kept().map(({ fields }) => fields)).toEqual(SPLIT);
});

test('What cannot be split is refused, and a blank name is emptied where that is wished', async () => {
  const bench = await pushBench();
  const argv = ['--persona', 'visitor', '--map', 'Name=first_name+last_name'];
  const two = bench.write('a.csv', 'Name,E-mail\nAnna & Jan Berg,a@example.com\n');
  const { code, err } = await bench.push([two, ...argv, '--show-values']);
  expect([code, err]).toEqual([3, expect.stringContaining('"Anna & Jan Berg" holds more than one name')]);
  const named = bench.write('b.csv', 'barcode,Name\nA-1,Ada Alt\n');
  expect((await bench.push([named, ...argv])).code).toBe(0);
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ada', last_name: 'Alt' });
  const blank = bench.write('b.csv', 'barcode,Name\nA-1,\n');
  expect((await bench.push([blank, ...argv, '--blank', 'clear'])).code).toBe(0);
  expect(bench.kept()[0]?.fields).toEqual({});
});

test('A second column for one of the two names is refused', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Name,Familie,E-mail\nAnna Berg,Berg,a@example.com\n');
  const maps = ['--map', 'Name=first_name+last_name', '--map', 'Familie=last_name'];
  const { code, err } = await bench.push([file, '--persona', 'visitor', ...maps]);
  expect([code, err]).toEqual([2, expect.stringContaining('3 columns of a.csv: 1 open')]);
  const turned = bench.write('b.csv', 'Familie,Name,E-mail\nBerg,Anna Berg,a@example.com\n');
  const back = await bench.push([turned, '--persona', 'visitor', ...maps]);
  expect([back.code, back.err]).toEqual([2, expect.stringContaining('3 columns of b.csv: 1 open')]);
  const other = await bench.push([file, '--persona', 'visitor', '--map', 'Name=email+first_name']);
  expect(other.err).toContain('there is no field "email+first_name"');
});

test('Companions have full names, too', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'barcode,First name,Last name,Guest 1 Name\nA-1,Ada,Alt,Bo van Dyk\n');
  const map = ['--map', 'Guest 1 Name=companion 1 first_name+last_name'];
  expect((await bench.push([file, '--persona', 'visitor', ...map])).code).toBe(0);
  expect(bench.kept()[1]?.fields).toEqual({ first_name: 'Bo', last_name: 'van Dyk' });
});

test('People who would be without a last name are told of; those that a barcode names are not', async () => {
  const bench = await pushBench();
  const argv = ['--persona', 'visitor', '--dry-run'];
  const few = await bench.push([bench.write('a.csv', 'Vorname,E-mail\nAda,a@example.com\n'), ...argv]);
  expect(few.err).toMatch(new RegExp(`${NONE}$`, 'm'));
  const warned = await bench.push([bench.write('a.csv', 'Vorname,E-mail\nAda Alt,a@example.com\n'), ...argv]);
  expect(warned.err).toContain(`${NONE} If "Vorname" has full names: --map "Vorname=first_name+last_name".`);
  const neither = await bench.push([bench.write('b.csv', 'E-mail\na@example.com\n'), ...argv]);
  expect(neither.err).toContain('No column gives the First name');
  const known = await bench.push([bench.write('c.csv', 'barcode,E-mail\nA-1,a@example.com\n'), ...argv]);
  expect(known.err).not.toContain('No column gives');
});
