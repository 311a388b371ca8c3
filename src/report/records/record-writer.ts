import type { Writable } from 'node:stream';
import type { Here } from '../words/time-words.ts';
import { createOutputSink, type OutputSink } from './output-sink.ts';
import { cellText, csvLine, jsonText } from '../words/data-text.ts';
import { visible } from '../words/escape.ts';

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'xlsx';

export interface RecordWriterOptions {
  format: OutputFormat;
  /**
   * On a terminal a table is drawn, and elsewhere written for programs; csv loses its raw control characters there, the
   * other text formats have none anywhere.
   */
  stream: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  /** Columns of table, csv and xlsx, in order; other keys are left out. json and ndjson always write whole records. */
  columns: readonly string[] | undefined;
  /** Columns of the terminal, for a table that is drawn. */
  width: number;
  color: boolean;
  /** For times in tables that are drawn; without it they stay as they are. */
  here?: Here;
}

/** Prints records one by one. */
export interface RecordWriter extends RecordFormat {
  /** True once the reader of the stream has gone away (`| head`): there is no use in fetching more. */
  readonly closed: boolean;
}

/**
 * A writer that streams with back-pressure. When the reader goes away it ends quietly; other
 * failures of the stream reject (exit 1).
 */
export function createRecordWriter(options: RecordWriterOptions): RecordWriter {
  const sink = createOutputSink(options.stream);
  let opened: RecordFormat | undefined;
  const format = async (): Promise<RecordFormat> => (opened ??= await createFormat(options, sink));
  return {
    get closed() {
      return sink.closed;
    },
    async write(record) {
      if (!sink.closed) await (await format()).write(record);
    },
    async end() {
      if (!sink.closed) await (await format()).end();
      await sink.flush();
    },
  };
}

/** Loads what draws tables and writes workbooks only for them. */
async function createFormat(options: RecordWriterOptions, sink: OutputSink): Promise<RecordFormat> {
  const { format, columns = [], stream } = options;
  const isTerminal = stream.isTTY === true;
  switch (format) {
    case 'table':
      if (!isTerminal) return tabRecords(sink, columns);
      return (await import('./render-table.ts')).createTableRecords(sink, options);
    case 'xlsx':
      return (await import('./xlsx-writer.ts')).createXlsxRecords(sink, columns);
    case 'csv':
      return csvRecords(sink, columns, isTerminal);
    case 'json':
      return jsonRecords(sink);
    default:
      return ndjsonRecords(sink);
  }
}

type Columns = readonly string[];

/**
 * A table for a file or another program: a line of headings, then a line a record, values whole and apart by tabs.
 * A backslash is doubled and begins what stands for a tab (`\t`), a line break (`\n`, `\r`) or a character that is
 * not seen (`\u{1b}`), so that every value can be had back, and none can drive a terminal behind the pipe.
 */
const tabRecords = (sink: OutputSink, columns: Columns): RecordFormat =>
  lineRecords(columns, async (cells) => {
    const escaped = cells.map((cell) => visible(cell.replaceAll('\\', String.raw`\\`)));
    await sink.write(`${escaped.join('\t')}\n`);
  });

/** CSV with a header line. Every character stays as it is, but a terminal gets text that is safe there. */
const csvRecords = (sink: OutputSink, columns: Columns, isTerminal: boolean): RecordFormat =>
  lineRecords(columns, async (cells) => {
    await sink.write(csvLine(isTerminal ? cells.map(visible) : cells, ',', '"'));
  });

/** A JSON array with one record a line; `[]` when there is none. */
function jsonRecords(sink: OutputSink): RecordFormat {
  let isFirst = true;
  return {
    async write(record) {
      const before = isFirst ? '[\n  ' : ',\n  ';
      isFirst = false;
      await sink.write(before + jsonText(record));
    },
    async end() {
      await sink.write(isFirst ? '[]\n' : '\n]\n');
    },
  };
}

/** One JSON object a line. */
const ndjsonRecords = (sink: OutputSink): RecordFormat => ({
  async write(record) {
    await sink.write(`${jsonText(record)}\n`);
  },
  async end() {},
});

/** One thing to print, with its keys as columns. */
export type OutputRecord = Readonly<Record<string, unknown>>;

/** The value of a record's own key; a column named `constructor` is a plain name. */
export function ownValue(record: OutputRecord, column: string): unknown {
  return Object.hasOwn(record, column) ? record[column] : undefined;
}

/** How a format turns records into text for the sink. */
export interface RecordFormat {
  /** Resolves when the next record may be written. */
  write(record: OutputRecord): Promise<void>;
  /** Writes what is left and waits until the stream has taken it. The stream stays open. */
  end(): Promise<void>;
}

/** A line of columns, then a line a record. */
function lineRecords(
  columns: readonly string[],
  writeLine: (cells: readonly string[]) => Promise<void>,
): RecordFormat {
  let isBegun = false;
  const begin = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    await writeLine(columns);
  };
  return {
    async write(record) {
      await begin();
      await writeLine(columns.map((column) => cellText(ownValue(record, column))));
    },
    end: begin,
  };
}
