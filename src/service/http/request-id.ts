import type { Network, Transport } from './http.ts';

/** The header by which support finds one attempt in the logs of the service. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Headers in which services and what stands before them tell their own id of a request, best first. */
const ANSWER_HEADERS = [REQUEST_ID_HEADER, 'x-correlation-id', 'x-amzn-requestid', 'cf-ray', 'request-id'];

/** Nobody searches for more than this, and nothing else belongs into a journal. */
const USABLE = /^[!-~]{1,200}$/;

/** Gives every attempt an id of its own, in the header x-request-id. */
export function identify(next: Network, makeId: () => string): Transport {
  return (request) => {
    const requestId = makeId();
    return next({ ...request, requestId, headers: { ...request.headers, [REQUEST_ID_HEADER]: requestId } });
  };
}

/** The id that the service gave to a request; undefined when it tells none, or none that can be shown. */
export function readRequestId(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name of ANSWER_HEADERS) {
    const id = headers[name]?.trim();
    if (id !== undefined && USABLE.test(id)) return id;
  }
  return undefined;
}
