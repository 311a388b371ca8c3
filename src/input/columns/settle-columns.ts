import type { ColumnTarget } from '../../registration/model/columns.ts';
import { partsOf, targetName } from './column-names.ts';
import type { ColumnWish, HeadingReading, Reading } from './heading-reader.ts';

/** What the columns become, for one persona. */
export interface SettledColumns {
  /** One a column; `foreign` where nothing is left for it. */
  targets: readonly ColumnTarget[];
  /** Indexes of columns that may mean several things. */
  ambiguous: readonly number[];
}

const FOREIGN: ColumnTarget = { kind: 'foreign' };

/**
 * Gives every column its target: one that fits better keeps others off it, equally good ones stay for
 * `findClashes`. `which` picks the readings of one persona, or those that all share.
 */
export function settleColumns(
  headings: readonly HeadingReading[],
  which: (heading: HeadingReading) => Reading,
): SettledColumns {
  const strengths = headings.map((heading) => strength(heading, which(heading)));
  const readings = headings.map(which);
  const claims = findClaims(readings, strengths);
  const ambiguous: number[] = [];
  const targets = readings.map(({ targets }, at): ColumnTarget => {
    const [target, another] = targets;
    const own = strengths[at] ?? 0;
    if (target === undefined) return FOREIGN;
    if (completes(target)) return target;
    if (another !== undefined) {
      if (!isBorrowed(own)) ambiguous.push(at);
      return FOREIGN;
    }
    const [best] = keysOf(target)
      .flatMap((key) => claims.get(key) ?? [])
      .sort((one, other) => one.strength - other.strength || other.count - one.count);
    const isFree = best === undefined || (best.strength === own && (best.count === 1 || !isBorrowed(own)));
    return isFree ? target : FOREIGN;
  });
  return { targets, ambiguous };
}

/**
 * The smaller, the better. A column that bears the very name of another persona's field gives way to
 * all others: it is here for that persona.
 */
function strength({ byPersona }: HeadingReading, { rank }: Reading): number {
  const elsewhere = rank > 1 && byPersona.some((other) => other.rank === 1 && other.targets.length > 0);
  return elsewhere ? rank + 0.5 : rank;
}

function isBorrowed(strength: number): boolean {
  return !Number.isInteger(strength);
}

/** The best claim on each target, and how many columns have one as good. */
function findClaims(readings: readonly Reading[], strengths: readonly number[]) {
  const claims = new Map<string, { strength: number; count: number }>();
  for (const [at, { targets }] of readings.entries()) {
    const [target, another] = targets;
    if (target === undefined || another !== undefined || target.kind === 'ignored' || completes(target))
      continue;
    for (const key of keysOf(target)) {
      const claim = { strength: strengths[at] ?? 0, count: 1 };
      const best = claims.get(key);
      if (best === undefined || claim.strength < best.strength) claims.set(key, claim);
      else if (claim.strength === best.strength) best.count += 1;
    }
  }
  return claims;
}

/** A field may have a reserved name as its slug, so the name alone does not do. */
export function keysOf(target: ColumnTarget): string[] {
  const kind = target.kind === 'companion' ? target.target.kind : target.kind;
  return partsOf(targetName(target)).map((part) => `${kind} ${part}`);
}

const LAST = Number.MAX_SAFE_INTEGER;

export const completes = (target: ColumnTarget | undefined): boolean =>
  target?.kind === 'field' && target.completes === true;

/**
 * Of several columns that somebody has mapped to one field, the first that is filled in a row counts, in the order in which
 * they were named, behind all those that complete others. Only what is said makes an order: columns that are called alike
 * are a question.
 */
export function columnsInOrder(
  targets: readonly ColumnTarget[],
  wishes: readonly ColumnWish[],
): readonly ColumnTarget[] {
  const orderOf = (at: number): number => (completes(targets[at]) ? LAST : (wishes[at]?.order ?? 0));
  const partsAt = (at: number): readonly string[] => partsOf(targetName(targets[at] ?? FOREIGN));
  const share = (one: number, other: number): boolean =>
    partsAt(one).some((part) => partsAt(other).includes(part));
  const fields = [...targets.keys()].filter((at) => targets[at]?.kind === 'field');
  const behind = fields.filter((at) => completes(targets[at]));
  const named = fields
    .filter((at) => wishes[at]?.order !== undefined || behind.some((other) => share(at, other)))
    .sort((one, other) => orderOf(one) - orderOf(other));
  return targets.map((target, at) => {
    if (target.kind !== 'field' || !named.includes(at)) return target;
    // A full name brings the columns of first names and those of last names together.
    const near = named.filter((other) => share(at, other));
    const all = named.filter((other) => near.some((one) => share(one, other)));
    const among: number[][] = [];
    for (const one of all) {
      const free = among.find((source) => !source.some((other) => share(one, other)));
      if (free === undefined) among.push([one]);
      else free.push(one);
    }
    // A last name alone takes the place of no full one.
    const sizes = new Set(among.map((source) => source.flatMap(partsAt).length));
    return among.length < 2 || sizes.size > 1 ? target : { ...target, among };
  });
}
