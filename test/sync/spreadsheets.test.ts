import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { type Bench, pushBench } from './push-bench.ts';
import { listIn } from '../support/documents.ts';

const COMPANIONS = [
  'First name,E-mail,Barcode,Companion 1 First name,Companion 1 E-mail,Companion 2 First name',
  'Ana,ana@example.com,B1,Bo,bo@example.com,Cy',
  'Di,di@example.com,B2,,,',
];

/** Writes the bytes of a file into the directory of a bench, and returns its name. */
function writeBytes(bench: Bench, name: string, bytes: Uint8Array): string {
  writeFileSync(join(bench.directory, name), bytes);
  return name;
}

describe('companions', () => {
  test('become registrations of their own, members of the row’s', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', COMPANIONS.join('\n'));
    const { code, summary } = await bench.push([file, '--persona', 'visitor']);
    expect([code, summary.sent]).toEqual([0, 4]);
    const kept = bench.kept().map(({ parentBarcode, fields }) => [parentBarcode, fields]);
    expect(kept).toEqual(
      expect.arrayContaining([
        [undefined, { first_name: 'Ana', email: 'ana@example.com' }],
        ['B1', { first_name: 'Bo', email: 'bo@example.com' }],
        ['B1', { first_name: 'Cy' }],
        [undefined, { first_name: 'Di', email: 'di@example.com' }],
      ]),
    );
    expect((await bench.push([file, '--persona', 'visitor'])).summary).toMatchObject({
      sent: 0,
      unchanged: 4,
    });
  });

  test('are rejected with their row, which comes once in the rejects', async () => {
    const bench = await pushBench();
    const rows = [
      'Ed,ed@example.com,,Fay,fay@example.com,Gus',
      'Hal,hal@example.com,B4,Ivy,ivy.example.com,Joe',
    ];
    const file = bench.write('a.csv', [...COMPANIONS, ...rows].join('\n'));
    const argv = [file, '--persona', 'visitor', '--invalid', 'skip', '--rejects', 'r.csv'];
    const { code, summary, err } = await bench.push(argv);
    expect([code, summary.sent, summary.rejected]).toEqual([3, 4, 2]);
    expect(err).toContain('a.csv:4  column "Companion 1 First name"');
    expect(err).toContain('a.csv:5  column "Companion 1 E-mail" (email)');
    const lines = readFileSync(join(bench.directory, 'r.csv'), 'utf8').trim().split('\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['First name', 'Ed', 'Hal']);
  });

  test('of a row rejected for its barcode alone are left out with it, and it comes once in the rejects', async () => {
    const bench = await pushBench();
    const file = bench.write(
      'a.csv',
      [...COMPANIONS, 'Ed,ed@example.com,B1,Fay,fay@example.com,'].join('\n'),
    );
    const argv = [file, '--persona', 'visitor', '--invalid', 'skip', '--rejects', 'r.csv'];
    expect((await bench.push(argv)).summary).toMatchObject({ sent: 1, rejected: 5 });
    const lines = readFileSync(join(bench.directory, 'r.csv'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(3);
  });

  test('alone rejected, by a barcode of another row, bring their whole row with its notes', async () => {
    const bench = await pushBench();
    const rows = [
      'First name,Barcode,Companion 1 First name,Companion 1 Barcode',
      ' Ana,B1,Bo,B9',
      'Cy,B9,,',
    ];
    const file = bench.write('a.csv', rows.join('\n'));
    const argv = [file, '--persona', 'visitor', '--invalid', 'skip', '--rejects', 'r.csv'];
    expect((await bench.push(argv)).summary).toMatchObject({ sent: 1, rejected: 2 });
    const lines = readFileSync(join(bench.directory, 'r.csv'), 'utf8').trim().split('\n');
    expect(lines[1]).toMatch(
      /^ Ana,B1,Bo,B9,First name: spaces at the ends removed \(Ana\),,is the barcode of a companion and stands on a\.csv:3/,
    );
    expect(lines[2]).toMatch(/^Cy,B9,,,,/);
  });
});

describe('rejects', () => {
  test('of a text are written in its delimiter and encoding, and mended they go back into push', async () => {
    const bench = await pushBench();
    const text =
      'Vorname;E-Mail;Telefon;Ort\r\nJürgen;j.example.com;+4930123456;Köln\r\nZoë;z@example.com;+3120123456;x\r\n';
    const file = writeBytes(bench, 'a.csv', Buffer.from(text, 'latin1'));
    const argv = ['--persona', 'visitor', '--ignore-column', 'Ort', '--rejects', 'r.csv'];
    const { code } = await bench.push([file, ...argv, '--invalid', 'skip']);
    expect(code).toBe(3);
    const path = join(bench.directory, 'r.csv');
    const rejects = readFileSync(path, 'latin1');
    expect(rejects).toContain("Jürgen;j.example.com;'+4930123456;Köln;");
    expect(statSync(path).mode & 0o777).toBe(0o600);

    writeFileSync(path, rejects.replace('j.example.com', 'j@example.com'), 'latin1');
    const mended = await bench.push(['r.csv', '--persona', 'visitor', '--ignore-column', 'Ort']);
    expect([mended.code, mended.summary.sent]).toEqual([0, 1]);
    expect(bench.kept().map(({ fields }) => (fields as Record<string, string>)['first_name'])).toContain(
      'Jürgen',
    );
  });

  test('of a workbook are a workbook, and mended they go back into push', async () => {
    const bench = await pushBench();
    const born = new Date('1990-04-03T00:00:00Z');
    const rows = [
      ['First name', 'E-mail', 'Date of birth', 'Barcode', 'Mobile phone'],
      ['Ana', 'ana.example.com', born, '0012', '+34600000001'],
      ['Bo', 'bo@example.com', born, '0013', '+34600000002'],
    ];
    const file = writeBytes(bench, 'a.xlsx', await writeXlsx({ sheets: [{ name: 'Gäste', rows }] }));
    const argv = [file, '--persona', 'visitor', '--invalid', 'skip', '--rejects', 'r.xlsx'];
    const { code, err } = await bench.push(argv);
    expect([code, err]).toEqual([3, expect.stringContaining('a.xlsx:Gäste:2  column "E-mail" (email)')]);

    const path = join(bench.directory, 'r.xlsx');
    const [sheet] = (await readXlsx(readFileSync(path))).sheets;
    expect([sheet?.name, sheet?.rows]).toEqual([
      'Gäste',
      [
        [...(rows[0] ?? []), '_notes', '_was', '_errors'],
        [
          'Ana',
          'ana.example.com',
          born,
          '0012',
          '+34600000001',
          expect.any(String),
          '{"E-mail":"ana.example.com"}',
          'E-mail: has no @',
        ],
      ],
    ]);
    const mended = (sheet?.rows ?? []).map((row) =>
      row.map((cell) => (cell === 'ana.example.com' ? 'ana@example.com' : cell)),
    );
    writeFileSync(path, await writeXlsx({ sheets: [{ name: 'Gäste', rows: mended }] }));
    const again = await bench.push(['r.xlsx', '--persona', 'visitor']);
    expect([again.code, again.summary.sent, again.summary.rejected]).toEqual([0, 1, 0]);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['0012', '0013']);
  });
});

test.each(['csv', 'json', 'xlsx'])(
  'What a workbook stores and is refused stays refused in rejects as %s, until somebody mends it',
  async (format) => {
    const bench = await pushBench();
    const rows = [
      ['First name', 'Barcode'],
      ['Ana', new Date('1990-04-03T00:00:00Z')],
      ['Bo', 1e15],
      ['Cy', true],
      ['Di', -5],
    ];
    const file = writeBytes(bench, 'a.xlsx', await writeXlsx({ sheets: [{ name: 'G', rows }] }));
    const argv = ['--persona', 'visitor'];
    expect((await bench.push([file, ...argv, '--rejects', `r.${format}`])).summary.rejected).toBe(4);
    const again = await bench.push([`r.${format}`, ...argv, '--invalid', 'skip']);
    expect([again.code, again.summary.rejected, again.summary.sent]).toEqual([3, 4, 0]);
    if (format !== 'csv') return;
    const text = readFileSync(join(bench.directory, 'r.csv'), 'utf8');
    expect(text).toContain('Di,#N/A,Barcode: is not a whole number; Barcode: the workbook stores -5');
  },
);

describe('what was mended', () => {
  const TEXT =
    'First name,E-mail,Country,Barcode\n Ana ,ana@example.com,Spain,B1\nBo,bo.example.com,France,B2\n';
  const argv = ['--persona', 'visitor', '--invalid', 'skip'];

  test('is one line for people, that names what was done', async () => {
    const bench = await pushBench();
    const { err } = await bench.run(['push', bench.write('a.csv', TEXT), ...argv, '--progress', 'none']);
    expect(err.slice(err.indexOf('3 cells')).trim().split('\n')).toEqual([
      '3 cells were mended: country name written as its code (2), spaces at the ends removed (1); --verbose lists each.',
    ]);
  });

  test('is listed cell by cell with --verbose, and not without', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', TEXT);
    const listed = 'a.csv:2  column "First name" (first_name): " A•• " → "A••", spaces at the ends removed';
    expect((await bench.push([file, ...argv])).err).not.toContain('a.csv:2  column');
    expect((await bench.push([file, ...argv, '--verbose'])).err).toContain(listed);
  });

  test('is data for programs, and stays with the run', async () => {
    const bench = await pushBench();
    const { out, summary } = await bench.push([bench.write('a.csv', TEXT), ...argv, '--show-values']);
    const { mended, notes } = JSON.parse(out) as { mended: number; notes: unknown[] };
    expect([mended, notes[0]]).toEqual([
      3,
      {
        place: 'a.csv:2',
        column: 'First name',
        field: 'first_name',
        repair: 'spaces at the ends removed',
        before: ' Ana ',
        after: 'Ana',
      },
    ]);
    const shown = await bench.run(['runs', 'show', summary.run ?? '', '--json']);
    expect(listIn<{ mended: object[] }>(shown.out).map((row) => row.mended)).toMatchObject([
      [
        { column: 'First name', field: 'first_name', repair: 'spaces at the ends removed', after: 'A••' },
        { column: 'Country', repair: 'country name written as its code' },
      ],
      [{ column: 'Country' }],
    ]);
    const table = await bench.run(['runs', 'show', summary.run ?? '', '--output', 'csv']);
    expect(table.out).toContain(
      'First name: spaces at the ends removed; Country: country name written as its code',
    );
  });
});

