import { describeReason, type Reason, type Reject } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import type { DateOrder } from '../../registration/rules/date-forms.ts';
import { encodeText } from '../../input/text/encoding.ts';
import type { InputStyle } from '../../input/read-input.ts';
import type { RejectsOptions } from '../../report/rejects/rejects-writer.ts';
import type { Reporter } from '../../report/views/events.ts';
import { RejectGroups } from '../../report/views/reject-groups.ts';
import type { RejectedRow } from '../../report/rejects/rejected-row.ts';
import { plural } from '../../report/words/number.ts';
import type { PreparedInput } from './prepare.ts';
import { type InputRow, isSendable } from './input-row.ts';

export interface RejectsWish {
  prepared: PreparedInput;
  rejects: RejectsFile | undefined;
}

/** Where to write rejected rows, and in which format; the format of the input when undefined. */
export interface RejectsFile {
  file: string;
  format: InputStyle['format'] | undefined;
}

/** What there is of a registration that cannot be sent. */
type RejectedPart = Reject & Pick<InputRow, 'seq' | 'part'>;

/** Rejected registrations by their records, in the order of the files: one of several comes once, with all reasons. */
export function rejectedRecords<Part extends RejectedPart>(parts: Iterable<Part>): readonly Part[] {
  const records = new Map<number, Part>();
  for (const part of parts) {
    const known = records.get(recordOf(part));
    const record = known && { ...known, reasons: withNew(known.reasons, part.reasons) };
    records.set(recordOf(part), record ?? part);
  }
  return [...records.values()];
}

const recordOf = ({ seq, part }: Pick<InputRow, 'seq' | 'part'>): number => seq - part;

/** Companions of one row are often wrong for the same reason. */
function withNew(known: readonly Reason[], more: readonly Reason[]): readonly Reason[] {
  const told = new Set(known.map((reason) => JSON.stringify(reason)));
  return [...known, ...more.filter((reason) => !told.has(JSON.stringify(reason)))];
}

const rejectsOf = (rows: readonly InputRow[]): readonly InputRow[] =>
  rejectedRecords(rows.filter((row) => !isSendable(row)));

/** How many records of the files cannot be sent, and how many can: one with companions is several rows. */
export function countRecords(rows: readonly InputRow[]): { rejected: number; left: number } {
  return { rejected: rejectsOf(rows).length, left: new Set(rows.filter(isSendable).map(recordOf)).size };
}

/** Tells of the rejected rows with every reason. */
export function reportRejects(rows: readonly InputRow[], reporter: Reporter): void {
  const groups = new RejectGroups();
  for (const reject of rejectsOf(rows)) groups.add(reject);
  const all = rows.filter(({ part }) => part === 0).length;
  reporter.report({ type: 'rejected', rejects: groups.view(all, () => rejectsOf(rows)) });
}

/** Writes the rejected rows as the first file is written, unless the name of the new file says otherwise. */
export async function writeRejectsFile(
  rows: readonly InputRow[],
  { rejects, prepared }: RejectsWish,
  { reporter }: { reporter: Reporter },
): Promise<void> {
  if (rejects === undefined) return;
  const styles = prepared.files.map(({ opened }) => opened.style);
  const options = toRejectsOptions(rejects, styles);
  const toWrite = function* (): Generator<RejectedRow> {
    for (const record of rejectsOf(rows)) {
      const row = toRejectedRow(record);
      if (row !== undefined) yield options.format === 'xlsx' ? row : withoutRefused(row);
    }
  };
  const { writeRejects } = await import('../../report/rejects/rejects-writer.ts');
  const written = await writeRejects(options, toWrite);
  const order = orderOfDates(prepared);
  const flag = order === undefined ? '' : ` with --set date-order=${order}`;
  const text = `${plural(written, 'rejected row', 'rejected rows')} written to ${rejects.file}: mend them and push that file${flag}.`;
  reporter.report({ type: 'note', text });
}

type Cells = Pick<RejectedRow, 'columns' | 'cells'>;

/** Undefined for a record that could not be read at all: there are no cells to write. */
function toRejectedRow({ reasons, notes, source }: InputRow): RejectedRow | undefined {
  if (source === undefined) return undefined;
  return {
    ...withColumns(source, reasons),
    errors: reasons.map(describeReason).join('; '),
    notes: notes.map(({ column, repair, after }) => `${column}: ${repair} (${after})`).join('; '),
    wrong: reasons.flatMap(({ column: own, fills, problem, remedy }) => {
      const column = own ?? fills;
      return column === undefined
        ? []
        : [{ column, problem: remedy === undefined ? problem : `${problem}; ${remedy}` }];
    }),
  };
}

/** With columns for what is to be filled in. A row may have fewer cells than there are columns. */
function withColumns({ columns, cells }: Cells, reasons: readonly Reason[]): Cells {
  const all = new Set([...columns, ...reasons.flatMap(({ fills }) => fills ?? [])]);
  const added = [...all].slice(new Set(columns).size);
  return { columns: [...columns, ...added], cells: [...columns, ...added].map((_, at) => cells[at] ?? '') };
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

/** As the first file is written; as CSV in UTF-8 where that shows no other way. */
function toRejectsOptions({ file, format }: RejectsFile, styles: readonly InputStyle[]): RejectsOptions {
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
 * The order of day and month that the dates of all files were read with: a file of some of the rows may not show it.
 * Undefined where there are no such dates, or they were read with both orders.
 */
function orderOfDates({ files }: PreparedInput): DateOrder | undefined {
  const orders = files.flatMap(({ repairs: { dateOrder, decisions } }) => [
    dateOrder,
    ...[...decisions.values()].map((decision) => decision.dateOrder),
  ]);
  const [order, another] = new Set(orders.filter((one) => one !== undefined));
  return another === undefined ? order : undefined;
}
