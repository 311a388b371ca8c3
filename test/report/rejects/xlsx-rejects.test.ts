import { describe, expect, it } from 'vitest';
import { type NumberFormat, SheetCell } from '../../../src/registration/model/sheet-cell.ts';
import { type RejectedRow, surveyRows } from '../../../src/report/rejects/rejected-row.ts';
import { writeXlsxRejects } from '../../../src/report/rejects/xlsx-rejects.ts';
import { readParts, readRows, readSheets } from '../read-workbook.ts';

async function write(rows: readonly RejectedRow[], date1904 = false): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const sheet = { sheet: 'Guests/2027', date1904 };
  const survey = surveyRows(() => rows);
  await writeXlsxRejects(
    async (bytes) => void chunks.push(bytes),
    sheet,
    survey,
    () => rows,
  );
  return Buffer.concat(chunks);
}

function row(cells: Readonly<Record<string, RejectedRow['cells'][number]>>, more: Partial<RejectedRow> = {}) {
  return {
    columns: Object.keys(cells),
    cells: Object.values(cells),
    errors: 'no',
    notes: '',
    wrong: [],
    ...more,
  };
}

function sheetCell(
  type: SheetCell['type'],
  stored: string,
  format: Partial<NumberFormat> = {},
  date1904 = false,
): SheetCell {
  return new SheetCell(type, stored, { code: 'General', kind: 'number', zeros: 0, ...format }, date1904);
}

const DATE = { code: 'dd/mm/yyyy', kind: 'date' } as const;

/** The cell as the file has it, and its style. */
async function cellXml(bytes: Buffer, reference: string): Promise<{ cell: string; style: string }> {
  const parts = await readParts(bytes);
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const cell = new RegExp(`<c r="${reference}"[^>]*?(?:/>|>.*?</c>)`).exec(sheet)?.[0] ?? '';
  const styles = (parts.get('xl/styles.xml') ?? '').split('<cellXfs')[1]?.match(/<xf [^>]*>/g) ?? [];
  return { cell, style: styles[Number(/ s="(\d+)"/.exec(cell)?.[1] ?? 0)] ?? '' };
}