test('Files of different kinds are one run, each read in its own way', async () => {
  const bench = await pushBench();
  const sheet = [
    ['First name', 'Barcode', 'Date of birth'],
    ['Ana', 'B1', new Date('1990-04-03T00:00:00Z')],
  ];
  const files = [
    writeBytes(bench, 'a.xlsx', await writeXlsx({ sheets: [{ name: 'G', rows: sheet }] })),
    bench.write('b.csv', 'First name;Barcode;Date of birth\nBo;B2;26/04/1990\n'),
    bench.write('c.csv', 'First name,Barcode,Date of birth\nCy,B3,04/26/1990\n'),
    bench.write('d.json', '[{"first_name":"Di","barcode":"B4","birth_date":"1990-04-26"}]'),
  ];
  const { code } = await bench.push([...files, '--persona', 'visitor']);
  expect(code).toBe(0);
  const dates = bench.kept().map(({ fields }) => (fields as Record<string, string>)['birth_date']);
  expect(dates).toEqual(['1990-04-03', '1990-04-26', '1990-04-26', '1990-04-26']);
});

test('The example row of a template is left out, and what is still of it beside a guest is refused', async () => {
  const bench = await pushBench();
  const example = 'First name,Barcode\nMaría,EXAMPLE-1\n';
  const argv = ['--persona', 'visitor'];
  const alone = await bench.push([bench.write('a.csv', example), ...argv]);
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('nobody to send but the example')]);
  const guest = await bench.push([bench.write('b.csv', `${example}Ana,B1\n`), ...argv]);
  expect(guest).toMatchObject({ code: 0, summary: { sent: 1, rejected: 0 } });
  expect(guest.err).toContain('The example row of the template is left out (b.csv:2).');
  const over = bench.write('c.csv', 'First name,Barcode\nJo,EXAMPLE-1\nAna,B1\n');
  expect(await bench.push([over, ...argv])).toMatchObject({
    code: 3,
    err: expect.stringContaining('c.csv:2  has the barcode or the e-mail address of the example') as string,
  });
  const mail = bench.write('d.csv', 'First name,E-mail,Barcode\nJo,maria.garcia@example.com,B2\n');
  expect(await bench.push([mail, ...argv])).toMatchObject({
    code: 3,
    err: expect.stringContaining('d.csv:2  has the barcode or the e-mail address of the example') as string,
  });
  expect(bench.kept()).toHaveLength(1);
});

