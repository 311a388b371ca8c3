import { checkBarcode } from '../rules/barcode-rule.ts';
import { readChoiceCell } from './choice-cell.ts';
import type { Checked } from '../model/finding.ts';
import { mendCell } from '../repairs/mend-value.ts';
import type { Mended } from '../repairs/mended.ts';
import type { NamedCell } from '../repairs/cell-text.ts';
import type { Field } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import { checkValue } from '../rules/rules.ts';

/** The value that a cell means for a field, mended and checked. */
export function readFieldValue(
  at: NamedCell,
  field: Field,
  repairs: RepairOptions,
): Checked<Mended<FieldValue>> {
  if (field.kind === 'choice') return readChoiceCell(at, field, repairs);
  const text = mendCell(at, { kind: field.kind, name: field.slug }, repairs);
  if (!text.ok) return text;
  const finding = checkValue(text.value.value, field);
  return finding === undefined ? text : { ok: false, finding };
}

/** The barcode that a cell means, mended and checked. */
export function readBarcode(
  at: NamedCell,
  name: 'barcode' | 'parent_barcode',
  repairs: RepairOptions,
): Checked<Mended> {
  const text = mendCell(at, { kind: 'barcode', name }, repairs);
  if (!text.ok) return text;
  const finding = checkBarcode(text.value.value);
  return finding === undefined ? text : { ok: false, finding };
}
