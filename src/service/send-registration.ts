import type { Registration, RawRecord } from '../registration/model/registration.ts';
import {
  type Caller,
  type HttpResponse,
  isSuccess,
  type OnSending,
  readRequestId,
  TransportError,
} from './http/http.ts';
import type { RecordsWatch } from './list/list-registrations.ts';
import { type CreateReading, readCreateAnswer } from './contracts/read-create-answer.ts';
import { readError } from './contracts/read-error.ts';
import { answerError, shapeError, silenceError } from './http/failure.ts';
import { classifyOutcome, type OutcomeClass, type OutcomePolicy } from './http/outcome.ts';
import { registrationBody } from './contracts/registration-body.ts';

/** What became of one create or update. */
export type SendOutcome = Fate & {
  /**
   * By what the service can find the request in its logs: its own id of it when it tells one, else the one
   * that the last attempt carried. Undefined when nothing left this machine.
   */
  requestId: string | undefined;
};

type Fate =
  /** `id` is undefined when the answer shows no record, which is `record`. */
  | {
      kind: 'done';
      status: number;
      id: string | undefined;
      action: 'created' | 'updated' | undefined;
      record?: RawRecord | undefined;
    }
  | { kind: 'accepted'; status: number }
  | { kind: 'conflict'; status: number; message: string }
  /** `refusesFields`: it is `fields` as a whole that the service refuses, not a field in it. */
  | { kind: 'failed'; status: number; message: string; refusesFields?: boolean }
  /**
   * `stop` is set when no further request should follow, `about` when the answer is about another registration: that may
   * be the row's own under a barcode that the service makes, so it is not sent again while it may be there.
   */
  | { kind: 'uncertain'; status: number | undefined; message: string; stop: Error | undefined; about?: Told }
  /** The row is as pending as before; nothing of this run can succeed. */
  | { kind: 'stopped'; error: Error };

/** Which registration an answer is about. */
type Told = Pick<RawRecord, 'id' | 'barcode'>;

interface SendOptions {
  call: Caller;
  url: URL;
  policy: OutcomePolicy;
  shape: FieldsShape;
  /** Counts good answers that were no JSON, over all rows of one client. */
  strangers: { count: number };
  /** Told of the record that an answer shows. */
  onRecords?: RecordsWatch | undefined;
  /** A record with the slugs of its persona and fields. */
  named?: ((record: RawRecord) => RawRecord) | undefined;
}

const DOING = 'send a registration';
/** One may be a hiccup of a proxy; after the second, whatever answers is not the service. */
const STRANGERS_MAX = 2;

/** Creates or updates; what went wrong is part of the outcome. What `onSending` throws comes through. */
export async function sendRegistration(
  options: SendOptions,
  registration: Registration,
  onSending: OnSending,
): Promise<SendOutcome> {
  const { call, url, shape } = options;
  let own: string | undefined;
  const sending = async (requestId: string): Promise<void> => {
    await onSending(requestId);
    own = requestId;
  };
  try {
    const response = await call('POST', url, JSON.stringify(shapedBody(registration, shape)), sending);
    return readOutcome(response, registration, options, readRequestId(response.headers) ?? own);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (!error.sent)
      return { kind: 'stopped', error: silenceError(error, { doing: DOING, url }), requestId: undefined };
    return { kind: 'uncertain', status: undefined, message: error.message, stop: undefined, requestId: own };
  }
}

/** Reads a complete answer to POST /registration. */
function readOutcome(
  response: HttpResponse,
  registration: Registration,
  options: SendOptions,
  requestId: string | undefined,
): SendOutcome {
  const { status, headers, body } = response;
  const { named = (one) => one } = options;
  const reading = isSuccess(response) ? readCreateAnswer(status, body) : undefined;
  const outcome = classifyOutcome({ answer: true, status, headers, body, reading }, options.policy);
  if (outcome !== 'done')
    return { ...describeFate(outcome, response, reading, registration, options), requestId };
  const record = reading?.kind === 'record' ? reading.record : undefined;
  if (record !== undefined) options.onRecords?.([record]);
  if (isAnother(record?.barcode, registration.barcode)) {
    // An answer about another registration says nothing about this one.
    const message = `answered ${status} with another barcode than the one sent`;
    const about = { id: record?.id, barcode: record?.barcode };
    return { kind: 'uncertain', status, message, stop: undefined, about, requestId };
  }
  const created = status === 201 ? 'created' : undefined;
  const action = reading?.kind === 'record' ? reading.action : created;
  return { kind: 'done', status, id: record?.id, action, requestId, record: record && named(record) };
}

