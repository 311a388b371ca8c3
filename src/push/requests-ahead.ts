import { PER_PAGE_MAX } from '../service/registrations.ts';
import { countClaimed } from './audit-rows.ts';
import type { HeldReading } from './held.ts';
import { countRows, type Journal } from './journal.ts';
import type { SendContext } from './send-context.ts';

/** What is about to be asked of the service. */
export interface RequestsAhead {
  /** Rows to send, and registrations to delete: a request each. */
  rows: number;
  /** With what is read before and after. */
  requests: number;
}

export interface AheadOptions {
  /** What the plan read of the service, if anything was. */
  reading: Pick<HeldReading, 'total'> | undefined;
  /** How often the service will be read: for the plan, and at the end. */
  readings: number;
}

/** Counts what a planned run will ask of the service, as far as that is known. */
export function requestsAhead(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  { reading, readings }: AheadOptions,
): RequestsAhead {
  const sends = countRows(journal, run).pending;
  const rows = sends + countRows(journal, run, 'delete').pending;
  const pages = sends === 0 ? 0 : pagesToRead(journal, run, sends, reading?.total);
  return { rows, requests: rows + readings * pages };
}

/** The whole list, or the rows one by one where that takes fewer requests. */
function pagesToRead(journal: Journal, run: string, sends: number, total: number | undefined): number {
  const { barcodes, others } = countClaimed(journal, run);
  const sent = barcodes + others;
  return Math.min(sends + sent, Math.ceil(((total ?? sent) + sends) / PER_PAGE_MAX));
}

/** Tells how many requests are to come, and how long they take, before the first of them. */
export function tellRequests(context: SendContext, options: AheadOptions): void {
  const ahead = requestsAhead(context, options);
  context.expect(ahead.requests);
  if (ahead.rows > 0) context.reporter.report({ type: 'expecting', ...ahead, budget: context.budget() });
}