describe('writeXlsxRejects', () => {
  it('writes all columns in order of appearance, then notes and reasons', async () => {
    const bytes = await write([
      row({ name: 'Ann', _errors: 'old', _notes: 'old', 7: 'x' }, { errors: 'name: odd', notes: 'n' }),
      row({ 7: 'y', __proto__x: '=1' }),
    ]);
    expect((await readSheets(bytes))[0]?.name).toBe('Guests_2027');
    const rows = await readRows(bytes);
    expect(rows[0]?.slice(-2)).toEqual(['_notes', '_errors']);
    const named = rows.slice(1).map((cells) => new Map(rows[0]?.map((name, at) => [name, cells[at]])));
    expect(named[0]).toEqual(
      new Map<unknown, unknown>([
        ['7', 'x'],
        ['name', 'Ann'],
        ['__proto__x', null],
        ['_notes', 'n'],
        ['_errors', 'name: odd'],
      ]),
    );
    expect(named[1]?.get('__proto__x')).toBe('=1');
    expect(await readRows(await write([row({ a: 'x' })]))).toEqual([
      ['a', '_errors'],
      ['x', 'no'],
    ]);
  });

  it('keeps the kinds of cells of a workbook, and their stored digits and formats', async () => {
    const cells = {
      a: sheetCell('number', '5.901234123457E12', { code: '0' }),
      b: sheetCell('number', '12345678901234567890'),
      c: sheetCell('number', '46079.25', DATE),
      d: sheetCell('boolean', '1'),
      e: sheetCell('error', '#N/A'),
      f: sheetCell('missing', ''),
      g: sheetCell('date', '2026-02-26T10:00:00', DATE),
    };
    const bytes = await write([row(cells)]);
    expect(await cellXml(bytes, 'A2')).toMatchObject({
      cell: expect.stringContaining('<v>5.901234123457E12</v>'),
    });
    expect((await cellXml(bytes, 'B2')).cell).toBe('<c r="B2"><v>12345678901234567890</v></c>');
    expect((await cellXml(bytes, 'C2')).cell).toContain('<v>46079.25</v>');
    expect((await cellXml(bytes, 'D2')).cell).toBe('<c r="D2" t="b"><v>1</v></c>');
    expect((await cellXml(bytes, 'E2')).cell).toBe('<c r="E2" t="e"><v>#N/A</v></c>');
    expect((await cellXml(bytes, 'F2')).cell).toBe('<c r="F2" t="e"><v>#N/A</v></c>');
    expect((await cellXml(bytes, 'G2')).cell).toContain('t="d"><v>2026-02-26T10:00:00</v>');
    const styles = (await readParts(bytes)).get('xl/styles.xml');
    expect(styles).toContain('formatCode="dd/mm/yyyy"');
    expect((await readRows(bytes))[1]?.[2]).toEqual(new Date('2026-02-26T06:00:00Z'));
  });

  it.each([
    [false, true, '44617', '46079'],
    [true, false, '46079', '44617'],
    [true, true, '44617', '44617'],
  ])(
    'counts days as the workbook does (from 1904: %s, the cell: %s)',
    async (book, cell, stored, written) => {
      const bytes = await write([row({ a: sheetCell('number', stored, DATE, cell) })], book);
      expect((await cellXml(bytes, 'A2')).cell).toContain(`<v>${written}</v>`);
      expect((await readRows(bytes))[1]?.[0]).toEqual(new Date('2026-02-26T00:00:00Z'));
    },
  );

  it('writes as text what would make the file a damaged one', async () => {
    const cells = {
      a: sheetCell('number', '1<2'),
      b: sheetCell('error', '#EVIL<x>'),
      c: sheetCell('date', 'yesterday', DATE),
      d: sheetCell('number', '5', { ...DATE, code: 'x'.repeat(300) }),
    };
    const bytes = await write([row(cells)]);
    expect((await readRows(bytes))[1]?.slice(0, 3)).toEqual(['1<2', '#EVIL<x>', 'yesterday']);
    expect((await readParts(bytes)).get('xl/styles.xml')).not.toContain('xxx');
  });

  it('limits the number of formats, and dates stay dates', async () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      row({ a: sheetCell('number', '46079', { ...DATE, code: `dd/mm/yyyy" ${at}"` }) }),
    );
    const bytes = await write(rows);
    const styles = (await readParts(bytes)).get('xl/styles.xml') ?? '';
    expect(Number(/<numFmts count="(\d+)"/.exec(styles)?.[1])).toBeLessThanOrEqual(201);
    expect((await readRows(bytes))[300]?.[0]).toEqual(new Date('2026-02-26T00:00:00Z'));
  });

  it('fills wrong cells, also blank ones, and says in a comment why', async () => {
    const wrong = [
      { column: 'b', problem: 'is bad; write it better' },
      { column: 'b', problem: 'is <worse>' },
      { column: 'c', problem: 'is missing' },
      { column: 'elsewhere', problem: 'is not shown' },
    ];
    const bytes = await write([row({ a: 'x', b: '0012', c: null }, { wrong }), row({ a: 'y' })]);
    const [sheet] = await readSheets(bytes);
    const comments = [...(sheet?.cells ?? [])].flatMap(([at, cell]) =>
      cell.comment === undefined ? [] : [[at, cell.comment.text]],
    );
    expect(comments).toEqual([
      ['1,1', 'is bad; write it better\nis <worse>'],
      ['1,2', 'is missing'],
    ]);
    expect((await cellXml(bytes, 'B2')).style).toContain('numFmtId="49" fontId="0" fillId="2"');
    expect(await cellXml(bytes, 'C2')).toMatchObject({
      cell: expect.stringMatching(/^<c r="C2" s="\d+"\/>$/),
      style: expect.stringContaining('fillId="2"'),
    });
    expect((await cellXml(bytes, 'A2')).style).toContain('fillId="0"');
    expect((await readParts(bytes)).get('xl/styles.xml')).toContain('rgb="FFFFC7CE"');
  });

  it('has parts for comments only when there are any, and not more than 1,000', async () => {
    const none = await readParts(await write([row({ a: 'x' })]));
    expect([...none.keys()].filter((name) => /comments|drawing|sheet1\.xml\.rels/.test(name))).toEqual([]);
    const wrong = [{ column: 'a', problem: 'bad' }];
    const many = Array.from({ length: 1_100 }, () => row({ a: 'x' }, { wrong }));
    const parts = await readParts(await write(many));
    expect(parts.get('xl/comments1.xml')?.match(/<comment /g)).toHaveLength(1_000);
    expect(parts.get('xl/drawings/vmlDrawing1.vml')?.match(/<v:shape /g)).toHaveLength(1_000);
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<legacyDrawing r:id="rId1"/>');
  });

  it('formats a column as text when its texts look like numbers, dates or formulas', async () => {
    const bytes = await write([row({ a: 'Ann', b: 'plain' }), row({ a: '+34 600', b: 'words 1' })]);
    expect((await cellXml(bytes, 'A2')).style).toContain('numFmtId="49"');
    expect((await cellXml(bytes, 'B2')).style).toContain('numFmtId="0"');
    const sheet = (await readParts(bytes)).get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toMatch(/<col min="1"[^>]* style="[1-9]/);
    expect(sheet).not.toContain('autoFilter');
  });

  it('names the General format of a truth value, as LibreOffice saves it as a number in any other', async () => {
    const cells = [
      true,
      sheetCell('boolean', '1', { code: '@', kind: 'text' }),
      sheetCell('boolean', '1', { code: '0' }),
    ];
    const bytes = await write([row({ a: '0012' }), ...cells.map((a) => row({ a }))]);
    for (const reference of ['A3', 'A4', 'A5']) {
      expect(await cellXml(bytes, reference)).toEqual({
        cell: `<c r="${reference}" s="0" t="b"><v>1</v></c>`,
        style: expect.stringContaining('numFmtId="0"'),
      });
    }
  });

  it('writes numbers, switches, lists and objects of json', async () => {
    const bytes = await write([row({ a: 1.5, b: true, c: ['x', 'y'], d: { e: 1 }, f: null })]);
    expect((await readRows(bytes))[1]).toEqual([1.5, true, '["x","y"]', '{"e":1}', null, 'no']);
  });

  it('cuts reasons that no cell could hold', async () => {
    const wrong = [{ column: 'a', problem: 'y'.repeat(5_000) }];
    const bytes = await write([row({ a: 'x' }, { errors: 'y'.repeat(40_000), wrong })]);
    expect(String((await readRows(bytes))[1]?.[2])).toHaveLength(30_000);
    expect((await readParts(bytes)).get('xl/comments1.xml')).toMatch(/>y{999}…</);
  });

  it('fits the widths to what stands in the first rows', async () => {
    const bytes = await write([row({ a: 'x'.repeat(30), b: 'x'.repeat(500), c: '' })]);
    const sheet = (await readParts(bytes)).get('xl/worksheets/sheet1.xml') ?? '';
    expect([...sheet.matchAll(/width="(\d+)"/g)].map(([, width]) => width)).toEqual(['32', '50', '10', '60']);
  });
});
