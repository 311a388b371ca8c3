import type { RequestLogEntry } from '../../../src/sandbox/server.ts';
import type { Observed, ObservedPush } from '../observe.ts';
import { readBody } from '../read-body.ts';
import type { FileRow } from '../scenario.ts';
import { isSame } from '../values.ts';

/** Messages are asked for only where the file says so. */
export function messagesOnlyWhereTheFileSaysSo({ requests, push, world, model }: ObservedPush): string[] {
  const wanted = push.file.rows.filter(({ comms }) => comms);
  // Whose ticket has another barcode by now is sent under that.
  const isUnderOther = (request: RequestLogEntry, { guest }: FileRow): boolean =>
    world.get(model.links.get(guest) ?? '')?.barcode === readBody(request)?.barcode;
  return asking(requests)
    .filter((request) => !wanted.some((row) => isOf(request, row) || isUnderOther(request, row)))
    .map(({ body }) => `messages were asked for: ${body}`);
}

/** Taking back never writes to people. */
export function noMessages({ requests }: Observed): string[] {
  return asking(requests).map(({ body }) => `messages were asked for: ${body}`);
}

function asking(requests: readonly RequestLogEntry[]): RequestLogEntry[] {
  return requests.filter((request) => readBody(request)?.comms === true);
}

function isOf(request: RequestLogEntry, row: FileRow): boolean {
  const body = readBody(request);
  if (row.barcode !== '' && body?.barcode === row.barcode) return true;
  const has = (slug: 'first_name' | 'email'): boolean => isSame(body?.fields[slug], row.cells[slug]);
  return row.barcode === '' && (has('first_name') || (row.cells.email !== undefined && has('email')));
}
