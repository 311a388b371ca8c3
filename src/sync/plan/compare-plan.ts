import { formatPlace } from '../../registration/model/row.ts';
import { type ShowValue, quoted } from '../../report/words/shown-value.ts';
import type { PlanEntry } from './plan-entries.ts';
import type { SavedPlan } from './plan-file.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import type { FieldValue } from '../../registration/model/registration.ts';

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

interface DifferenceOptions {
  /** Whether the files have the rows that the plan was made of. */
  sameRows: boolean;
  show: ShowValue;
}

/** In what an entry of a plan differs from what is planned now, as clauses; either of the two may be missing. */
export function differencesOf(
  planned: PlanEntry | undefined,
  now: PlanEntry | undefined,
  options: DifferenceOptions,
): string[] {
  if (planned === undefined) return now === undefined ? [] : [ADDED[kindOf(now)]];
  if (now === undefined) return [GONE[kindOf(planned)]];
  if (isOpen(planned) || isOpen(now)) return whileUncertain(planned, now);
  if (planned.action === now.action) return changesDiffer(planned, now, options);
  const byField =
    (planned.action === 'unchanged' || planned.action === 'kept') &&
    now.action === 'update' &&
    options.sameRows;
  return byField ? fieldsDiffer(planned, now, options) : [otherAction(planned, now)];
}

const GONE = {
  delete: 'was to be deleted; now the service does not list it, or a row stands for it',
  send: 'is gone from the files, or is rejected now',
};

const ADDED = { delete: 'is to be deleted, which the plan does not say', send: 'is new in the files' };
const kindOf = ({ action }: PlanEntry): keyof typeof GONE => (action === 'delete' ? 'delete' : 'send');

const isOpen = ({ state }: PlanEntry): boolean => IN_DOUBT.has(state);

/** Such a row is looked up first, and sent only where it is proven not to be there: nothing else was planned. */
function whileUncertain(planned: PlanEntry, now: PlanEntry): string[] {
  if (isOpen(now)) {
    const isTold = isOpen(planned) || planned.action !== 'unchanged';
    return isTold ? [] : ['was in the service as it is in the file; an attempt since is in doubt'];
  }
  return now.action === 'update' ? [otherAction(planned, now)] : [];
}

/** What is planned is the same; with which values may not be. */
function changesDiffer(planned: PlanEntry, now: PlanEntry, options: DifferenceOptions): string[] {
  const { action } = planned;
  if (action === 'conflict' || action === 'unchanged' || action === 'kept') return [];
  const other =
    planned.id === now.id
      ? []
      : [`was registration ${planned.id ?? 'without id'}, now it is ${now.id ?? 'one without id'}`];
  return [...(action === 'update' ? other : []), ...fieldsDiffer(planned, now, options)];
}

const SIDES = [
  ['before', 'in the service'],
  ['after', 'in the file'],
] as const;

/** `company was "A" in the service, now it is "B"`, for each field and side. */
function fieldsDiffer(planned: PlanEntry, now: PlanEntry, { sameRows, show }: DifferenceOptions): string[] {
  const before = new Map(planned.changes.map((change) => [change.field, change]));
  const after = new Map(now.changes.map((change) => [change.field, change]));
  const isWhole = planned.action === 'create' || planned.action === 'delete';
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [was, is] = [before.get(field), after.get(field)];
    if (!isWhole && !sameRows && (was === undefined || is === undefined)) {
      return [`${field} is ${is === undefined ? 'not to change any more' : 'to change now'}`];
    }
    // What is no change any more, or was none yet: with the same rows the service has there what the row has.
    const settled = isWhole ? undefined : (is ?? was)?.after;
    const shown = (value: FieldValue | undefined): string => quoted(show(now.persona, field, value));
    return SIDES.flatMap(([side, where]) => {
      const one = was === undefined ? settled : was[side];
      const other = is === undefined ? settled : is[side];
      if (JSON.stringify(one) === JSON.stringify(other)) return [];
      const [then, today] = [shown(one), shown(other)];
      if (then === today) return [`${field} is not what it was ${where}`];
      return [`${field} was ${then} ${where}, now it is ${today}`];
    });
  });
}

const WAS: Readonly<Record<PlanEntry['action'], string>> = {
  create: 'was to be created',
  update: 'was to be updated',
  unchanged: 'was in the service as it is in the file',
  kept: 'was to stay as it was changed in the service',
  conflict: 'was in conflict',
  unknown: 'was to be sent without comparing',
  delete: 'was to be deleted',
};

/** `was to be created, but the service now lists it (registration reg-1)`. */
const otherAction = (planned: PlanEntry, now: PlanEntry): string =>
  `${WAS[planned.action]}, but ${nowText(planned, now)}`;

function nowText({ action: was }: PlanEntry, { action, id, why, changes }: PlanEntry): string {
  const named = id === undefined ? '' : ` (registration ${id})`;
  if (action === 'conflict') return `is now in conflict: ${why ?? 'the reason is not known'}`;
  if (action === 'create') return 'the service does not list it now';
  if (was === 'create') return `the service now lists it${named}`;
  if (action === 'unchanged') return `the service now lists it as it is in the file${named}`;
  if (action === 'kept') return `it has been changed in the service since${named}`;
  if (action === 'unknown') return `the service now shows too little of it to compare${named}`;
  const fields = changes.map(({ field }) => field).join(', ');
  return `the service and the file now differ${fields === '' ? '' : ` in ${fields}`}${named}`;
}
