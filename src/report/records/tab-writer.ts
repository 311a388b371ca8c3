import { visible } from '../words/escape.ts';
import type { OutputSink } from './output-sink.ts';
import { lineRecords, type RecordFormat } from './record-columns.ts';

/**
 * A table for a file or another program: a line of headings, then a line a record, values whole and apart by tabs.
 * A backslash is doubled and begins what stands for a tab (`\t`), a line break (`\n`, `\r`) or a character that is
 * not seen (`\u{1b}`), so that every value can be had back, and none can drive a terminal behind the pipe.
 */
export function createTabRecords(sink: OutputSink, given: readonly string[] | undefined): RecordFormat {
  const writeLine = (cells: readonly string[]): Promise<void> =>
    sink.write(`${cells.map(escapeCell).join('\t')}\n`);
  return lineRecords(given, writeLine);
}

function escapeCell(text: string): string {
  return visible(text.replaceAll('\\', String.raw`\\`));
}