test('Nothing is asked about the example row: its date without a format is no date of the list', async () => {
  const bench = await pushBench();
  // Before that day the date of the example would be a birth in the future.
  await bench.clock.advance(60 * 24 * 60 * 60_000);
  const rows = [
    ['First name', 'Date of birth', 'Barcode'],
    ['María', 46_079, 'EXAMPLE-1'],
    ['Ana', '1990-04-03', 'B1'],
  ];
  const file = writeBytes(bench, 'a.xlsx', await writeXlsx({ sheets: [{ name: 'G', rows }] }));
  const { code, err } = await bench.push([file, '--persona', 'visitor']);
  expect([code, err]).toEqual([0, expect.stringContaining('example row of the template is left out')]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['B1']);
});

test('Headings and options are known by their labels in every language of the event', async () => {
  const bench = await pushBench({ labels: 'languages', valuesShape: 'languages' });
  const rows = ['Barcode,First name (nl),Lunch (nl),Dietary needs', 'A1,Ana,Fish (nl),Halal; Vegan (nl)'];
  const argv = [bench.write('a.csv', `${rows.join('\n')}\n`), '--persona', 'visitor'];
  expect((await bench.push(argv)).code).toBe(0);
  expect(bench.kept()[0]?.fields).toEqual({
    first_name: 'Ana',
    meal: 'fish',
    dietary_needs: ['halal', 'vegan'],
  });
  expect((await bench.push([...argv, '--dry-run'])).summary.pending).toBe(0);
});

