import type { EventLine } from '../../documents/event-lines.ts';
import type { Place, Reject } from '../../registration/model/row.ts';
import type { BudgetView, OutcomeView, PushEvent } from '../views/events.ts';
import { placeRecord } from '../words/row-remarks.ts';
import { isoTime } from '../words/time-words.ts';

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
    case 'checking':
    case 'run':
      yield event;
      return;
    case 'sending': {
      const { total, sent, failed, uncertain, notSent } = event.tally;
      const budget = budgetOf(event.budget());
      yield { type: event.type, total, sent, failed, uncertain, not_sent: notSent, budget };
      return;
    }
    case 'deleting':
      yield { type: event.type, done: event.done, total: event.total, budget: budgetOf(event.budget) };
      return;
    case 'waiting':
      yield {
        type: event.type,
        until: new Date(event.untilMs).toISOString(),
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
    // Its words are for people; programs get the request itself.
    case 'trace':
  }
}

function outcomeOf(row: OutcomeView): Extract<EventLine, { type: 'row' }> {
  return {
    type: 'row',
    ...placeRecord(row.place),
    op: row.op,
    plan: row.plan ?? null,
    state: row.state,
    barcode: row.barcode ?? null,
    registration_id: row.registrationId ?? null,
    codes: row.codes,
  };
}

function* problemsOf({ place, reasons }: Reject): Iterable<EventLine> {
  for (const { column = null, field = null, code, problem, remedy = null } of reasons) {
    yield { type: 'problem', ...placeOf(place), column, field, code, message: problem, remedy };
  }
}

const placeOf = ({ file, sheet, line }: Place) => ({ file, sheet: sheet ?? null, line });

function budgetOf(budget: BudgetView | undefined): Extract<EventLine, { type: 'sending' }>['budget'] {
  if (budget === undefined) return null;
  const { limit = null, remaining = null, windowMs = null, refillsAtMs } = budget;
  return { limit, remaining, window_ms: windowMs, refills_at: isoTime(refillsAtMs) };
}
