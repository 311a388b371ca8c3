import type { CreateReading } from './contracts.ts';

/**
 * What became of a request, decided from facts alone. Anything that is not listed is uncertain: the
 * service may or may not have acted on it.
 */
export type OutcomeClass =
  /** Nothing left this machine: send again. */
  | 'not-sent'
  /** Refused before it was processed: wait, then send again. */
  | 'refused'
  /** Sent, and no full final answer: never send again blindly. */
  | 'uncertain'
  /** The service holds something that contradicts the request. */
  | 'conflict'
  /** This row is wrong in the service's eyes; the others may be fine. */
  | 'row-refused'
  /** No request of this run can succeed: stop, and keep what is pending. */
  | 'stop'
  /** Done, and the answer says so. */
  | 'done'
  /** Taken by the service, without a record to show for it. */
  | 'accepted';

export type OutcomeFacts =
  | { answer: false; sent: boolean; code: string }
  | {
      answer: true;
      status: number;
      headers: Readonly<Record<string, string>>;
      body: string;
      /** What a 2xx body says; needed for 2xx only. */
      reading?: CreateReading;
    };

export interface OutcomePolicy {
  /** The profile declares that 503 with Retry-After means refused and not processed. */
  refuses503: boolean;
}

const REFUSED = new Set([408, 421, 425, 429]);
const STOP = new Set([401, 402, 403, 404, 405, 410]);
const ROW_REFUSED = new Set([400, 411, 413, 414, 415, 422, 431]);
const CERTIFICATE_CODES = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether an error code speaks of the server's certificate: no attempt will mend that. */
export function isCertificateError(code: string): boolean {
  return CERTIFICATE_CODES.has(code);
}

/** Whether the service refused the request without processing it, so that it may be sent again. */
export function isRefusedUnprocessed(
  status: number,
  headers: Readonly<Record<string, string>>,
  policy: OutcomePolicy,
): boolean {
  return REFUSED.has(status) || (policy.refuses503 && status === 503 && headers['retry-after'] !== undefined);
}

/** Classifies what became of a POST /registration. */
export function classifyOutcome(facts: OutcomeFacts, policy: OutcomePolicy): OutcomeClass {
  if (!facts.answer) return classifySilence(facts.sent, facts.code);
  const { status, headers, body } = facts;
  if (isRefusedUnprocessed(status, headers, policy)) return 'refused';
  if (status >= 200 && status < 300) return classifySuccess(status, facts.reading);
  if (STOP.has(status)) return 'stop';
  if (status === 409 || status === 412 || (status === 422 && saysItExists(body))) return 'conflict';
  return ROW_REFUSED.has(status) ? 'row-refused' : 'uncertain';
}

function classifySilence(sent: boolean, code: string): OutcomeClass {
  if (sent) return 'uncertain';
  return isCertificateError(code) ? 'stop' : 'not-sent';
}

function classifySuccess(status: number, reading: CreateReading | undefined): OutcomeClass {
  if (![200, 201, 202, 204].includes(status) || reading === undefined) return 'uncertain';
  if (reading.kind === 'unreadable' || reading.kind === 'denied') return 'uncertain';
  return reading.kind === 'record' && status < 202 ? 'done' : 'accepted';
}

function saysItExists(body: string): boolean {
  return /already (?:exists|registered|taken|in use)|has already been taken|duplicate/i.test(body);
}
