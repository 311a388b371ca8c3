import type { ColumnMapping, ColumnTarget } from '../registration/columns.ts';
import type { Persona } from '../registration/persona.ts';
import { matchFields, reservedTarget } from './column-names.ts';
import { ambiguous, explainUnmatched, findClashes } from './column-problems.ts';
import { type ColumnWish, type MappingOptions, readWishes } from './column-wishes.ts';

export { parseMapFlags, readMappingFile } from './mapping-flags.ts';

export type { MappingOptions } from './column-wishes.ts';

/**
 * Decides what every column becomes, for each persona. Never guesses: returns either the mapping of all
 * columns, or all problems, one sentence each, naming the column and the flag that mends it.
 */
export function mapColumns(
  columns: readonly string[],
  options: MappingOptions,
): { mapping: ColumnMapping } | { problems: readonly string[] } {
  const { personas } = options;
  const problems: string[] = [];
  const wishes = readWishes(columns, options, problems);
  const fixed = wishes.map((wish) => fixedTarget(wish) ?? FOREIGN);
  const byPersona = new Map(
    personas.map((persona) => [persona.slug, targetsOf(wishes, columns, persona, problems)]),
  );
  problems.push(...findClashes(columns, fixed, undefined));
  for (const persona of personas) {
    problems.push(...findClashes(columns, byPersona.get(persona.slug) ?? fixed, persona));
  }
  const unmatched = columns.filter((_, at) => matchesNothing(wishes[at], personas));
  problems.push(...explainUnmatched(unmatched, personas, takenTargets([fixed, ...byPersona.values()])));
  if (problems.length > 0) return { problems: [...new Set(problems)] };
  const personaColumn = fixed.findIndex((target) => target.kind === 'persona');
  return {
    mapping: { columns, personaColumn, targetsFor: (persona) => byPersona.get(persona.slug) ?? fixed },
  };
}

const FOREIGN: ColumnTarget = { kind: 'foreign' };

/** The target that a column has for every persona, or undefined when it depends on the persona. */
function fixedTarget(wish: ColumnWish): ColumnTarget | undefined {
  return wish.ignored ? { kind: 'ignored' } : reservedTarget(wish.name);
}

function targetsOf(
  wishes: readonly ColumnWish[],
  columns: readonly string[],
  persona: Persona,
  problems: string[],
): readonly ColumnTarget[] {
  return wishes.map((wish, at): ColumnTarget => {
    const fixed = fixedTarget(wish);
    if (fixed !== undefined) return fixed;
    const slugs = matchFields(wish.name, persona);
    if (slugs.length > 1) problems.push(ambiguous(columns[at] ?? '', slugs, persona));
    return slugs.length === 1 ? { kind: 'field', slug: slugs[0] ?? '' } : FOREIGN;
  });
}

/** Whether a column is left over. A wrong override is a problem of its own. */
function matchesNothing(wish: ColumnWish | undefined, personas: readonly Persona[]): boolean {
  if (wish === undefined || wish.overridden || fixedTarget(wish) !== undefined) return false;
  return personas.every((persona) => matchFields(wish.name, persona).length === 0);
}

function takenTargets(all: readonly (readonly ColumnTarget[])[]): ReadonlySet<string> {
  return new Set(all.flat().map((target) => (target.kind === 'field' ? target.slug : target.kind)));
}
