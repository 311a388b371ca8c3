import { valuesOf } from '../../registration/rules/choice-rule.ts';
import { OWN_SHEETS } from '../../registration/model/own-names.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import {
  type ColumnHint,
  columnWidth,
  textCell,
  type WorkbookCell,
  legalSheetName,
} from '../../report/xlsx/sheet-writer.ts';
import { columnLetters } from '../../registration/model/sheet-cell.ts';
import { TEXT_FORMAT, GENERAL_FORMAT } from '../../report/xlsx/style-sheet.ts';
import { WorkbookWriter } from '../../report/xlsx/workbook-writer.ts';
import {
  type ReservedName,
  type TemplateColumn,
  templateColumns,
  type DropDown,
  dropDowns,
  ruleText,
  allowedValues,
} from './event-template-columns.ts';
import { cut } from '../../registration/model/cut.ts';
import { plural } from '../../report/words/number.ts';

interface WorkbookTemplate {
  content: Buffer;
  /** What keeps it from being pushed as it stands, a sentence each. */
  problems: readonly string[];
}

const [FIELDS_SHEET, LISTS_SHEET] = OWN_SHEETS;
const DATE_FORMAT = 'yyyy-mm-dd';
const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);

/**
 * A workbook with one example registration of the persona: columns in which nothing typed is changed
 * by the spreadsheet program, drop-downs where values are chosen, and a sheet that explains the fields.
 */
export async function createXlsxTemplate(event: EventInfo, persona: Persona): Promise<WorkbookTemplate> {
  const { columns, problems } = templateColumns(event, persona);
  const chunks: Uint8Array[] = [];
  const workbook = await WorkbookWriter.open(async (bytes) => void chunks.push(bytes), {
    sheets: [
      { name: legalSheetName(persona.name.trim() || persona.slug) },
      { name: FIELDS_SHEET },
      { name: LISTS_SHEET, hidden: true },
    ],
  });
  const byColumn = dropDowns(columns, event);
  const lists = [...new Set(byColumn.values())];
  await writeRows(workbook, columns, hintsOf(columns, byColumn, lists));
  await writeFields(workbook, columns, event);
  await writeLists(workbook, lists);
  await workbook.end();
  return { content: Buffer.concat(chunks), problems };
}

async function writeRows(
  workbook: WorkbookWriter,
  columns: readonly TemplateColumn[],
  hints: readonly ColumnHint[],
): Promise<void> {
  const styles = columns.map((column) =>
    workbook.styles.index(isDate(column) ? DATE_FORMAT : TEXT_FORMAT, 'plain'),
  );
  const layout = columns.map(({ header, example }, at) => ({
    heading: header,
    width: columnWidth([header, example]),
    style: styles[at] ?? 0,
  }));
  const sheet = await workbook.begin({ columns: layout, hints });
  await sheet.row(columns.map((column, at) => exampleCell(column, styles[at] ?? 0)));
}

const isDate = ({ target }: TemplateColumn): boolean => typeof target !== 'string' && target.kind === 'date';

/** A date is stored as spreadsheet programs store one that is typed, so that the example looks like the rest. */
function exampleCell(column: TemplateColumn, style: number): WorkbookCell | undefined {
  if (!isDate(column)) return textCell(column.example, style);
  const days = (Date.parse(`${column.example}T00:00:00Z`) - DAY_ZERO) / DAY_MS;
  return { type: 'number', stored: String(days), style, comment: undefined };
}

/** What is said while a cell is chosen, where it is not plain from the header. */
function hintsOf(
  columns: readonly TemplateColumn[],
  byColumn: ReadonlyMap<TemplateColumn, DropDown>,
  lists: readonly DropDown[],
): ColumnHint[] {
  return columns.flatMap((column, at) => {
    const list = byColumn.get(column);
    const { header, target } = column;
    if (list === undefined && !needsHint(target)) return [];
    const values = list === undefined && typeof target !== 'string' ? target.choices : [];
    const named = values.length === 0 ? '' : ` ${valuesOf(values).join('; ')}`;
    const range = list === undefined ? undefined : rangeOf(lists.indexOf(list), list);
    return [{ column: at, title: header, message: ruleText(target) + named, list: range }];
  });
}

function needsHint(target: Field | ReservedName): boolean {
  if (typeof target === 'string') return target === 'parent_barcode';
  return target.kind === 'date' || target.kind === 'phone' || target.multiple;
}

function rangeOf(at: number, { values }: DropDown): string {
  const letters = columnLetters(at);
  return `${LISTS_SHEET}!$${letters}$2:$${letters}$${values.length + 1}`;
}

const FIELDS_WIDTHS = { slug: 20, label: 24, kind: 12, rule: 46, 'allowed values': 46, example: 26 };
/** More would make a cell that nobody reads; the drop-down has them all. */
const MOST_VALUES = 30;
/** A cell holds 32,767 characters. */
const LONGEST_LIST = 5_000;

/** The sheet that explains every column of a template. */
async function writeFields(
  workbook: WorkbookWriter,
  columns: readonly TemplateColumn[],
  event: EventInfo,
): Promise<void> {
  const style = workbook.styles.index(GENERAL_FORMAT, 'wrapped');
  const layout = Object.entries(FIELDS_WIDTHS).map(([heading, width]) => ({ heading, width, style }));
  const sheet = await workbook.begin({ columns: layout });
  for (const column of columns) {
    await sheet.row(describeColumn(column, event).map((text) => textCell(text, style)));
  }
}

function describeColumn({ header, target, example }: TemplateColumn, event: EventInfo): string[] {
  const values = allowedValues(target, event) ?? [];
  const more = values.length > MOST_VALUES ? ` … ${plural(values.length, 'value', 'values')} in all` : '';
  const listed = cut(values.slice(0, MOST_VALUES).join('; '), LONGEST_LIST) + more;
  const named = typeof target === 'string' ? [target, header, ''] : [target.slug, target.label, target.kind];
  return [...named, ruleText(target), listed, example];
}

/** The sheet with the values for drop-downs: a column a list, below its name. */
async function writeLists(workbook: WorkbookWriter, lists: readonly DropDown[]): Promise<void> {
  const style = workbook.styles.index(TEXT_FORMAT, 'plain');
  const layout = lists.map(({ name }) => ({ heading: name, width: columnWidth([name]), style }));
  const sheet = await workbook.begin({ columns: layout });
  const longest = lists.reduce((most, { values }) => Math.max(most, values.length), 0);
  for (let at = 0; at < longest; at += 1) {
    await sheet.row(lists.map(({ values }) => textCell(values[at] ?? '', style)));
  }
}
