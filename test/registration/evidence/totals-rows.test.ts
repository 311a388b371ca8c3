import { describe, expect, it } from 'vitest';
import type { Cell, SourceRow } from '../../../src/registration/model/row.ts';
import { TotalsRows } from '../../../src/registration/evidence/totals-rows.ts';
import { event, field, mappingOf, persona } from '../persona-fixture.ts';
import { numberCell } from '../read-cells.ts';

const COLUMNS = ['barcode', 'first', 'last', 'mail', 'company', 'guests'];
const expo = event(
  persona('visitor', [
    field('first', 'name'),
    field('last', 'name'),
    field('mail', 'email'),
    field('company', 'text'),
    field('guests', 'numeric'),
    field('phone', 'phone'),
  ]),
);
const ADA = ['A1', 'Ada', 'Byron', 'ada@example.com', 'Total', '2'];
/** Without anything that only a guest has, but for the names. */
const BOB = ['', 'Bob', '', '', 'Total', '2'];
type Line = readonly Cell[];

interface Options {
  /** Columns with a formula over several rows, by line. */
  aggregates?: Readonly<Record<number, readonly number[]>>;
  columns?: readonly string[];
}

/** Looks at rows from line 2 on. */
function look(lines: readonly Line[], { aggregates = {}, columns = COLUMNS }: Options = {}) {
  const totals = new TotalsRows(expo);
  const mapping = mappingOf(columns);
  const guests: number[] = [];
  for (const [at, cells] of lines.entries()) {
    const line = at + 2;
    const row: SourceRow = { place: { file: 'a.csv', line }, columns, cells };
    if (aggregates[line] !== undefined) row.aggregates = aggregates[line];
    if (!totals.add(row, mapping)) guests.push(line);
  }
  return { totals, guests, lines: [...totals.lines] };
}
const totalsIn = (lines: readonly Line[], options?: Options) => look(lines, options).lines;

const WORDS =
  'Total|TOTAL:|Total: 25|Totals|Grand Total|Sub-Total|Subtotal|Sum|Summe|Summe:|GESAMT|Gesamtsumme|Zwischensumme|Totale|Totale generale|Somme|Sous-total|Total général|Suma|Soma|Totaal|Ogółem|Anzahl:|Headcount';

describe('a row of totals', () => {
  it.each(WORDS.split('|'))('is one that says %s in its first cell or a name', (word) => {
    expect(totalsIn([ADA, [word, '', '', '', '', '25']])).toEqual([3]);
    expect(totalsIn([ADA, ['', '', word, '', '', numberCell('25')]])).toEqual([3]);
    expect(totalsIn([ADA, [word, '', '', '', '', ''], ADA])).toEqual([3]);
  });

  it.each<readonly [string, readonly Cell[]]>([
    ['a bare number for a name', ['', '25', '', '', '', '']],
    ['a bare number of a workbook for a name', ['', '', numberCell('25'), '', '', '50']],
    ['a caption and numbers', ['Total guests', '', '', '', '', '25']],
    ['a caption that ends with the word', ['', 'Gäste gesamt', '', '', '', '25']],
    ['a caption for a first name, and a number for a last one', ['', 'Anzahl:', '5', '', '', '4']],
    ['a remark where nothing is sent', ['', '', '', '', '', '', 'Subject to change']],
    ['words behind the number', ['Totaal: 9 leden', '', '', '', '', '']],
    ['words behind the number for a first name', ['', 'Gesamt 2 Personen', '', '', '', '']],
    ['words behind the number and a sum', ['Headcount: 1,200 guests', '', '', '', '', '1200']],
    ['a number with its unit in a name', ['Totaal', '', '2 gasten', '', '', '']],
    ['a caption in a name', ['', 'Gesamt', '', '', '', 'paid: 20']],
  ])('is one with %s', (_, cells) => {
    expect(totalsIn([ADA, cells])).toEqual([3]);
  });

  it('is one with a formula over several rows, whatever its caption', () => {
    expect(totalsIn([ADA, ['', '', 'Plätze', '', '', '4']], { aggregates: { 3: [5] } })).toEqual([3]);
    expect(totalsIn([BOB, BOB, ['', '', '', '', '', '']], { aggregates: { 4: [5] } })).toEqual([4]);
  });

  it('is one of numbers alone, where others have a name, an e-mail address or a barcode', () => {
    const sum = ['', '', '', '', '', '5'];
    for (const guest of [ADA, BOB, ['A1', '', '', '', '', '1'], ['', '', '', 'a@example.com', '', '1']]) {
      expect(totalsIn([guest, sum])).toEqual([3]);
    }
    expect(totalsIn([ADA, ['', '', '', '', '', numberCell('5')]])).toEqual([3]);
    expect(totalsIn([ADA, ['', '', '', '', '2', '1,500.00'], ADA])).toEqual([3]);
  });

  it('may have others beside it, at the end and among guests', () => {
    const total = ['Total', '', '', '', '', '2'];
    expect(look([ADA, total, total, total])).toMatchObject({ guests: [2], lines: [3, 4, 5] });
    expect(look([ADA, total, total, ADA])).toMatchObject({ guests: [2, 5], lines: [3, 4] });
  });
});

