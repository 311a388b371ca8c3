import type { TraceEntry } from '../../service/http/trace.ts';

/** Enough of a request id to find it by. */
const ID_SHOWN = 8;

/** A request and what came of it, for people. */
export function describeAttempt({ method, path, result, tookMs, remaining, requestId }: TraceEntry): string {
  const left = remaining === undefined ? '' : `, ${remaining} left`;
  return `${method} ${path} → ${result} (${tookMs} ms${left}, id ${requestId.slice(0, ID_SHOWN)})`;
}
