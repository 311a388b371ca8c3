import { planChange, type PlanEntry, planEntryHead } from '../../documents/push-documents.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { type PlanEntryView, shownAction } from '../views/plan-view.ts';
import { placeRecord } from '../words/row-remarks.ts';
import type { ShowValue } from '../words/shown-value.ts';

/** Columns of a plan as CSV: a row a change, so that values stand beside each other. */
export const PLAN_COLUMNS: readonly string[] = [
  ...Object.keys(planEntryHead),
  ...Object.keys(planChange.shape),
  'why',
];

/**
 * An entry of a plan for programs: the same keys every time, and two more where values are compared. Undefined for what
 * stays as it is, unless they are.
 */
export function planRecord(entry: PlanEntryView, show: ShowValue): PlanEntry | undefined {
  const head = headOf(entry);
  if (head === undefined) return undefined;
  return { ...head, changes: changesOf(entry, show), why: entry.why ?? null, ...comparedOf(entry, show) };
}

function comparedOf(
  { persona, compared }: PlanEntryView,
  show: ShowValue,
): Pick<PlanEntry, 'last_sent' | 'values'> {
  if (compared === undefined) return {};
  const { lastSent, values } = compared;
  const shown = shower(persona, show);
  return {
    last_sent: lastSent === undefined ? null : { run: lastSent.run, at: new Date(lastSent.at).toISOString() },
    values: values.map(({ field, file, sent, service }) => ({
      field,
      file: shown(field, file),
      last_sent: shown(field, sent),
      service: shown(field, service),
    })),
  };
}

/** An entry as rows of CSV: one a change, or one alone where nothing is known of values. */
export function planRows(entry: PlanEntryView, show: ShowValue): Record<string, unknown>[] {
  const head = headOf(entry);
  if (head === undefined) return [];
  const changes = changesOf(entry, show);
  const rows = changes.length === 0 ? [{ field: null, before: null, after: null, left: null }] : changes;
  return rows.map((change) => ({ ...head, ...change, why: entry.why ?? null }));
}

function headOf(entry: PlanEntryView): Omit<PlanEntry, 'changes' | 'why'> | undefined {
  const action = shownAction(entry) ?? (entry.compared && 'unchanged');
  if (action === undefined) return undefined;
  const { place, barcode, persona, id } = entry;
  return {
    action,
    place: place === undefined ? null : formatPlace(place),
    ...placeRecord(place),
    barcode: barcode ?? null,
    persona: persona ?? null,
    registration_id: id ?? null,
  };
}

function changesOf({ persona, changes }: PlanEntryView, show: ShowValue): PlanEntry['changes'] {
  const shown = shower(persona, show);
  return changes.map(({ field, before, after, left }) => ({
    field,
    before: shown(field, before),
    after: shown(field, after),
    left: left ?? null,
  }));
}

const shower =
  (persona: string | undefined, show: ShowValue) =>
  (field: string, value: FieldValue | undefined): FieldValue | null =>
    show(persona, field, value) ?? null;
