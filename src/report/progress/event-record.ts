import type { EventLine } from '../../documents/event-lines.ts';
import type { Place, Reject } from '../../registration/model/row.ts';
import type { BudgetView, OutcomeView, PushEvent } from '../views/events.ts';

/** Of the lines of `--events`: an addition raises the minor number. */
export const EVENTS_VERSION = '1.0';

/** Types of which one line a second is enough. */
const PROGRESS: ReadonlySet<EventLine['type']> = new Set([
  'surveying',
  'reading',
  'checking',
  'sending',
  'deleting',
  'waiting',
]);

export const isProgress = ({ type }: Pick<EventLine, 'type'>): boolean => PROGRESS.has(type);

/**
 * The lines of an event for programs. They hold no values of persons. `told` is what the rows of the run were told to be
 * by their numbers: one that is still the same has no further line.
 */
export function* eventLines(event: PushEvent, told: Map<number, string> = new Map()): Iterable<EventLine> {
  switch (event.type) {
    case 'surveying':
    case 'reading':
      yield { type: event.type, file: event.file, rows: event.rows };
      return;
    case 'checking':
      yield { type: event.type, what: event.what, done: event.done, total: event.total };
      return;
    case 'sending': {
      const { total, sent, failed, uncertain, notSent } = event.tally;
      const budget = budgetOf(event.budget);
      yield { type: event.type, total, sent, failed, uncertain, not_sent: notSent, budget };
      return;
    }
    case 'deleting':
      yield { type: event.type, done: event.done, total: event.total, budget: budgetOf(event.budget) };
      return;
    case 'waiting':
      yield {
        type: event.type,
        until: isoTime(event.untilMs),
        why: event.why,
        budget: budgetOf(event.budget),
      };
      return;
    case 'expecting':
      yield { type: event.type, rows: event.rows, requests: event.requests, budget: budgetOf(event.budget) };
      return;
    case 'note':
    case 'warning':
      yield { type: event.type, text: event.text };
      return;
    case 'repaired': {
      const { column, field, repair } = event.note;
      yield { type: event.type, ...placeOf(event.place), column, field, repair };
      return;
    }
    case 'rejected': {
      const { each, rejected, rows, reasons } = event.rejects;
      for (const reject of each()) yield* problemsOf(reject);
      yield { type: event.type, rejected, rows, reasons };
      return;
    }
    case 'rows':
      for (const row of event.each()) {
        const outcome = [row.state, ...row.codes].join(' ');
        if (told.get(row.seq) === outcome) continue;
        told.set(row.seq, outcome);
        yield outcomeOf(row);
      }
      return;
    case 'run':
      yield { type: event.type };
      return;
    // Its words are for people; programs get the request itself.
    case 'trace':
  }
}

function outcomeOf(row: OutcomeView): Extract<EventLine, { type: 'row' }> {
  return {
    type: 'row',
    ...(row.place === undefined ? NOWHERE : placeOf(row.place)),
    op: row.op,
    plan: row.plan ?? null,
    state: row.state,
    barcode: row.barcode ?? null,
    registration_id: row.registrationId ?? null,
    codes: row.codes,
  };
}

const NOWHERE = { file: null, sheet: null, line: null };

function* problemsOf({ place, reasons }: Reject): Iterable<EventLine> {
  for (const { column, field, code, problem, remedy } of reasons) {
    yield {
      type: 'problem',
      ...placeOf(place),
      column: column ?? null,
      field: field ?? null,
      code,
      message: problem,
      remedy: remedy ?? null,
    };
  }
}

const placeOf = ({ file, sheet, line }: Place): { file: string; sheet: string | null; line: number } => ({
  file,
  sheet: sheet ?? null,
  line,
});

function budgetOf(budget: BudgetView | undefined): Extract<EventLine, { type: 'sending' }>['budget'] {
  if (budget === undefined) return null;
  const { limit, remaining, windowMs, refillsAtMs } = budget;
  return {
    limit: limit ?? null,
    remaining: remaining ?? null,
    window_ms: windowMs ?? null,
    refills_at: refillsAtMs === undefined ? null : isoTime(refillsAtMs),
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
