import type { CreateReading } from '../contracts/read-create-answer.ts';
import type { HttpResponse } from './http.ts';
import { isLasting } from './trouble.ts';

/** What an answer says before its body. */
type Head = Pick<HttpResponse, 'status' | 'headers'>;
type Answered = Head & Partial<Pick<HttpResponse, 'body'>>;

/**
 * What became of a request, decided from facts alone. Anything that is not listed is uncertain: the
 * service may or may not have acted on it.
 */
export type OutcomeClass =
  /** Nothing left this machine: send again. */
  | 'not-sent'
  /** Refused for the rate, before it was processed: wait, then send again. */
  | 'refused'
  /** Sent, and no full final answer: never send again blindly. */
  | 'uncertain'
  /** The service holds something that contradicts the request. */
  | 'conflict'
  /** This row is wrong in the service's eyes; the others may be fine. */
  | 'row-refused'
  /** No request of this run can succeed: stop, and keep what is pending. */
  | 'stop'
  /** Done: the answer is one of those that say so. */
  | 'done'
  /** Taken by the service, which has yet to do it; the audit will tell. */
  | 'accepted';

/** No complete answer came. */
interface Silence {
  answer: false;
  /** Whether the headers of the request left this machine. */
  sent: boolean;
  code: string;
}

type OutcomeFacts =
  | Silence
  | (HttpResponse & {
      answer: true;
      /** What a 2xx body says; needed for 2xx only. */
      reading?: CreateReading | undefined;
    });

export interface OutcomePolicy {
  /** The profile declares that 503 with Retry-After means refused and not processed. */
  refuses503: boolean;
}

const DONE = new Set([200, 201]);
const ACCEPTED = new Set([202, 204]);
const REMOVED = new Set([200, 202, 204]);
const CONFLICT = new Set([409, 412]);
const STOP = new Set([401, 402, 403, 405]);
const ROW_REFUSED = new Set([400, 411, 413, 414, 415, 422, 431]);

/** Of a collection: it is not there at all. Of one of it: that one is not, or no more. */
export const isAbsent = ({ status }: { status?: number | undefined }): boolean =>
  status === 404 || status === 410;

/**
 * Whether an answer says that too many requests came, and that this one was not processed, so that it may be sent
 * again. A 403 does where it names the rate, as some services answer instead of 429. No other status promises that:
 * 408, 421 and 425 are written by whatever stands before a service, or by one that has stored the request and was
 * late with its answer.
 */
export function isRateRefusal(answer: Answered, policy: OutcomePolicy): boolean {
  const { status, headers } = answer;
  if (status === 403) return !isPage(answer) && namesRate(answer);
  return status === 429 || (policy.refuses503 && status === 503 && headers['retry-after'] !== undefined);
}

function namesRate({ headers, body = '' }: Answered): boolean {
  const isUsedUp = headers['x-ratelimit-remaining']?.trim() === '0';
  return isUsedUp || headers['retry-after'] !== undefined || /rate.?limit|too many requests/i.test(body);
}

/** Whether a web page came: the service speaks JSON, so that something before it has answered, and wants a browser. */
export function isPage({ headers, body = '' }: Pick<Answered, 'headers' | 'body'>): boolean {
  return headers['cf-mitigated'] === 'challenge' || body.trimStart().startsWith('<');
}

/** Classifies what became of a POST /registration. */
export function classifyOutcome(facts: OutcomeFacts, policy: OutcomePolicy): OutcomeClass {
  if (!facts.answer) return classifySilence(facts);
  const { status, body } = facts;
  if (isRateRefusal(facts, policy)) return 'refused';
  if (DONE.has(status)) return fits(facts.reading) ? 'done' : 'uncertain';
  if (ACCEPTED.has(status)) return fits(facts.reading) ? 'accepted' : 'uncertain';
  if (STOP.has(status) || isAbsent({ status })) return 'stop';
  if (CONFLICT.has(status) || (status === 422 && saysItExists(body))) return 'conflict';
  return ROW_REFUSED.has(status) ? 'row-refused' : 'uncertain';
}

function classifySilence({ sent, code }: Silence): 'uncertain' | 'stop' | 'not-sent' {
  if (sent) return 'uncertain';
  return isLasting(code) ? 'stop' : 'not-sent';
}

/** Whether a body is of a shape that says that it worked. */
function fits(reading: CreateReading | undefined): boolean {
  return reading?.kind === 'record' || reading?.kind === 'accepted';
}

function saysItExists(body: string): boolean {
  return /already (?:exists|registered|taken|in use)|has already been taken|duplicate|barcode (?:exists|is (?:taken|known|in use|not unique))/i.test(
    body,
  );
}

/** What became of a DELETE /registration/{id}: unlike a POST it may be sent again whenever that is in doubt. */
export type RemovalClass =
  | 'not-sent'
  | 'refused'
  | 'uncertain'
  /** It is gone, by this request or by an earlier one of ours. */
  | 'deleted'
  /** There was none. */
  | 'absent'
  /** The service refuses to delete this one; others it may. */
  | 'kept'
  | 'stop';

type RemovalFacts =
  | Silence
  | (Answered & {
      answer: true;
      /** The body of a 2xx is none of this service, or speaks of failure. */
      contradicted: boolean;
    });

/**
 * Classifies what became of a DELETE. `doubt`: an earlier attempt of ours at the same registration may have
 * worked, so that its absence now is our own doing.
 */
export function classifyRemoval(facts: RemovalFacts, policy: OutcomePolicy, doubt: boolean): RemovalClass {
  if (!facts.answer) return classifySilence(facts);
  const { status } = facts;
  if (isRateRefusal(facts, policy)) return 'refused';
  if (isAbsent({ status })) return doubt ? 'deleted' : 'absent';
  if (STOP.has(status)) return 'stop';
  if (CONFLICT.has(status) || ROW_REFUSED.has(status)) return 'kept';
  return REMOVED.has(status) && !facts.contradicted ? 'deleted' : 'uncertain';
}
