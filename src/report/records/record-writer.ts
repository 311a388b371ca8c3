import type { Writable } from 'node:stream';
import type { Here } from '../words/time-words.ts';
import { createOutputSink, type OutputSink } from './output-sink.ts';
import type { RecordFormat } from './record-columns.ts';
import { csvRecords, jsonRecords, ndjsonRecords, tabRecords } from './text-records.ts';

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'xlsx';

export interface RecordWriterOptions {
  format: OutputFormat;
  /**
   * On a terminal a table is drawn, and elsewhere written for programs; csv loses its raw control characters there, the
   * other text formats have none anywhere.
   */
  stream: Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  /**
   * Columns of table, csv and xlsx, in order; other keys are left out. json and ndjson always write whole records. A
   * workbook needs none: its columns are then the keys of the first 100 records, in order of first appearance.
   */
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
      return (await import('./xlsx-writer.ts')).createXlsxRecords(sink, options.columns);
    case 'csv':
      return csvRecords(sink, columns, isTerminal);
    case 'json':
      return jsonRecords(sink);
    default:
      return ndjsonRecords(sink);
  }
}
