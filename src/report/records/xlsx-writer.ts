import { cellText } from '../words/one-line-text.ts';
import type { OutputSink } from './output-sink.ts';
import {
  COLUMN_SAMPLE,
  collectColumns,
  type OutputRecord,
  ownValue,
  type RecordFormat,
  refuseNewKeys,
} from './record-columns.ts';
import { checkColumns } from '../xlsx/xlsx-limits.ts';
import { type SheetWriter, textCell } from '../xlsx/sheet-writer.ts';
import { TEXT_FORMAT } from '../xlsx/style-sheet.ts';
import { WorkbookWriter } from '../xlsx/workbook-writer.ts';

const SHEET = 'Registrations';

interface Started {
  workbook: WorkbookWriter;
  sheet: SheetWriter;
  columns: readonly string[];
  /** Of every cell below the header. */
  style: number;
}

/** A workbook in which every cell is text, so that nothing is taken for a number; values as in CSV. */
export function createXlsxRecords(sink: OutputSink, given: readonly string[] | undefined): RecordFormat {
  const sample: OutputRecord[] = [];
  let started: Started | undefined;

  const add = async (sheet: Started, record: OutputRecord): Promise<void> => {
    if (given === undefined) refuseNewKeys(record, sheet.columns);
    await writeRecord(sheet, record);
  };
  const start = async (): Promise<Started> => {
    started = await startSheet(sink, given ?? collectColumns(sample), sample);
    for (const record of sample.splice(0)) await add(started, record);
    return started;
  };
  return {
    async write(record) {
      if (started !== undefined) return await add(started, record);
      sample.push(record);
      if (sample.length === COLUMN_SAMPLE) await start();
    },
    async end() {
      const { workbook, sheet } = started ?? (await start());
      await workbook.finish(sheet);
      await workbook.end();
    },
  };
}

async function startSheet(
  sink: OutputSink,
  columns: readonly string[],
  sample: readonly OutputRecord[],
): Promise<Started> {
  checkColumns(columns);
  const workbook = await WorkbookWriter.open((bytes) => sink.write(bytes), {
    sheets: [{ name: SHEET, hidden: false, commented: false }],
    date1904: false,
  });
  const style = workbook.styles.index(TEXT_FORMAT, 'plain');
  const { columnWidth } = await import('../xlsx/xlsx-widths.ts');
  const layout = columns.map((column) => {
    const texts = sample.map((record) => cellText(ownValue(record, column)));
    return { width: columnWidth([column, ...texts]), style };
  });
  const sheet = await workbook.begin({ columns: layout, hints: [] });
  const header = workbook.styles.index(TEXT_FORMAT, 'header');
  await sheet.row(columns.map((column) => textCell(column, header)));
  return { workbook, sheet, columns, style };
}

async function writeRecord({ sheet, columns, style }: Started, record: OutputRecord): Promise<void> {
  await sheet.row(columns.map((column) => textCell(cellText(ownValue(record, column)), style)));
}
