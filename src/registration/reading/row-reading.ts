import { isBlank } from '../repairs/cell-text.ts';
import { type Companion, type CompanionCells, companionNumber, readCompanions } from './companions.ts';
import type { ColumnMapping } from '../model/columns.ts';
import type { EventInfo, Persona } from '../model/persona.ts';
import { checkWhole, readCell } from './read-cell.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import { repairsOfRow } from '../evidence/row-country.ts';
import { emptyDraft, type RowDraft } from './row-draft.ts';
import type { Note, Reason, SourceRow } from '../model/row.ts';

/** How rows are read. */
export interface ReadRowOptions {
  event: EventInfo;
  /** `--persona`: for rows that name none. */
  persona: string | undefined;
  /** A blank cell leaves its field out, or empties it in the service. */
  blank: 'omit' | 'clear';
  /** How values may be mended. */
  repairs: RepairOptions;
}

/** All cells of a row, read as those of one persona and of the people who come along. */
interface RowReading {
  own: RowDraft;
  companions: readonly Companion[];
  reasons: readonly Reason[];
  notes: readonly Note[];
}

const NONE: ReadonlySet<number> = new Set();

/** Reads every cell of a row that is of this persona. */
export function readCells(
  row: SourceRow,
  mapping: ColumnMapping,
  persona: Persona,
  { event, blank, repairs: given }: ReadRowOptions,
): RowReading {
  const own = emptyDraft();
  const repairs = repairsOfRow(row, mapping, [persona], given);
  const options = { persona, blank, repairs };
  const escaped = row.unescaped === undefined ? NONE : new Set(row.unescaped);
  const groups: CompanionCells = new Map();
  const targets = mapping.targetsFor(persona);
  for (let index = 0; index < targets.length; index += 1) {
    const target = targets[index] ?? { kind: 'ignored' };
    const cell = row.cells[index];
    const at = { column: mapping.columns[index] ?? '', cell, escaped: escaped.has(index) };
    // Most foreign columns are blank; those need no look at other personas.
    const skipped = target.kind === 'foreign' && blank === 'omit' && isBlank(cell);
    const number = skipped ? undefined : companionNumber(target, index, mapping, event);
    const group = number === undefined ? undefined : groups.get(number);
    if (number === undefined) readCell(own, at, target, options);
    else if (group === undefined) groups.set(number, [{ ...at, index }]);
    else group.push({ ...at, index });
  }
  checkWhole(own);
  if (groups.size === 0) return { own, companions: [], reasons: own.reasons, notes: own.notes };
  return withCompanions(own, readCompanions(groups, { ...options, event, mapping, row: own }));
}

function withCompanions(own: RowDraft, companions: readonly Companion[]): RowReading {
  const reasons = [...own.reasons, ...companions.flatMap(({ draft }) => draft.reasons)];
  const notes = [...own.notes, ...companions.flatMap(({ draft }) => draft.notes)];
  return { own, companions, reasons, notes };
}
