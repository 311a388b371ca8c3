import { UsageError } from '../errors.ts';
import { cellText } from './cell-text.ts';
import { csvLine } from './csv-text.ts';
import { visible } from './escape.ts';
import type { OutputSink } from './output-sink.ts';
import {
  COLUMN_SAMPLE,
  collectColumns,
  type OutputRecord,
  ownValue,
  type RecordFormat,
} from './record-columns.ts';

const DELIMITER = ',';

/** CSV with a header line, also without records (unless there are no columns either). */
export function createCsvRecords(sink: OutputSink, given: readonly string[] | undefined): RecordFormat {
  let columns: readonly string[] | undefined;
  const sample: OutputRecord[] = [];

  const writeRecord = async (record: OutputRecord, names: readonly string[]) => {
    if (given === undefined) refuseNewKeys(record, names);
    const values = names.map((column) => cellText(ownValue(record, column)));
    await sink.write(csvLine(values, DELIMITER));
  };
  const start = async (names: readonly string[]) => {
    columns = names;
    if (names.length > 0) await sink.write(csvLine(names, DELIMITER));
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

function refuseNewKeys(record: OutputRecord, columns: readonly string[]): void {
  const known = new Set(columns);
  const unknown = Object.keys(record).find((key) => !known.has(key));
  if (unknown === undefined) return;
  throw new UsageError(
    `A record has the column "${visible(unknown)}", which none of the first ${COLUMN_SAMPLE} records has.`,
    { hint: 'Use --output ndjson: it takes records of any shape.' },
  );
}
