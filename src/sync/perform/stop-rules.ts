import { GuardError, ServiceError } from '../../errors.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { PushAhead } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { type Allowance, allowed, formatAllowance } from '../decide/delete-guard.ts';
import { countIn } from '../journal/queued-rows.ts';
import { endRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { claimsOf } from '../journal/sent-rows.ts';
import { addStep, RUN_ITSELF } from '../journal/steps.ts';

/** When this many are refused alike before one gets through, the rest would be too. */
const ALIKE = 20;
/** When this many one after the other get no certain answer, the service is in no state to take any. */
const UNCERTAIN_IN_A_ROW = 20;

/** What an answer says about those that are still to come. */
export type Answered =
  | { kind: 'taken' }
  | { kind: 'uncertain'; message: string | undefined }
  /** `cause`: equal for refusals that are alike; undefined for one that says nothing about others. */
  | { kind: 'refused'; message: string; cause: string | undefined };

interface StopOptions {
  /** What is sent, in a word. */
  what: 'row' | 'deletion';
  maxFailures: Allowance | undefined;
  /** How many are to be sent in all; a share of failures is one of these. */
  total: () => number;
}

/** Decides from answers, in the order in which they come, when to try no more. */
export class StopRules {
  readonly #options: StopOptions;
  #failures = 0;
  #uncertainInARow = 0;
  #firstCause: string | undefined;
  #differ = false;

  constructor(options: StopOptions) {
    this.#options = options;
  }

  /** True once one got through, or was refused for another reason than the first. */
  get differ(): boolean {
    return this.#differ;
  }

  /** Books an answer. Returns why no more should be tried, if so. */
  book(answer: Answered): Error | undefined {
    this.#uncertainInARow = answer.kind === 'uncertain' ? this.#uncertainInARow + 1 : 0;
    if (answer.kind === 'uncertain') return this.#silent(answer.message);
    if (answer.kind === 'taken') {
      this.#differ = true;
      return undefined;
    }
    const { message, cause } = answer;
    this.#failures += 1;
    this.#firstCause ??= cause;
    if (cause === undefined || cause !== this.#firstCause) this.#differ = true;
    return this.#alike(message) ?? this.#tooMany(message);
  }

  #silent(message: string | undefined): Error | undefined {
    if (this.#uncertainInARow < UNCERTAIN_IN_A_ROW) return undefined;
    return new ServiceError(
      `${UNCERTAIN_IN_A_ROW} ${this.#options.what}s one after the other got no certain answer, so the rest was not tried: ${message}`,
      { hint: 'Run the same command again when the service is well.' },
    );
  }

  #alike(message: string): Error | undefined {
    if (this.#differ || this.#failures < ALIKE) return undefined;
    return new ServiceError(
      `The first ${ALIKE} ${this.#options.what}s were all refused alike, so the rest was not tried: ${message}`,
      { hint: 'Mend the cause and run the same command again.' },
    );
  }

  #tooMany(message: string): Error | undefined {
    const { what, maxFailures, total } = this.#options;
    if (maxFailures === undefined || this.#failures <= allowed(maxFailures, total())) return undefined;
    const some = plural(this.#failures, `${what} was`, `${what}s were`);
    return new GuardError(
      'max-failures',
      `${some} refused, more than --max-failures ${formatAllowance(maxFailures)} allows, so the rest was not tried. The last one: ${message}`,
      { hint: 'Mend the cause and run the same command again: it goes on where it stopped.' },
    );
  }
}

/** What has stopped some work; undefined when nothing has. */
export const whatStopped = async (work: Promise<void>): Promise<Error | undefined> =>
  await work.then(() => undefined).catch((failure: Error) => failure);

/** Writes how the work on a run has ended, and what the service allowed: it was interrupted when Ctrl-C has left something to do, or to look at. */
export function endWork(
  context: Pick<SendContext, 'journal' | 'run' | 'clock' | 'stopping' | 'budget'>,
  { error, isLeft }: { error: Error | undefined; isLeft: boolean },
): 'interrupted' | 'finished' | 'stopped' {
  const { journal, run, clock, stopping, budget } = context;
  const interrupted = stopping.aborted && (error !== undefined || isLeft);
  const state = interrupted ? 'interrupted' : error === undefined ? 'finished' : 'stopped';
  const { limit, windowMs } = budget();
  const now = clock.now();
  journal.transaction(() => {
    if (limit !== undefined) {
      const detail = JSON.stringify({ limit, windowMs });
      addStep(journal, run, RUN_ITSELF, { at: now, what: 'paced', detail });
    }
    endRun(journal, run, state, now, interrupted ? undefined : error?.message);
  });
  return state;
}

interface AheadOptions {
  /** What the plan read of the service, if anything was. */
  reading: { total: number | undefined } | undefined;
  /** How often the service will be read for what is sent: for the plan, and at the end. */
  readings: number;
  /** How often it will be read for what is deleted. */
  deletionReadings?: number;
}

/** How many rows there are to send, and registrations to delete; `claimed`: rows sent that are to be read back. */
export interface WorkAhead {
  sends: number;
  deletes: number;
  claimed?: number;
}

/** What is left to do of a run; `open`: states of rows that are still to come. */
export function workAhead(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  open: Iterable<RowState> = ['pending'],
): WorkAhead {
  return {
    sends: countIn(journal, run, open, 'send'),
    deletes: countIn(journal, run, open, 'delete'),
    claimed: claimsOf(journal, run).length,
  };
}

/** Counts the rows to send and registrations to delete, and with what is read before and after the requests, as far as known. */
export function requestsAhead(
  { sends, deletes, claimed = 0 }: WorkAhead,
  { reading, readings, deletionReadings = 0 }: AheadOptions,
): { rows: number; requests: number } {
  // The whole list, or the rows one by one where that takes fewer requests.
  const total = reading?.total ?? claimed;
  const pages = sends === 0 ? 0 : Math.min(sends + claimed, Math.ceil((total + sends) / PER_PAGE_MAX));
  // No more than one each, by barcode.
  const deletionPages = Math.min(deletes, Math.ceil((reading?.total ?? deletes) / PER_PAGE_MAX));
  const rows = sends + deletes;
  return { rows, requests: rows + readings * pages + deletionReadings * deletionPages };
}

/** Tells what is to come, and how long it takes, before the first request. `ahead`: what a push will do. */
export function tellRequests(
  context: Pick<SendContext, 'expect' | 'reporter' | 'budget'>,
  work: WorkAhead,
  options: AheadOptions,
  ahead?: PushAhead,
): void {
  const { rows, requests } = requestsAhead(work, options);
  context.expect(requests);
  if (rows === 0) return;
  const told = ahead === undefined ? {} : { ahead };
  context.reporter.report({ type: 'expecting', rows, requests, budget: context.budget(), ...told });
}
