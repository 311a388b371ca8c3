import { csvLine } from '../words/csv-text.ts';
import { visible } from '../words/escape.ts';
import type { OutputSink } from './output-sink.ts';
import { lineRecords, type RecordFormat } from './record-columns.ts';

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
  const writeLine = async (cells: readonly string[]) => {
    const shown = terminal ? cells.map((cell) => visible(cell)) : cells;
    await sink.write(csvLine(shown, DELIMITER, QUOTE));
  };
  return lineRecords(given, writeLine);
}
