import { describe, expect, test } from 'vitest';
import { openSheet } from '../../../src/input/open-sheet.ts';
import { oneTable, row, told, valued } from '../../support/ods.ts';
import { brief, readSheet, stored } from '../open-workbook.ts';

const cell = (inside: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${inside}</table:table-cell>`;
const rowsOf = async (rows: string, styles = '', common = '') =>
  (await readSheet(oneTable(rows, { styles, common }), { includeHidden: true })).rows.map(
    ([line, ...cells]) => [line, ...cells.map(brief)],
  );
const style = (name: string, format: string, kind = 'number', more = ''): string =>
  `<number:${kind}-style style:name="${format}"${more}>%</number:${kind}-style><style:style style:name="${name}" style:family="table-cell" style:data-style-name="${format}"/>`;
const DIGITS = style('digits', 'N1').replace(
  '%',
  '<number:number number:decimal-places="0" number:min-integer-digits="7"/>',
);
const HOURS = '<number:hours number:style="long"/><number:text>:</number:text><number:minutes/>';
const DAY =
  '<number:day/><number:text>.</number:text><number:month/><number:text>.</number:text><number:year/>';

const opened = async (bytes: Buffer) =>
  await openSheet(await stored(bytes), {
    sheet: undefined,
    includeHidden: undefined,
    accept: new Set(),
    knows: () => false,
  });

describe('a cell', () => {
  test.each([
    ['of a number', valued('float', 'office:value="42"'), 'number 42'],
    ['of a share', valued('percentage', 'office:value="0.15"'), 'number 0.15'],
    ['of money', valued('currency', 'office:value="120.5" office:currency="EUR"'), 'number 120.5'],
    ['of 13 digits', valued('float', 'office:value="5901234123457"'), 'number 5901234123457'],
    ['of no number where one belongs', valued('float', 'office:value="NaN"'), 'error NaN'],
    ['of a number without its value', valued('float', '', '', '17'), '17'],
    ['of true', valued('boolean', 'office:boolean-value="true"'), 'boolean true'],
    ['neither true nor false', valued('boolean', 'office:boolean-value="yes"'), 'error yes'],
    ['of a day', valued('date', 'office:date-value="2026-02-26"'), 'date 2026-02-26 (date)'],
    [
      'of a day and a time',
      valued('date', 'office:date-value="2026-02-26T10:30:00"'),
      'date 2026-02-26T10:30:00 (datetime)',
    ],
    ['of a time', valued('time', 'office:time-value="PT10H30M00S"'), 'number 0.4375 (span)'],
    ['of hours beyond a day', valued('time', 'office:time-value="PT36H00M00S"'), 'number 1.5 (span)'],
    ['of days and hours', valued('time', 'office:time-value="P1DT12H"'), 'number 1.5 (span)'],
    ['of seconds and their parts', valued('time', 'office:time-value="PT0H0M43,2S"'), 'number 0.0005 (span)'],
    ['of a time before midnight', valued('time', 'office:time-value="-PT06H00M00S"'), 'number -0.25 (span)'],
    ['of no time where one belongs', valued('time', 'office:time-value="10:30"'), 'error 10:30 (span)'],
    ['of a text', told('Ann'), 'Ann'],
    ['of a text without a type', cell('<text:p>Ann</text:p>'), 'Ann'],
    ['of a text that shows another', valued('string', 'office:string-value="Ann"'), 'Ann'],
    ['of lines', cell('<text:p>one</text:p><text:p/><text:p>two</text:p>'), 'one\n\ntwo'],
    ['of marks', told('a<text:s/><text:s text:c="2"/>b<text:tab/>c<text:line-break/>d'), 'a   b\tc\nd'],
    [
      'of blanks that lay out the XML',
      told('\n  a \n b<text:span> c</text:span> <text:span> d</text:span>'),
      'a b c d',
    ],
    ['of a no-break space', told('\u00A0a'), '\u00A0a'],
    ['of spans and links', told('A<text:span>n<text:a>n</text:a></text:span>'), 'Ann'],
    ['of entities', told('&lt;&amp;&#233;&#x1F4A5;'), '<&é💥'],
    [
      'without pronunciation',
      told('<text:ruby><text:ruby-base>A</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby>'),
      'A',
    ],
    [
      'without its remark',
      cell(
        '<office:annotation><text:p>Ask <text:span>Bo</text:span></text:p></office:annotation><text:p>Bo</text:p>',
      ),
      'Bo',
    ],
    [
      'without its pictures',
      cell('<text:p>Bo</text:p><draw:custom-shape><text:p>x</text:p></draw:custom-shape>'),
      'Bo',
    ],
    [
      'without tables in it',
      cell(
        '<text:p>Bo</text:p><table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
      'Bo',
    ],
    [
      'of an error',
      valued('string', 'office:string-value="" calcext:value-type="error"', '', '#N/A'),
      'error #N/A',
    ],
    ['of a formula', valued('float', 'office:value="2" table:formula="of:=1+1"'), 'number 2'],
    ['of a formula that was never calculated', cell('', 'table:formula="of:=1+1"'), 'missing '],
  ])('%s', async (_, xml, expected) => {
    expect(await rowsOf(row(xml))).toEqual([[1, expected]]);
  });

  test.each([
    ['a formula that comes to nothing', cell('<text:p/>', 'table:formula="of:=&quot;&quot;"')],
    ['an empty paragraph', told('')],
    ['blanks that lay out the XML', told('  \n ')],
    ['nothing', cell('')],
  ])('of %s is blank', async (_, xml) => {
    expect(await rowsOf(row(told('a') + xml + told('b')))).toEqual([[1, 'a', null, 'b']]);
  });
});

describe('the format of a cell', () => {
  const number = (attributes: string): string => valued('float', 'office:value="42"', attributes);
  test.each([
    ['its own style', DIGITS, '', row(number('table:style-name="digits"'))],
    ['a style of the other part', '', DIGITS, row(number('table:style-name="digits"'))],
    [
      'the style that its style builds on',
      '<style:style style:name="red" style:parent-style-name="digits"/>',
      DIGITS,
      row(number('table:style-name="red"')),
    ],
    ['the style of its row', DIGITS, '', row(number(''), 'table:default-cell-style-name="digits"')],
    [
      'the style of its column',
      DIGITS,
      '',
      `<table:table-column table:default-cell-style-name="digits"/>${row(number(''))}`,
    ],
    [
      'the style for what is not negative',
      `<number:number-style style:name="N1P0"><number:number number:min-integer-digits="7"/></number:number-style>${style(
        'digits',
        'N1',
      ).replace(
        '%',
        '<number:text>-</number:text><number:number number:min-integer-digits="3"/><style:map style:condition="value()&gt;=0" style:apply-style-name="N1P0"/>',
      )}`,
      '',
      row(number('table:style-name="digits"')),
    ],
  ])('is that of %s', async (_, styles, common, xml) => {
    expect(await rowsOf(xml, styles, common)).toEqual([[1, 'number 42 (number 7)']]);
  });

  test('goes on to the columns behind those that repeat', async () => {
    const columns =
      '<table:table-column table:number-columns-repeated="2"/><table:table-column table:default-cell-style-name="digits"/>';
    expect(await rowsOf(columns + row(number('') + number('') + number('')), DIGITS)).toEqual([
      [1, 'number 42', 'number 42', 'number 42 (number 7)'],
    ]);
  });

  test('is General where styles build on each other in a circle', async () => {
    const styles =
      '<style:style style:name="a" style:parent-style-name="b"/><style:style style:name="b" style:parent-style-name="a"/>';
    expect(await rowsOf(row(number('table:style-name="a"')), styles)).toEqual([[1, 'number 42']]);
  });

  test.each([
    ['number', '<number:number number:min-integer-digits="1"/>', 'General'],
    ['number', '<number:number number:decimal-places="2" number:min-integer-digits="1"/>', 'General'],
    [
      'number',
      '<number:text>HTF"27-</number:text><number:number number:min-integer-digits="4"/>',
      '"HTF27-"0000',
    ],
    [
      'number',
      '<number:number number:min-integer-digits="6"><number:embedded-text number:position="3">-</number:embedded-text><number:embedded-text number:position="1">/</number:embedded-text></number:number>',
      '000000"-""/"',
    ],
    [
      'percentage',
      '<number:number number:min-integer-digits="1"/><number:text>%</number:text>',
      'General"%"',
    ],
    ['currency', '<number:currency-symbol>€</number:currency-symbol><number:number/>', '"€"General'],
    [
      'number',
      '<number:number number:min-integer-digits="3"/><style:map style:condition="value()&gt;=0" style:apply-style-name="gone"/>',
      '000',
    ],
    ['text', '<number:text-content/>', 'General'],
    ['date', DAY, 'yyyy-mm-dd'],
    ['date', '<number:month number:textual="true"/>', 'yyyy-mm-dd'],
    ['date', `${DAY}<number:text> </number:text>${HOURS}`, 'yyyy-mm-dd hh:mm'],
    ['time', HOURS, 'hh:mm'],
    ['time', `${HOURS}<number:seconds number:decimal-places="2"/>`, 'hh:mm:ss'],
    ['number', `<number:number number:min-integer-digits="${'9'.repeat(30)}"/>`, '0'.repeat(256)],
  ])('of a %s style is a code: %s', async (kind, pieces, code) => {
    const sheet = await readSheet(
      oneTable(row(valued('float', 'office:value="42"', 'table:style-name="a"')), {
        styles: style('a', 'N1', kind).replace('%', () => pieces),
      }),
    );
    expect(sheet.rows[0]?.[1]).toMatchObject({ format: { code } });
  });

  test('of a time tells a time of day from hours that go on', async () => {
    const time = (name: string): string =>
      row(valued('time', 'office:time-value="PT36H00M00S"', `table:style-name="${name}"`));
    const styles =
      style('clock', 'N1', 'time').replace('%', HOURS) +
      style('span', 'N2', 'time', ' number:truncate-on-overflow="false"').replace('%', HOURS);
    expect(await rowsOf(time('clock') + time('span'), styles)).toEqual([
      [1, 'number 1.5 (clock)'],
      [2, 'number 1.5 (span)'],
    ]);
  });
});

describe('a table', () => {
  test('has its repeated cells and rows, each in its place', async () => {
    const rows = [
      row(
        told('a', 'table:number-columns-repeated="2"') +
          cell('', 'table:number-columns-repeated="2"') +
          told('b'),
      ),
      row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="3"'),
      row(told('c'), 'table:number-rows-repeated="2"'),
      row(told('d')),
      row(cell(''), 'table:number-rows-repeated="1048568"'),
    ];
    const sheet = await readSheet(oneTable(rows.join('')));
    expect(sheet.rows).toEqual([
      [1, 'a', 'a', null, null, 'b'],
      [5, 'c'],
      [6, 'c'],
      [7, 'd'],
    ]);
    expect(sheet.remarks).toEqual(['3 empty rows skipped between others.']);
  });

  test('tells what is hidden, rows and columns, also in groups', async () => {
    const columns =
      '<table:table-column/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group>';
    const xml = [
      `<table:table-header-rows>${row(told('Barcode') + told('Internal'))}</table:table-header-rows>`,
      row(told('a'), 'table:visibility="collapse" table:number-rows-repeated="2"'),
      `<table:table-row-group table:display="false">${row(told('b'), 'table:visibility="collapse"')}</table:table-row-group>`,
      row(told('c')),
    ].join('');
    const sheet = await readSheet(oneTable(columns + xml), { includeHidden: false });
    expect(sheet.rows).toEqual([
      [1, 'Barcode'],
      [5, 'c'],
    ]);
    expect(sheet.remarks).toEqual(['3 hidden rows (2, 3, 4) and 1 hidden column (B) left out.']);
  });

  test('tells that a filter is on', async () => {
    const xml = row(told('a')) + row(told('b'), 'table:visibility="filter"');
    const [question] = (await readSheet(oneTable(xml))).questions;
    expect(question?.text).toContain('1 hidden row (2) with values in the sheet (a filter is on)');
  });

  test('tells its merged cells', async () => {
    const spans = (columns: number, rows: number): string =>
      `table:number-columns-spanned="${columns}" table:number-rows-spanned="${rows}"`;
    const covered = '<table:covered-table-cell/>';
    const xml = [
      row(told('Guests', spans(2, 1)) + covered),
      row(told('a') + told('b', spans(2, 3)) + covered),
      row(told('c') + covered),
      row(cell('', spans(1, 2))),
    ].join('');
    expect(await (await opened(oneTable(xml))).merged()).toEqual([
      { name: 'A1:B1', row: 1, column: 0, lastRow: 1, lastColumn: 1 },
      { name: 'B2:C4', row: 2, column: 1, lastRow: 4, lastColumn: 2 },
      { name: 'A4:A5', row: 4, column: 0, lastRow: 5, lastColumn: 0 },
    ]);
  });

  test.each([
    ['of:=SUM([.A1:.A2])', [0]],
    ['of:=SUM([$Guests.A1:.A2])', [0]],
    ['of:=SUM([.A1:.B1])', undefined],
    ['of:=[.A1]', undefined],
  ])('tells that %s adds up rows, or that it does not', async (formula, aggregates) => {
    const bytes = oneTable(row(valued('float', `office:value="3" table:formula="${formula}"`)));
    for await (const [record] of (await opened(bytes)).records())
      expect(record?.aggregates).toEqual(aggregates);
  });
});
