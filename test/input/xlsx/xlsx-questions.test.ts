import { describe, expect, test } from 'vitest';
import { text, workbook } from '../../support/workbook.ts';
import { readSheet } from '../open-workbook.ts';
import { answer } from '../../support/choice-question.ts';

const sheetOf = (xml: string) => workbook({ sheets: [{ name: 'Guests', xml }] });
const lines = (rows: readonly (readonly unknown[])[]) => rows.map(([line]) => line);

describe('what is hidden', () => {
  const row = (n: number, hidden = true) =>
    `<row r="${n}"${hidden ? ' hidden="1"' : ''}>${text(`a${n}`)}${text(`b${n}`)}${text(`c${n}`)}</row>`;
  const columns = '<cols><col min="2" max="2" hidden="1"/><col min="4" max="16384" hidden="true"/></cols>';
  const data = `<sheetData>${row(1, false)}${row(2)}${row(3)}<row r="4" hidden="1"><c s="0"/></row>${row(5)}${row(6)}</sheetData>`;
  const bytes = sheetOf(`${columns}${data}`);

  test('is asked about, and shown meanwhile', async () => {
    const { rows, questions } = await readSheet(bytes);
    expect(lines(rows)).toEqual([1, 2, 3, 5, 6]);
    expect(questions).toEqual([
      {
        leavesOut: '4 hidden rows (2, 3, 5 and more) and 1 hidden column (B)',
        text: 'guests.xlsx:Guests: 4 hidden rows (2, 3, 5 and more) and 1 hidden column (B) with values in the sheet. Are they meant to be read?',
        details: [],
        answers: [
          {
            label: 'leave them out',
            flag: '--set include-hidden=false',
            option: 'includeHidden',
            value: false,
          },
          {
            label: 'read them as well',
            flag: '--set include-hidden=true',
            option: 'includeHidden',
            value: true,
          },
        ],
      },
    ]);
  });

  test('is read with --set include-hidden=true', async () => {
    const { rows, questions, remarks } = await readSheet(bytes, { includeHidden: true });
    expect(rows[1]).toEqual([2, 'a2', 'b2', 'c2']);
    expect(lines(rows)).toEqual([1, 2, 3, 5, 6]);
    expect([questions, remarks]).toEqual([[], ['1 empty row skipped between others.']]);
  });

  test('is left out with --set include-hidden=false', async () => {
    const { rows, questions, remarks } = await readSheet(bytes, { includeHidden: false });
    expect(rows).toEqual([[1, 'a1', null, 'c1']]);
    expect(questions).toEqual([]);
    expect(remarks[0]).toBe('4 hidden rows (2, 3, 5 and more) and 1 hidden column (B) left out.');
  });

  test('and holds nothing is no question', async () => {
    const quiet = sheetOf(
      `<cols><col min="3" max="9" hidden="1"/></cols><sheetData><row>${text('a')}</row><row hidden="1"/></sheetData>`,
    );
    expect((await readSheet(quiet)).questions).toEqual([]);
  });

  test.each([
    ['the sheet', '<sheetPr filterMode="1"/>', ''],
    ['a column', '', '<autoFilter ref="A1:C6"><filterColumn colId="0"/></autoFilter>'],
  ])('by a filter of %s is said to be', async (_, before, after) => {
    const { questions } = await readSheet(sheetOf(`${before}${data}${after}`));
    expect(questions[0]?.text).toContain('(2, 3, 5 and more) with values in the sheet (a filter is on).');
  });

  test('under arrows of a filter that hides nothing is not said to be', async () => {
    const { questions } = await readSheet(sheetOf(`${data}<autoFilter ref="A1:C6"/>`));
    expect(questions[0]?.text).not.toContain('filter');
  });
});

describe('the length of a sheet', () => {
  const upTo = (last: number) =>
    sheetOf(`<sheetData><row>${text('a')}</row><row r="${last}">${text('b')}</row></sheetData>`);

  test.each([
    [65_536, '65,536'],
    [1_048_576, '1,048,576'],
  ])('of exactly %i rows is asked about', async (last, written) => {
    const { questions } = await readSheet(upTo(last));
    expect(questions[0]?.text).toContain(
      `guests.xlsx:Guests: the sheet ends at row ${written}, the last one`,
    );
    expect(questions[0]?.answers).toEqual([answer('the sheet is complete', 'accept', 'full-sheet')]);
    expect((await readSheet(upTo(last), { accept: new Set(['full-sheet']) })).questions).toEqual([]);
  });

  test.each([65_535, 65_537, 1_048_575])('of %i rows is not', async (last) => {
    expect((await readSheet(upTo(last))).questions).toEqual([]);
  });

  test('counts the rows that hold something', async () => {
    const styled = sheetOf(`<sheetData><row>${text('a')}</row><row r="1048576"><c s="0"/></row></sheetData>`);
    expect((await readSheet(styled)).questions).toEqual([]);
  });
});
