import type { Place } from '../registration/model/row.ts';

/** What SQLite gives for the columns of a row, in their order. */
type Cells = readonly unknown[];

/** A field of a type: of which columns it is read, and how. Without `sql` it is the column that is named after it. */
export interface Column<T> {
  sql?: string | undefined;
  /** How many columns those are. */
  width: number;
  /** `at`: where the first of them is. */
  read: (cells: Cells, at: number) => T;
}

/** A text or a number as it is; what may be NULL may be undefined. The caller says what it holds. */
export const value = <T extends string | number | undefined>(sql?: string): Column<T> => ({
  sql,
  width: 1,
  read: (cells, at) => (cells[at] ?? undefined) as T,
});

/** What is kept as JSON; undefined for NULL. The caller says what it holds. */
export const json = <T>(sql?: string): Column<T> => ({
  sql,
  width: 1,
  read: (cells, at) => {
    const text = cells[at];
    return (text === null ? undefined : JSON.parse(text as string)) as T;
  },
});

/** What is 1 or 0; false for NULL. */
export const flag = (sql?: string): Column<boolean> => ({
  sql,
  width: 1,
  read: (cells, at) => cells[at] === 1,
});

/** Where a row stands in the files; `table` where several have such columns. */
export const place = (table = 'row'): Column<Place> => ({
  sql: `${table}.file, ${table}.sheet, ${table}.line`,
  width: 3,
  read: (cells, at) => ({
    file: cells[at] as string,
    sheet: (cells[at + 1] ?? undefined) as string | undefined,
    line: cells[at + 2] as number,
  }),
});

/** Which columns a type is read of, and how. */
export interface RowCodec<T> {
  /** For SELECT. */
  columns: string;
  read: (cells: Cells) => T;
}

/** The type that a codec reads. */
export type RowOf<Codec> = Codec extends RowCodec<infer T> ? T : never;

type Fields<Columns> = { [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never };

/** Declares a type by the columns of its fields. */
export function rowCodec<Columns extends Readonly<Record<string, Column<unknown>>>>(
  columns: Columns,
): RowCodec<Fields<Columns>> {
  let width = 0;
  const fields = Object.entries(columns).map(([name, column]) => {
    const at = width;
    width += column.width;
    return { name, at, read: column.read };
  });
  // Copied for every row: adding its fields one by one takes half as long again.
  const empty = Object.fromEntries(fields.map(({ name }) => [name, undefined]));
  return {
    columns: Object.entries(columns)
      .map(([name, { sql = columnOf(name) }]) => sql)
      .join(', '),
    read: (cells) => {
      const row: Record<string, unknown> = { ...empty };
      for (const field of fields) row[field.name] = field.read(cells, field.at);
      return row as Fields<Columns>;
    },
  };
}

/** `sent_at` of `sentAt`. */
export const columnOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What is undefined is written as NULL. */
export type Value = string | number | Uint8Array | null | undefined;

/**
 * The statement that adds a row to a table, and its values: columns are named after the keys, yes and no become 1 and
 * 0, and what else is no text, no number and no bytes becomes JSON.
 */
export function insertion(
  table: string,
  row: Readonly<Record<string, unknown>>,
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): { sql: string; values: Value[] } {
  const names = Object.keys(row);
  return {
    sql: `${verb} INTO ${table} (${names.map(columnOf).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    values: Object.values(row).map(toCell),
  };
}

/** What an UPDATE sets, and its values, as of `insertion`. */
export const assignments = (row: Readonly<Record<string, unknown>>): { sql: string; values: Value[] } => ({
  sql: Object.keys(row)
    .map((name) => `${columnOf(name)} = ?`)
    .join(', '),
  values: Object.values(row).map(toCell),
});

/** As a statement takes it. */
export function toCell(field: unknown): Value {
  if (typeof field === 'boolean') return Number(field);
  const isJson = typeof field === 'object' && field !== null && !(field instanceof Uint8Array);
  return isJson ? JSON.stringify(field) : (field as Value);
}

/** As the journal gives rows that no codec reads: what is NULL there is undefined. */
export function withoutNulls<Row extends object>(row: Row): Row {
  const cells = row as Record<string, unknown>;
  for (const name in cells) if (cells[name] === null) cells[name] = undefined;
  return row;
}
