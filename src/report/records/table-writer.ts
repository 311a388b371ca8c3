import { cellText } from '../words/one-line-text.ts';
import { measureFor } from '../words/measure.ts';
import { plural } from '../words/number.ts';
import { cellWords } from './cell-words.ts';
import type { OutputSink } from './output-sink.ts';
import { renderTable } from './render-table.ts';
import {
  collectColumns,
  COLUMN_SAMPLE,
  type OutputRecord,
  ownValue,
  type RecordFormat,
} from './record-columns.ts';
import type { RecordWriterOptions } from './record-writer.ts';

/** Nobody reads a longer table. */
const MAX_ROWS = 5_000;

type TableOptions = Pick<RecordWriterOptions, 'columns' | 'width' | 'color' | 'here'>;

/** Collects the first 5,000 records and draws them as a table at the end, with a line on what it left out. */
export function createTableRecords(sink: OutputSink, options: TableOptions): RecordFormat {
  const records: OutputRecord[] = [];
  let more = 0;
  return {
    write(record) {
      if (records.length < MAX_ROWS) records.push(record);
      else more += 1;
      return Promise.resolve();
    },
    async end() {
      const text = await drawRecords(records, options);
      if (text !== '') await sink.write(`${text}\n`);
      if (more > 0) await sink.write(`(+${plural(more, 'row', 'rows')}; use --output ndjson)\n`);
    },
  };
}

async function drawRecords(records: readonly OutputRecord[], options: TableOptions): Promise<string> {
  const columns = options.columns ?? collectColumns(records.slice(0, COLUMN_SAMPLE));
  const head = withoutEmpty(columns, records);
  const rows = records.map((record) =>
    head.map((column) => cellWords(column, ownValue(record, column), options.here)),
  );
  const measure = await measureFor([...head, ...rows.flat()]);
  return renderTable({ head, rows, width: options.width, color: options.color }, measure);
}

/** Columns of nothing, or of zeros, only take room from the others; a table without rows shows what it could hold. */
function withoutEmpty(columns: readonly string[], records: readonly OutputRecord[]): readonly string[] {
  if (records.length === 0) return columns;
  return columns.filter((column) =>
    records.some((record) => {
      const value = ownValue(record, column);
      return value !== 0 && cellText(value) !== '';
    }),
  );
}
