import type { FieldKind } from '../../src/registration/model/persona.ts';
import { readRow, type ReadRowOptions } from '../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS, type RepairOptions } from '../../src/registration/repairs/repair-options.ts';
import type { Cell, SourceRow } from '../../src/registration/model/row.ts';
import { type NumberFormat, SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { event, field, mappingOf, persona, rowOf } from './persona-fixture.ts';

/** What became of one cell: the value with the repair that made it, or the finding. */
export type Outcome =
  | { value: unknown; repair: string | undefined }
  | { problem: string; remedy: string | undefined };

/** Reads one cell as a field of the kind, or as a barcode, whose column is called as the kind is. */
export function readOne(
  kind: FieldKind | 'barcode' | 'parent_barcode',
  cell: Cell,
  repairs: Partial<RepairOptions> = {},
  about: { choices?: readonly string[]; multiple?: boolean; escaped?: string } = {},
): Outcome {
  const fields = kind.endsWith('barcode')
    ? []
    : [field(kind, kind as FieldKind, about.choices ?? [], about.multiple)];
  const options: ReadRowOptions = {
    event: event(persona('p', fields)),
    persona: 'p',
    blank: 'omit',
    repairs: { ...DEFAULT_REPAIRS, ...repairs },
  };
  const plain = rowOf({ [kind]: cell });
  const row: SourceRow =
    about.escaped === undefined ? plain : { ...plain, escaped: new Map([[0, about.escaped]]) };
  const result = readRow(row, mappingOf(row.columns), options);
  if (!result.ok) {
    const [first, second] = result.reasons;
    if (first === undefined || second !== undefined) throw new Error(`${result.reasons.length} reasons`);
    return { problem: first.problem, remedy: first.remedy };
  }
  const { barcode, parentBarcode, fields: values } = result.read.registration;
  return { value: barcode ?? parentBarcode ?? values[kind], repair: result.notes[0]?.repair };
}

const FORMAT: NumberFormat = { code: 'General', kind: 'number', zeros: 0 };

/** A number of a workbook, with what its format says beyond General. */
export function numberCell(stored: string, format: Partial<NumberFormat> = {}, date1904 = false): SheetCell {
  return new SheetCell('number', stored, { ...FORMAT, ...format }, date1904);
}

/** Any other cell of a workbook. */
export function sheetCell(type: SheetCell['type'], stored: string): SheetCell {
  return new SheetCell(type, stored, FORMAT, false);
}
