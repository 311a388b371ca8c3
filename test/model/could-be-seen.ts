import type { ObservedPush } from './observe.ts';
import { readBody } from './read-body.ts';
import { tellsOfNotLookedAt } from './said.ts';
import type { Attribute } from './world.ts';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';

/**
 * Whether the program could know of an edit when it sent an update: one from before the push; one that was
 * listed between it and the update; or one more than a minute old, unless it is said how many were not looked at.
 */
export function couldBeSeen(
  id: string,
  attribute: Attribute,
  barcode: string | undefined,
  { foreign, requests, firstRequest, world, said, switches, strict }: ObservedPush,
): boolean {
  const edit = foreign.findLast((one) => one.id === id && one.change?.attribute === attribute);
  if (edit === undefined) return true;
  const later = requests.slice(edit.after - firstRequest);
  const own = world.get(id)?.barcode;
  const isSending = (request: RequestLogEntry): boolean => {
    const body = readBody(request);
    return body?.barcode !== undefined && (body.barcode === barcode || body.barcode === own);
  };
  // What is otherwise within a minute of its request is taken for the doing of the service.
  const earlier = requests.slice(0, edit.after - firstRequest).findLast(isSending);
  if (!strict && earlier !== undefined && edit.atMs - earlier.at <= 60_000) return false;
  const sent = later.findIndex(isSending);
  if (sent < 0) return false;
  const shownFrom = edit.atMs + switches.readLagMs;
  const wasLate = (later[sent]?.at ?? 0) - shownFrom > 60_000;
  // While it is sending, it reads lists for other ends, and is not bound to compare again within a minute.
  const begins = requests.findIndex(isWriting);
  const wasListed = requests
    .slice(0, edit.after - firstRequest + sent)
    .some(
      (request, at) =>
        at >= edit.after - firstRequest &&
        request.at >= shownFrom &&
        mayList(request, own, { size: world.size, isPlanning: begins < 0 || at < begins }),
    );
  return wasListed || (wasLate && !tellsOfNotLookedAt(said));
}

/** Whether a request asks for a list that the registration may be in: by its barcode, or a page that is not past the end. */
function mayList(
  { method, path, query }: RequestLogEntry,
  barcode: string | undefined,
  { size, isPlanning }: { size: number; isPlanning: boolean },
): boolean {
  if (method !== 'GET' || !path.endsWith('/registration')) return false;
  if (!isPlanning) return false;
  if (query['barcode'] !== undefined) return query['barcode'] === barcode;
  return (Number(query['page'] ?? 1) - 1) * Number(query['per_page'] ?? 100) < size;
}

const isWriting = ({ method, path }: RequestLogEntry): boolean =>
  method === 'POST' && path.endsWith('/registration');
