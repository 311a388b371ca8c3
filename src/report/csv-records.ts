import { cellText } from './cell-text.ts';
import { csvLine } from './csv-text.ts';
import type { OutputSink } from './output-sink.ts';
import {
  COLUMN_SAMPLE,
  collectColumns,
  type OutputRecord,
  ownValue,
  type RecordFormat,
  refuseNewKeys,
} from './record-columns.ts';

const DELIMITER = ',';
const QUOTE = '"';

/** CSV with a header line, also without records (unless there are no columns either). */
export function createCsvRecords(sink: OutputSink, given: readonly string[] | undefined): RecordFormat {
  let columns: readonly string[] | undefined;
  const sample: OutputRecord[] = [];

  const writeRecord = async (record: OutputRecord, names: readonly string[]) => {
    if (given === undefined) refuseNewKeys(record, names);
    const values = names.map((column) => cellText(ownValue(record, column)));
    await sink.write(csvLine(values, DELIMITER, QUOTE));
  };
  const start = async (names: readonly string[]) => {
    columns = names;
    if (names.length > 0) await sink.write(csvLine(names, DELIMITER, QUOTE));
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
