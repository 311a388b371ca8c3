import type { Field, Persona } from '../../registration/model/persona.ts';
import { BOTH, RESERVED_NAMES } from './column-names.ts';
import type { CompanionName } from './companion-pattern.ts';
import { FieldNames } from './field-names.ts';
import { nearest } from '../source/nearest-name.ts';

/** A name that may be proposed, and what `--map` takes for it. */
interface Proposal {
  name: string;
  target: string;
}

/** The proposal nearest to a heading, or to what it says besides its companion. */
export function nearestProposal(
  column: string,
  companion: CompanionName | undefined,
  all: readonly Proposal[],
): Proposal | undefined {
  const name = nearest(
    companion?.name ?? column,
    all.map((proposal) => proposal.name),
  );
  return all.find((proposal) => proposal.name === name);
}

/** Names that may be proposed, labels first; none whose target is in `taken`. */
export function proposals(
  personas: readonly Persona[],
  taken: ReadonlySet<string>,
  companion: CompanionName | undefined,
): Proposal[] {
  const prefix = prefixOf(companion);
  const own = RESERVED_NAMES.filter((name) => companion === undefined || name !== 'parent_barcode');
  const fields = allFields(personas);
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

/** The fields of all personas. */
export function allFields(personas: readonly Persona[]): Field[] {
  return personas.flatMap((persona) => persona.fields);
}
