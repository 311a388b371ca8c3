import type { Persona } from '../../registration/model/persona.ts';
import { RESERVED_NAMES } from './column-names.ts';
import type { CompanionName } from './companion-pattern.ts';
import { allFields, listPersonas, nearestProposal, proposals } from './column-proposals.ts';
import { flagWord, showName } from './show-cells.ts';

/** A column that nothing is left for. */
export interface UnmatchedColumn {
  column: string;
  /** Set when the heading names a companion: then the rest of it matches nothing. */
  companion: CompanionName | undefined;
  /** The column that fits better what this one would have been. */
  rival: { column: string; target: string } | undefined;
  /** Only by its own name it is left out: guests would be without a name or an address. */
  isMissed: boolean;
}

/**
 * The sentences for columns that match nothing. Targets in `taken` already have a column and are not
 * proposed. All known columns are listed once, when a column is near none.
 */
export function explainUnmatched(
  unmatched: readonly UnmatchedColumn[],
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
): string[] {
  let listed = false;
  return unmatched.map(({ column, companion, rival }) => {
    const start = `column "${showName(column)}" ${whyUnmatched(rival, personas)}; `;
    const drop = `rop it with --ignore-column ${flagWord(column)}.`;
    const near = nearestProposal(column, companion, proposals(personas, taken, companion));
    if (near !== undefined) {
      return `${start}did you mean "${near.name}" (--map ${flagWord(`${column}=${near.target}`)})? Or d${drop}`;
    }
    const known = listed ? '' : ` Known columns: ${listKnown(personas)}.`;
    listed = true;
    return `${start}choose one with --map ${flagWord(`${column}=…`)}, or d${drop}${known}`;
  });
}

function whyUnmatched(rival: UnmatchedColumn['rival'], personas: readonly Persona[]): string {
  return rival === undefined
    ? `matches no field of ${listPersonas(personas)}`
    : `matches only ${rival.target}, which column "${showName(rival.column)}" fits better`;
}

function listKnown(personas: readonly Persona[]): string {
  const names = allFields(personas).map((field) =>
    field.label === field.slug ? field.slug : `${field.slug} ("${field.label}")`,
  );
  return [...new Set([...names, ...RESERVED_NAMES])].join(', ');
}
