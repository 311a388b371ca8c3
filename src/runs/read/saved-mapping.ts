import { normaliseName } from '../../input/source/nearest-name.ts';

/** What the columns of a set of headings become, as far as somebody had to say it. */
export interface SavedMapping {
  /** Header → slug, label or reserved name. */
  map: ReadonlyMap<string, string>;
  ignore: readonly string[];
}

/** What was remembered for a set of headings, if anything. */
export type Recall = (columns: readonly string[]) => SavedMapping | undefined;

/** Two mappings in one; of a column that both name, the later one says what it becomes. */
export function mergeMappings(earlier: SavedMapping, later: SavedMapping): SavedMapping {
  const named = new Set([...later.map.keys(), ...later.ignore].map(normaliseName));
  const isFree = (column: string): boolean => !named.has(normaliseName(column));
  return {
    map: new Map([...[...earlier.map].filter(([column]) => isFree(column)), ...later.map]),
    ignore: [...earlier.ignore.filter(isFree), ...later.ignore],
  };
}
