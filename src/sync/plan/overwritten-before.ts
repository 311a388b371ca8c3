import { formatPlace } from '../../registration/model/row.ts';
import { Lookup } from '../decide/lookup.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { plural } from '../../report/words/number.ts';
import { overwriting } from '../journal/earlier-runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { PlannedRow } from './rows-to-plan.ts';

/**
 * Sentences about rows that an earlier run has sent to register somebody, and that have changed somebody else instead:
 * whatever is compared now, those are not as they were until that run is undone.
 */
export function overwrittenBefore(
  { journal, target }: Pick<SendContext, 'journal' | 'target'>,
  rows: readonly PlannedRow[],
): string[] {
  const hits = overwriting(journal, target);
  if (hits.length === 0) return [];
  const byKey = new Map(rows.map(({ row }) => [row.key ?? '', row]));
  const runs = new Lookup<string, InputRow>();
  for (const { run, key } of hits) {
    const row = byKey.get(key);
    if (row !== undefined) runs.add(run, row);
  }
  return [...runs.keys()].flatMap((run) => {
    const mine = runs.of(run).toSorted((one, other) => one.seq - other.seq);
    const [first] = mine;
    if (first === undefined) return [];
    const isOne = mine.length === 1;
    const place = formatPlace(first.place);
    const some = isOne ? place : `${plural(mine.length, 'row', 'rows')} (the first is ${place})`;
    const others = isOne ? 'the registration of somebody else' : 'registrations of other people';
    return `In run ${run}, ${some} changed ${others} instead of adding one, and that is still so: eventreg runs undo ${run} brings ${isOne ? 'it' : 'them'} back.`;
  });
}
