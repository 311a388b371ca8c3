import type { ColumnTarget } from '../../registration/model/columns.ts';
import type { EventInfo, FieldKind } from '../../registration/model/persona.ts';
import type { Cell } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { DateOrder } from '../../registration/rules/date-forms.ts';
import { sheetText } from '../../registration/repairs/sheet-value.ts';
import type { Masker } from './masker.ts';

/** What a column is masked as: `plain` stays, and what is of no field is a text. */
export type MaskedAs = FieldKind | 'barcode' | 'plain';

/** What a column is masked as that becomes one of these, each for another kind of guest. */
export function maskedAs(targets: readonly (ColumnTarget | undefined)[], event: EventInfo): MaskedAs {
  for (const target of targets) {
    const own = target?.kind === 'companion' ? target.target : target;
    switch (own?.kind) {
      case 'persona':
      case 'enable_comms':
        return 'plain';
      case 'barcode':
      case 'parent_barcode':
        return 'barcode';
      case 'field': {
        // A full name is of the first of two fields.
        const field = event.personas.flatMap(({ fields }) => fields).find(({ slug }) => slug === own.slug);
        if (field !== undefined) return field.kind;
        break;
      }
      default:
        break;
    }
  }
  return 'text';
}

/** A cell of a list, masked as what its column becomes. */
export function maskCell(masker: Masker, cell: Cell | undefined, as: MaskedAs, order?: DateOrder): unknown {
  if (as === 'plain' || isBlank(cell)) return cell instanceof SheetCell ? textOf(cell, 'text') : (cell ?? '');
  if (Array.isArray(cell)) return cell.map((entry: Cell) => maskCell(masker, entry, as, order));
  const text = cell instanceof SheetCell ? textOf(cell, as === 'barcode' ? 'barcode' : as) : cell;
  if (typeof text === 'number' || typeof text === 'boolean') {
    return as === 'numeric' || as === 'choice' || typeof text === 'boolean'
      ? text
      : maskText(masker, String(text), as, order);
  }
  // What is nested is no value, and refused.
  return typeof text === 'string' ? maskText(masker, text, as, order) : {};
}

function maskText(masker: Masker, text: string, as: FieldKind | 'barcode', order?: DateOrder): string {
  return as === 'barcode' ? masker.barcode(text) : masker.text(as, text, order);
}

/** As it would be sent; what cannot be, such as the error of a formula, as it is stored. */
function textOf(cell: SheetCell, kind: FieldKind | 'barcode'): string {
  const read = sheetText(cell, kind);
  return read.ok ? read.value.value : cell.stored;
}
