import type { Persona } from '../../registration/model/persona.ts';
import { BOTH, RESERVED_NAMES } from './column-names.ts';
import type { CompanionName } from './companion-pattern.ts';
import { FieldNames } from './field-names.ts';

/** A name that may be proposed, and what `--map` takes for it. */
interface Proposal {
  name: string;
  target: string;
}

/** Names that may be proposed, labels first; none whose target is in `taken`. */
export function proposals(
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
  companion: CompanionName | undefined,
): Proposal[] {
  const prefix = prefixOf(companion);
  const own = RESERVED_NAMES.filter((name) => companion === undefined || name !== 'parent_barcode');
  const fields = personas.flatMap((persona) => persona.fields);
  return [
    ...fields.map(({ label, slug }) => ({ name: label, target: `${prefix}${slug}` })),
    ...fields.map(({ slug }) => ({ name: slug, target: `${prefix}${slug}` })),
    ...own.map((name) => ({ name, target: `${prefix}${name}` })),
  ].filter(({ target }) => !taken.has(target));
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
  return companion === undefined ? '' : `companion ${companion.number} `;
}
