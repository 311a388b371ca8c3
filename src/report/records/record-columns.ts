import { UsageError } from '../../errors.ts';
import { visible } from '../words/escape.ts';
import { cellText } from '../words/json-text.ts';

/** One thing to print, with its keys as columns. */
export type OutputRecord = Readonly<Record<string, unknown>>;

/** How many records are looked at to learn the columns when none are given. */
export const COLUMN_SAMPLE = 100;

/** The keys of all records, in order of first appearance. */
export function collectColumns(records: readonly OutputRecord[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

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

/** Throws when a record has a key that is none of the columns: its value would be lost. */
function refuseNewKeys(record: OutputRecord, columns: readonly string[]): void {
  const known = new Set(columns);
  const unknown = Object.keys(record).find((key) => !known.has(key));
  if (unknown === undefined) return;
  throw new UsageError(
    `A record has the column "${visible(unknown)}", which none of the first ${COLUMN_SAMPLE} records has.`,
    { hint: 'Use --output ndjson: it takes records of any shape.' },
  );
}

/**
 * Hands the first `most` records to `start`, and all of them to what it gives. Their keys are the columns unless some
 * are given; a later record with another key is refused.
 */
export function sampled(
  given: readonly string[] | undefined,
  most: number,
  start: (columns: readonly string[], sample: readonly OutputRecord[]) => Promise<RecordFormat>,
): RecordFormat {
  const sample: OutputRecord[] = [];
  let started: RecordFormat | undefined;
  const begin = async (): Promise<RecordFormat> => {
    const columns = given ?? collectColumns(sample);
    const format = await start(columns, sample);
    started = {
      ...format,
      async write(record) {
        if (given === undefined) refuseNewKeys(record, columns);
        await format.write(record);
      },
    };
    for (const record of sample.splice(0)) await started.write(record);
    return started;
  };
  return {
    async write(record) {
      if (started !== undefined) return await started.write(record);
      sample.push(record);
      if (sample.length === most) await begin();
    },
    async end() {
      await (started ?? (await begin())).end();
    },
  };
}

/** A line of columns, unless there are none, then a line a record. */
export const lineRecords = (
  given: readonly string[] | undefined,
  writeLine: (cells: readonly string[]) => Promise<void>,
): RecordFormat =>
  sampled(given, given === undefined ? COLUMN_SAMPLE : 1, async (columns) => {
    if (columns.length > 0) await writeLine(columns);
    return {
      write: (record) => writeLine(columns.map((column) => cellText(ownValue(record, column)))),
      end: () => Promise.resolve(),
    };
  });
