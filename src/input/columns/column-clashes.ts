import type { ColumnTarget } from '../../registration/model/columns.ts';
import type { Persona } from '../../registration/model/persona.ts';
import { partsOf, targetName } from './column-names.ts';
import { flagWord, showName } from './show-cells.ts';

/** Two columns for one target, each a sentence. `persona` is undefined for targets that all share. */
export function findClashes(
  columns: readonly string[],
  targets: readonly ColumnTarget[],
  persona: Persona | undefined,
): string[] {
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const [at, target] of targets.entries()) {
    const column = columns[at] ?? '';
    if (target.kind === 'field' && (target.among?.indexOf(at) ?? 0) > 0) continue;
    for (const name of describe(target, persona)) {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, column);
      else {
        problems.push(
          `columns "${showName(first)}" and "${showName(column)}" both map to ${name}; drop one with --ignore-column ${flagWord(column)}.`,
        );
      }
    }
  }
  return problems;
}

function describe(target: ColumnTarget, persona: Persona | undefined): string[] {
  if (target.kind === 'foreign' || target.kind === 'ignored') return [];
  if (target.kind === 'companion') {
    return describe(target.target, persona).map((inner) => `companion ${target.number}’s ${inner}`);
  }
  if (target.kind !== 'field') return [target.kind];
  return persona === undefined
    ? []
    : partsOf(targetName(target)).map((slug) => `${slug} of persona ${persona.slug}`);
}

/** The sentence for a column that may be any of several fields of a persona. */
export function ambiguous(column: string, targets: readonly ColumnTarget[], persona: Persona): string {
  const names = targets.map(targetName);
  const choice = flagWord(`${column}=${names[0]}`);
  return `column "${showName(column)}" matches more than one field of persona ${persona.slug} (${names.join(', ')}); choose one with --map ${choice}.`;
}

/** The sentence for a column that would hold the parent of a companion. */
export function companionParent(column: string): string {
  return `column "${showName(column)}": a companion’s parent is its row; drop the column with --ignore-column ${flagWord(column)}.`;
}

/** The sentence for a column that nothing is left for. */
export function matchesNothing(column: string): string {
  return `column "${showName(column)}" matches nothing; say what it is with --map ${flagWord(`${column}=…`)}, or drop it with --ignore-column ${flagWord(column)}.`;
}