describe('a guest', () => {
  it.each<readonly [string, readonly Cell[]]>([
    ['an e-mail address', ['Total', 'Total', '25', 'sum@example.com', '', '']],
    ['another name', ['Total', 'Jean', 'Total', '', 'Total', '']],
    ['the word further on only', ['A7', '', '', '', 'Total', '25']],
    ['a company that begins so', ['Total Energies', '', '', '', 'Paris', '']],
    ['a word that begins so', ['Totalitarian', '', '', '', '', '']],
    ['a number where none is odd', ['A7', '', '', '', 'Acme', '25']],
  ])('is one with %s', (_, cells) => {
    expect(totalsIn([ADA, cells])).toEqual([]);
  });

  it('may be of numbers alone where others are, and with a telephone number or a parent', () => {
    const numbers = ['', '', '', '', '', '5'];
    expect(totalsIn([['', '', '', '', 'Acme', '1'], numbers])).toEqual([]);
    const links = ['first', 'phone', 'parent_barcode'];
    expect(
      totalsIn(
        [
          ['Ada', '', ''],
          ['', '612345678', ''],
        ],
        { columns: links },
      ),
    ).toEqual([]);
    expect(
      totalsIn(
        [
          ['Ada', '', ''],
          ['', '', '17'],
        ],
        { columns: links },
      ),
    ).toEqual([]);
  });

  it('may be one of many such', () => {
    const many = Array.from({ length: 200 }, () => ['', '', '7', '', '', '']);
    expect(look(many)).toMatchObject({ lines: [] });
    expect(look(many).guests.length).toBe(180);
  });

  it('may have a column of formulas, and a formula beside the name and the barcode', () => {
    expect(totalsIn([BOB, BOB, BOB], { aggregates: { 3: [5], 4: [5] } })).toEqual([3]);
    const cy = ['A3', 'Cy', '', '', '', '9'];
    expect(totalsIn([BOB, cy], { aggregates: { 3: [5] } })).toEqual([]);
    expect(totalsIn([ADA, ADA], { aggregates: { 3: [5] } })).toEqual([]);
  });
});

describe('what is said of rows of totals', () => {
  const total = ['Total', '', '', '', '', '2'];

  it('is a question with the flags that answer it', () => {
    const answer = (label: string, value: string) => {
      return { label, flag: `--set totals-rows=${value}`, option: 'totalsRows', value };
    };
    const question = {
      text: 'a.csv:3: this row looks like totals or a note, not like a guest.',
      details: ['a.csv:3: "Total" "2"'],
      answers: [answer('leave it out', 'left-out'), answer('it is a guest', 'guests')],
    };
    expect(look([ADA, total]).totals.tell(false)).toEqual({ questions: [question], remarks: [] });
    expect(look([ADA, total, total]).totals.tell(false).questions[0]?.text).toBe(
      'a.csv:3: this row and 1 more look like totals or notes, not like guests.',
    );
  });

  it('is a remark where they are left out, and nothing where there are none', () => {
    expect(look([ADA, total]).totals.tell(true).remarks).toEqual(['Left out, as totals or notes: a.csv:3.']);
    expect(look([ADA, total, total]).totals.tell(true).remarks).toEqual([
      'Left out, as totals or notes: a.csv:3 and 1 more.',
    ]);
    expect(look([ADA]).totals.tell(true)).toEqual({ questions: [], remarks: [] });
    expect(look([ADA]).totals.tell(false)).toEqual({ questions: [], remarks: [] });
  });
});
