import { parseMapFlags } from '../../input/columns/mapping-flags.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import type { PlannedMapping } from '../../runs/plan-file/plan-header.ts';
import type { Recall } from '../../runs/read/saved-mapping.ts';

/** Recalls as before, and keeps what was recalled, for a plan to have it. */
export function notedRecall(recall: Recall): { recall: Recall; noted: () => PlannedMapping[] } {
  const found = new Map<string, PlannedMapping>();
  return {
    recall: (columns) => {
      const saved = recall(columns);
      if (saved === undefined) return undefined;
      found.set(keyOf(columns), { columns, map: [...saved.map], ignore: saved.ignore });
      return saved;
    },
    noted: () => [...found.values()],
  };
}

/** Recalls what was remembered when a plan was made, and nothing else. */
export function plannedRecall(remembered: readonly PlannedMapping[]): Recall {
  const byColumns = new Map(
    remembered.map(({ columns, map, ignore }) => [keyOf(columns), { map: new Map(map), ignore }]),
  );
  return (columns) => byColumns.get(keyOf(columns));
}

/** What `--mapping` and `--map` say together, as values of `--map`: a plan must not need another file. */
export function mergedMapFlags(
  fileOverrides: ReadonlyMap<string, string>,
  flags: readonly string[],
): string[] {
  const all = new Map([...fileOverrides, ...parseMapFlags(flags)]);
  return [...all].map(([header, target]) => `${header}=${target}`);
}

/** The same for the same headings, in any order. */
function keyOf(columns: readonly string[]): string {
  return JSON.stringify(columns.map(normaliseName).sort());
}
