import { cellText } from '../words/data-text.ts';
import { columnWidth, textCell, checkColumns } from '../xlsx/sheet-writer.ts';
import { TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';
import type { OutputSink } from './output-sink.ts';
import { type OutputRecord, ownValue, type RecordFormat } from './record-writer.ts';

const SHEET = 'Registrations';
/** How many records are looked at for the widths of columns. */
const SAMPLE = 100;

/** A workbook in which every cell is text, so that nothing is taken for a number; values as in CSV. */
export function createXlsxRecords(sink: OutputSink, columns: readonly string[]): RecordFormat {
  const sample: OutputRecord[] = [];
  let started: RecordFormat | undefined;
  const begin = async (): Promise<RecordFormat> => {
    started = await startSheet(sink, columns, sample);
    for (const record of sample.splice(0)) await started.write(record);
    return started;
  };
  return {
    async write(record) {
      if (started !== undefined) return await started.write(record);
      sample.push(record);
      if (sample.length === SAMPLE) await begin();
    },
    async end() {
      await (started ?? (await begin())).end();
    },
  };
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
