import { cellText } from '../words/json-text.ts';

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
export function lineRecords(
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
