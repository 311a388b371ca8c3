import type { Persona } from '../../registration/model/persona.ts';
import { partsOf, reservedTarget, targetName } from './column-names.ts';
import type { ColumnWish, HeadingReading } from './heading-reader.ts';
import type { SettledColumns } from './settle-columns.ts';
import type { NotTheGuests, PersonColumn } from './whose-columns.ts';

/** Columns on their way to a mapping. */
export interface Plan {
  columns: readonly string[];
  personas: readonly Persona[];
  wishes: readonly ColumnWish[];
  headings: readonly HeadingReading[];
  /** By index, columns that are not, or not for certain, of who comes. */
  others: ReadonlyMap<number, NotTheGuests>;
  people: readonly PersonColumn[];
  /** For rows of no persona that we know. */
  shared: SettledColumns;
  /** For each persona. */
  settled: readonly SettledColumns[];
}

/** What is known of a column before its owner is asked. */
export interface ColumnState {
  column: string;
  /** What it becomes, as `--map` takes it; null: left out; undefined: open. */
  target: string | null | undefined;
  /** Its owner has said so, or its name says nothing else. */
  certain: boolean;
  /** Its owner has said so. */
  isSaid?: boolean;
  /** What an open one may be by its name. */
  candidates: readonly string[];
  /** Set where it is not, or not for certain, of who comes. */
  other?: NotTheGuests | undefined;
  /** It seems to be of the guest, and nothing else says the same: it is not left out with what matches nothing. */
  saysMore?: boolean;
}

/** Of columns that would be the same field, one keeps it: that of which its owner has said so, else the first. */
export function statesOf(plan: Plan): ColumnState[] {
  const keepers = new Map<string, number>();
  const targets = plan.columns.map((_, at) => targetAt(plan, at));
  for (const [at, target] of targets.entries()) {
    if (typeof target !== 'string') continue;
    for (const part of partsOf(target)) {
      const keeper = keepers.get(part);
      if (keeper === undefined || (isSaid(plan, at) && !isSaid(plan, keeper))) keepers.set(part, at);
    }
  }
  return plan.columns.flatMap((column, at): ColumnState[] => {
    const target = targets[at];
    if (reservedTarget(column)?.kind === 'ignored') return [];
    if (typeof target !== 'string') {
      const other = plan.others.get(at);
      const { shared, byPersona } = plan.headings[at] ?? { shared: { targets: [] }, byPersona: [] };
      const named = new Set([shared, ...byPersona].flatMap((one) => one.targets.map(targetName)));
      const candidates = other?.fills ?? [...named];
      const known = { column, target, certain: target === null, candidates, other };
      return [{ ...known, saysMore: target === undefined && saysMore(plan, at) }];
    }
    const parts = partsOf(target);
    const rivals = targets.filter(
      (other) => typeof other === 'string' && partsOf(other).some((part) => parts.includes(part)),
    ).length;
    const inOrder = plan.settled.some(({ targets: { [at]: one } }) => one?.kind === 'field' && one.among);
    const keeps = inOrder || parts.every((part) => keepers.get(part) === at);
    const certain = keeps && (rivals === 1 || isSaid(plan, at));
    const known = { column, certain, candidates: [target], isSaid: isSaid(plan, at) };
    return [{ ...known, target: keeps ? target : undefined }];
  });
}

/** Whether an open column seems to hold of the guest what no other column holds. */
export function saysMore(plan: Plan, at: number): boolean {
  const { kind, isClear = false, said, fills = '' } = plan.people[at] ?? {};
  if (kind === undefined || !isClear || said !== undefined || fills === '' || plan.others.has(at))
    return false;
  const taken = plan.columns.flatMap((_, other) => partsOf(targetAt(plan, other) ?? ''));
  return partsOf(fills).some((part) => !taken.includes(part));
}

function targetAt({ shared, settled }: Plan, at: number): string | null | undefined {
  const targets = [shared, ...settled].map((one) => one.targets[at]);
  const own = targets.find((target) => target !== undefined && target.kind !== 'foreign');
  if (own === undefined) return undefined;
  return own.kind === 'ignored' ? null : targetName(own);
}

function isSaid({ wishes }: Plan, at: number): boolean {
  return wishes[at]?.overridden === true;
}

/** The fields that columns go to; both parts of a full name. */
export function takenBy(states: readonly ColumnState[]): ReadonlySet<string> {
  return new Set(states.flatMap(({ target }) => (typeof target === 'string' ? partsOf(target) : [])));
}
