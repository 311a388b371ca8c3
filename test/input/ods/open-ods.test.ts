import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChoiceQuestion } from '../../../src/registration/model/question.ts';
import type { QuestionError } from '../../../src/input/source/question-error.ts';
import { odsParts, oneTable, row, table, told, valued } from '../../support/ods.ts';
import { zip } from '../../support/zip.ts';
import { openSheet } from '../../../src/input/open-sheet.ts';
import { brief, readSheet, stored } from '../open-workbook.ts';
import { refusal } from '../open-text.ts';

const fixture = (name: string): Buffer => readFileSync(`fixtures/${name}`);
const briefly = async (bytes: Buffer, options: Parameters<typeof readSheet>[1]) =>
  (await readSheet(bytes, options)).rows.map(([line, ...cells]) => [line, ...cells.map(brief)]);

describe('what LibreOffice wrote', () => {
  test('reads as it was typed', async () => {
    const sheet = await readSheet(fixture('workbooks/libreoffice.ods'), { includeHidden: false });
    expect(sheet.sheet).toBe('Guests & staff');
    expect(sheet.rows.map(([line, ...cells]) => [line, ...cells.map(brief)])).toEqual([
      [1, 'Barcode', 'Name', 'Born', 'Arrives', 'VIP', 'Sum', 'Since'],
      [
        2,
        'number 590123412345 (number 13)',
        'José Müller 💥',
        'date 1980-02-26 (date)',
        'number 0.4375 (clock)',
        'boolean true',
        'number 3',
        'date 2026-02-26T10:30:00 (datetime)',
      ],
      [5, ' 0012 ', 'two\nlines', null, null, null, 'error #DIV/0!'],
    ]);
    expect(sheet.remarks).toEqual(['1 hidden row (3) left out.', '1 empty row skipped between others.']);
  });

  test('has values of all kinds', async () => {
    const rows = await briefly(fixture('workbooks/libreoffice-values.ods'), {});
    expect(Object.fromEntries(rows.slice(1, 33).map(([, what, ...cells]) => [what, cells]))).toEqual({
      day: ['date 2026-02-26 (date)'],
      'day of a time': ['date 2026-02-26T18:00:00 (date)'],
      'day and time': ['date 2026-02-26T10:30:00 (datetime)'],
      clock: ['number 0.4375 (clock)'],
      time: ['number 0.4375115740740741 (time)'],
      'hours beyond a day': ['number 1.1041666666666667 (span)'],
      'hours that are not shown': ['number 1.1041666666666667 (clock)'],
      'before midnight': ['number -0.25 (clock)'],
      'seven digits': ['number 4711 (number 7)'],
      prefix: ['number 17'],
      percent: ['number 0.15'],
      euro: ['number 120.5'],
      negative: ['number -3'],
      thousands: ['number 1234567'],
      exponent: ['number 5901234123457'],
      'digits with a dash': ['number 123456'],
      'as text': ['number 12'],
      TRUE: ['boolean true'],
      error: ['error #DIV/0!'],
      'sum of rows': ['number 4710.75'],
      'empty formula': [],
      'a month by name': ['date 2026-02-26 (date)'],
      'seconds of a time': ['number 0.01087962962962963 (time)'],
      'two lines': ['one\ntwo'],
      blanks: ['  a   b '],
      tab: ['a\tb'],
      link: ['ada@example.com'],
      'bold in the middle': ['Ann Marie Lee'],
      remark: ['Bo'],
      same: ['same', 'same', 'other'],
      again: ['b'],
    });
    expect(rows.slice(-4).map(([line]) => line)).toEqual([32, 33, 34, 37]);
  });

  test('has what is hidden, or folded away', async () => {
    const sheet = await readSheet(fixture('damage/ods-hidden/input.ods'), { includeHidden: false });
    expect(sheet.rows.map(([line]) => line)).toEqual([1, 2, 4, 7, 8, 9]);
    expect(sheet.remarks).toEqual(['3 hidden rows (3, 5, 6) and 1 hidden column (D) left out.']);
  });

  test('has what a filter hides', async () => {
    const sheet = await readSheet(fixture('workbooks/libreoffice-sheets.ods'), { sheet: 'Speakers' });
    expect(sheet.questions[0]?.text).toContain('1 hidden row (3) with values in the sheet (a filter is on)');
  });

  test('has several sheets, one of them hidden', async () => {
    const asked = await readSheet(fixture('workbooks/libreoffice-sheets.ods')).catch(
      (error: unknown) => error,
    );
    const [question] = (asked as QuestionError).questions as readonly ChoiceQuestion[];
    expect(question?.answers.map(({ label }) => label)).toEqual([
      'Guests (8 rows: Barcode, First name, Last name …)',
      'Speakers (4 rows: Barcode, First name, Last name)',
      'Notes (hidden, 1 row: Remark, By)',
    ]);
  });

  test('has merged cells', async () => {
    const opened = await openSheet(await stored(fixture('workbooks/libreoffice-merged.ods')), {
      sheet: undefined,
      includeHidden: undefined,
      accept: new Set(),
      knows: () => false,
    });
    expect((await opened.merged()).map(({ name }) => name)).toEqual(['A1:D1', 'D3:D5']);
  });

  test('with a password is called so', async () => {
    const refused = await refusal(readSheet(fixture('damage/ods-password/input.ods')));
    expect(refused.message).toBe('guests.xlsx: this is an OpenDocument file (.ods) with a password.');
    expect(refused.hint).toContain('take the tick off "Save with password"');
  });
});

