import { InputError } from '../errors.ts';
import { OWN_SHEETS } from '../registration/model/own-names.ts';
import { type Answer, answerOf } from '../registration/model/question.ts';
import { shellWord } from './source/shell-word.ts';
import { QuestionError } from './source/question-error.ts';
import { readRecords, type SheetEntry, type Workbook } from './workbook/workbook.ts';
import { isBlankRecord } from './table/row-widths.ts';
import { headingName } from './table/table-header.ts';
import { findHeader, HEADER_SEARCH } from './table/find-header.ts';
import type { TableRecord } from './source/table-record.ts';
import { SheetFindings } from './workbook/sheet-findings.ts';

/** Names that nobody can copy out of a message: those of nothing, and those with something unseen in them. */
const UNTYPABLE = /^\s*$|[\p{C}\p{Zl}\p{Zp}]/u;

/** A sheet that holds something. */
interface Candidate extends SheetEntry {
  /** Counted from 1 among all sheets. */
  number: number;
  /** `31 rows: Nr., Anrede, Vorname …` */
  what: string;
  /** Headings that are known × rows. */
  score: number;
}

/**
 * The sheet to be read: the one that `wanted` (from `--set sheet`) names, else the only one that holds
 * anything. `before` is the one that was read the last time. Throws an InputError when there is none, and a QuestionError when there are several.
 */
export async function chooseSheet(
  workbook: Workbook,
  wanted: string | undefined,
  before: string | undefined,
  knows: (heading: string) => boolean,
): Promise<SheetEntry> {
  if (wanted !== undefined) return findSheet(workbook, wanted);
  const candidates = await findCandidates(workbook, knows);
  const [first, second] = candidates;
  const { file } = workbook;
  const lost = workbook.sheets.find(({ part }) => typeof part !== 'string');
  // Reading it says what is wrong with it.
  if (first === undefined && lost !== undefined) return lost;
  if (first === undefined) {
    throw new InputError(`${file}: no sheet of this workbook holds anything.`, {
      hint: 'Check that this is the right file and that it was saved.',
    });
  }
  if (second === undefined && !first.hidden) return first;
  throw askWhich(candidates, workbook, before);
}

/** By its exact name, else by its name in any case, else by its number among all, counted from 1. */
function findSheet({ sheets, file }: Workbook, wanted: string): SheetEntry {
  const folded = wanted.toLowerCase();
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === folded) ??
    (/^\d{1,4}$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  const names = sheets.map(({ name }, at) => `${at + 1} "${name}"`).join(', ');
  throw new InputError(`${file}: there is no sheet "${wanted}".`, {
    hint: sheets.length === 0 ? 'This workbook has no sheet with rows.' : `The sheets are: ${names}.`,
  });
}

/** Names of the sheets that may hold rows. */
export function readableSheets({ sheets }: Workbook): string[] {
  return sheets.filter(isReadable).map(({ name }) => name);
}

function isReadable({ name, part }: SheetEntry): boolean {
  return !(OWN_SHEETS as readonly string[]).includes(name) && typeof part === 'string';
}

async function findCandidates(workbook: Workbook, knows: (heading: string) => boolean): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const [at, sheet] of workbook.sheets.entries()) {
    if (!isReadable(sheet)) continue;
    const described = await describeSheet(workbook, sheet, knows);
    if (described !== undefined) candidates.push({ ...sheet, number: at + 1, ...described });
  }
  // The most likely answer comes first.
  return candidates.sort((a, b) => Number(a.hidden) - Number(b.hidden) || b.score - a.score);
}

function askWhich(
  candidates: readonly Candidate[],
  workbook: Workbook,
  before: string | undefined,
): QuestionError {
  const { file } = workbook;
  const text =
    candidates.length === 1
      ? `${file}: the only sheet that holds anything is hidden. Is it meant to be read?`
      : `${file}: ${candidates.length} sheets hold something. Which sheet is to be read?`;
  const answers = candidates.map(({ name, number, hidden, what }): Answer => {
    const label = `${name} (${hidden ? `hidden, ${what}` : what})`;
    const said = UNTYPABLE.test(name) ? String(number) : name;
    return answerOf(label, 'sheet', said, said === name ? shellWord(name) : said);
  });
  const remembered = answers[candidates.findIndex(({ name }) => name === before)];
  return new QuestionError([
    { text, details: [], answers, unlikely: candidates[0]?.score === 0, remembered },
  ]);
}

/** Rows that are counted of a sheet of which nobody knows yet whether it is meant. */
const MOST_COUNTED = 5_000;
const MOST_HEADINGS = 3;

/** How many rows a sheet has, how its first columns are called, and what speaks for it; undefined where it is empty. */
async function describeSheet(
  workbook: Workbook,
  sheet: SheetEntry,
  knows: (heading: string) => boolean,
): Promise<Pick<Candidate, 'what' | 'score'> | undefined> {
  const head: TableRecord[] = [];
  let records = 0;
  try {
    for await (const batch of readRecords(workbook, sheet, false, new SheetFindings())) {
      const filled = batch.filter((record) => !isBlankRecord(record));
      head.push(...filled.slice(0, HEADER_SEARCH - head.length));
      records += filled.length;
      if (records > MOST_COUNTED) break;
    }
  } catch (error) {
    if (records === 0) throw error;
    // Whoever chooses it is told what is wrong with it.
    return { what: 'damaged', score: 0 };
  }
  if (records === 0) return undefined;
  const { file } = workbook;
  let [header] = head;
  try {
    ({ header } = findHeader(head, { file, sheet: sheet.name, knows, headerRow: undefined }));
  } catch {
    // It is not clear which one it is: that is asked later.
  }
  const rows = records - head.filter(({ line }) => line <= (header?.line ?? 0)).length;
  const names = (header?.cells ?? []).map(headingName).filter((name) => name !== '');
  const more = names.length > MOST_HEADINGS ? ' …' : '';
  const count =
    records > MOST_COUNTED
      ? `over ${MOST_COUNTED.toLocaleString('en')} rows`
      : `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  const known = new Set(names.filter(knows)).size;
  return { what: `${count}: ${names.slice(0, MOST_HEADINGS).join(', ')}${more}`, score: known * rows };
}
