import { describe, expect, test } from 'vitest';
import type { TableRecords } from '../../../src/input/source/table-record.ts';
import { openSheet } from '../../../src/input/open-sheet.ts';
import { text, workbookParts, type WorkbookXml } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { refusal } from '../open-text.ts';
import { readSheet, stored } from '../open-workbook.ts';

const MEBI = 1024 * 1024;
const shared = (...lengths: number[]) =>
  lengths.map((length) => `<si><t>${'x'.repeat(length)}</t></si>`).join('');
const cell = (index: number) => `<c t="s"><v>${index}</v></c>`;

/** Nothing is packed, so that no ratio is suspicious. */
function sheetOf(rows: string, rest: Omit<WorkbookXml, 'sheets'> = {}): Buffer {
  const parts = workbookParts({
    sheets: [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>` }],
    ...rest,
  });
  return zip(parts.map((part) => ({ ...part, stored: true })));
}

async function recordsOf(bytes: Buffer): Promise<TableRecords> {
  const options = {
    sheet: undefined,
    includeHidden: undefined,
    accept: new Set<never>(),
    knows: () => false,
  };
  return (await openSheet(await stored(bytes), options)).records();
}

describe('a text of more than 1 MiB is refused with its place:', () => {
  const hint = 'Shorten the text, or delete it; check that this is the right column.';
  const long = 'x'.repeat(MEBI + 1);
  // Cut where it is too long, the rest of it would look like a whole value.
  const spaces = `${' '.repeat(MEBI)} 1<![CDATA[2]]>`;
  const escapes = `${'_x0041_'.repeat(MEBI / 7)}ABCDEFG<![CDATA[B]]>`;
  test.each([
    ['inline', text(long, 'C2')],
    ['of a formula', `<c r="C2" t="str"><v>${long}</v></c>`],
    ['no number', `<c r="C2"><v>${long}</v></c>`],
    ['shared', '<c r="C2" t="s"><v>1</v></c>'],
    ['a number behind spaces', `<c r="C2"><v>${spaces}</v></c>`],
    ['escapes', `<c r="C2" t="inlineStr"><is><t>${escapes}</t></is></c>`],
    ['escapes of a formula', `<c r="C2" t="str"><v>${escapes}</v></c>`],
  ])('%s', async (_, xml) => {
    const bytes = sheetOf(`<row>${text('a')}</row><row>${xml}</row>`, { strings: shared(1, MEBI + 1) });
    expect(await refusal(readSheet(bytes))).toEqual({
      message: 'guests.xlsx:Guests:2: cell C2 holds more than 1 MiB of text.',
      hint,
      details: [],
    });
  });

  test('shared without end', async () => {
    const bytes = sheetOf(`<row>${cell(0)}</row>`, { strings: shared(6 * MEBI) });
    expect(await refusal(readSheet(bytes))).toEqual({
      message: 'guests.xlsx: a cell holds more than 1 MiB of text.',
      hint,
      details: [],
    });
  });

  test('one of 1 MiB is read, and one that no cell refers to is nobody’s', async () => {
    const strings = shared(MEBI, MEBI + 1);
    expect((await readSheet(sheetOf(`<row>${cell(0)}</row>`, { strings }))).rows[0]?.[1]).toHaveLength(MEBI);
  });

  test('of a row', async () => {
    const strings = shared(MEBI / 2, 1);
    const half = cell(0);
    const whole = `<row>${half}${half}</row>`;
    expect((await readSheet(sheetOf(whole + whole, { strings }))).rows).toHaveLength(2);
    const bytes = sheetOf(`${whole}<row>${half}${cell(1)}${half}</row>`, { strings });
    expect(await refusal(readSheet(bytes))).toEqual({
      message: 'guests.xlsx:Guests:2: this row holds more than 1 MiB of text.',
      hint,
      details: [],
    });
  });

  test('of a row, in numbers as well', async () => {
    const number = `<c><v>${'1'.repeat(MEBI / 2)}</v></c>`;
    const { message } = await refusal(readSheet(sheetOf(`<row>${number}${number}<c><v>1</v></c></row>`)));
    expect(message).toBe('guests.xlsx:Guests:1: this row holds more than 1 MiB of text.');
  });
});

describe('a small file of much text', () => {
  test('is read row by row', async () => {
    const strings = shared(500_000, 500_001);
    const bytes = sheetOf(`<row>${cell(0)}${cell(1)}</row>`.repeat(1000), { strings });
    let rows = 0;
    let most = 0;
    for await (const records of await recordsOf(bytes)) {
      rows += records.length;
      most = Math.max(most, records.length);
    }
    expect(rows).toBe(1000);
    expect(most).toBeLessThan(32);
  });

  test.each([
    ['when they are short', 'x'],
    ['behind a long one', 'x'.repeat(MEBI)],
  ])('is read some hundred rows at a time %s', async (_, first) => {
    const rows = `<row>${text(first)}</row>${`<row>${text('Ann')}</row>`.repeat(2000)}`;
    const batches: number[] = [];
    for await (const records of await recordsOf(sheetOf(rows))) batches.push(records.length);
    expect(batches.reduce((sum, length) => sum + length)).toBe(2001);
    expect(batches.length).toBeLessThan(20);
  });

  test('is refused when it comes to more than 2 GiB', async () => {
    const rows = (count: number) => sheetOf(`<row>${cell(0)}</row>`.repeat(count), { strings: shared(MEBI) });
    let read = 0;
    for await (const records of await recordsOf(rows(2048))) read += records.length;
    expect(read).toBe(2048);
    expect((await refusal(readSheet(rows(2049)))).message).toBe(
      'guests.xlsx:Guests:2049: this workbook is refused: it holds more than 2 GiB of text.',
    );
  });
});

test('Values lie in at most 1,000 columns', async () => {
  const row = (at: string) => sheetOf(`<row r="1"><c r="${at}1"><v>1</v></c></row>`);
  expect((await readSheet(row('ALL'))).rows[0]).toHaveLength(1001);
  expect((await refusal(readSheet(row('ALM')))).message).toBe(
    'guests.xlsx:Guests:1: this workbook is refused: column ALM holds a value, and at most 1,000 columns are read.',
  );
});

describe('a number format of more than 255 characters', () => {
  const bytes = (length: number, style: number) =>
    sheetOf(`<row><c s="${style}"><v>1</v></c></row>`, {
      styles: `<numFmts><numFmt numFmtId="164" formatCode="${'0'.repeat(length)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="${style === 1 ? 164 : 0}"/></cellXfs>`,
    });

  test('is refused, since every cell carries it along', async () => {
    expect((await readSheet(bytes(255, 1))).rows[0]?.[1]).toMatchObject({ format: { zeros: 255 } });
    expect((await refusal(readSheet(bytes(256, 1)))).message).toBe(
      'guests.xlsx: this workbook is damaged: in its part xl/styles.xml, it holds a number format of more than 255 characters.',
    );
  });

  test('is nobody’s when no style has it', async () => {
    expect((await readSheet(bytes(256, 0))).rows).toHaveLength(1);
  });
});
