import { madeOnce } from './maps.ts';
import type { Persona } from './persona.ts';

/** What a column of the file becomes in a registration. */
export type ColumnTarget =
  | { kind: 'persona' | 'barcode' | 'parent_barcode' | 'enable_comms' }
  | FieldTarget
  /** Belongs to the person numbered so who comes along with the row's own: `Companion 1 First name`. */
  | { kind: 'companion'; number: number; target: OwnTarget }
  /** Belongs to fields of other personas only: a cell that is not blank is a mistake. */
  | { kind: 'foreign' }
  /** Dropped knowingly: `--ignore-column`, or a column that tools write for people (`registration_id`, `_errors`). */
  | { kind: 'ignored' };

/** What a companion's column may become. A companion's parent is the row itself. */
export type OwnTarget = { kind: 'persona' | 'barcode' | 'enable_comms' } | FieldTarget;

/** A field; of a column of full names the one of first names, and `last` is that of last names. */
export interface FieldTarget {
  kind: 'field';
  slug: string;
  last?: string;
  /** The last name stands in front. */
  isLastFirst?: boolean;
  /** It holds what stands before the value of the field, such as the Dutch `van der`, or the time of its day. */
  beside?: 'before' | 'time of';
  /** It fills what the other columns of the field leave blank, and never says otherwise. */
  completes?: boolean;
  /** Indexes of all columns of the field, in their order, those of one name together: the first that are filled in a row count. */
  among?: readonly (readonly number[])[];
}

/** How the columns of one row shape map to registrations. Headers may mean different fields to different personas. */
export interface ColumnMapping {
  columns: readonly string[];
  /** Index of the persona column, or -1. */
  personaColumn: number;
  /** One target a column, for rows of this persona. The same array for the same persona. */
  targetsFor(persona: Persona): readonly ColumnTarget[];
}

/** Whether a column shows that there is a companion: lists are often filled in with personas and switches beforehand. */
export function tellsOfCompanion(target: ColumnTarget): boolean {
  return target.kind === 'companion' && ['field', 'barcode'].includes(target.target.kind);
}

/** Whether a column of a row or a companion fits, for a persona that the row may be of. */
type Fits = (target: ColumnTarget, persona: Persona) => boolean;

export const isBarcode: Fits = ({ kind }) => kind === 'barcode';

/** Indexes of the columns that fit, whichever of the personas a row is of. */
export function columnsWhere(
  mapping: ColumnMapping,
  personas: readonly Persona[],
  fits: Fits,
): readonly number[] {
  return [...mapping.columns.keys()].filter((at) =>
    personas.some((persona) => {
      const target = mapping.targetsFor(persona)[at];
      return target !== undefined && fits(target, persona);
    }),
  );
}

/** The same, looked for once for each mapping: rows are many, and alike. */
export function columnsOnce(
  personas: readonly Persona[],
  fits: Fits,
): (mapping: ColumnMapping) => readonly number[] {
  const known = new WeakMap<ColumnMapping, readonly number[]>();
  return (mapping) => madeOnce(known, mapping, () => columnsWhere(mapping, personas, fits));
}
