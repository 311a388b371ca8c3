import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { createRecordWriter } from '../../../src/report/records/record-writer.ts';
import { anyText } from '../arbitrary-text.ts';
import { readParts, readRows, readSheets } from '../read-workbook.ts';

async function print(
  records: readonly object[],
  columns = [...new Set(records.flatMap((record) => Object.keys(record)))],
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const writer = createRecordWriter({
    format: 'xlsx',
    stream,
    columns,
    width: 80,
    color: false,
    here: { nowMs: 0 },
  });
  for (const record of records) await writer.write({ ...record });
  await writer.end();
  expect(stream.writableEnded).toBe(false);
  return Buffer.concat(chunks);
}

describe('xlsx', () => {
  it('has a header, and every value as text, as in csv', async () => {
    const bytes = await print([
      { id: 1, barcode: '0012', tags: ['a', 'b'], on: false, deep: { x: 1 } },
      { id: 2, none: null, phone: '+34600000000' },
    ]);
    const [sheet, another] = await readSheets(bytes);
    expect(sheet?.name).toBe('Registrations');
    expect(another).toBeUndefined();
    expect(sheet?.rows).toEqual([
      ['id', 'barcode', 'tags', 'on', 'deep', 'none', 'phone'],
      ['1', '0012', 'a;b', 'false', '{"x":1}', null, null],
      ['2', null, null, null, null, null, '+34600000000'],
    ]);
  });

  it('freezes a bold header and formats whole columns as text', async () => {
    const parts = await readParts(await print([{ id: 1 }]));
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    const style = /<col [^>]*style="(\d+)"/.exec(sheet)?.[1];
    const header = /<c r="A1" s="(\d+)"/.exec(sheet)?.[1];
    const styles = (parts.get('xl/styles.xml') ?? '').split('<cellXfs')[1]?.match(/<xf [^>]*>/g) ?? [];
    expect(styles[Number(style)]).toContain('numFmtId="49" fontId="0"');
    expect(styles[Number(header)]).toContain('numFmtId="49" fontId="1"');
  });

  it('keeps white space at the ends, which programs take away unasked', async () => {
    const xml = (await readParts(await print([{ a: ' x', b: 'x\t', c: 'y\nz', d: 'x y' }]))).get(
      'xl/worksheets/sheet1.xml',
    );
    for (const text of [' x', 'x\t', 'y\nz']) expect(xml).toContain(`<t xml:space="preserve">${text}</t>`);
    expect(xml).toContain('<t>x y</t>');
  });

  it('consists of parts that are well-formed and listed', async () => {
    const parts = await readParts(await print([{ 'a<&"': '\u0000<&>"\uFFFF\uD800' }]));
    expect([...parts.keys()][0]).toBe('[Content_Types].xml');
    const listed = [...(parts.get('[Content_Types].xml') ?? '').matchAll(/PartName="\/([^"]+)"/g)];
    expect(listed.map(([, name]) => name).filter((name) => !parts.has(name ?? ''))).toEqual([]);
    for (const xml of parts.values()) new SaxesParser().write(xml).close();
  });

  it('writes the given columns in their order, also without records', async () => {
    expect(await readRows(await print([], ['name', 'id']))).toEqual([['name', 'id']]);
    expect(await readRows(await print([{ id: 1, name: 'Ann', more: 2 }], ['name', 'id']))).toEqual([
      ['name', 'id'],
      ['Ann', '1'],
    ]);
    expect(await readRows(await print([]))).toEqual([]);
  });

  it('writes records after the first 100', async () => {
    const records = Array.from({ length: 250 }, (_, id) => ({ id }));
    const rows = await readRows(await print(records));
    expect([rows.length, rows[101], rows[250]]).toEqual([251, ['100'], ['249']]);
  });

  it("marks what looks like the csv export's escape of a formula, and leaves formulas as text", async () => {
    expect(await readRows(await print([{ a: '=1+1', b: "'=1", c: "'s", "'+d": '' }]))).toEqual([
      ['a', 'b', 'c', "''+d"],
      ['=1+1', "''=1", "'s", null],
    ]);
  });

  it('is read back as it was, one quote less before a formula', async () => {
    const value = anyText().map((text) => text.replaceAll(/\p{Cs}/gu, ''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }), async (pairs) => {
        const rows = await readRows(await print(pairs.map(([a, b]) => ({ a, b }))));
        const read = pairs.map((_, at) => ['a', 'b'].map((__, column) => unescaped(rows[at + 1]?.[column])));
        expect(read).toEqual(pairs);
      }),
    );
  });
});

function unescaped(cell: unknown): string {
  const text = typeof cell === 'string' ? cell : '';
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
