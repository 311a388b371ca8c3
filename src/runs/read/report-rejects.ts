import { ColumnSurvey } from '../../registration/evidence/column-survey.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { type DateOrder, DEFAULT_REPAIRS } from '../../registration/repairs/repair-options.ts';
import { encodeText } from '../../input/text/encoding.ts';
import type { InputFormat } from '../../input/source/file-kind.ts';
import type { InputStyle } from '../../input/read-input.ts';
import { type Cell, describeReason, type Note, type Reason } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { plural } from '../../report/words/number.ts';
import type { RejectedRow } from '../../report/views/rejected-row.ts';
import { type RejectsOptions, writeRejects } from '../../report/rejects/rejects-writer.ts';
import { RejectGroups } from '../../report/views/reject-groups.ts';
import { type RejectCells, restoreCells } from './reject-cells.ts';
import { type RejectedRecord, rejectedRows } from './rejected-rows.ts';
import type { PreparedInput } from './prepare.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

export interface RejectsWish {
  prepared: PreparedInput;
  /** Where to write rejected rows, and in which format; the format of the input when undefined. */
  rejects: { file: string; format: InputFormat | undefined } | undefined;
}

type RejectsContext = Pick<SendContext, 'journal' | 'reporter' | 'event'>;

/** Tells of the rejected rows with every reason. */
export function reportRejects(run: string, { journal, reporter }: RejectsContext): void {
  const groups = new RejectGroups();
  for (const reject of rejectedRows(journal, run)) groups.add(reject);
  const all = journal.get<{ n: number }>('SELECT count(*) AS n FROM row WHERE run = ? AND part = 0', [run]);
  const rejects = groups.view(all?.n ?? 0, () => rejectedRows(journal, run));
  if (rejects.rejected > 0) reporter.report({ type: 'rejected', rejects });
}

/** A column in which rows hold what their persona has no field for. */
export interface ForeignColumn {
  column: string;
  rows: number;
  personas: readonly string[];
}

/** Such columns, those with most rows first. */
export function foreignColumns(run: string, { journal }: RejectsContext): readonly ForeignColumn[] {
  const found = new Map<string, { rows: number; personas: Set<string> }>();
  for (const { reasons } of rejectedRows(journal, run)) {
    const columns = new Set<string>();
    for (const { column, foreignTo } of reasons) {
      if (column === undefined || foreignTo === undefined) continue;
      const tally = found.get(column) ?? { rows: 0, personas: new Set() };
      if (!columns.has(column)) tally.rows += 1;
      columns.add(column);
      found.set(column, { ...tally, personas: tally.personas.add(foreignTo) });
    }
  }
  return [...found]
    .map(([column, { rows, personas }]) => ({ column, rows, personas: [...personas] }))
    .sort((one, other) => other.rows - one.rows);
}

/** Writes the rejected rows as the first file is written, unless the name of the new file says otherwise. */
export async function writeRejectsFile(
  run: string,
  { rejects, prepared }: RejectsWish,
  { journal, reporter, event }: RejectsContext,
): Promise<void> {
  if (rejects === undefined) return;
  const styles = prepared.files.map(({ opened }) => opened.style);
  const options = toRejectsOptions(rejects, styles);
  const rows = function* (): Generator<RejectedRow> {
    for (const record of rejectedRows(journal, run)) {
      const row = toRejectedRow(record);
      if (row !== undefined) yield options.format === 'xlsx' ? row : withoutRefused(row);
    }
  };
  const written = await writeRejects(options, rows);
  const order = orderOfRejects(rejectedRows(journal, run), prepared, event);
  const flag = order === undefined ? '' : ` with --set date-order=${order}`;
  reporter.report({
    type: 'note',
    text: `${plural(written, 'rejected row', 'rejected rows')} written to ${rejects.file}: mend them and push that file${flag}.`,
  });
}