describe('of several tables', () => {
  const tables = ['One', 'Two', 'Three'].map((name) => table(name, row(told(`in ${name}`)))).join('');
  test.each(['One', 'Two', 'Three'])('%s is read alone', async (sheet) => {
    expect((await readSheet(zip(odsParts({ tables })), { sheet })).rows).toEqual([[1, `in ${sheet}`]]);
  });

  test('two of one name are told apart by their numbers', async () => {
    const twice = table('A', row(told('first'))) + table('A', row(told('second')));
    expect((await readSheet(zip(odsParts({ tables: twice })), { sheet: '2' })).rows).toEqual([[1, 'second']]);
  });

  test('what was changed and what lies beside them is none', async () => {
    const beside = `<table:tracked-changes><table:cell-content-change>${row(told('old'))}</table:cell-content-change></table:tracked-changes>`;
    const shapes = `<table:shapes><draw:frame>${table('Inner', row(told('x')))}<draw:text-box><text:p>y</text:p></draw:text-box></draw:frame></table:shapes>`;
    const bytes = zip(odsParts({ tables: beside + table('Guests', shapes + row(told('a'))) }));
    const sheet = await readSheet(bytes);
    expect([sheet.sheet, sheet.rows]).toEqual(['Guests', [[1, 'a']]]);
  });
});