const isAnother = (told: string | undefined, sent: string | undefined): boolean =>
  told !== undefined && sent !== undefined && told !== sent;

function describeFate(
  outcome: Exclude<OutcomeClass, 'done'>,
  response: HttpResponse,
  reading: CreateReading | undefined,
  registration: Registration,
  options: SendOptions,
): Fate {
  const { status, body } = response;
  if (outcome === 'accepted') return { kind: 'accepted', status };
  if (outcome === 'stop')
    return { kind: 'stopped', error: answerError(response, { doing: DOING, url: options.url }) };
  if (outcome === 'uncertain') return describeUncertain(response, reading, options);
  const error = readError(status, body);
  const message = [error.message, ...error.details].join('; ');
  if (outcome === 'conflict') return { kind: 'conflict', status, message };
  return { kind: 'failed', status, message, refusesFields: refusesFields(response, registration) };
}

function describeUncertain(
  response: HttpResponse,
  reading: CreateReading | undefined,
  options: SendOptions,
): Fate {
  const { status, body } = response;
  const message = `answered ${status}${describeDoubt(status, body, reading)}`;
  return { kind: 'uncertain', status, message, stop: reasonToStop(response, reading, options) };
}

function describeDoubt(status: number, body: string, reading: CreateReading | undefined): string {
  if (reading?.kind === 'unreadable' || reading?.kind === 'unknown') return ` with ${reading.why}`;
  if (reading?.kind === 'denied') return `, but says: ${reading.why}`;
  return status < 400 || body.trim() === '' ? '' : `: ${readError(status, body).message}`;
}

/** A redirect, or something that is not this service, answers every other request alike. */
function reasonToStop(
  response: HttpResponse,
  reading: CreateReading | undefined,
  { url, strangers }: SendOptions,
): Error | undefined {
  if (response.status >= 300 && response.status < 400) return answerError(response, { doing: DOING, url });
  if (reading?.kind !== 'unreadable') return undefined;
  strangers.count += 1;
  return strangers.count < STRANGERS_MAX ? undefined : shapeError(response, { doing: DOING, url });
}

/** How a service wants `fields`: keyed by slug, or, as the prose of the interface has it, a list of slug and value. */
export type FieldsShape = 'object' | 'entries';

export function shapedBody(registration: Registration, shape: FieldsShape): object {
  const body = registrationBody(registration);
  if (shape === 'object') return body;
  return { ...body, fields: Object.entries(body.fields).map(([slug, value]) => ({ slug, value })) };
}

/** `fields` as the key of a finding, or in quotes; "required fields: last_name" names none. */
const KEY = /(?:^|[;.,:!]\s|[/#([{]|\bbody\.)fields:|["'`“‘«]fields["'`”’»]/i;
/** `fields` as what "must be an array"; "all fields must be filled in" speaks of others. */
const SENTENCE =
  /\bfields\s+(?:(?:field|attribute|property|parameter|key)\s+)?(?:must|should|has|is|needs|expects)\b/i;
const SHAPES = /\b(?:array|list|object|collection|sequence|map|dictionary|hash)s?\b/i;
/** A field in it, or another key of the body. */
const OTHERS = /\bfields(?:\.|\[|\/)[\w"']|\b(?:persona|barcode|parent_barcode|enable_comms)["'`]?:/i;
/** Words by which a refusal says what shape it wants; a field may be called so. */
const SHAPE_WORDS: ReadonlySet<string> = new Set(['value', 'slug', 'field', 'array', 'list', 'object']);

/** Whether a refusal names exactly `fields` as what is wrong: no field in it, and no other key of the body. */
export function refusesFields(
  { status, body }: { status: number; body: string },
  { fields }: Pick<Registration, 'fields'>,
): boolean {
  if (status !== 400 && status !== 422) return false;
  const { message, details } = readError(status, body);
  const words = [message, ...details].join('; ');
  const isNamed = KEY.test(words) || (SENTENCE.test(words) && SHAPES.test(words));
  if (!isNamed || OTHERS.test(words)) return false;
  const said = new Set(words.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
  return !Object.keys(fields).some((slug) => !SHAPE_WORDS.has(slug) && said.has(slug.toLowerCase()));
}
