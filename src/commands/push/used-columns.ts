import { findColumns, reservedTarget, targetName } from '../../input/columns/column-names.ts';
import { parseMapFlags } from '../../input/columns/column-wishes.ts';
import { completes } from '../../input/columns/settle-columns.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import type { ColumnTarget } from '../../registration/model/columns.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import type { PushCommandOptions } from './push-command-options.ts';

/** What is said of a column by its heading, each under the option that says it. */
interface Told {
  values?: Readonly<Record<string, string>>;
  phones?: string;
  /** Its values are left out where the kind of guest has no such field. */
  leaveOut?: true;
}

/** A column of the files, what it becomes, and what its owner has said of it. */
export interface UsedColumn {
  heading: string;
  /** As `--map` takes it; null: left out; undefined where it differs by kind of guest. */
  target: string | null | undefined;
  told: Told;
  /** All columns of its field, in the order in which they count; undefined for the only one. */
  order: readonly string[] | undefined;
  /** Whether its owner had to say any of this, or did. */
  said: boolean;
}

/** All columns of the files, each once by its heading. */
export function whatColumnsAre(
  { mappings }: PreparedInput,
  options: PushCommandOptions,
): readonly UsedColumn[] {
  const found = new Map<string, UsedColumn>();
  for (const mapping of mappings.findings.columnMappings()) {
    // Those that flags or answers map.
    const mapped = [...parseMapFlags(options.map).keys()];
    const named = new Set(mapped.flatMap((name) => findColumns(name, mapping.columns)));
    for (const [at, heading] of mapping.columns.entries()) {
      const key = normaliseName(heading);
      // What the tool itself has written is known anyway.
      if (found.has(key) || reservedTarget(heading)?.kind === 'ignored') continue;
      const byPersona = mappings.personasOf(mapping).map((persona) => mapping.targetsFor(persona));
      const target = targetOf(at, byPersona);
      const order = byPersona
        .flatMap((targets) => orderOf(targets, at))[0]
        ?.map((index) => mapping.columns[index] ?? '');
      const told = toldOf(key, options);
      const said = Object.keys(told).length > 0 || target === null || named.has(at);
      found.set(key, { heading, target, told, order, said });
    }
  }
  return [...found.values()];
}

/** What columns are that headings alone do not say, as flags have it: what is remembered now may be forgotten. */
export function columnsAsSaid(
  input: PreparedInput,
  options: PushCommandOptions,
): Pick<PushCommandOptions, 'map' | 'ignoreColumn'> {
  const columns = whatColumnsAre(input, options);
  const isOpen = ({ heading, said, order }: UsedColumn): boolean =>
    said || order !== undefined || !input.mappings.knows(heading);
  const place = ({ heading, order }: UsedColumn): number => order?.indexOf(heading) ?? 0;
  const all = columns.filter(isOpen).sort((one, other) => place(one) - place(other));
  return {
    map: all.flatMap(({ heading, target }) => (target ? [`${heading}=${target}`] : [])),
    ignoreColumn: all.flatMap(({ heading, target }) => (target === null ? [heading] : [])),
  };
}

/** Of several columns that somebody has put in an order, without those that complete them. */
function orderOf(targets: readonly ColumnTarget[], at: number): (readonly number[])[] {
  const target = targets[at];
  if (target?.kind !== 'field' || completes(target)) return [];
  const said = target.among?.filter((source) => !source.some((index) => completes(targets[index]))) ?? [];
  return said.length < 2 ? [] : [said.flat()];
}

function targetOf(at: number, byPersona: readonly (readonly ColumnTarget[])[]): string | null | undefined {
  const targets = byPersona.map((targets) => targets[at]).filter((target) => target !== undefined);
  const own = targets.filter(({ kind }) => kind !== 'foreign');
  const names = new Set(own.map((target) => (target.kind === 'ignored' ? null : targetName(target))));
  return names.size === 1 ? [...names][0] : undefined;
}

/** By the heading as names are compared. */
function toldOf(key: string, { values, phones, leaveOut }: PushCommandOptions): Told {
  const isOwn = (heading: string): boolean => normaliseName(heading) === key;
  const told = Object.entries({ values, phones }).flatMap(([option, said]) =>
    Object.entries(said).flatMap(([heading, one]) => (isOwn(heading) ? [[option, one]] : [])),
  );
  return Object.fromEntries(leaveOut.some(isOwn) ? [...told, ['leaveOut', true]] : told) as Told;
}

/** What is said of columns, by their headings; nothing of those of which nothing is. */
export function saidOf<Column extends { heading: string }, Said>(
  columns: readonly Column[],
  of: (column: Column) => Said | undefined,
): Record<string, Said> {
  const all = columns.map((column) => [column.heading, of(column)] as const);
  return Object.fromEntries(all.filter((one): one is [string, Said] => one[1] !== undefined));
}
