import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runEvent } from '../../../src/commands/event/event.ts';
import { createTemplate } from '../../../src/commands/event/write-template.ts';
import { createXlsxTemplate } from '../../../src/commands/event/event-template-xlsx.ts';
import { EXIT } from '../../../src/errors.ts';
import type { EventInfo, Field, FieldKind, Persona } from '../../../src/registration/model/persona.ts';
import { readParts, readRows, readSheets } from '../../report/read-workbook.ts';
import { GLOBALS } from '../parse-argv.ts';
import { sandboxRuntime } from '../sandbox-runtime.ts';
import { listed } from '../../support/tables.ts';

function field(slug: string, label: string, kind: FieldKind, values: readonly string[] = []): Field {
  const choices = values.map((value) => ({ value, label: value.toUpperCase() }));
  return { id: undefined, slug, label, type: kind, kind, choices, multiple: false, known: true };
}

const LONG = Array.from({ length: 40 }, (_, at) => `choice number ${at}`);
const VISITOR: Persona = {
  id: undefined,
  slug: 'visitor',
  name: 'Visitor',
  fields: [
    field('first_name', 'First name', 'name'),
    field('phone', 'Phone', 'phone'),
    field('born', 'Date of birth', 'date'),
    field('country', 'Country', 'country'),
    field('citizen', 'Citizen of', 'country'),
    field('meal', 'Lunch', 'choice', ['meat', '=fish', 'meat']),
    field('talk', 'Talk', 'choice', LONG),
    { ...field('diet', 'Dietary needs', 'choice', ['Halal', 'Vegan']), multiple: true },
    { ...field('odd', 'Odd', 'text'), known: false },
  ],
};

function eventOf(...personas: readonly Persona[]): EventInfo {
  const nothing = { timezone: undefined, startDate: undefined, endDate: undefined };
  return { eventId: '1', slug: 'fair', name: 'Fair', ...nothing, personas };
}

const EVENT = eventOf(VISITOR, { ...VISITOR, slug: 'speaker', name: 'Speaker' });
const template = async (persona = VISITOR, event = EVENT): Promise<Buffer> =>
  (await createXlsxTemplate(event, persona)).content;

/** Drop-downs and messages as the file has them, by the letters of their columns. */
async function hints(bytes: Buffer): Promise<Map<string, { attributes: string; list: string | undefined }>> {
  const xml = (await readParts(bytes)).get('xl/worksheets/sheet1.xml') ?? '';
  const found = xml.matchAll(
    /<dataValidation ([^>]*?)(?:\/>|><formula1>(.*?)<\/formula1><\/dataValidation>)/g,
  );
  return new Map(
    [...found].map(([, attributes = '', list]) => [
      /sqref="([A-Z]+)2:\1(?=1048576")/.exec(attributes)?.[1] ?? '',
      { attributes, list },
    ]),
  );
}

