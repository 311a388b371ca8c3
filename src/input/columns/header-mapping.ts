import type { Persona } from '../../registration/model/persona.ts';
import type { ColumnMapping, ColumnTarget } from '../../registration/model/columns.ts';
import { columnsInOrder, keysOf, settleColumns } from './settle-columns.ts';
import { type MappingOptions, readWishes, REST } from './column-wishes.ts';
import {
  type ColumnWish,
  HeadingReader,
  type HeadingReading,
  NOBODYS,
  type Reading,
} from './heading-reader.ts';
import { companionColumn } from './companion-columns.ts';
import { personOf } from './heading-person.ts';
import { personColumns, whoseColumns } from './whose-columns.ts';
import { type ColumnState, type Plan, saysMore, statesOf } from './column-states.ts';
import { fullNames, partsOf, targetName } from './column-names.ts';
import { flagWord, showName } from '../source/shell-word.ts';

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
 * columns, or all problems. Whoever maps many sets of columns hands the same reader in; it belongs to the personas of the
 * options.
 */
export function mapColumns(
  columns: readonly string[],
  options: MappingOptions,
  reader = new HeadingReader(options.personas),
): { mapping: ColumnMapping } | MappingProblems {
  const { personas } = options;
  const problems: string[] = [];
  const wishes = readWishes(columns, options, reader, problems);
  const read = wishes.map((wish) => reader.read(wish));
  const people = personColumns(columns, wishes, reader);
  const others = whoseColumns(people);
  const whole = options.optionalColumns === true ? read : withWholeNames(read, wishes, reader);
  const headings = withOwnPerson(
    whole.map((heading, at) => (others.has(at) ? NOBODYS : heading)),
    columns,
    personas,
  );
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
  problems.push(...findOpen(plan), ...unmatched.map((at) => tell(columns[at] ?? '', 'matches nothing')));
  if (problems.length === 0) return { mapping: toMapping(plan) };
  return { problems: [...new Set(problems)], blocking, states: statesOf(plan) };
}

/** A name beside which no column has the rest of it may be all of it: `Nombre`, where there are no `Apellidos`. */
function withWholeNames(
  read: readonly HeadingReading[],
  wishes: readonly ColumnWish[],
  reader: HeadingReader,
): readonly HeadingReading[] {
  const all = read.flatMap(({ byPersona }) => byPersona.flatMap(({ targets }) => targets.map(targetName)));
  const filled = new Set(all.flatMap(partsOf));
  return read.map((heading, at) => {
    const { name, overridden } = wishes[at] ?? { name: '' };
    const companion = companionColumn(name);
    if (overridden || personOf(companion?.name ?? name).concept !== 'full_name') return heading;
    const byPersona = heading.byPersona.map((reading, persona) => {
      const [both = ''] = fullNames(reader.personas.slice(persona, persona + 1), companion).keys();
      const rest = partsOf(both).filter((part) => !reading.targets.some((one) => targetName(one) === part));
      if (rest.length !== 1 || rest.some((part) => filled.has(part))) return reading;
      const { byPersona: asBoth } = reader.read({ name: both, overridden: true, ignored: false });
      return { ...reading, targets: [...reading.targets, ...(asBoth[persona]?.targets ?? [])] };
    });
    return { ...heading, byPersona };
  });
}

/** Of several people of a row, as somebody has said of columns that name no companion, the first is its own person where there is nobody else. */
function withOwnPerson(
  headings: readonly HeadingReading[],
  columns: readonly string[],
  personas: readonly Persona[],
): readonly HeadingReading[] {
  const ofPeople = personas.flatMap(({ fields }) =>
    fields.flatMap(({ kind, slug }) => (['name', 'email', 'phone'].includes(kind) ? slug : [])),
  );
  const fillsPerson = (one: ColumnTarget): boolean => one.kind === 'field' && ofPeople.includes(one.slug);
  const all = headings.flatMap(({ byPersona }, at) =>
    byPersona.flatMap(({ targets }) => targets.map((target) => ({ target, column: columns[at] ?? '' }))),
  );
  const numbers = all.flatMap(({ target, column }) =>
    target.kind === 'companion' && companionColumn(column) === undefined ? target.number : [],
  );
  if (new Set(numbers).size < 2 || all.some(({ target }) => fillsPerson(target))) return headings;
  const first = Math.min(...numbers);
  const ofRow = ({ rank, targets }: Reading): Reading => ({
    rank,
    targets: targets.map((one) => (one.kind === 'companion' && one.number === first ? one.target : one)),
  });
  return headings.map((one) => ({ ...one, shared: ofRow(one.shared), byPersona: one.byPersona.map(ofRow) }));
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

/** A column that is open, as a sentence. */
const tell = (column: string, what: string, target = '…'): string =>
  `column "${showName(column)}" ${what}; say what it is with --map ${flagWord(`${column}=${target}`)}, or drop it with --ignore-column ${flagWord(column)}.`;

/** Columns that may be several fields, and fields that several columns may be, each a sentence. */
function findOpen({ columns, personas, headings, shared, settled }: Plan): string[] {
  const ofPersonas = personas.flatMap(({ slug }, persona) => {
    const { targets, ambiguous } = settled[persona] ?? shared;
    const several = ambiguous.map((at) => {
      const names = headings[at]?.byPersona[persona]?.targets.map(targetName) ?? [];
      return tell(columns[at] ?? '', `may be ${names.join(' or ')} of persona ${slug}`, names[0]);
    });
    return [...several, ...findClashes(columns, targets, ` of persona ${slug}`)];
  });
  return [...findClashes(columns, shared.targets, ''), ...ofPersonas];
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

/** Columns for a target that another one has, each a sentence. */
function findClashes(columns: readonly string[], targets: readonly ColumnTarget[], of: string): string[] {
  const first = new Map<string, string>();
  return targets.flatMap((target, at) => {
    const column = columns[at] ?? '';
    const isInOrder = target.kind === 'field' && (target.among?.flat().indexOf(at) ?? 0) > 0;
    if (isInOrder || target.kind === 'foreign' || target.kind === 'ignored') return [];
    return keysOf(target).flatMap((key) => {
      const other = first.get(key);
      first.set(key, other ?? column);
      const [kind, ...part] = key.split(' ');
      const what = `is ${part.join(' ')}${kind === 'field' ? of : ''}`;
      return other === undefined ? [] : [tell(column, `${what}, as is "${showName(other)}"`)];
    });
  });
}