describe('slips of whoever types the flags', () => {
  const FILE = 'First name,Notes\nAna,x\n';

  test('no column fills anything: there is nobody to send', async () => {
    const bench = await pushBench();
    const argv = ['--persona', 'visitor', '--ignore-column', 'First name', '--ignore-column', 'Notes'];
    const { code, err } = await bench.push([bench.write('a.csv', FILE), ...argv]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('a.csv: no column fills a field or the barcode'),
    ]);
  });

  test('--set pad names a column that is not there', async () => {
    const bench = await pushBench();
    const argv = ['--persona', 'visitor', '--map', 'Notes=barcode', '--dry-run'];
    const file = bench.write('a.csv', FILE);
    for (const name of ['barcode', 'Notes', 'first_name']) {
      expect([name, (await bench.push([file, ...argv, '--set', `pad=${name}:5`])).code]).toEqual([name, 0]);
    }
    const { code, err } = await bench.push([file, ...argv, '--set', 'pad=barcod:5']);
    expect([code, err]).toEqual([2, expect.stringContaining('--set pad=barcod: no column of a.csv')]);
  });
});

test('Rejects of files in two encodings are written in one that has the characters of both', async () => {
  const bench = await pushBench();
  const one = writeBytes(bench, 'a.csv', Buffer.from('First name,E-mail\nZoë Müller,bad\n', 'latin1'));
  const two = bench.write('b.csv', 'First name,E-mail\nŁukasz 李,bad\n');
  await bench.push([one, two, '--persona', 'visitor', '--rejects', 'r.csv']);
  const rejects = readFileSync(join(bench.directory, 'r.csv'), 'utf8');
  expect(rejects).toContain('Zoë Müller');
  expect(rejects).toContain('Łukasz 李');
});
