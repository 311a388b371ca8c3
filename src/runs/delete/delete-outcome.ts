import { EventregError, EXIT, GuardError } from '../../errors.ts';
import { TransportError } from '../../service/http/http.ts';
import { type Removal, RemovalError } from '../../service/remove-registration.ts';
import type { DeleteRow } from '../../sync/journal/delete-rows.ts';
import type { TooMany } from '../../sync/decide/delete-guard.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';

/** What a delete that came to an end says about a registration. */
export function readRemoval({ id, tried }: DeleteRow, { result, status, requestId }: Removal): RowOutcome {
  // Gone after an earlier request of ours that got no answer: that request did it.
  if (result === 'deleted' || tried) return { state: 'deleted', status, requestId };
  const message = `Registration ${id} was listed, but the service says that it is not there: look again with \`eventreg list\`.`;
  return { state: 'unchanged', status, requestId, message };
}

/** What is said of a registration that is not listed any more: it was our doing, if a request for it had left. */
export const goneOutcome = ({ id, tried }: Pick<DeleteRow, 'id' | 'tried'>): RowOutcome =>
  tried
    ? { state: 'deleted', message: 'is gone: the request that got no answer did it' }
    : { state: 'unchanged', message: `Registration ${id} was gone before it was asked for.` };

/** Throws what is said when it would be too many. */
export function refuseTooMany(tooMany: TooMany | undefined, sequel: string): void {
  if (tooMany === undefined) return;
  throw new GuardError('max-delete', `${tooMany.problem.replace(/^t/, 'T')}. ${sequel}`, {
    hint: tooMany.hint,
  });
}

/** Whatever had been asked before: this time there was none. */
export const isDenied = ({ status }: { status?: number | undefined }): boolean =>
  status === 404 || status === 410;

/** Set when no other registration should be tried: the next one would fare no better. */
export function stopOf(error: unknown): Error | undefined {
  const mayGoOn = error instanceof RemovalError && !error.stop && error.exitCode === EXIT.failed;
  if (mayGoOn && (error.mayBeGone || !(error.cause instanceof TransportError))) return undefined;
  return error instanceof Error ? error : new Error(String(error));
}

/** What an error says about the one registration that was asked for. */
export function readFailure(error: unknown): RowOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof RemovalError ? { requestId: error.requestId } : {};
  if (!(error instanceof RemovalError) || error.mayBeGone) {
    // Also when it was broken off while waiting: an earlier attempt may have got through.
    return { state: 'uncertain', message, ...requestId };
  }
  // With a whole answer the service has refused it; without one it was never asked.
  const refused = !error.stop && !(error.cause instanceof TransportError) && error instanceof EventregError;
  return { state: refused ? 'failed' : 'pending', message: refused ? message : undefined, ...requestId };
}
