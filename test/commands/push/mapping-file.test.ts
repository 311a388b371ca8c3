import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';
import { paired } from '../../support/tables.ts';

const LIST = 'Rufname;Tisch;Farbe;Geburtstag\nJosé;4;rot;03/04/1990\n';
const SAID = {
  columns: { Rufname: 'first_name', Tisch: 'remarks', Geburtstag: 'birth_date', '*': null },
  values: { Tisch: { '4': 'four' } },
  persona: 'visitor',
  settings: { delimiter: ';', 'date-order': 'dmy' },
};

describe('a mapping file', () => {
  test('says what columns are, who people are, and how files are read', async () => {
    const bench = await pushBench();
    bench.write('m.json', `\uFEFF${JSON.stringify(SAID)}`);
    const { code } = await bench.push([bench.write('a.csv', LIST), '--mapping', 'm.json']);
    expect(code).toBe(0);
    expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'José', birth_date: '1990-04-03' });
  });

  test('gives way to flags', async () => {
    const bench = await pushBench();
    bench.write('m.json', JSON.stringify({ ...SAID, persona: 'exhibitor' }));
    const flags = ['--persona', 'visitor', '--ignore-column', 'Tisch', '--set', 'date-order=mdy'];
    const file = bench.write('a.csv', LIST);
    expect((await bench.push([file, '--mapping', 'm.json', '--map', 'Farbe=company', ...flags])).code).toBe(
      0,
    );
    const [{ fields } = { fields: {} }] = bench.kept();
    expect(fields).toEqual({ first_name: 'José', company: 'rot', birth_date: '1990-03-04' });
  });

  test('is written of what was used, and reads the file the same way', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', LIST);
    const flags = ['--map', 'Tisch=remarks', '--ignore-column', '*', '--set', 'date-order=dmy'];
    const argv = [file, '--persona', 'visitor', '--dry-run', '--no-saved-mapping'];
    const { err } = await bench.push([...argv, ...flags, '--write-mapping', 'w.json']);
    expect(err).toContain('What was used is written to w.json: --mapping takes it.');
    const written = JSON.parse(readFileSync(join(bench.directory, 'w.json'), 'utf8')) as unknown;
    expect(written).toEqual({
      columns: { Rufname: 'first_name', Tisch: 'remarks', Farbe: null, Geburtstag: 'birth_date' },
      values: {},
      phones: {},
      persona: 'visitor',
      settings: { 'date-order': 'dmy' },
    });
    const again = [file, '--dry-run', '--no-saved-mapping', '--mapping', 'w.json'];
    expect((await bench.push(again)).code).toBe(0);
  });

  test.each(
    paired(`
      { → m.json: the mapping is not valid JSON. | [] → m.json: the mapping is not a JSON object. |
      {"Tisch": "remarks"} → m.json: Tisch is nothing that a mapping says; there are columns, fields, values |
      {"colums": {}} → m.json: colums is nothing that a mapping says; did you mean columns? |
      {"columns": {"Tisch": 1}} → m.json: columns.Tisch must be a field, or null to leave the column out. |
      {"columns": {"Tisch": " "}} → m.json: columns.Tisch must be a field, or null |
      {"columns": {"A": "x", "A": "y"}} → m.json: the mapping has "A" twice. |
      {"values": {"A": {"b": 1}}} → m.json: values.A.b must be a text; "" is a blank. |
      {"settings": {"sheets": "A"}} → m.json: settings.sheets: there is no such setting; did you mean sheet? |
      {"settings": {"date-order": "ymd"}} → m.json: settings.date-order: takes dmy, mdy |
      {"settings": {"include-hidden": "maybe"}} → m.json: settings.include-hidden: takes true or false
    `),
  )('may not be %s', async (text, says) => {
    const bench = await pushBench();
    bench.write('m.json', text);
    const { code, err } = await bench.push([bench.write('a.csv', LIST), '--mapping', 'm.json']);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    expect(bench.posts()).toEqual([]);
  });

  test('tells all mistakes at once', async () => {
    const bench = await pushBench();
    bench.write('m.json', '{"columns": {"Tisch": 1}, "phones": {"A": 1}, "settings": {"y": 1}}');
    const { err } = await bench.push([bench.write('a.csv', LIST), '--mapping', 'm.json']);
    for (const key of ['columns.Tisch', 'phones.A', 'settings.y']) expect(err).toContain(key);
  });
});

test('--columns shows what every column becomes, with samples on the person’s own terminal', async () => {
  const bench = await pushBench();
  const argv = [
    bench.write('a.csv', LIST),
    '--persona',
    'visitor',
    '--ignore-column',
    '*',
    '--dry-run',
    '--columns',
    '--set',
    'date-order=dmy',
  ];
  const piped = await bench.push(argv);
  expect(piped.err).toContain('Rufname     first_name\n');
  expect(piped.err).toContain('Tisch       left out\n');
  expect(piped.err).not.toContain('rot');
  expect((await bench.push(argv, { tty: true })).err).toContain('Farbe       rot         left out\n');
});
