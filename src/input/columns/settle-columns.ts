import type { ColumnTarget } from '../../registration/model/columns.ts';
import { partsOf, targetName } from './column-names.ts';
import type { HeadingReading, Reading } from './heading-reader.ts';

/** What the columns become, for one persona. */
export interface SettledColumns {
  /** One a column; `foreign` where nothing is left for it. */
  targets: readonly ColumnTarget[];
  /** Indexes of columns that may mean several things. */
  ambiguous: readonly number[];
}

const FOREIGN: ColumnTarget = { kind: 'foreign' };

/** The best claim on a target. */
interface Claim {
  strength: number;
  /** How many columns have a claim as good. */
  count: number;
}

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

function findClaims(readings: readonly Reading[], strengths: readonly number[]): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const [at, { targets }] of readings.entries()) {
    const [target, another] = targets;
    if (target === undefined || another !== undefined || target.kind === 'ignored') continue;
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
function keysOf(target: ColumnTarget): string[] {
  const kind = target.kind === 'companion' ? target.target.kind : target.kind;
  return partsOf(targetName(target)).map((part) => `${kind} ${part}`);
}
