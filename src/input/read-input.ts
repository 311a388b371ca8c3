import { setImmediate } from 'node:timers/promises';
import { InputError } from '../errors.ts';
import type { ChoiceQuestion } from '../registration/model/question.ts';
import { nameDelimiter } from './csv/csv-dialect.ts';
import { type InputFormat, isZip, MAGIC_LENGTH, refuseBinary } from './source/file-kind.ts';
import type { InputBatch, TableRecords } from './source/table-record.ts';
import { readTable } from './table/read-table.ts';
import type { TableOptions, TableWishes } from './table/table-options.ts';
import type { SheetOptions } from './open-sheet.ts';
import type { StoredInput } from './source/stored-input.ts';
import { csvRecords, surveyText, type TextOptions, type TextSurvey } from './survey-text.ts';
import { decodedChunks } from './text/decoded-chunks.ts';

/** What the flags say about the files. Undefined is found out. */
export interface InputOptions extends Omit<TextOptions, 'format'>, SheetOptions, TableWishes {
  format: InputFormat | undefined;
}

/** How a file is written, so that another one can be written alike; a workbook of any format as XLSX. */
export type InputStyle =
  | { format: 'csv'; delimiter: string; quote: string | undefined; encoding: TextSurvey['encoding'] }
  | { format: 'json' | 'ndjson' }
  | { format: 'xlsx'; sheet: string; date1904: boolean };

export interface OpenedInput {
  style: InputStyle;
  /** Names of all sheets of a workbook that have rows; empty for a text. */
  sheets: readonly string[];
  /** May be called again. Leaving the loop early is fine. */
  batches(): AsyncGenerator<InputBatch>;
  /** What one complete iteration has shown; empty before. */
  questions(): readonly ChoiceQuestion[];
  /** Sentences on how the file was read, as far as that is known. */
  remarks(): readonly string[];
}

/**
 * Opens a file of rows. Memory stays flat whatever its size. Throws an InputError naming file, line,
 * fault and remedy, here or while iterating; a QuestionError when the file must not be read on a guess.
 */
export async function openInput(input: StoredInput, options: InputOptions): Promise<OpenedInput> {
  const head = await input.bytes(0, MAGIC_LENGTH);
  if (isZip(head)) {
    const workbook = await openWorkbook(input, options);
    // Only now: what else is packed this way has been told by its own name.
    refuseTextFormat(input, options.format);
    return workbook;
  }
  refuseBinary(head, input.file);
  const { format } = options;
  if (format === 'xlsx' || format === 'ods') {
    throw new InputError(`${input.file}: this is no workbook (.xlsx, .ods).`, {
      hint: 'Leave --set format out: the format is found out from the content.',
    });
  }
  const survey = await surveyText(input, { ...options, format });
  return survey.dialect === undefined ? await openJson(input, survey) : openCsv(input, survey, options);
}

function refuseTextFormat({ file }: StoredInput, format: InputFormat | undefined): void {
  if (format === undefined || format === 'xlsx' || format === 'ods') return;
  throw new InputError(`${file}: this is a workbook; leave --set format out.`, {
    hint: 'The format is found out from the content.',
  });
}

async function openJson(input: StoredInput, survey: TextSurvey): Promise<OpenedInput> {
  const { readJson, readNdjson } = await import('./json/read-json.ts');
  const { format, encoding } = survey;
  const read = format === 'ndjson' ? readNdjson : readJson;
  return {
    style: { format: format === 'ndjson' ? 'ndjson' : 'json' },
    sheets: [],
    batches: () => read(decodedChunks(input, encoding), input.file),
    questions: () => [],
    remarks: () => survey.remarks,
  };
}

function openCsv(input: StoredInput, survey: TextSurvey, options: InputOptions): OpenedInput {
  const { delimiter = ',', quote } = survey.dialect ?? {};
  const table = rereadable(() => csvRecords(input, survey), {
    ...options,
    file: input.file,
    sheet: undefined,
    delimiter: nameDelimiter(delimiter),
  });
  return {
    style: { format: 'csv', delimiter, quote, encoding: survey.encoding },
    sheets: [],
    batches: () => table.batches(),
    questions: () => [],
    remarks: () => [...survey.remarks, ...table.remarks(), ...remarkOnEmpty(table.emptyRows())],
  };
}

async function openWorkbook(input: StoredInput, options: InputOptions): Promise<OpenedInput> {
  const { openSheet } = await import('./open-sheet.ts');
  const opened = await openSheet(input, options);
  const { sheet, date1904 } = opened;
  const table = rereadable(
    () => opened.records(),
    { ...options, file: input.file, sheet },
    () => opened.merged(),
  );
  return {
    style: { format: 'xlsx', sheet, date1904 },
    sheets: opened.sheets,
    batches: () => table.batches(),
    questions: () => [...opened.questions(table.headingAt), ...table.questions()],
    remarks: () => [...opened.remarks(), ...table.remarks()],
  };
}

function remarkOnEmpty(rows: number): string[] {
  return rows === 0 ? [] : [`${rows === 1 ? '1 empty row' : `${rows} empty rows`} skipped.`];
}

/** So much of one reading is kept for the next, in characters: most lists have less. */
const MOST_KEPT = 5_000_000;
const PER_CELL = 8;

function sizeOf({ rows }: InputBatch): number {
  let size = 0;
  for (const { cells } of rows)
    for (const cell of cells) size += PER_CELL + (typeof cell === 'string' ? cell.length : 0);
  return size;
}

/** The header is looked for once; the next time it stands where it was found. */
function rereadable(
  records: () => TableRecords,
  options: TableOptions,
  findMerged: () => Promise<TableOptions['mergedCells']> = async () => [],
) {
  let { headerRow } = options;
  let remarks: readonly string[] = [];
  let latest: Awaited<ReturnType<typeof readTable>> | undefined;
  let kept: readonly InputBatch[] | undefined;
  return {
    headingAt: (at: number) => latest?.headingAt(at),
    questions: () => latest?.questions() ?? [],
    /** Rows of blank cells in the latest iteration. */
    emptyRows: () => latest?.emptyRows() ?? 0,
    remarks: () => remarks,
    async *batches() {
      const known = kept;
      kept = undefined;
      for (const batch of known ?? []) {
        // Whoever wants to stop the reading is heard in between.
        await setImmediate();
        yield batch;
      }
      if (known !== undefined) return;
      const mergedCells = (await findMerged()) ?? [];
      latest = await readTable(records(), { ...options, headerRow, mergedCells });
      if (headerRow === undefined) ({ remarks } = latest);
      headerRow = latest.headerLine;
      let gathered: InputBatch[] | undefined = [];
      let size = 0;
      for await (const batch of latest.batches) {
        size += sizeOf(batch);
        if (size > MOST_KEPT) gathered = undefined;
        gathered?.push(batch);
        yield batch;
      }
      kept = gathered;
    },
  };
}
