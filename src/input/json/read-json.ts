import { madeOnce } from '../../registration/model/maps.ts';
import {
  type Cell,
  findingOf,
  type Place,
  type Reject,
  type SourceRow,
} from '../../registration/model/row.ts';
import { HEADING_JOINT, type InputBatch } from '../source/table-record.ts';
import { type JsonElement, JsonListSplitter, LONGEST_ELEMENT, tooLong } from './json-list.ts';
import { InputError } from '../../errors.ts';
import { JsonValueScanner } from './json-value-scanner.ts';
import { checkValues, isObject, type RecordFinding } from './check-values.ts';

/** The rows of a JSON list. Throws an InputError, naming the line, where the list itself is wrong. */
export async function* readJson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<InputBatch> {
  const splitter = new JsonListSplitter(file);
  const shapes = new ShapeCache();
  for await (const chunk of text) yield* toBatch(splitter.push(chunk), file, shapes);
  splitter.end();
}

/** The rows of NDJSON, one object a line. Throws an InputError when the last line is cut off. */
export async function* readNdjson(text: AsyncIterable<Buffer>, file: string): AsyncGenerator<InputBatch> {
  const shapes = new ShapeCache();
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of text) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LF) + 1;
    const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1);
    yield* toBatch(elementsOf(lines, line, file), file, shapes);
    line += lines.length;
    rest = bytes.subarray(end);
    if (rest.length > LONGEST_ELEMENT) throw tooLong(file, line);
  }
  const [last] = elementsOf([rest.toString()], line, file);
  if (last === undefined) return;
  // A blank is needed for a bare scalar to end; it is the row's own mistake, not a cut.
  if (new JsonValueScanner().scan(Buffer.from(`${last.text} `), 0) === -1) {
    throw new InputError(`${file}:${line}: the file ends inside what begins here.`, {
      hint: 'Write the file again with the program that made it.',
    });
  }
  yield* toBatch([last], file, shapes);
}

const LF = 10;

/** The lines that are not blank; `first` is the number of the first. */
function elementsOf(lines: readonly string[], first: number, file: string): JsonElement[] {
  return lines.flatMap((whole, at) => {
    if (Buffer.byteLength(whole) > LONGEST_ELEMENT) throw tooLong(file, first + at);
    const text = whole.trim();
    return text === '' ? [] : [{ text, line: first + at }];
  });
}

function toBatch(elements: readonly JsonElement[], file: string, shapes: ShapeCache): InputBatch[] {
  if (elements.length === 0) return [];
  const rows: SourceRow[] = [];
  const rejects: Reject[] = [];
  for (const { text, line } of elements) {
    const record = readJsonRow(text, { file, line }, shapes);
    if ('reasons' in record) rejects.push(record);
    else rows.push(record);
  }
  return [{ rows, rejects }];
}

const MOST_COLUMNS = 1000;
const FIELDS = 'fields';

/** A column and its cell. */
type Entry = readonly [column: string, cell: Cell];

/**
 * Reads one JSON object as a row. Its keys are the columns; the keys of a `fields` object, or the slugs
 * of a `fields` list of `{slug, value}`, become columns of their own, as those of other objects do. Anything else is a reject.
 */
function readJsonRow(text: string, place: Place, shapes: ShapeCache): SourceRow | Reject {
  const entries = readEntries(text);
  if (!Array.isArray(entries)) return { place, reasons: [{ ...entries, personal: false }] };
  return {
    place,
    columns: shapes.share(entries.map(([column]) => column)),
    cells: entries.map(([, cell]) => cell),
  };
}

function readEntries(text: string): Entry[] | RecordFinding {
  const object = parseObject(text);
  if ('problem' in object) return object;
  const entries: Entry[] = [];
  for (const [column, cell] of Object.entries(object.value)) {
    const spliced = column === FIELDS ? readFields(cell) : flatten(column, cell);
    if (!Array.isArray(spliced)) return spliced;
    entries.push(...spliced);
  }
  return refuseColumns(entries) ?? entries;
}

function parseObject(text: string): { value: Record<string, Cell> } | RecordFinding {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return finding('is not valid JSON', 'check its quotes, commas and brackets');
  }
  if (!isObject(value)) {
    return finding(`is ${nameOf(value)}, not an object`, 'write it as {"column": "value"}');
  }
  return checkValues(value, text) ?? { value: value as Record<string, Cell> };
}

/** An object within one is columns of its own, called by both: `contact / email`. */
const flatten = (column: string, cell: Cell): Entry[] =>
  isObject(cell)
    ? Object.entries(cell).flatMap(([key, inner]) => flatten(column + HEADING_JOINT + key, inner as Cell))
    : [[column, cell]];

/** The entries of `fields`, which may be an object, a list of `{slug, value}`, or null for none. */
function readFields(fields: Cell): Entry[] | RecordFinding {
  if (fields === null) return [];
  if (isObject(fields)) return Object.entries(fields) as Entry[];
  if (!Array.isArray(fields)) {
    return finding('is neither an object nor a list', 'write {"slug": "value"}', FIELDS);
  }
  const entries: Entry[] = [];
  for (const entry of fields as readonly unknown[]) {
    if (!isObject(entry) || typeof entry['slug'] !== 'string' || !('value' in entry)) {
      return finding('holds an entry without slug and value', 'write {"slug": "…", "value": "…"}', FIELDS);
    }
    entries.push([entry['slug'], entry['value'] as Cell]);
  }
  return entries;
}

function refuseColumns(entries: readonly Entry[]): RecordFinding | undefined {
  if (entries.length > MOST_COLUMNS) {
    return finding('has more than 1,000 columns', 'keep only what belongs to the registration');
  }
  const columns = entries.map(([column]) => column);
  if (new Set(columns).size === columns.length) return undefined;
  const twice = columns.find((column, at) => columns.indexOf(column) < at);
  return finding(
    'stands both inside and outside of "fields", or twice in it',
    'delete one of the two',
    twice,
  );
}

const finding = (problem: string, remedy: string, column?: string): RecordFinding => ({
  column,
  ...findingOf('json-invalid', problem, remedy),
});

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

const MOST_SHAPES = 1000;

/** Gives rows of the same columns one array, so that work on the columns is done once. */
class ShapeCache {
  #shapes = new Map<string, readonly string[]>();
  #last: readonly string[] = [];

  /** The shared array equal to `columns`. At most 1,000 are kept. */
  share(columns: readonly string[]): readonly string[] {
    const last = this.#last;
    if (columns.length === last.length && columns.every((name, at) => name === last[at])) return last;
    if (this.#shapes.size >= MOST_SHAPES) this.#shapes.clear();
    this.#last = madeOnce(this.#shapes, JSON.stringify(columns), () => columns);
    return this.#last;
  }
}
