import {
  type HttpAttempt,
  type HttpRequest,
  type HttpResponse,
  TransportError,
} from '../../src/service/http/http.ts';

/** An answer with a JSON body, or with the text as it is. */
export function answer(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

export const notSent = (code = 'ECONNREFUSED'): TransportError =>
  new TransportError('nothing listens there', { code, sent: false });

export const sentButLost = (code = 'ECONNRESET'): TransportError =>
  new TransportError('the connection was reset', { code, sent: true });

/** A request as it reaches the bottom of the stack, or of a part of it that gives no ids. */
type Played = HttpRequest & Partial<Pick<HttpAttempt, 'requestId'>>;

export interface Script {
  send: (request: Played) => Promise<HttpResponse>;
  /** Every request that came, in order. */
  requests: Played[];
}

/** Plays the answers and errors in order, the last one for ever. Runs `onSending` as a network would. */
export function script(...steps: (HttpResponse | Error)[]): Script {
  const requests: Played[] = [];
  const send: Script['send'] = async (request) => {
    await request.onSending?.(request.requestId ?? 'no-id');
    requests.push(request);
    const step = steps[Math.min(requests.length, steps.length) - 1];
    if (step === undefined) throw new Error('The script is empty.');
    if (step instanceof Error) throw step;
    return step;
  };
  return { send, requests };
}
