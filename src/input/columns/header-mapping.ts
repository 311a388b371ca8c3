import type { ColumnMapping, ColumnTarget } from '../../registration/model/columns.ts';
import { columnsInOrder, settleColumns } from './settle-columns.ts';
import { type MappingOptions, readWishes, REST } from './column-wishes.ts';
import { HeadingReader, NOBODYS } from './heading-reader.ts';
import { personColumns, whoseColumns } from './whose-columns.ts';
import { type ColumnState, type Plan, saysMore, statesOf } from './column-states.ts';
import type { Persona } from '../../registration/model/persona.ts';
import { partsOf, targetName } from './column-names.ts';
import { flagWord, showName } from './show-cells.ts';

/** Why columns cannot be mapped. */
export interface MappingProblems {
  /** One sentence each, naming the column and the flag that mends it. */
  problems: readonly string[];
  /** Those of them that no choice between fields mends. */
  blocking: readonly string[];
  /** What is known of each column; those that this tool has written for people are left out. */
  states: readonly ColumnState[];
}

/**
 * Decides what every column becomes, for each persona. Never guesses: returns either the mapping of all
 * columns, or all problems. Throws a UsageError for a wrong companion pattern. Whoever maps many sets of
 * columns hands the same reader in; it belongs to the personas and the pattern of the options.
 */
export function mapColumns(
  columns: readonly string[],
  options: MappingOptions,
  reader = new HeadingReader(options.personas, options.companionPattern),
): { mapping: ColumnMapping } | MappingProblems {
  const { personas } = options;
  const problems: string[] = [];
  const wishes = readWishes(columns, options, reader, problems);
  const read = wishes.map((wish) => reader.read(wish));
  const people = personColumns(columns, wishes, reader);
  const others = whoseColumns(people);
  const headings = read.map((heading, at) => (others.has(at) ? NOBODYS : heading));
  const shared = settleColumns(headings, (heading) => heading.shared);
  const settled = personas.map((_, at) => {
    const one = settleColumns(headings, (heading) => heading.byPersona[at] ?? heading.shared);
    return { ...one, targets: columnsInOrder(one.targets, wishes) };
  });
  const plan = { columns, personas, wishes, headings, others, people, shared, settled };
  const unmatched = findUnmatched(plan);
  const rest = unmatched.filter((at) => others.get(at)?.isMissed !== true && !saysMore(plan, at));
  if (rest.length > 0 && options.ignore.includes(REST)) {
    const left = rest.map((at) => columns[at] ?? '');
    const ignore = [...options.ignore.filter((name) => name !== REST), ...left];
    return mapColumns(columns, { ...options, ignore }, reader);
  }
  problems.push(...findParents(plan));
  const blocking = [...problems];
  problems.push(...findProblems(plan), ...unmatched.map((at) => matchesNothing(columns[at] ?? '')));
  if (problems.length === 0) return { mapping: toMapping(plan) };
  return { problems: [...new Set(problems)], blocking, states: statesOf(plan) };
}

function toMapping({ columns, personas, shared, settled }: Plan): ColumnMapping {
  const byPersona = new Map(personas.map(({ slug }, at) => [slug, (settled[at] ?? shared).targets]));
  return {
    columns,
    personaColumn: shared.targets.findIndex((target) => target.kind === 'persona'),
    targetsFor: (persona) => byPersona.get(persona.slug) ?? shared.targets,
  };
}

/** Columns that would hold the parent of a companion. */
function findParents({ columns, headings }: Plan): string[] {
  return columns.flatMap((column, at) =>
    headings[at]?.parentOf === undefined
      ? []
      : `column "${showName(column)}": a companion’s parent is its row; drop the column with --ignore-column ${flagWord(column)}.`,
  );
}

/** Columns that may be several fields, and fields that several columns may be. */
function findProblems({ columns, personas, headings, shared, settled }: Plan): string[] {
  const several = personas.flatMap((persona, index) =>
    (settled[index] ?? shared).ambiguous.map((at) =>
      ambiguous(columns[at] ?? '', headings[at]?.byPersona[index]?.targets ?? [], persona),
    ),
  );
  const clashes = personas.flatMap((persona, at) =>
    findClashes(columns, (settled[at] ?? shared).targets, persona),
  );
  return [...several, ...findClashes(columns, shared.targets, undefined), ...clashes];
}

/** Indexes of columns that are left over. A wrong override is a problem of its own. */
function findUnmatched({ columns, wishes, headings, shared, settled }: Plan): number[] {
  const all = [shared, ...settled];
  const ambiguous = new Set(all.flatMap((one) => one.ambiguous));
  return [...columns.keys()].filter((at) => {
    const isExplained =
      wishes[at]?.overridden === true || ambiguous.has(at) || headings[at]?.parentOf !== undefined;
    return !isExplained && all.every(({ targets }) => targets[at]?.kind === 'foreign');
  });
}

/** Two columns for one target, each a sentence. `persona` is undefined for targets that all share. */
function findClashes(
  columns: readonly string[],
  targets: readonly ColumnTarget[],
  persona: Persona | undefined,
): string[] {
  const seen = new Map<string, string>();
  const problems: string[] = [];
  for (const [at, target] of targets.entries()) {
    const column = columns[at] ?? '';
    if (target.kind === 'field' && (target.among?.flat().indexOf(at) ?? 0) > 0) continue;
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
function ambiguous(column: string, targets: readonly ColumnTarget[], persona: Persona): string {
  const names = targets.map(targetName);
  const choice = flagWord(`${column}=${names[0]}`);
  return `column "${showName(column)}" matches more than one field of persona ${persona.slug} (${names.join(', ')}); choose one with --map ${choice}.`;
}

/** The sentence for a column that nothing is left for. */
function matchesNothing(column: string): string {
  return `column "${showName(column)}" matches nothing; say what it is with --map ${flagWord(`${column}=…`)}, or drop it with --ignore-column ${flagWord(column)}.`;
}
