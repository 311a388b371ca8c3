import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSheet } from '../../../src/input/open-sheet.ts';
import { oneSheet, text, workbook, workbookParts } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { brief, readSheet, stored } from '../open-workbook.ts';
import { refusal } from '../open-text.ts';
import { paired } from '../../support/tables.ts';

const sheetOf = (xml: string) => workbook({ sheets: [{ name: 'Guests', xml }] });
const rowsOf = async (bytes: Uint8Array) =>
  (await readSheet(bytes, { includeHidden: true })).rows.map(([line, ...cells]) => [
    line,
    ...cells.map(brief),
  ]);

describe('cells', () => {
  const styles = [
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="0000000"/></numFmts>',
    '<fonts><numFmt numFmtId="164" formatCode="yyyy"/></fonts>',
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="49"/></cellXfs>',
  ].join('');
  const strings =
    '<si><t>plain</t></si><si><r><t>ri</t></r><rPh sb="0" eb="1"><t>RI</t></rPh><r><rPr/><t xml:space="preserve">ch </t></r></si><si/>';

  test.each([
    ['a number', '<c><v>42</v></c>', 'number 42'],
    ['a number as the file stores it', '<c><v>5.901234123457E12</v></c>', 'number 5.901234123457E12'],
    ['20 digits', '<c t="n"><v>12345678901234567890</v></c>', 'number 12345678901234567890'],
    ['a number of a date format', '<c s="1"><v>45000</v></c>', 'number 45000 (date)'],
    ['a number filled up with zeros', '<c s="2"><v>42</v></c>', 'number 42 (number 7)'],
    ['a number in a text format', '<c s="3"><v>42</v></c>', 'number 42 (text)'],
    ['no number where one belongs', '<c><v>NaN</v></c>', 'error NaN'],
    ['the value of a formula', '<c><f>1+1</f><v>2</v></c>', 'number 2'],
    ['a formula without a value', '<c><f>1+1</f></c>', 'missing '],
    ['a formula with an empty value', '<c><f>1+1</f><v/></c>', 'missing '],
    ['a text formula without a value', '<c t="str"><f>A1</f></c>', 'missing '],
    ['the text of a formula', '<c t="str"><f>A1</f><v>Zoë</v></c>', 'Zoë'],
    ['true', '<c t="b"><v>1</v></c>', 'boolean 1'],
    ['neither true nor false', '<c t="b"><v>2</v></c>', 'error 2'],
    ['an error', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', 'error #DIV/0!'],
    ['an ISO date', '<c t="d" s="1"><v>2026-02-26</v></c>', 'date 2026-02-26 (date)'],
    ['a shared text', '<c t="s"><v>0</v></c>', 'plain'],
    ['a shared text in runs', '<c t="s"><v>1</v></c>', 'rich '],
    ['an inline text', text('Ann'), 'Ann'],
    ['an inline text in runs', '<c t="inlineStr"><is><r><t>A</t></r><r><t>nn</t></r></is></c>', 'Ann'],
    ['text without pronunciation', '<c t="inlineStr"><is><t>A</t><rPh><t>x</t></rPh></is></c>', 'A'],
    ['entities', text('&lt;&amp;&#233;&#x1F4A5;'), '<&é💥'],
    ['CDATA', text('<![CDATA[a<b]]>'), 'a<b'],
    ['an escaped line end', text('a_x000D_b_x000a_c'), 'a\rb\nc'],
    ['an escaped escape', text('_x005F_x000D_'), '_x000D_'],
    ['half an escaped character', text('_xD83D_'), '\uFFFD'],
    ['a pair of escapes', text('_xD83D__xDCA5_'), '💥'],
    ['spaces that are kept', text(' a '), ' a '],
    ['spaces that are not', '<c t="inlineStr"><is><t> \n a b\t</t></is></c>', 'a b'],
    ['a no-break space', '<c t="inlineStr"><is><t>\u00A0a</t></is></c>', '\u00A0a'],
    ['what is left over of a formula', '<c t="str"><f>A1</f><v xml:space="preserve"> a</v></c>', ' a'],
  ])('of %s', async (_, cell, expected) => {
    expect(await rowsOf(oneSheet(`<row>${cell}</row>`, { styles, strings }))).toEqual([[1, expected]]);
  });

  test.each([
    ['an empty inline text', text('')],
    ...paired(`
      no value → <c s="1"/> | an empty value → <c><v/></c> | an empty shared text → <c t="s"><v>2</v></c> |
      an empty number of a shared text → <c t="s"><v/></c> |
      a blank number of a shared text → <c t="s"><v> </v></c> |
      an empty formula text → <c t="str"><f>""</f><v></v></c> | a foreign element → <x><v>1</v></x>
    `),
  ])('with %s are blank', async (_, cell) => {
    const bytes = oneSheet(`<row>${text('a')}</row><row>${cell}</row>`, { styles, strings });
    expect(await rowsOf(bytes)).toEqual([[1, 'a']]);
  });

  test('tell the date system of their workbook', async () => {
    const sheet = await readSheet(oneSheet('<row><c><v>1</v></c></row>', { date1904: true }));
    expect(sheet.date1904).toBe(true);
    expect(sheet.rows[0]?.[1]).toMatchObject({ date1904: true });
  });

  test.each([
    ['an unknown type', '<c t="z"><v>1</v></c>', 'it holds a cell of the unknown type "z"'],
    ['a text that is not there', '<c t="s"><v>3</v></c>', 'a cell refers to a text that is not there'],
    ['a text of no number', '<c t="s"><v>x</v></c>', 'a cell refers to a text that is not there'],
    ['a style that is not there', '<c s="4"><v>3</v></c>', 'a cell has a style that is not there'],
    ['two values', '<c><v>1</v><v>2</v></c>', 'a cell has two values'],
  ])('with %s refuse the file', async (_, cell, what) => {
    const refused = await refusal(readSheet(oneSheet(`<row r="4">${cell}</row>`, { styles, strings })));
    expect(refused.message).toBe(`guests.xlsx:Guests:4: this workbook is damaged: ${what}.`);
  });
});

test('A formula over several rows is told by its column, shown value or not', async () => {
  const cell = (formula: string, value = '<v>2</v>') => `<c><f>${formula}</f>${value}</c>`;
  const rows = [
    `<row>${text('a')}${cell('SUM(B2:B9)')}${cell('1+1')}${cell('COUNTA(A2:A9)', '')}</row>`,
    `<row>${cell('1+1')}${text('SUM(B2:B9)')}</row>`,
  ];
  const opened = await openSheet(await stored(oneSheet(rows.join(''))), {
    sheet: undefined,
    includeHidden: undefined,
    accept: new Set(),
    knows: () => false,
  });
  const found: unknown[] = [];
  for await (const records of opened.records()) found.push(...records.map((record) => record.aggregates));
  expect(found).toEqual([[1, 3], undefined]);
});

describe('the texts that cells share', () => {
  const withTexts = (attributes: string) =>
    zip(
      workbookParts({
        sheets: [{ name: 'Guests', xml: '<sheetData><row><c t="s"><v>1</v></c></row></sheetData>' }],
        strings: '<si><t>a</t></si><si><t>b</t></si>',
      }).map((file) =>
        file.name === 'xl/sharedStrings.xml'
          ? { ...file, content: String(file.content).replace('<sst', `<sst ${attributes}`) }
          : file,
      ),
    );

  test.each(['', 'count="9"', 'uniqueCount="2"', 'count="1" uniqueCount=" 2 "'])(
    'are read with %j',
    async (attributes) => {
      expect(await rowsOf(withTexts(attributes))).toEqual([[1, 'b']]);
    },
  );

  test.each(['uniqueCount="1"', 'uniqueCount="3"', 'uniqueCount="x"'])(
    'that are not as many as they say refuse the file: %s',
    async (attributes) => {
      const refused = await refusal(readSheet(withTexts(attributes)));
      expect(refused.message).toBe(
        'guests.xlsx: this workbook is damaged: in its part xl/sharedStrings.xml, the texts of the cells are more or fewer than it says.',
      );
    },
  );
});

describe('rows', () => {
  test('are numbered as the file has it, or on from the last one', async () => {
    const xml = `<row r="3">${text('a', 'B3')}${text('b')}</row><row>${text('c')}</row><row r="9">${text('d', 'AA9')}</row>`;
    expect(await rowsOf(oneSheet(xml))).toEqual([
      [3, null, 'a', 'b'],
      [4, 'c'],
      [9, ...Array.from({ length: 26 }, () => null), 'd'],
    ]);
  });

  test('of prefixed elements are read', async () => {
    const rows = `<x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData>`;
    expect(await rowsOf(sheetOf(rows))).toEqual([[1, 'a', 'number 2']]);
  });

  test('outside the data of the sheet are none', async () => {
    const xml = `<ext><row>${text('no')}</row></ext><sheetData><row>${text('a')}</row></sheetData><extLst><ext><sheetData><row>${text('no')}</row></sheetData></ext></extLst>`;
    expect(await rowsOf(sheetOf(xml))).toEqual([[1, 'a']]);
  });

  test('that are empty are passed over and counted', async () => {
    const xml = `<row r="2">${text('a')}</row><row r="3"/><row r="6">${text('b')}</row><row r="1200"><c s="0"/></row>`;
    const { rows, remarks, questions } = await readSheet(oneSheet(xml));
    expect(rows.map(([line]) => line)).toEqual([2, 6]);
    expect(remarks).toEqual(['3 empty rows skipped between others.', '1,194 empty rows skipped at the end.']);
    expect(questions).toEqual([]);
  });

  test('can be read twice, with the same remarks', async () => {
    const opened = await openSheet(await stored(oneSheet(`<row>${text('a')}</row><row/>`)), {
      sheet: undefined,
      includeHidden: undefined,
      accept: new Set(),
      knows: () => false,
    });
    expect(opened.remarks()).toEqual([]);
    for (let round = 0; round < 2; round++) {
      const seen: unknown[] = [];
      for await (const records of opened.records()) seen.push(...records);
      expect(seen).toEqual([{ line: 1, cells: ['a'] }]);
      expect(opened.remarks()).toEqual(['1 empty row skipped at the end.']);
    }
  });

  const at = (row: string | number) => `guests.xlsx:Guests:${row}: this workbook is`;
  test.each([
    [`${at(3)} damaged: its rows are not in order.`, '<row r="3"/><row r="2"/>'],
    [`${at(3)} damaged: its rows are not in order.`, '<row r="3"/><row r="3"/>'],
    ['guests.xlsx:Guests: this workbook is damaged: its first row has no possible number.', '<row r="x"/>'],
    [
      'guests.xlsx:Guests: this workbook is damaged: the row behind row 7 has no possible number.',
      '<row r="7"/><row r="1048577"/>',
    ],
    [`${at(1)} damaged: its cells are not in order.`, `<row>${text('a', 'B1')}${text('b', 'A1')}</row>`],
    [`${at(1)} damaged: its cells are not in order.`, `<row>${text('a', 'B1')}${text('b', 'B1')}</row>`],
    [`${at(1)} damaged: there is a cell of no possible place.`, `<row>${text('a', 'B2')}</row>`],
    [`${at(1)} damaged: there is a cell of no possible place.`, `<row>${text('a', 'XFE1')}</row>`],
    [
      `${at(1)} refused: column ALM holds a value, and at most 1,000 columns are read.`,
      `<row>${text('a', 'ALM1')}</row>`,
    ],
  ])('%s', async (message, rows) => {
    expect((await refusal(readSheet(oneSheet(rows)))).message).toBe(message);
  });

  test('may have styled blanks up to XFD, and values up to column 1,000', async () => {
    const xml = `<row>${text('a', 'ALL1')}<c r="XFD1" s="0"/></row>`;
    const [row] = await rowsOf(oneSheet(xml));
    expect(row).toHaveLength(1001);
    expect(row?.at(-1)).toBe('a');
  });
});

test('a workbook that LibreOffice wrote reads as it was typed', async () => {
  const bytes = readFileSync('fixtures/workbooks/libreoffice.xlsx');
  const sheet = await readSheet(bytes, { includeHidden: false });
  expect(sheet.sheet).toBe('Guests & staff');
  expect(sheet.rows.map(([line, ...cells]) => [line, ...cells.map(brief)])).toEqual([
    [1, 'Barcode', 'Name', 'Born', 'Arrives', 'VIP', 'Sum', 'Since'],
    [
      2,
      'number 590123412345 (number 13)',
      'José Müller 💥',
      'number 29277 (date)',
      'number 0.4375 (clock)',
      'boolean 1',
      'number 3',
      'number 46079.4375 (datetime)',
    ],
    [5, ' 0012 ', 'two\nlines', null, null, null, 'error #DIV/0!'],
  ]);
  expect(sheet.remarks[0]).toBe('1 hidden row (3) left out.');
});
