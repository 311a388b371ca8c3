import type { RowState } from '../../registration/model/row-states.ts';
import type { PushAhead } from '../../report/views/events.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { countIn } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { claimsOf } from '../journal/sent-rows.ts';

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
