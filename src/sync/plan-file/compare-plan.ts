import { formatPlace } from '../../registration/model/row.ts';
import type { ShowValue } from '../../report/words/shown-value.ts';
import type { PlanEntry } from '../plan/plan-entries.ts';
import { differencesOf } from './plan-difference.ts';
import type { SavedPlan } from './plan-file.ts';

/** One registration of which a plan says something else than is so now. */
interface PlanDifference {
  /** `guests.csv:7 (barcode EV-7)` */
  subject: string;
  /** What is different, as clauses: `was to be created, but the service now lists it (registration reg-1)`. */
  findings: readonly string[];
}

export interface PlanComparison {
  /** Registrations that differ. */
  count: number;
  /** The first of them. */
  differences: readonly PlanDifference[];
}

interface CompareOptions {
  /** Of the rows as they are now. */
  contentKey: string;
  /** Whether what an entry of the plan says was done since it was made, by runs of this machine. */
  isDone: (planned: PlanEntry) => boolean;
  /** Masks values of persons where that is asked for. */
  show: ShowValue;
}

const MOST_SHOWN = 20;

/**
 * Holds a saved plan against what is planned now, once: its entries are taken out. Entries belong
 * together by key, in whatever order both come. What this run, or one since the plan was made, has carried out holds.
 */
export function comparePlan(
  { header, entries: planned }: SavedPlan,
  entries: Iterable<PlanEntry>,
  { contentKey, isDone, show }: CompareOptions,
): PlanComparison {
  const sameRows = header.contentKey === contentKey;
  const differences: PlanDifference[] = [];
  let count = 0;
  const compare = (then: PlanEntry | undefined, now: PlanEntry | undefined, either: PlanEntry): void => {
    const findings = differencesOf(then, now, { sameRows, show });
    const isLeftAlone = now === undefined || now.action === 'unchanged';
    if (findings.length === 0 || (then !== undefined && isLeftAlone && isDone(then))) return;
    count += 1;
    if (count <= MOST_SHOWN) differences.push({ subject: subjectOf(either), findings });
  };
  for (const now of entries) {
    const then = planned.get(now.key);
    planned.delete(now.key);
    compare(then === undefined ? undefined : read(then), now, now);
  }
  for (const then of planned.values()) compare(read(then), undefined, read(then));
  if (count > 0 || sameRows) return { count, differences };
  const findings = ['have changed since the plan was made, in what it does not show'];
  return { count: 1, differences: [{ subject: 'rows of the files', findings }] };
}

const read = (json: string): PlanEntry => JSON.parse(json) as PlanEntry;

function subjectOf({ place, barcode, id }: PlanEntry): string {
  const names = [
    ...(barcode === undefined ? [] : [`barcode ${barcode}`]),
    ...(place !== undefined || id === undefined ? [] : [`registration ${id}`]),
  ];
  if (place === undefined) return names.join(', ');
  return names.length === 0 ? formatPlace(place) : `${formatPlace(place)} (${names.join(', ')})`;
}
