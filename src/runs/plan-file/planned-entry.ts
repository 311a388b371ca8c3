import * as z from 'zod';
import { ROW_STATES } from '../../registration/model/row-state.ts';
import { PLAN_ACTIONS } from '../judge/plan-action.ts';
import type { PlanEntry } from '../compare/plan-entries.ts';

/** An entry as a plan holds it: where it stood in the journal is nothing to another run. */
export type PlannedEntry = Omit<PlanEntry, 'seq'>;

const value = z.union([z.string(), z.array(z.string())]).optional();

const storedEntry = z.object({
  key: z.string(),
  action: z.enum([...PLAN_ACTIONS, 'delete']),
  place: z.object({ file: z.string(), sheet: z.string().optional(), line: z.number() }).optional(),
  barcode: z.string().optional(),
  registration_id: z.string().optional(),
  persona: z.string().optional(),
  state: z.enum(ROW_STATES),
  changes: z.array(
    z.object({
      field: z.string(),
      before: value,
      after: value,
      left: z.enum(['kept', 'conflict']).optional(),
    }),
  ),
  why: z.string().optional(),
});

/** An entry as a line of a plan. */
export function storeEntry(entry: PlannedEntry): Record<string, unknown> {
  const { key, action, place, barcode, id, persona, state, changes, why } = entry;
  return {
    key,
    action,
    place,
    barcode,
    registration_id: id,
    persona,
    state,
    changes,
    why,
  };
}

/** Reads an entry from a line of a plan. Undefined when it is none. */
export function parseEntry(stored: unknown): PlannedEntry | undefined {
  const parsed = storedEntry.safeParse(stored);
  if (!parsed.success) return undefined;
  const { key, action, place, barcode, registration_id, persona, state, changes, why } = parsed.data;
  return {
    key,
    action,
    place,
    barcode,
    id: registration_id,
    persona,
    state,
    changes: changes.map(({ field, before, after, left }) =>
      left === undefined ? { field, before, after } : { field, before, after, left },
    ),
    why,
  };
}
