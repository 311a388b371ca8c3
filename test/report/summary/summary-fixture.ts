import { ROW_STATES, type RowCounts, type RowState } from '../../../src/registration/model/row-states.ts';
import type { PlanCounts, SummaryView } from '../../../src/report/views/summary-view.ts';

export const NO_PLAN: PlanCounts = { create: 0, update: 0, unchanged: 0, kept: 0, unknown: 0, delete: 0 };

/** How many rows are in each state: none unless given. */
export function counts(some: Partial<Record<RowState, number>> = {}): RowCounts {
  return { ...(Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as RowCounts), ...some };
}

/** A push of which nothing is to be told but what is given. */
export function view(over: Partial<SummaryView> = {}): SummaryView {
  return {
    run: '20260115-abcdef',
    state: 'finished',
    event: 'Harbour Trade Fair 2027',
    live: undefined,
    counts: counts(),
    plan: NO_PLAN,
    isPlanned: over.state === 'planned',
    deletions: counts(),
    deleted: 0,
    values: { kept: 0, conflict: 0, refused: 0 },
    stayGone: 0,
    notRechecked: 0,
    leftOut: [],
    leftOutBy: [],
    noLonger: [],
    created: 0,
    updated: 0,
    unproven: 0,
    unseen: 0,
    disputed: 0,
    communications: 0,
    takesBackMessages: 0,
    repairs: { cells: 0, counts: () => [], listed: () => [] },
    audit: undefined,
    requests: 0,
    budget: { limit: 30, remaining: 30, windowMs: 60_000, refillsAtMs: undefined },
    durationMs: 12_000,
    problems: [],
    ...over,
  };
}
