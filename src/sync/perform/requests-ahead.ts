import type { RowState } from '../../registration/model/row-states.ts';
import type { PushAhead } from '../../report/views/events.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { claimsOf } from '../journal/sent-rows.ts';
import { countRows } from '../journal/queued-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { RowOp } from '../journal/run.ts';
import type { SendContext } from '../journal/send-context.ts';

/** What is about to be asked of the service. */
export interface RequestsAhead {
  /** Rows to send, and registrations to delete: a request each. */
  rows: number;
  /** With what is read before and after. */
  requests: number;
}

interface AheadOptions {
  /** What the plan read of the service, if anything was. */
  reading: { total: number | undefined } | undefined;
  /** How often the service will be read for what is sent: for the plan, and at the end. */
  readings: number;
  /** How often it will be read for what is deleted. */
  deletionReadings?: number;
  /** States of rows that are still to come: pending unless given. */
  open?: Iterable<RowState>;
}

/** Counts what a planned run will ask of the service, as far as that is known. */
export function requestsAhead(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  { reading, readings, deletionReadings = 0, open = ['pending'] }: AheadOptions,
): RequestsAhead {
  const count = (op: RowOp): number => {
    const counts = countRows(journal, run, op);
    return [...open].reduce((sum, state) => sum + counts[state], 0);
  };
  const [sends, deletes] = [count('send'), count('delete')];
  const pages = sends === 0 ? 0 : pagesToRead(journal, run, sends, reading?.total);
  // No more than one each, by barcode.
  const deletionPages = Math.min(deletes, Math.ceil((reading?.total ?? deletes) / PER_PAGE_MAX));
  const rows = sends + deletes;
  return { rows, requests: rows + readings * pages + deletionReadings * deletionPages };
}

/** The whole list, or the rows one by one where that takes fewer requests. */
function pagesToRead(journal: Journal, run: string, sends: number, total: number | undefined): number {
  const sent = claimsOf(journal, run).length;
  return Math.min(sends + sent, Math.ceil(((total ?? sent) + sends) / PER_PAGE_MAX));
}

/** Tells what is to come, and how long it takes, before the first request. `ahead`: what a push will do. */
export function tellRequests(context: SendContext, options: AheadOptions, ahead?: PushAhead): void {
  const { rows, requests } = requestsAhead(context, options);
  context.expect(requests);
  if (rows === 0) return;
  const told = ahead === undefined ? {} : { ahead };
  context.reporter.report({ type: 'expecting', rows, requests, budget: context.budget(), ...told });
}
