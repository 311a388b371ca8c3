import type { EventInfo } from '../../registration/model/persona.ts';
import { cut } from '../../registration/model/cut.ts';
import { plural } from '../../report/words/number.ts';
import { columnWidth, textCell } from '../../report/xlsx/sheet-writer.ts';
import { GENERAL_FORMAT, TEXT_FORMAT } from '../../report/xlsx/style-sheet.ts';
import type { WorkbookWriter } from '../../report/xlsx/workbook-writer.ts';
import type { TemplateColumn } from './event-template-columns.ts';
import { allowedValues, type DropDown } from './event-template-lists.ts';
import { ruleText } from './event-template-rules.ts';

const FIELDS_WIDTHS = { slug: 20, label: 24, kind: 12, rule: 46, 'allowed values': 46, example: 26 };
/** More would make a cell that nobody reads; the drop-down has them all. */
const MOST_VALUES = 30;
/** A cell holds 32,767 characters. */
const LONGEST_LIST = 5_000;

/** The sheet that explains every column of a template. */
export async function writeFields(
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
export async function writeLists(workbook: WorkbookWriter, lists: readonly DropDown[]): Promise<void> {
  const style = workbook.styles.index(TEXT_FORMAT, 'plain');
  const layout = lists.map(({ name }) => ({ heading: name, width: columnWidth([name]), style }));
  const sheet = await workbook.begin({ columns: layout });
  const longest = lists.reduce((most, { values }) => Math.max(most, values.length), 0);
  for (let at = 0; at < longest; at += 1) {
    await sheet.row(lists.map(({ values }) => textCell(values[at] ?? '', style)));
  }
}
