import type { ChoiceQuestion } from '../../registration/model/question.ts';
import type { StoredInput } from '../source/stored-input.ts';
import type { TableRecords } from '../source/table-record.ts';
import { chooseSheet, readableSheets } from './xlsx-choice.ts';
import { SheetFindings } from './xlsx-findings.ts';
import { askAboutSheet, remarkOnSheet, type SheetAnswers } from './xlsx-questions.ts';
import { readRecords } from './sheet-records.ts';
import { openWorkbook, type SheetEntry, type Workbook } from './open-workbook.ts';

export interface SheetOptions extends SheetAnswers {
  /** From `--set sheet`: name, or its number counted from 1. */
  sheet: string | undefined;
  /** Which of these was read the last time. */
  recallSheet?: (names: readonly string[]) => string | undefined;
  /** Whether a heading may be one of a column that is wanted. */
  knows?: (heading: string) => boolean;
}

interface OpenedSheet {
  /** Its name. */
  sheet: string;
  /** Those of all sheets that may be read. */
  sheets: readonly string[];
  /** Whether the workbook counts days from 1904. */
  date1904: boolean;
  /**
   * Every record that holds anything, header and preamble included. Can be called again. Damage may show
   * at the very end: until then nothing of it is certain.
   */
  records(): TableRecords;
  /** What one complete iteration of `records()` has shown; empty before. Above the header there are no people. */
  questions(headerLine: number): readonly ChoiceQuestion[];
  /** Sentences for the person, such as `37 empty rows skipped at the end.`; empty before. */
  remarks(): readonly string[];
}

/**
 * Opens the sheet of an XLSX workbook that holds the rows. Memory stays flat but for the texts that the
 * cells share. Throws an InputError for a workbook that is damaged, beyond the limits or another kind of
 * file, and a QuestionError when it cannot be told which sheet is meant.
 */
export async function openSheet(input: StoredInput, options: SheetOptions): Promise<OpenedSheet> {
  const workbook = await openWorkbook(input);
  const { knows, recallSheet } = options;
  const before = recallSheet?.(readableSheets(workbook));
  const entry = await chooseSheet(workbook, options.sheet, { before, ...(knows && { knows }) });
  const name = `${input.file}:${entry.name}`;
  let shown = new SheetFindings();
  async function* records(): TableRecords {
    const findings = new SheetFindings();
    yield* readRecords(workbook, entry, options.includeHidden === false, findings);
    shown = findings;
  }
  return {
    sheet: entry.name,
    sheets: readableSheets(workbook),
    date1904: workbook.date1904,
    records,
    questions: (headerLine) => askAboutSheet(shown, options, { name, headerLine }),
    remarks: () => [...remarkOnLost(workbook, entry), ...remarkOnSheet(shown, options)],
  };
}

/** Sheets that have no rows, though the workbook lists them: they may be the ones that were meant. */
function remarkOnLost({ sheets }: Workbook, read: SheetEntry): string[] {
  return sheets.flatMap((sheet) =>
    sheet === read || typeof sheet.part === 'string'
      ? []
      : [`The workbook is damaged: ${sheet.part.missing}. Only the sheet "${read.name}" is read.`],
  );
}
