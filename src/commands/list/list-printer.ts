import type { EventInfo } from '../../registration/model/persona.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import type { OutputFormat, RecordWriter } from '../../report/records/record-writer.ts';
import { asWritten } from '../../service/contracts/json.ts';
import { ID_KEYS } from '../../service/contracts/read-records.ts';

interface PrintOptions {
  format: OutputFormat;
  /** Records as the service sent them. */
  raw: boolean;
  /** As a table for people. */
  isDrawn: boolean;
  persona?: string | undefined;
}

/** Formats with a column a field, each value as one text. */
export function isFlat(output: OutputFormat): boolean {
  return output === 'table' || output === 'csv' || output === 'xlsx';
}

interface ListPrinter {
  readonly closed: boolean;
  print(records: readonly RawRecord[]): Promise<void>;
  end(): Promise<void>;
}

/** Tables, CSV and workbooks need their columns before the first row: the fields of the event, in its order. */
export function createListPrinter(
  options: PrintOptions,
  event: EventInfo | undefined,
  {
    open,
    say,
  }: { open: (columns: readonly string[] | undefined) => RecordWriter; say: (text: string) => void },
): ListPrinter {
  const flat = isFlat(options.format);
  const columns = flat && event !== undefined ? columnsOf(event, options) : undefined;
  const unknown = new Set<string>();
  let writer: RecordWriter | undefined;
  const start = (records: readonly RawRecord[]): RecordWriter => {
    for (const key of keysOf(records)) if (columns !== undefined && !columns.includes(key)) columns.push(key);
    return open(columns);
  };
  return {
    get closed() {
      return writer?.closed ?? false;
    },
    async print(records) {
      if (records.length === 0) return;
      writer ??= start(records);
      if (columns !== undefined)
        for (const key of keysOf(records)) if (!columns.includes(key)) unknown.add(key);
      for (const record of records) {
        await writer.write(options.raw ? record.raw : flat ? flatRecord(record) : nestedRecord(record));
      }
    },
    async end() {
      if (writer === undefined && options.isDrawn) return;
      writer ??= start([]);
      await writer.end();
      if (unknown.size === 0) return;
      say(`Left out, unknown to the event: ${[...unknown].join(', ')}; --output json has everything.`);
    },
  };
}

function keysOf(records: readonly RawRecord[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record.fields ?? {})))];
}

/** The fields of the persona asked for, or of all personas; people are spared what is a wish, not a state. */
function columnsOf(event: EventInfo, { persona, isDrawn }: PrintOptions): string[] {
  const named = event.personas.filter((one) => one.slug === persona);
  const personas = named.length > 0 ? named : event.personas;
  const slugs = personas.flatMap((one) => one.fields.map((field) => field.slug));
  const head = RECORD_COLUMNS.filter((column) => !isDrawn || column !== 'enable_comms');
  return [...new Set([...head, ...slugs])];
}

/** The keys that every listed registration has, in the order of tables, CSV and workbooks. */
export const RECORD_COLUMNS = [
  'registration_id',
  'persona',
  'barcode',
  'parent_barcode',
  'enable_comms',
] as const;

/** A registration as programs get it, and as push takes it: fields by slug, absent keys left out. */
function nestedRecord(record: RawRecord): Record<string, unknown> {
  const registration_id = asWritten(record.id, record.raw, ID_KEYS);
  return withoutAbsent({ ...headOf(record), registration_id, fields: record.fields });
}

/** The same in one level, for tables, CSV and workbooks: a column a field. */
export function flatRecord(record: RawRecord): Record<string, unknown> {
  return { ...withoutAbsent(record.fields ?? {}), ...withoutAbsent(headOf(record)) };
}

function headOf(record: RawRecord): Record<(typeof RECORD_COLUMNS)[number], unknown> {
  return {
    registration_id: record.id,
    persona: record.persona,
    barcode: record.barcode,
    parent_barcode: record.parentBarcode,
    enable_comms: record.enableComms,
  };
}

function withoutAbsent(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  );
}
