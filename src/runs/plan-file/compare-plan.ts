import { formatPlace } from '../../registration/model/row.ts';
import type { ShowValue } from '../../report/words/shown-value.ts';
import { EntryStore } from './entry-store.ts';
import { differencesOf } from './plan-difference.ts';
import { type ReadHeader, readPlanEntries, unknownLine } from './plan-file.ts';
import type { PlannedEntry } from './planned-entry.ts';

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
  /** Its name for people. */
  file: string;
  header: ReadHeader;
  /** Of the rows as they are now. */
  contentKey: string;
  /** Whether what an entry of the plan says was done since it was made, by runs of this machine. */
  isDone: (planned: PlannedEntry) => boolean;
  /** Masks values of persons where that is asked for. */
  show: ShowValue;
}

const MOST_SHOWN = 20;

/**
 * Holds a saved plan against what is planned now. Entries belong together by key, in whatever order both
 * come. What this run, or one since the plan was made, has carried out holds.
 */
export async function comparePlan(
  path: string,
  entries: Iterable<PlannedEntry>,
  { file, header, contentKey, isDone, show }: CompareOptions,
): Promise<PlanComparison> {
  const sameRows = header.contentKey === contentKey;
  const comparison: PlanComparison & { differences: PlanDifference[] } = { count: 0, differences: [] };
  const planned = await storeEntries(path, file, header);
  try {
    for (const [then, now] of pairs(planned, entries)) {
      const findings = differencesOf(then, now, { sameRows, show });
      if (findings.length === 0 || (then !== undefined && isLeftAlone(now) && isDone(then))) continue;
      comparison.count += 1;
      if (comparison.differences.length >= MOST_SHOWN) continue;
      comparison.differences.push({ subject: subjectOf(now ?? then), findings });
    }
  } finally {
    planned.close();
  }
  if (comparison.count > 0 || sameRows) return comparison;
  const findings = ['have changed since the plan was made, in what it does not show'];
  return { count: 1, differences: [{ subject: 'rows of the files', findings }] };
}

async function storeEntries(path: string, file: string, header: ReadHeader): Promise<EntryStore> {
  const store = new EntryStore();
  try {
    for await (const { line, ...entry } of readPlanEntries(path, file, header)) {
      if (!store.add(entry)) throw unknownLine(file, line);
    }
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Nothing is to be done about it now. */
const isLeftAlone = (now: PlannedEntry | undefined): boolean =>
  now === undefined || now.action === 'unchanged';

type Pair = readonly [then: PlannedEntry | undefined, now: PlannedEntry | undefined];

/** Those of now in their order, each with the one of its key; then those that only the plan has. */
function* pairs(planned: EntryStore, entries: Iterable<PlannedEntry>): Generator<Pair> {
  for (const now of entries) yield [planned.take(now.key), now];
  for (const then of planned.left()) yield [then, undefined];
}

function subjectOf(entry: PlannedEntry | undefined): string {
  if (entry === undefined) return '';
  const { place, barcode, id } = entry;
  const names = [
    ...(barcode === undefined ? [] : [`barcode ${barcode}`]),
    ...(place !== undefined || id === undefined ? [] : [`registration ${id}`]),
  ];
  if (place === undefined) return names.join(', ');
  return names.length === 0 ? formatPlace(place) : `${formatPlace(place)} (${names.join(', ')})`;
}
