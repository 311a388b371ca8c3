import type { Registration } from '../registration/registration.ts';
import { type Caller, isSuccess } from './caller.ts';
import { type CreateReading, readCreateAnswer, readError, registrationBody } from './contracts.ts';
import { answerError, shapeError, silenceError } from './failure.ts';
import { type HttpResponse, TransportError } from './http.ts';
import { classifyOutcome, type OutcomeClass, type OutcomePolicy } from './outcome.ts';

/** What became of one create or update. */
export type SendOutcome =
  | { kind: 'done'; status: number; id: string | undefined; action: 'created' | 'updated' | undefined }
  | { kind: 'accepted'; status: number }
  | { kind: 'conflict'; status: number; message: string }
  | { kind: 'failed'; status: number; message: string }
  /** `stop` is set when no further request should follow. */
  | { kind: 'uncertain'; status: number | undefined; message: string; stop: Error | undefined }
  /** The row is as pending as before; nothing of this run can succeed. */
  | { kind: 'stopped'; error: Error };

const DOING = 'send a registration';

/** Creates or updates; what went wrong is part of the outcome. What `onSending` throws comes through. */
export async function sendRegistration(
  { call, url, policy }: { call: Caller; url: URL; policy: OutcomePolicy },
  registration: Registration,
  onSending: () => void,
): Promise<SendOutcome> {
  try {
    const response = await call('POST', url, JSON.stringify(registrationBody(registration)), onSending);
    return checkBarcode(registration, readSendOutcome(response, policy, url));
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (!error.sent) return { kind: 'stopped', error: silenceError(error, DOING, url) };
    return { kind: 'uncertain', status: undefined, message: error.message, stop: undefined };
  }
}

/** An answer about another registration says nothing about this one. */
function checkBarcode(registration: Registration, { outcome, barcode }: ReadOutcome): SendOutcome {
  if (outcome.kind !== 'done' || registration.barcode === undefined || barcode === undefined) return outcome;
  if (barcode === registration.barcode) return outcome;
  const message = `answered ${outcome.status} with another barcode than the one sent`;
  return { kind: 'uncertain', status: outcome.status, message, stop: undefined };
}

interface ReadOutcome {
  outcome: SendOutcome;
  /** Barcode of the record in the answer. */
  barcode?: string | undefined;
}

/** Reads a complete answer to POST /registration. */
function readSendOutcome(response: HttpResponse, policy: OutcomePolicy, url: URL): ReadOutcome {
  const { status, headers, body } = response;
  const reading = isSuccess(response) ? readCreateAnswer(status, body) : undefined;
  const facts = {
    answer: true as const,
    status,
    headers,
    body,
    ...(reading === undefined ? {} : { reading }),
  };
  const outcome = classifyOutcome(facts, policy);
  if (outcome === 'done' && reading?.kind === 'record') {
    const { record, action } = reading;
    return { outcome: { kind: 'done', status, id: record.id, action }, barcode: record.barcode };
  }
  return { outcome: describeOutcome(outcome, response, reading, url) };
}

function describeOutcome(
  outcome: OutcomeClass,
  response: HttpResponse,
  reading: CreateReading | undefined,
  url: URL,
): SendOutcome {
  const { status, body } = response;
  if (outcome === 'done' || outcome === 'accepted') return { kind: 'accepted', status };
  if (outcome === 'stop') return { kind: 'stopped', error: answerError(response, DOING, url) };
  if (outcome === 'uncertain') return readUncertain(response, reading, url);
  const error = readError(status, body);
  const message = [error.message, ...error.details].join('; ');
  return { kind: outcome === 'conflict' ? 'conflict' : 'failed', status, message };
}

function readUncertain(response: HttpResponse, reading: CreateReading | undefined, url: URL): SendOutcome {
  const { status, body } = response;
  const message = `answered ${status}${describeDoubt(status, body, reading)}`;
  return { kind: 'uncertain', status, message, stop: reasonToStop(response, reading, url) };
}

function describeDoubt(status: number, body: string, reading: CreateReading | undefined): string {
  if (reading?.kind === 'unreadable') return ` with ${reading.why}`;
  if (reading?.kind === 'denied') return `, but says: ${reading.why}`;
  return status < 400 || body.trim() === '' ? '' : `: ${readError(status, body).message}`;
}

/** A redirect or something that is not this service answers every other request alike. */
function reasonToStop(
  response: HttpResponse,
  reading: CreateReading | undefined,
  url: URL,
): Error | undefined {
  if (response.status >= 300 && response.status < 400) return answerError(response, DOING, url);
  return reading?.kind === 'unreadable' ? shapeError(response, DOING, url) : undefined;
}
