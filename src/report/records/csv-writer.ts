import { cellText } from '../words/one-line-text.ts';
import { csvLine } from '../words/csv-text.ts';
import { visible } from '../words/escape.ts';
import type { OutputSink } from './output-sink.ts';
import {
  collectColumns,
  COLUMN_SAMPLE,
  type OutputRecord,
  ownValue,
  type RecordFormat,
  refuseNewKeys,
} from './record-columns.ts';

const DELIMITER = ',';
const QUOTE = '"';

interface CsvRecordsOptions {
  columns: readonly string[] | undefined;
  /** Whether a terminal shows the text, where a raw control character would drive it. */
  terminal: boolean;
}

/**
 * CSV with a header line, also without records (unless there are no columns either). Every character
 * stays as it is, but a terminal gets text that is safe there.
 */
export function createCsvRecords(sink: OutputSink, options: CsvRecordsOptions): RecordFormat {
  const { columns: given, terminal } = options;
  let columns: readonly string[] | undefined;
  const sample: OutputRecord[] = [];

  const writeLine = async (cells: readonly string[]) => {
    const shown = terminal ? cells.map((cell) => visible(cell)) : cells;
    await sink.write(csvLine(shown, DELIMITER, QUOTE));
  };
  const writeRecord = async (record: OutputRecord, names: readonly string[]) => {
    if (given === undefined) refuseNewKeys(record, names);
    await writeLine(names.map((column) => cellText(ownValue(record, column))));
  };
  const start = async (names: readonly string[]) => {
    columns = names;
    if (names.length > 0) await writeLine(names);
    for (const record of sample.splice(0)) await writeRecord(record, names);
  };
  return {
    async write(record) {
      if (columns === undefined && given !== undefined) await start(given);
      if (columns !== undefined) return await writeRecord(record, columns);
      sample.push(record);
      if (sample.length === COLUMN_SAMPLE) await start(collectColumns(sample));
    },
    async end() {
      if (columns === undefined) await start(given ?? collectColumns(sample));
    },
  };
}
