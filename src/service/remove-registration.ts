import { EventregError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import { type Caller, isSuccess, type OnSending, readRequestId, TransportError } from './http/http.ts';
import { answerError, falseSuccess, silenceError } from './http/failure.ts';
import { classifyRemoval, type OutcomePolicy, type RemovalClass } from './http/outcome.ts';

/** What became of a delete that came to an end. */
export interface Removal {
  /** `absent`: there was none with this id. */
  result: 'deleted' | 'absent';
  status: number | undefined;
  /** The service's own id of the request when it tells one, else that of the last attempt. */
  requestId: string | undefined;
}

/** A delete that did not work, or of which nobody knows whether it did. */
export class RemovalError extends EventregError {
  /** An attempt was sent that the service may have acted on, or may act on yet. */
  readonly mayBeGone: boolean;
  /** Every other delete would end alike. */
  readonly stop: boolean;
  /** As in Removal; undefined when nothing left this machine. */
  readonly requestId: string | undefined;

  constructor(
    error: EventregError,
    facts: { mayBeGone: boolean; stop: boolean; requestId: string | undefined },
  ) {
    const { message, hint, details, cause } = error;
    super(error.exitCode, message, { details, cause, ...(hint === undefined ? {} : { hint }) }, error.code);
    this.mayBeGone = facts.mayBeGone;
    this.stop = facts.stop;
    this.requestId = facts.requestId;
  }
}

export interface RemoveOptions {
  call: Caller;
  policy: OutcomePolicy;
  clock: Clock;
  signal: AbortSignal;
}

/** One attempt, and the error that it would end in. */
interface Attempt {
  outcome: RemovalClass;
  status: number | undefined;
  requestId: string | undefined;
  error: () => EventregError;
}

const ATTEMPTS = 3;

/**
 * Deletes one registration, asking again while it is in doubt whether that worked: a DELETE does no harm
 * twice. Throws RemovalError, and whatever ends the waiting or is thrown by `onSending`.
 */
export async function removeRegistration(
  options: RemoveOptions,
  id: string,
  url: URL,
  onSending: OnSending = () => undefined,
): Promise<Removal> {
  let mayBeGone = false;
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, status, requestId, error } = await askOnce(options, id, url, mayBeGone, onSending);
    if (outcome === 'deleted' || outcome === 'absent') return { result: outcome, status, requestId };
    mayBeGone ||= outcome === 'uncertain';
    if (outcome !== 'uncertain' || attempt === ATTEMPTS || answersAlike(status)) {
      throw new RemovalError(error(), {
        mayBeGone,
        stop: outcome === 'stop' || isRedirect(status),
        requestId,
      });
    }
    await options.clock.sleep(1000 * attempt, options.signal);
  }
}

const isRedirect = (status = 0): boolean => status >= 300 && status < 400;

/** A login page or a redirect is no passing fault: asking again would bring the same. */
const answersAlike = (status = 0): boolean => status >= 200 && status < 400;

async function askOnce(
  { call, policy }: RemoveOptions,
  id: string,
  url: URL,
  doubt: boolean,
  onSending: OnSending,
): Promise<Attempt> {
  const doing = `delete registration ${id}`;
  let own: string | undefined;
  const sending = async (requestId: string): Promise<void> => {
    await onSending(requestId);
    own = requestId;
  };
  try {
    const response = await call('DELETE', url, undefined, sending);
    const contradiction = isSuccess(response) ? falseSuccess(response, { doing, url }) : undefined;
    const facts = { answer: true as const, ...response, contradicted: contradiction !== undefined };
    return {
      outcome: classifyRemoval(facts, policy, doubt),
      status: response.status,
      requestId: readRequestId(response.headers) ?? own,
      error: () => contradiction ?? answerError(response, { doing, url }),
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.code === 'ABORTED') throw silenceError(error, { doing, url });
    const outcome = classifyRemoval({ answer: false, sent: error.sent, code: error.code }, policy, doubt);
    const requestId = error.sent ? own : undefined;
    return { outcome, status: undefined, requestId, error: () => silenceError(error, { doing, url }) };
  }
}
