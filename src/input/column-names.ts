import type { ColumnTarget } from '../registration/columns.ts';
import type { Persona } from '../registration/persona.ts';
import { normaliseName } from './nearest.ts';

/** Columns that mean the same to every persona. */
export const RESERVED_NAMES = ['persona', 'barcode', 'parent_barcode', 'enable_comms'] as const;
/** Columns that lists and rejects files carry for people. */
const IGNORED_NAMES = ['registration_id', 'registratoin_id'].map(normaliseName);
const ERRORS_COLUMN = '_errors';

const RESERVED_TARGETS = new Map<string, ColumnTarget>([
  ...RESERVED_NAMES.map((kind) => [normaliseName(kind), { kind }] as const),
  ...IGNORED_NAMES.map((name) => [name, { kind: 'ignored' }] as const),
]);

/** The target of a reserved name; undefined for any other name. */
export function reservedTarget(name: string): ColumnTarget | undefined {
  // With its underscore only: a column "Errors" may well be the user's own.
  if (name.trim().toLowerCase() === ERRORS_COLUMN) return { kind: 'ignored' };
  return RESERVED_TARGETS.get(normaliseName(name));
}

/**
 * The slugs of the fields of a persona that a name may mean: an exact slug first, then slugs, then
 * labels, by normalised name. More than one when the name is ambiguous, none when it matches nothing.
 */
export function matchFields(name: string, persona: Persona): string[] {
  if (persona.fields.some((field) => field.slug === name)) return [name];
  const wanted = normaliseName(name);
  if (wanted === '') return [];
  const bySlug = persona.fields.filter((field) => normaliseName(field.slug) === wanted);
  const matches =
    bySlug.length > 0 ? bySlug : persona.fields.filter((field) => normaliseName(field.label) === wanted);
  return [...new Set(matches.map((field) => field.slug))];
}

/** Indexes of the columns that a name given by the user means: exact names first, then normalised ones. */
export function findColumns(name: string, columns: readonly string[]): number[] {
  const exact = columns.indexOf(name);
  if (exact !== -1) return [exact];
  const wanted = normaliseName(name);
  return [...columns.keys()].filter((at) => normaliseName(columns[at] ?? '') === wanted);
}

/** Text as one word of a command line. Single quotes where a shell would run what stands in double ones. */
export function shellWord(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}
