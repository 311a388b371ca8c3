import type { ColumnTarget, FieldTarget } from '../../registration/model/columns.ts';
import { OWN_COLUMNS } from '../../registration/model/own-names.ts';
import type { Persona } from '../../registration/model/persona.ts';
import { headingOf } from './alias-index.ts';
import { FieldNames } from './field-names.ts';
import { normaliseName } from '../source/nearest-name.ts';
import type { CompanionName } from './companion-columns.ts';

/** Columns that mean the same to every persona. */
export const RESERVED_NAMES = ['persona', 'barcode', 'parent_barcode', 'enable_comms'] as const;
/** Columns that lists and rejects files carry for people. */
const IGNORED_NAMES = ['registration_id', 'registratoin_id'].map(normaliseName);

const RESERVED_TARGETS = new Map<string, ColumnTarget>([
  ...RESERVED_NAMES.map((kind) => [normaliseName(kind), { kind }] as const),
  ...IGNORED_NAMES.map((name) => [name, { kind: 'ignored' }] as const),
]);

/** The target of a reserved name; undefined for any other name. */
export function reservedTarget(name: string): ColumnTarget | undefined {
  // With their underscore only: a column "Errors" or "Notes" may well be the user's own.
  if (OWN_COLUMNS.includes(name.trim().toLowerCase())) return { kind: 'ignored' };
  return RESERVED_TARGETS.get(normaliseName(name));
}

/** Indexes of the columns that a name given by the user means: exact names first, then normalised ones, then all called so. */
export function findColumns(name: string, columns: readonly string[]): number[] {
  const exact = columns.indexOf(name);
  if (exact !== -1) return [exact];
  const wanted = normaliseName(name);
  const named = (nameOf: (column: string) => string): number[] =>
    [...columns.keys()].filter((at) => normaliseName(nameOf(columns[at] ?? '')) === wanted);
  const found = named((column) => column);
  return found.length > 0 ? found : named(headingOf);
}

/** A target as `--map` takes it, and as messages name it: `email`, `companion 2 email`, `first_name+last_name`. */
export function targetName(target: ColumnTarget): string {
  switch (target.kind) {
    case 'field':
      if (target.beside) return `${target.beside} ${target.slug}`;
      return (target.completes ? ELSE : '') + namesIn(target).join(BOTH);
    case 'companion':
      return `companion ${target.number} ${targetName(target.target)}`;
    default:
      return target.kind;
  }
}

/** Stands between the two fields of a column of full names. */
export const BOTH = '+';

const namesIn = ({ slug, last, isLastFirst = false }: FieldTarget): readonly string[] =>
  last === undefined ? [slug] : isLastFirst ? [last, slug] : [slug, last];

/** Stands before the field whose values a column has the beginning of: `before last_name`. */
export const BEFORE = 'before ';

/** Stands before the field of whose days a column has the times: `time of talk_at`. */
export const TIME_OF = 'time of ';

/** Stands before what a column fills where the other columns of it are blank; a row in which they differ is refused. */
export const ELSE = 'else ';

/** What a target fills, each as `--map` takes it: two of `companion 1 first_name+last_name`. */
export function partsOf(target: string): string[] {
  const [first = '', ...more] = target.replace(/^else /, '').split(BOTH);
  const prefix = /^companion \d+ /.exec(first)?.[0] ?? '';
  return [first, ...more.map((part) => prefix + part)];
}

/** What `--map` may take for a column, but for what is in `taken`. */
export function freeTargets(
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
  companion: CompanionName | undefined,
): string[] {
  const prefix = prefixOf(companion);
  const own = RESERVED_NAMES.filter((name) => prefix === '' || name !== 'parent_barcode');
  const slugs = personas.flatMap(({ fields }) => fields.map(({ slug }) => slug));
  const all = [...new Set([...slugs, ...own].map((name) => prefix + name))];
  return [...all, ...fullNames(personas, companion).keys()].filter(
    (target) => !partsOf(target).some((part) => taken.has(part)),
  );
}

/** What a column of full names may fill, by what `--map` takes, with what people see. */
export function fullNames(
  personas: readonly Persona[],
  companion: CompanionName | undefined,
): ReadonlyMap<string, string> {
  const prefix = prefixOf(companion);
  return new Map(
    personas.flatMap((persona): [string, string][] => {
      const full = new FieldNames(persona).fullName();
      if (full === undefined) return [];
      const labelOf = (slug: string): string =>
        persona.fields.find((field) => field.slug === slug)?.label || slug;
      const label = `${prefix}${labelOf(full.first)} + ${labelOf(full.last)}`;
      return [[`${prefix}${full.first}${BOTH}${full.last}`, label]];
    }),
  );
}

/** What stands before a target of the companion. */
export function prefixOf(companion: CompanionName | undefined): string {
  return companion === undefined || companion.number === 0 ? '' : `companion ${companion.number} `;
}
