import {
  type Cell,
  findingOf,
  type Place,
  type Reject,
  type SourceRow,
} from '../../registration/model/row.ts';
import { checkValues, isObject, type RecordFinding } from './check-values.ts';

const MOST_COLUMNS = 1000;
const FIELDS = 'fields';

/** A column and its cell. */
type Entry = readonly [column: string, cell: Cell];

/**
 * Reads one JSON object as a row. Its keys are the columns; the keys of a `fields` object, or the slugs
 * of a `fields` list of `{slug, value}`, become columns of their own. Anything else is a reject.
 */
export function readJsonRow(text: string, place: Place, shapes: ShapeCache): SourceRow | Reject {
  const entries = readEntries(text);
  if (!Array.isArray(entries)) return toReject(place, entries);
  return {
    place,
    columns: shapes.share(entries.map(([column]) => column)),
    cells: entries.map(([, cell]) => cell),
  };
}

/** Whether a record could not be read. */
export function isReject(record: SourceRow | Reject): record is Reject {
  return 'reasons' in record;
}

function readEntries(text: string): Entry[] | RecordFinding {
  const object = parseObject(text);
  if ('problem' in object) return object;
  const entries: Entry[] = [];
  for (const [column, cell] of Object.entries(object.value)) {
    const spliced = column === FIELDS ? readFields(cell) : [[column, cell] as Entry];
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
  const seen = new Set<string>();
  for (const [column] of entries) {
    if (seen.has(column)) {
      const problem = 'stands both inside and outside of "fields", or twice in it';
      return finding(problem, 'delete one of the two', column);
    }
    seen.add(column);
  }
  return undefined;
}

const finding = (problem: string, remedy: string, column?: string): RecordFinding => ({
  column,
  ...findingOf('json-invalid', problem, remedy),
});

function toReject(place: Place, found: RecordFinding): Reject {
  return { place, reasons: [{ ...found, personal: false }] };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

const MOST_SHAPES = 1000;

/** Gives rows of the same columns one array, so that work on the columns is done once. */
export class ShapeCache {
  #shapes = new Map<string, readonly string[]>();
  #last: readonly string[] = [];

  /** The shared array equal to `columns`. At most 1,000 are kept. */
  share(columns: readonly string[]): readonly string[] {
    if (!sameNames(columns, this.#last)) this.#last = this.#find(columns);
    return this.#last;
  }

  #find(columns: readonly string[]): readonly string[] {
    const key = JSON.stringify(columns);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (this.#shapes.size >= MOST_SHAPES) this.#shapes.clear();
    this.#shapes.set(key, columns);
    return columns;
  }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}
