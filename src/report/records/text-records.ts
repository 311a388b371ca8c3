import { csvLine } from '../words/csv-text.ts';
import { visible } from '../words/escape.ts';
import { jsonText } from '../words/json-text.ts';
import type { OutputSink } from './output-sink.ts';
import { lineRecords, type RecordFormat } from './record-columns.ts';

type Columns = readonly string[];

/**
 * A table for a file or another program: a line of headings, then a line a record, values whole and apart by tabs.
 * A backslash is doubled and begins what stands for a tab (`\t`), a line break (`\n`, `\r`) or a character that is
 * not seen (`\u{1b}`), so that every value can be had back, and none can drive a terminal behind the pipe.
 */
export const tabRecords = (sink: OutputSink, columns: Columns): RecordFormat =>
  lineRecords(columns, async (cells) => {
    const escaped = cells.map((cell) => visible(cell.replaceAll('\\', String.raw`\\`)));
    await sink.write(`${escaped.join('\t')}\n`);
  });

/** CSV with a header line. Every character stays as it is, but a terminal gets text that is safe there. */
export const csvRecords = (sink: OutputSink, columns: Columns, isTerminal: boolean): RecordFormat =>
  lineRecords(columns, async (cells) => {
    await sink.write(csvLine(isTerminal ? cells.map(visible) : cells, ',', '"'));
  });

/** A JSON array with one record a line; `[]` when there is none. */
export function jsonRecords(sink: OutputSink): RecordFormat {
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
export const ndjsonRecords = (sink: OutputSink): RecordFormat => ({
  async write(record) {
    await sink.write(`${jsonText(record)}\n`);
  },
  async end() {},
});
