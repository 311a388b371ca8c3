import { cellText } from '../words/json-text.ts';
import type { OutputSink } from './output-sink.ts';
import { COLUMN_SAMPLE, type OutputRecord, ownValue, type RecordFormat, sampled } from './record-columns.ts';
import { checkColumns } from '../xlsx/xlsx-limits.ts';
import { columnWidth, textCell } from '../xlsx/sheet-writer.ts';
import { TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';

const SHEET = 'Registrations';

/** A workbook in which every cell is text, so that nothing is taken for a number; values as in CSV. */
export function createXlsxRecords(sink: OutputSink, given: readonly string[] | undefined): RecordFormat {
  return sampled(given, COLUMN_SAMPLE, async (columns, sample) => await startSheet(sink, columns, sample));
}

async function startSheet(
  sink: OutputSink,
  columns: readonly string[],
  sample: readonly OutputRecord[],
): Promise<RecordFormat> {
  checkColumns(columns);
  const workbook = await WorkbookWriter.open((bytes) => sink.write(bytes), { sheets: [{ name: SHEET }] });
  const style = workbook.styles.index(TEXT_FORMAT, 'plain');
  const textOf = (record: OutputRecord, column: string): string => cellText(ownValue(record, column));
  const layout = columns.map((heading) => {
    const texts = sample.map((record) => textOf(record, heading));
    return { heading, width: columnWidth([heading, ...texts]), style };
  });
  const sheet = await workbook.begin({ columns: layout });
  return {
    write: (record) => sheet.row(columns.map((column) => textCell(textOf(record, column), style))),
    end: () => workbook.end(),
  };
}
