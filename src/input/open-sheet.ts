import { InputError } from '../errors.ts';
import { answerOf, type ChoiceQuestion } from '../registration/model/question.ts';
import { columnLetters } from '../registration/model/sheet-cell.ts';
import type { Acceptable } from '../registration/repairs/repair-options.ts';
import { openOds } from './ods/open-ods.ts';
import { chooseSheet, readableSheets } from './sheet-choice.ts';
import type { StoredInput } from './source/stored-input.ts';
import type { MergedRange, TableRecords } from './source/table-record.ts';
import type { HeadingAt } from './table/read-table.ts';
import { openZip } from './workbook/open-zip.ts';
import { SheetFindings } from './workbook/sheet-findings.ts';
import { WorkbookPackage } from './workbook/workbook-package.ts';
import { readRecords, type SheetEntry, type Workbook } from './workbook/workbook.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';

export interface SheetOptions {
  /** From `--set include-hidden=true` (true) and `--set include-hidden=false` (false); undefined: ask. */
  includeHidden: boolean | undefined;
  accept: ReadonlySet<Acceptable>;
  /** From `--set sheet`: name, or its number counted from 1. */
  sheet: string | undefined;
  /** Which of these was read the last time. */
  recallSheet?: (names: readonly string[]) => string | undefined;
  /** Whether a heading may be one of a column that is wanted. */
  knows: (heading: string) => boolean;
}

/**
 * Opens the sheet of a workbook that holds the rows. Memory stays flat but for the texts that the
 * cells share. Throws an InputError for a workbook that is damaged, beyond the limits or another kind of
 * file, and a QuestionError when it cannot be told which sheet is meant.
 */
export async function openSheet(input: StoredInput, options: SheetOptions) {
  const workbook = await openWorkbook(input);
  const before = options.recallSheet?.(readableSheets(workbook));
  const entry = await chooseSheet(workbook, options.sheet, before, options.knows);
  const name = `${input.file}:${entry.name}`;
  let shown = new SheetFindings();
  let merged: Promise<readonly MergedRange[]> | undefined;
  async function* records(): TableRecords {
    const findings = new SheetFindings();
    yield* readRecords(workbook, entry, options.includeHidden === false, findings);
    shown = findings;
  }
  return {
    sheet: entry.name,
    sheets: readableSheets(workbook),
    date1904: workbook.date1904,
    /**
     * Every record that holds anything, header and preamble included. Can be called again. Damage may show
     * at the very end: until then nothing of it is certain.
     */
    records,
    /** Its merged cells, which stand behind the rows: the first time all is read for them. */
    merged: () => (merged ??= findMerged(workbook, entry)),
    /** What one complete iteration of `records()` has shown; empty before. */
    questions: (headingAt?: HeadingAt): readonly ChoiceQuestion[] => [
      ...(options.includeHidden === undefined ? askAboutHidden(shown, name, headingAt) : []),
      ...(options.accept.has('full-sheet') ? [] : askAboutLength(shown, name)),
    ],
    /** Sentences for the person, such as `37 empty rows skipped at the end.`; empty before. */
    remarks: () => [...remarkOnLost(workbook, entry), ...remarkOnSheet(shown, options)],
  };
}

/** Up to where the sheet is damaged: reading it says what is wrong with it. */
async function findMerged(workbook: Workbook, sheet: SheetEntry): Promise<readonly MergedRange[]> {
  const findings = new SheetFindings();
  try {
    for await (const _ of readRecords(workbook, sheet, false, findings));
  } catch {
    return [];
  }
  return findings.merged;
}

/** Sheets that have no rows, though the workbook lists them: they may be the ones that were meant. */
function remarkOnLost({ sheets }: Workbook, read: SheetEntry): string[] {
  return sheets.flatMap((sheet) =>
    sheet === read || typeof sheet.part === 'string'
      ? []
      : [`The workbook is damaged: ${sheet.part.missing}. Only the sheet "${read.name}" is read.`],
  );
}

/** As many rows as old and new spreadsheet programs can hold. */
const FULL_SHEETS = [65_536, 1_048_576];

/** Sentences about what was passed over. */
function remarkOnSheet(findings: SheetFindings, answers: Pick<SheetOptions, 'includeHidden'>): string[] {
  const { lastFilled, lastRow, emptyBetween } = findings;
  const trailing = lastFilled === 0 ? 0 : lastRow - lastFilled;
  const hidden = answers.includeHidden === false ? describeHidden(findings) : '';
  return [
    ...(hidden === '' ? [] : [`${hidden} left out.`]),
    ...(emptyBetween === 0 ? [] : [`${count(emptyBetween, 'empty row')} skipped between others.`]),
    ...(trailing === 0 ? [] : [`${count(trailing, 'empty row')} skipped at the end.`]),
  ];
}