describe('the sheet of a workbook template', () => {
  test('is named after the persona, and has the columns and the example of the csv template', async () => {
    const [sheet] = await readSheets(await template());
    expect(sheet?.name).toBe('Visitor');
    const [header = [], example = []] = createTemplate(EVENT, VISITOR, 'csv')
      .content.split('\n')
      .map((line) => line.split(',').map((cell) => (cell === '' ? null : cell.replace(/^'(?=\+)/, ''))));
    expect(sheet?.rows[0]).toEqual(header);
    const born = header.indexOf('Date of birth');
    expect(sheet?.rows[1]?.[born]).toEqual(new Date('2026-02-26T00:00:00Z'));
    expect(sheet?.rows[1]?.map((cell, at) => (at === born ? '2026-02-26' : cell)).slice(0, -1)).toEqual(
      example.slice(0, -1),
    );
    expect(sheet?.rows).toHaveLength(2);
  });

  test.each([
    ['Press [VIP] / a:b', 'Press _VIP_ _ a_b'],
    ['', 'visitor'],
    ['A name that is much longer than thirty-one characters', 'A name that is much longer than'],
  ])('of persona %j is named %j', async (name, expected) => {
    const persona = { ...VISITOR, name };
    expect((await readSheets(await template(persona, eventOf(persona))))[0]?.name).toBe(expected);
  });

  test('formats whole columns: text, and dates as yyyy-mm-dd', async () => {
    const parts = await readParts(await template());
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? '';
    const styles = (parts.get('xl/styles.xml') ?? '').split('<cellXfs')[1]?.match(/numFmtId="\d+"/g) ?? [];
    const columns = [...xml.matchAll(/<col [^>]*style="(\d+)"/g)].map(([, style]) => styles[Number(style)]);
    expect(columns).toHaveLength(13);
    expect(columns.filter((format) => format !== 'numFmtId="49"')).toEqual(['numFmtId="164"']);
    expect(columns[6]).toBe('numFmtId="164"');
    expect(parts.get('xl/styles.xml')).toContain('<numFmt numFmtId="164" formatCode="yyyy-mm-dd"/>');
    expect(xml).toContain('state="frozen"');
  });

  test('has drop-downs for what is chosen, from lists on a hidden sheet', async () => {
    const bytes = await template();
    const byColumn = await hints(bytes);
    const lists = (await readSheets(bytes))[2];
    expect([lists?.name, lists?.hidden]).toEqual(['_lists', true]);
    const valuesOf = (column: string): unknown[] => {
      const [, letter = '', last] =
        /^_lists!\$([A-Z])\$2:\$\1\$(\d+)$/.exec(byColumn.get(column)?.list ?? '') ?? [];
      const at = letter.charCodeAt(0) - 65;
      return (lists?.rows.slice(1, Number(last)) ?? []).map((row) => row[at]);
    };
    expect(valuesOf('A')).toEqual(['visitor', 'speaker']);
    expect(valuesOf('D')).toEqual(['true', 'false']);
    expect(valuesOf('H')).toHaveLength(249);
    expect(byColumn.get('I')?.list).toBe(byColumn.get('H')?.list);
    expect(valuesOf('J')).toEqual(['meat', '=fish']);
    expect(valuesOf('K')).toEqual(LONG);
    expect(byColumn.has('B')).toBe(false);
  });

  test('explains a field that takes several values without a list, within what a message may hold', async () => {
    const byColumn = await hints(await template());
    const several = byColumn.get('L');
    expect(several?.list).toBeUndefined();
    expect(several?.attributes).toContain(
      'prompt="One or more of the allowed values, with ; between them. Halal; Vegan"',
    );
    expect(several?.attributes).not.toContain('type=');
    const long = {
      ...field('many', 'A label of more than thirty-two characters', 'choice', LONG),
      multiple: true,
    };
    const persona = { ...VISITOR, fields: [long] };
    const { attributes = '' } = (await hints(await template(persona, eventOf(persona)))).get('E') ?? {};
    expect(/promptTitle="([^"]*)"/.exec(attributes)?.[1]).toBe('A label of more than thirty-two…');
    expect(/ prompt="([^"]*)"/.exec(attributes)?.[1]).toHaveLength(255);
  });
});

test('the sheet _fields explains every column', async () => {
  const fields = (await readSheets(await template()))[1];
  expect([fields?.name, fields?.hidden === true]).toEqual(['_fields', false]);
  expect(fields?.rows[0]).toEqual(['slug', 'label', 'kind', 'rule', 'allowed values', 'example']);
  expect(fields?.rows).toHaveLength(14);
  const bySlug = new Map(fields?.rows.map((row) => [row[0], row]));
  expect(bySlug.get('persona')?.[4]).toBe('visitor; speaker');
  expect(bySlug.get('meal')?.slice(1, 6)).toEqual(
    listed('Lunch | choice | One of the allowed values. | meat; =fish | meat'),
  );
  expect(bySlug.get('talk')?.[4]).toMatch(/number 29 … 40 values in all$/);
  expect(bySlug.get('odd')?.[3]).toBe('Any text. Nothing is checked.');
});

test('a workbook template says what push will ask', async () => {
  const twice = [field('company', 'A', 'text'), field('firm', 'A', 'text')];
  const persona = { ...VISITOR, fields: twice };
  const staff = { ...VISITOR, slug: 'staff', fields: [field('company', 'Firm', 'text')] };
  expect((await createXlsxTemplate(eventOf(persona, staff), persona)).problems).toHaveLength(1);
});

describe('event template', () => {
  const options = { ...GLOBALS, action: 'template', persona: 'visitor' } as const;

  test('takes xlsx from the name of the file', async () => {
    const here = await sandboxRuntime();
    expect(await runEvent({ ...options, to: 'visitors.XLSX' }, here.runtime)).toBe(EXIT.done);
    const rows = await readRows(readFileSync(join(here.directory, 'visitors.XLSX')));
    expect(rows[0]?.slice(0, 5)).toEqual(
      listed('persona | barcode | parent_barcode | enable_comms | First name'),
    );
    expect(rows).toHaveLength(2);
    expect([here.out(), here.err()]).toEqual([
      '',
      'The template is in visitors.XLSX: replace the example, then push it.\n',
    ]);
  });
});
