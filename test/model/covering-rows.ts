import type { Random } from './random.ts';

/** What may be chosen, by name. */
export type Factors = ReadonlyMap<string, readonly unknown[]>;

/** A few rows in which every value of each factor meets every value of each other. Greedy: few, not fewest. */
export function coveringRows(factors: Factors, random: Random): Map<string, unknown>[] {
  const names = [...factors.keys()];
  const open = openPairs(factors);
  const rows: Map<string, unknown>[] = [];
  while (open.size > 0) {
    const row = startOf(open, names, factors);
    for (const name of shuffled(names, random)) {
      if (row.has(name)) continue;
      row.set(name, bestValue(name, factors.get(name) ?? [], row, open, random));
    }
    for (const pair of pairsOf(row)) open.delete(pair);
    rows.push(row);
  }
  return rows;
}

/** Every pair that has to be met. */
export function openPairs(factors: Factors): Set<string> {
  const pairs = new Set<string>();
  for (const [one, values] of factors) {
    for (const [other, others] of factors) {
      if (one >= other) continue;
      for (const value of values) for (const second of others) pairs.add(pairOf(one, value, other, second));
    }
  }
  return pairs;
}

/** Every pair that the row meets. */
export function pairsOf(row: ReadonlyMap<string, unknown>): string[] {
  const entries = [...row];
  return entries.flatMap(([one, value]) =>
    entries.flatMap(([other, second]) => (one < other ? [pairOf(one, value, other, second)] : [])),
  );
}

function pairOf(one: string, value: unknown, other: string, second: unknown): string {
  return one < other
    ? `${one}=${String(value)} ${other}=${String(second)}`
    : `${other}=${String(second)} ${one}=${String(value)}`;
}

/** Begins with a pair that has not been met yet, so that every row is of use. */
function startOf(
  open: ReadonlySet<string>,
  names: readonly string[],
  factors: Factors,
): Map<string, unknown> {
  const [first = ''] = open;
  const settings = new Set(first.split(' '));
  const row = new Map<string, unknown>();
  for (const name of names) {
    const value = factors.get(name)?.find((one) => settings.has(`${name}=${String(one)}`));
    if (value !== undefined) row.set(name, value);
  }
  return row;
}

function bestValue(
  name: string,
  values: readonly unknown[],
  row: ReadonlyMap<string, unknown>,
  open: ReadonlySet<string>,
  random: Random,
): unknown {
  const scored = values.map((value) => ({
    value,
    met: [...row].filter(([other, second]) => open.has(pairOf(name, value, other, second))).length,
  }));
  const most = Math.max(...scored.map(({ met }) => met));
  return random.pick(scored.filter(({ met }) => met === most)).value;
}

function shuffled(names: readonly string[], random: Random): string[] {
  const left = [...names];
  return names.map(() => left.splice(random.below(left.length), 1)[0] ?? '');
}