function askAboutHidden(
  findings: SheetFindings,
  place: string,
  headingAt: HeadingAt | undefined,
): ChoiceQuestion[] {
  const hidden = describeHidden(findings, headingAt);
  if (hidden === '') return [];
  const why = findings.filtered ? ' (a filter is on)' : '';
  const question = {
    text: `${place}: ${hidden} with values in the sheet${why}. Are they meant to be read?`,
    details: [],
    answers: [
      // Whoever is hidden may have cancelled, and what is hidden is no business of the service.
      answerOf('leave them out', 'includeHidden', false),
      answerOf('read them as well', 'includeHidden', true),
    ],
    leavesOut: hidden,
  };
  return [question];
}

/** `2 hidden rows (5, 9) and 1 hidden column ("Discount")`, by its letters where it has no heading; empty when nothing is hidden. */
function describeHidden({ hiddenRows, hiddenColumns }: SheetFindings, headingAt?: HeadingAt): string {
  const nameOf = (at: number): string => headingAt?.(at) ?? columnLetters(at);
  const columns = [...hiddenColumns].sort((a, b) => a - b).map(nameOf);
  const tell = (what: string, all: readonly (string | number)[]): string[] =>
    all.length === 0
      ? []
      : [`${count(all.length, what)} (${all.slice(0, 3).join(', ')}${all.length > 3 ? ' and more' : ''})`];
  return [...tell('hidden row', hiddenRows), ...tell('hidden column', columns)].join(' and ');
}

function askAboutLength({ lastFilled }: SheetFindings, place: string): ChoiceQuestion[] {
  if (!FULL_SHEETS.includes(lastFilled)) return [];
  const question = {
    text: `${place}: the sheet ends at row ${lastFilled.toLocaleString('en')}, the last one that some spreadsheet programs can hold: it may have been cut off there. Compare it with where it comes from.`,
    details: [],
    answers: [answerOf('the sheet is complete', 'accept', 'full-sheet')],
  };
  return [question];
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * Opens a workbook of any format: everything but the rows. Throws an InputError when it is damaged, beyond the
 * limits, or another kind of file in a zip.
 */
async function openWorkbook(input: StoredInput): Promise<Workbook> {
  const parts = await openZip(input);
  const packed = new WorkbookPackage(input, parts);
  const workbook = (await openXlsx(packed)) ?? (await openOds(packed));
  if (workbook === undefined) throw otherZip(parts.keys(), input.file);
  return workbook;
}

const SAVE_AS_XLSX = 'and save it as "Excel Workbook (.xlsx)".';
const ASK_FOR_LIST = 'Ask for the list as a spreadsheet or as CSV.';

/** Zip files that are no workbook, by the name of a part in lower case. */
const KINDS: readonly (readonly [part: RegExp, what: string, hint: string])[] = [
  [
    /^xl\/workbook\.bin$/,
    'a binary Excel workbook (.xlsb)',
    `Open it in Excel, choose File > Save As, ${SAVE_AS_XLSX}`,
  ],
  [
    /^index\/.*\.iwa$/,
    'an Apple Numbers document (.numbers)',
    `Open it in Numbers, choose File > Export To > Excel, ${SAVE_AS_XLSX}`,
  ],
  [/^word\/document\.xml$/, 'a Word document (.docx)', ASK_FOR_LIST],
  [/^ppt\/presentation\.xml$/, 'a presentation (.pptx)', ASK_FOR_LIST],
  [
    /\.(?:xlsx|ods|csv|xls)$/,
    'a zip archive with spreadsheets in it',
    'Unpack it, and name the files in it.',
  ],
];

/** The error for a zip file that is no workbook, judged by the names of its parts (in lower case). */
function otherZip(parts: Iterable<string>, file: string): InputError {
  const names = [...parts];
  const other = names.length === 0 ? 'an empty zip file' : 'a zip file, but no workbook';
  const kind = KINDS.find(([part]) => names.some((name) => part.test(name)));
  const [, what, hint] = kind ?? [undefined, other, ASK_FOR_LIST];
  return new InputError(`${file}: this is ${what}.`, { hint });
}
