import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { openInput } from '../../src/input/read-input.ts';
import { storeInput } from '../../src/input/source/stored-input.ts';
import type { Reject, SourceRow } from '../../src/registration/model/row.ts';
import { FOUND_OUT } from '../support/found-out.ts';
import { anyMutations, mutate } from './mutations.ts';
import { sourceOf } from './open-text.ts';
import { runsOf } from '../support/night.ts';
import { listed } from '../support/tables.ts';

const FILE = 'guests.json';
const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/same-guests/${name}`, import.meta.url), 'utf8');
const list = JSON.parse(fixture('list.json')) as unknown[];
const lines = fixture('lines.ndjson').split('\n');

const LISTS = [
  JSON.stringify(list.slice(0, 2), null, 1),
  JSON.stringify({ total: 2, registrations: list.slice(0, 2), next: null }),
  '[\r\n{"a": "x\\ny", "b": [1, {"c": null}]},\r\n{"a": "\\u00e9", "b": -1.5e3}\r\n]\r\n',
  '{"data": [{"persona": "v", "fields": [{"slug": "email", "value": "a@x.org"}], "barcode": 7}]}',
  '[]',
];
const LINES = [
  lines.slice(0, 3).join('\n'),
  '{"a": 1}\n\n {"a": "\\ud83d\\ude00"} \r\n{"b": {"c": [true]}}\n',
  '{"a": 1, "fields": {"b": 2}}\n{"fields": null}\n7\n"x"\n',
];

interface Reading {
  format: string | undefined;
  rows: SourceRow[];
  rejects: Reject[];
  error: InputError | undefined;
}

async function read(bytes: Buffer): Promise<Reading> {
  const reading: Reading = { format: undefined, rows: [], rejects: [], error: undefined };
  try {
    const opened = await openInput(await storeInput(sourceOf([bytes], FILE)), {
      ...FOUND_OUT,
      knows: () => false,
    });
    reading.format = opened.style.format;
    for await (const { rows, rejects } of opened.batches()) {
      reading.rows.push(...rows);
      reading.rejects.push(...rejects);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^guests\.json:/);
    reading.error = error;
  }
  return reading;
}

/** A value, or undefined when the text is no JSON; no JSON text is undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flat = (name: string, cell: unknown): [string, unknown][] =>
  isObject(cell)
    ? Object.entries(cell).flatMap(([key, inner]) => flat(`${name} / ${key}`, inner))
    : [[name, cell]];

/** The columns and cells of an object, with those of its `fields`; undefined when these make no sense. */
function spread(value: Record<string, unknown>): [string, unknown][] | undefined {
  const entries = Object.entries(value).map(([name, cell]): [string, unknown][] | undefined => {
    if (name !== 'fields') return flat(name, cell);
    if (cell === null) return [];
    if (!Array.isArray(cell)) return isObject(cell) ? Object.entries(cell) : undefined;
    const pairs = cell.map((one: unknown) =>
      isObject(one) && typeof one['slug'] === 'string' && 'value' in one
        ? ([one['slug'], one['value']] as const)
        : undefined,
    );
    return pairs.includes(undefined) ? undefined : (pairs as [string, unknown][]);
  });
  return entries.includes(undefined) ? undefined : entries.flatMap((pairs) => pairs ?? []);
}

/** Every key and value in a value, its own included. */
function within(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return [
    value,
    ...(Array.isArray(value) ? [] : Object.keys(value)),
    ...Object.values(value).flatMap(within),
  ];
}

/** How many colons a JSON text has outside of its strings: one a key, duplicates included. */
function keysWritten(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, '').split(':').length - 1;
}

function keysKept(value: unknown): number {
  return within(value).reduce<number>((sum, one) => sum + (isObject(one) ? Object.keys(one).length : 0), 0);
}

/** Whether a valid JSON text may be a row: an object that says nothing twice and loses nothing by being parsed. */
function isRow(text: string): boolean {
  const value = parse(text);
  const columns = isObject(value) ? spread(value) : undefined;
  if (columns === undefined || keysWritten(text) !== keysKept(value)) return false;
  if (new Set(columns.map(([name]) => name)).size < columns.length) return false;
  return !within(value).some(
    (one) =>
      (typeof one === 'number' && Math.abs(one) >= 1e15) || (typeof one === 'string' && /\p{Cs}/u.test(one)),
  );
}

const entriesOf = ({ columns, cells }: SourceRow): [string, unknown][] =>
  columns.map((column, at) => [column, cells[at]]);

/** Rows and rejects must be what each line is by itself. */
function checkLines(text: string, { rows, rejects, error }: Reading): void {
  const texts = new Map(text.split('\n').map((line, at) => [at + 1, line.trim()] as const));
  for (const row of rows) {
    const line = texts.get(row.place.line) ?? '';
    expect({ line, isRow: isRow(line) }).toEqual({ line, isRow: true });
    expect(entriesOf(row)).toEqual(spread(parse(line) as Record<string, unknown>));
    texts.delete(row.place.line);
  }
  for (const { place } of rejects) {
    const line = texts.get(place.line) ?? '';
    expect({ line, isRow: isRow(line) }).toEqual({ line, isRow: false });
    texts.delete(place.line);
  }
  const left = [...texts].filter(([, line]) => line !== '');
  if (error === undefined) expect(left).toEqual([]);
  else expect(error.message).toMatch(new RegExp(`^guests\\.json:${left.at(-1)?.[0]}: the file ends inside`));
}

const LIST_NAMES = ['registrations', 'data', 'items', 'results', 'attendees'];

/** The list of a whole text; undefined when it is no JSON or holds none. */
function listIn(text: string): unknown[] | undefined {
  const root = parse(text);
  if (Array.isArray(root)) return root;
  if (!isObject(root) || keysWritten(text) !== keysKept(root)) return undefined;
  const lists = LIST_NAMES.map((name) => root[name]).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

/** Rows and rejects must be the elements of the list; where the text is no JSON, rows must stand in it. */
function checkList(text: string, { rows, rejects, error }: Reading): void {
  const found = listIn(text);
  if (error !== undefined) {
    expect(found).toBeUndefined();
    expect(error.message).toMatch(/^guests\.json:\d+: |holds no list of registrations\.$/);
    return;
  }
  for (const row of rows) checkStands(row, text);
  if (found === undefined) {
    const broken = rejects.some(({ reasons }) => reasons[0]?.problem === 'is not valid JSON');
    expect(broken || isObject(parse(text))).toBe(true);
    return;
  }
  const good = found
    .filter((one) => isRow(JSON.stringify(one)))
    .map((one) => spread(one as Record<string, unknown>));
  expect(rows.length + rejects.length).toBe(found.length);
  // An object that says a thing twice cannot be told from others once it is parsed.
  if (keysWritten(text) === keysKept(parse(text))) expect(rows.map(entriesOf)).toEqual(good);
  else expect(rejects).not.toEqual([]);
}

/** An object that is this row must begin on its line, or on the first one, on which elements are counted. */
function checkStands(row: SourceRow, text: string): void {
  const { line } = row.place;
  if (!isOnLine(line, row, text) && !isOnLine(1, row, text))
    throw new Error(`no such row in line ${line}: ${JSON.stringify(row.cells)}`);
}

function isOnLine(line: number, row: SourceRow, text: string): boolean {
  const parts = text.split(/(\r\n|\n|\r)/);
  const before = 2 * (line - 1);
  const from = parts.slice(0, before).join('').length;
  const until = from + (parts[before]?.length ?? 0);
  for (
    let start = text.indexOf('{', from);
    start !== -1 && start < until;
    start = text.indexOf('{', start + 1)
  ) {
    for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1)) {
      const value = parse(text.slice(start, end + 1));
      if (isObject(value) && JSON.stringify(spread(value)) === JSON.stringify(entriesOf(row))) return true;
    }
  }
  return false;
}

const SIGNS = '"\\,:{}[]0129e-+.un\n\r \t\xEF\xBB\xBF\xC3\xA9';
const damaged = (texts: readonly string[]) =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.constantFrom(...texts),
      fc.double({ min: 0, max: 1, noNaN: true }),
      anyMutations(SIGNS),
    )
    .map(([one, other, share, mutations]) => {
      const at = Math.floor(share * 1.3 * one.length);
      return mutate(Buffer.from(one.slice(0, at) + (at < one.length ? other.slice(at) : '')), mutations);
    });
/** Members of objects: sound ones, and such as must not pass. */
const member = fc.constantFrom(
  ...[
    listed(`
      "a":1 | "b":null | "a":"x" | "c":{"d":1,"e":[2]} | "fields":{"f":1} | "fields":null |
      "__proto__":1
    `),
    ['"fields":[{"slug":"g","value":"y"}]', '"fields":[{"slug":"g"}]', '"fields":7', '"c":{"d":1,"d":2}'],
    listed(`
      "a":1e15 | "a":-1000000000000000 | "h":["\\ud800"] | "\\udc00":1 | "i":"\\ud83d\\ude00" |
      "j":[{"k":1e21}]
    `),
    ['"a":01', '"a":', 'a:1', '"a":"x\n"', ''],
  ].flat(),
);
const element = fc.oneof(
  { weight: 8, arbitrary: fc.array(member, { maxLength: 3 }).map((members) => `{${members.join(', ')}}`) },
  { weight: 1, arbitrary: fc.constantFrom('7', '"x"', 'null', '[]', '[{"a":1}]', '', ']', '}', '{') },
);
const members = fc
  .tuple(fc.array(element, { maxLength: 4 }), fc.constantFrom('["', '{"data":["', '\n'))
  .map(([elements, kind]) => {
    if (kind === '\n') return Buffer.from(elements.map((one) => one.replaceAll('\n', ' ')).join('\n'));
    return Buffer.from(`${kind.slice(0, -1)}${elements.join(',\n')}]${kind.startsWith('{') ? '}' : ''}`);
  });

test.each([
  ['a list', damaged(LISTS), 1500],
  ['lines', damaged(LINES), 1500],
  ['made of members', members, 2000],
])(
  'a damaged JSON text that was %s holds the rows that JSON.parse finds, and names the others',
  async (_, texts, numRuns) => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (bytes) => {
        const reading = await read(bytes);
        // What a text of another encoding means is found out elsewhere.
        if (!isUtf8(bytes) || bytes.includes(0)) return;
        rows += reading.rows.length;
        const text = bytes.toString().replace(/^\uFEFF/, '');
        if (reading.format === 'ndjson') checkLines(text, reading);
        if (reading.format === 'json') checkList(text, reading);
      }),
      { numRuns: runsOf(numRuns) },
    );
    expect(rows).toBeGreaterThan(runsOf(100));
  },
);