describe('refused is', () => {
  const cell = (attributes: string): string => oneTableOf(row(told('a', attributes)));
  const oneTableOf = (rows: string): string => table('Guests', rows);
  const parts = odsParts({ tables: oneTableOf(row(told('a'))) });
  const withContent = (content: string): Buffer =>
    zip(parts.map((part) => (part.name === 'content.xml' ? { ...part, content } : part)));
  const content = String(parts[1]?.content);

  test.each([
    [
      'a row that repeats without end',
      oneTableOf(
        row(told('a', 'table:number-columns-repeated="999"'), 'table:number-rows-repeated="1048576"'),
      ),
      'guests.xlsx:Guests:1: this workbook is refused: its rows repeat more than a million values.',
    ],
    [
      'rows that repeat without end, one by one',
      oneTableOf(
        row(told('a', 'table:number-columns-repeated="500"'), 'table:number-rows-repeated="1000"').repeat(3),
      ),
      'guests.xlsx:Guests:2001: this workbook is refused: its rows repeat more than a million values.',
    ],
    [
      'a cell that repeats without end',
      cell('table:number-columns-repeated="16384"'),
      'guests.xlsx:Guests:1: this workbook is refused: column ALM holds a value, and at most 1,000 columns are read.',
    ],
    [
      'a long text that repeats',
      oneTableOf(row(told('x'.repeat(600_000), 'table:number-columns-repeated="2"'))),
      'guests.xlsx:Guests:1: this row holds more than 1 MiB of text.',
    ],
    [
      'a row of much text that repeats',
      oneTableOf(
        row(told(`${'x'.repeat(1000)}<text:s text:c="999000"/>`), 'table:number-rows-repeated="3000"'),
      ),
      'guests.xlsx:Guests:3000: this workbook is refused: it holds more than 2 GiB of text.',
    ],
    [
      'a text of blanks without end',
      oneTableOf(row(told('<text:s text:c="99999999"/>'))),
      'guests.xlsx:Guests:1: cell A1 holds more than 1 MiB of text.',
    ],
    [
      'a number of times that makes no sense',
      cell('table:number-columns-repeated="1e9"'),
      'guests.xlsx:Guests:1: this workbook is damaged: something repeats an impossible number of times.',
    ],
    [
      'a row that repeats beyond the end of a sheet',
      oneTableOf(row('') + row(told('a'), 'table:number-rows-repeated="1048576"')),
      'guests.xlsx:Guests: this workbook is damaged: the row behind row 1048577 has no possible number.',
    ],
    [
      'a sheet with too long a name',
      table('x'.repeat(256), row(told('a'))),
      'guests.xlsx: this workbook is damaged: the name of a sheet or style is too long.',
    ],
  ])('%s', async (_, tables, message) => {
    expect((await refusal(readSheet(zip(odsParts({ tables }))))).message).toBe(message);
  });

  test('more merged cells than anybody has', async () => {
    const merged = '<table:table-cell table:number-columns-spanned="2"/>'.repeat(10_000);
    const tables = oneTableOf(row(merged).repeat(11));
    const bytes = zip(odsParts({ tables }).map((part) => ({ ...part, stored: true })));
    expect((await refusal(readSheet(bytes))).message).toBe(
      'guests.xlsx:Guests: this workbook is refused: more than 100,000 ranges of its cells are merged.',
    );
  });

  test('more styles than anybody has', async () => {
    const styles = '<style:style style:name="a"/>'.repeat(300_001);
    // Styles of one name pack so well that they are taken for a bomb: they are stored as they are.
    const bytes = zip(
      odsParts({ tables: oneTableOf(''), styles }).map((part) => ({ ...part, stored: true })),
    );
    expect((await refusal(readSheet(bytes))).message).toBe(
      'guests.xlsx: this workbook is damaged: it holds too many styles or sheets.',
    );
  });

  test('long content in so many sheets that it would be read without end', async () => {
    const tables = oneTableOf(row(told('x'.repeat(900))).repeat(3000)) + oneTableOf('').repeat(1800);
    // It packs so well that it would be taken for a bomb: it is stored as it is.
    const bytes = zip(odsParts({ tables }).map((part) => ({ ...part, stored: true })));
    expect((await refusal(readSheet(bytes))).message).toBe(
      'guests.xlsx: this workbook is refused: it holds 1,801 sheets, which are too long for so many.',
    );
  });

  test('a zip bomb', async () => {
    const bomb = zip(odsParts({ tables: oneTableOf(row(told('a')).repeat(50_000)) }));
    expect((await refusal(readSheet(bomb))).message).toBe(
      'guests.xlsx: this workbook is refused: its part content.xml unpacks to more than 100 times its size.',
    );
  });

  test('XML with entities', async () => {
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
    const xml = entities + content.slice(content.indexOf('?>') + 2);
    expect((await refusal(readSheet(withContent(xml)))).message).toBe(
      'guests.xlsx: this workbook is damaged: in its part content.xml, its XML declares entities, which workbooks do not.',
    );
  });

  test('content that is cut off, though the table that is read is whole', async () => {
    const cut = content.slice(0, content.indexOf('</office:spreadsheet>'));
    expect((await refusal(readSheet(withContent(cut)))).message).toContain('its XML is not well-formed');
  });

  test('a file with a wrong checksum', async () => {
    const spoilt = zip(parts.map((part) => (part.name === 'content.xml' ? { ...part, crc: 1 } : part)));
    expect((await refusal(readSheet(spoilt))).message).toContain('content.xml has a wrong checksum');
  });

  test('an encrypted file of newer programs, which has no content of its own', async () => {
    const manifest = `<manifest:manifest xmlns:manifest="m">${' '.repeat(70_000)}<manifest:encryption-data/></manifest:manifest>`;
    const bytes = zip([
      { name: 'META-INF/manifest.xml', content: manifest },
      { name: 'encrypted-package', content: '…' },
    ]);
    expect((await refusal(readSheet(bytes))).message).toContain('with a password');
  });

  test('a text', async () => {
    const refused = await refusal(readSheet(zip(odsParts({ tables: '', kind: 'text' }))));
    expect(refused.message).toBe('guests.xlsx: this is an OpenDocument file, but no spreadsheet.');
    expect(refused.hint).toBe('Ask for the list as a spreadsheet or as CSV.');
  });
});

test('a manifest that names its type, as old programs wrote them, is one', async () => {
  const manifest =
    '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest:manifest/>';
  const parts = odsParts({ tables: table('A', row(told('a'))) });
  const bytes = zip([...parts, { name: 'META-INF/manifest.xml', content: manifest }]);
  expect((await readSheet(bytes)).rows).toEqual([[1, 'a']]);
});

test('a hidden sheet is asked about, and a file without styles is whole', async () => {
  const styles =
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const hidden = zip(odsParts({ tables: table('Guests', row(told('a')), 'ta2'), styles }));
  expect((await refusal(readSheet(hidden))).message).toContain('is hidden. Is it meant to be read?');
  const bare = zip(
    odsParts({ tables: table('A', row(told('a'))) }).filter(({ name }) => name === 'content.xml'),
  );
  expect((await readSheet(bare)).rows).toEqual([[1, 'a']]);
});

test('200,000 values that repeat are read, batch by batch', async () => {
  const rows = row(
    valued('float', 'office:value="1"', 'table:number-columns-repeated="20"'),
    'table:number-rows-repeated="10000"',
  );
  expect((await readSheet(oneTable(rows))).rows).toHaveLength(10_000);
});