/** Undefined for a record that could not be read at all: there are no cells to write. */
function toRejectedRow({ reasons, notes, raw }: RejectedRecord): RejectedRow | undefined {
  if (raw === undefined) return undefined;
  return {
    ...withFilled(restoreCells(raw), reasons),
    errors: reasons.map(describeReason).join('; '),
    notes: notes.map(describeNote).join('; '),
    wrong: reasons.flatMap(({ column: own, fills, problem, remedy }) => {
      const column = own ?? fills?.column;
      return column === undefined
        ? []
        : [{ column, problem: remedy === undefined ? problem : `${problem}; ${remedy}` }];
    }),
  };
}

/** The cells with those that are to be filled in, and what they likely hold. */
function withFilled({ columns, cells }: RejectCells, reasons: readonly Reason[]): RejectCells {
  let filled: RejectCells = { columns, cells };
  for (const { fills } of reasons) {
    if (fills === undefined) continue;
    const at = filled.columns.indexOf(fills.column);
    filled =
      at < 0
        ? { columns: [...filled.columns, fills.column], cells: [...padded(filled), fills.value] }
        : { ...filled, cells: padded(filled).with(at, fills.value) };
  }
  return filled;
}

/** As many cells as there are columns: a row may be shorter. */
function padded({ columns, cells }: RejectCells): Cell[] {
  return columns.map((_, at) => cells[at] ?? '');
}

/**
 * A number of a workbook that is refused for what it is, such as a date for a barcode, would be a text like
 * any other in a format without types, and pass. Its place is left open, and what it was is told.
 */
function withoutRefused(row: RejectedRow): RejectedRow {
  const refused = new Set(row.wrong.map(({ column }) => column));
  const lost: string[] = [];
  const cells = row.cells.map((cell, at) => {
    const column = row.columns[at] ?? '';
    if (!(cell instanceof SheetCell) || cell.type === 'error' || !refused.has(column)) return cell;
    if (cell.type !== 'missing') lost.push(`${column}: the workbook stores ${cell.stored}`);
    return new SheetCell('missing', '', cell.format, cell.date1904);
  });
  return { ...row, cells, errors: [row.errors, ...lost].join('; ') };
}

const describeNote = ({ column, repair, after }: Note): string => `${column}: ${repair} (${after})`;

/** As the first file is written; as CSV in UTF-8 where that shows no other way. */
function toRejectsOptions(
  { file, format }: { file: string; format: InputFormat | undefined },
  styles: readonly InputStyle[],
): RejectsOptions {
  const [style] = styles;
  const csv = style?.format === 'csv' ? style : undefined;
  const sheet = style?.format === 'xlsx' ? style : undefined;
  // An encoding of few characters is right only where all cells come from it.
  const isShared = styles.every((other) => other.format === 'csv' && other.encoding === csv?.encoding);
  const encoding = (isShared ? csv?.encoding : undefined) ?? 'utf-8';
  return {
    path: file,
    format: format ?? style?.format ?? 'csv',
    delimiter: csv?.delimiter ?? ',',
    quote: csv?.quote,
    encode: (text) => encodeText(text, encoding),
    byteOrderMark: encoding.startsWith('utf'),
    sheet: sheet?.sheet ?? 'Rejected',
    date1904: sheet?.date1904 ?? false,
  };
}

/**
 * The order of day and month that rejected rows were read with, where they do not show it themselves: a file of them
 * would be asked about. Undefined where they show it, have no such dates, or were read with both orders.
 */
function orderOfRejects(
  records: Iterable<RejectedRecord>,
  { files, mappings }: PreparedInput,
  event: EventInfo,
): DateOrder | undefined {
  const orders = new Set(
    files.flatMap(({ repairs: { dateOrder, decisions } }) =>
      [dateOrder, ...[...decisions.values()].map((decision) => decision.dateOrder)].filter(
        (order) => order !== undefined,
      ),
    ),
  );
  const [order] = orders;
  if (orders.size !== 1) return undefined;
  const survey = new ColumnSurvey(event, DEFAULT_REPAIRS);
  for (const { place, raw } of records) {
    const row = raw === undefined ? undefined : { place, ...restoreCells(raw) };
    const mapping = row && mappings.learn(row, true);
    if (row !== undefined && mapping !== undefined) survey.add(row, mapping);
  }
  const asks = survey
    .result()
    .questions.some(({ answers }) => answers.some(({ option }) => option === 'dateOrder'));
  return asks ? order : undefined;
}
