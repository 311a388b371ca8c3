import { describe, expect, test } from 'vitest';
import { type CreateReading, readCreateAnswer } from '../../../src/service/contracts/read-create-answer.ts';
import {
  classifyOutcome,
  classifyRemoval,
  isRateRefusal,
  type OutcomeClass,
  type RemovalClass,
} from '../../../src/service/http/outcome.ts';
import { isLasting } from '../../../src/service/http/trouble.ts';
import { listed } from '../../support/tables.ts';

const STATUSES = Array.from({ length: 500 }, (_, index) => index + 100);
const policy = { refuses503: false };

/** Bodies of a create, each with what it is. */
const BODIES: Readonly<Record<string, { body: string; good: boolean }>> = {
  record: { body: '{"registratoin_id":"r1","barcode":"B1"}', good: true },
  'wrapped record': { body: '{"data":{"registratoin_id":"r1","barcode":"B1"}}', good: true },
  nothing: { body: '', good: true },
  'words that it worked': { body: 'OK', good: true },
  'JSON that it worked': { body: '{"message":"Registration created."}', good: true },
  'web page': { body: '<!doctype html><title>Log in</title>', good: false },
  'cut-off JSON': { body: '{"registratoin_id":"r', good: false },
  'other words': { body: 'Please hold the line', good: false },
  'unknown JSON': { body: '{"weather":"fine"}', good: false },
  list: { body: '[{"id":1},{"id":2}]', good: false },
  denial: { body: '{"success":false,"message":"no"}', good: false },
  'other error': { body: '{"error":"no such persona"}', good: false },
  'words that it exists': { body: '{"message":"The barcode already exists."}', good: false },
};

/** The table of outcomes; a status that is not in it is uncertain. `good`: done or accepted by its body. */
const TABLE: Readonly<Record<string, readonly number[]>> = {
  done: [200, 201],
  accepted: [202, 204],
  refused: [429],
  conflict: [409, 412],
  'row-refused': [400, 411, 413, 414, 415, 422, 431],
  stop: [401, 402, 403, 404, 405, 410],
};

function expectedClass(status: number, name: string, isLater: boolean): string {
  const refused = status === 403 && isLater && name !== 'web page';
  const listed = refused
    ? 'refused'
    : (Object.keys(TABLE).find((key) => TABLE[key]?.includes(status)) ?? 'uncertain');
  if (listed === 'done' || listed === 'accepted') return BODIES[name]?.good === true ? listed : 'uncertain';
  return status === 422 && name === 'words that it exists' ? 'conflict' : listed;
}

const readingOf = (status: number, body: string): { reading?: CreateReading } =>
  status >= 200 && status < 300 ? { reading: readCreateAnswer(status, body) } : {};

const classify = (
  status: number,
  body: string,
  headers: Record<string, string> = {},
  refuses503 = false,
): OutcomeClass =>
  classifyOutcome({ answer: true, status, headers, body, ...readingOf(status, body) }, { refuses503 });

describe('the answer to a create', () => {
  test.each(Object.entries(BODIES))('with %s has the class of its row, at every status', (name, { body }) => {
    for (const headers of [{}, { 'retry-after': '5' }]) {
      const classes = STATUSES.map((status) => [status, classify(status, body, headers)]);
      expect(classes).toEqual(
        STATUSES.map((status) => [status, expectedClass(status, name, 'retry-after' in headers)]),
      );
    }
  });

  test('of a good status whose body was not read is uncertain', () => {
    for (const status of [200, 201, 202, 204]) {
      expect(classifyOutcome({ answer: true, status, headers: {}, body: 'OK' }, policy)).toBe('uncertain');
    }
  });

  test('of any other status is no better for a body that was read', () => {
    const reading: CreateReading = { kind: 'accepted' };
    for (const status of [203, 206, 302, 500]) {
      const facts = { answer: true as const, status, headers: {}, body: '', reading };
      expect(classifyOutcome(facts, policy)).toBe('uncertain');
    }
  });

  test.each(
    listed(`
      The barcode already exists. | Attendee ALREADY REGISTERED | already taken |
      That barcode is already in use | {"errors":{"barcode":["The barcode has already been taken."]}} |
      Duplicate barcode | barcode exists | This barcode is taken.
    `),
  )('of 422 that says that the registration is there is a conflict: %s', (body) => {
    expect(classify(422, body)).toBe('conflict');
    expect(classify(400, body)).toBe('row-refused');
    expect(classify(423, body)).toBe('uncertain');
  });

  test.each(['', 'already', 'The persona exists.', 'registered', 'in use', 'been taken'])(
    'of 422 that only sounds like it is not: %s',
    (body) => {
      expect(classify(422, body)).toBe('row-refused');
    },
  );

  test('of 503 with Retry-After is refused only where the profile says so', () => {
    const later = { 'retry-after': '5' };
    expect(classify(503, '', later)).toBe('uncertain');
    expect(classify(503, '', later, true)).toBe('refused');
    expect(classify(503, '', { 'retry-after': '' }, true)).toBe('refused');
    expect(classify(503, '', {}, true)).toBe('uncertain');
  });
});

test('a refusal for the rate is 429, 403 that names it, and 503 with Retry-After where the profile says so', () => {
  const later = { 'retry-after': '5' };
  const rate = (refuses503: boolean) =>
    STATUSES.filter((status) => isRateRefusal({ status, headers: later }, { refuses503 }));
  expect([
    rate(false),
    rate(true),
    isRateRefusal({ status: 503, headers: {} }, { refuses503: true }),
  ]).toEqual([[403, 429], [403, 429, 503], false]);
});

test.each([
  ['nothing of the rate', {}, '{"message":"Your role is read-only."}', false],
  ['that some are left', { 'x-ratelimit-remaining': '10' }, '', false],
  ['that none is left', { 'x-ratelimit-remaining': ' 0 ' }, '', true],
  ['when to come again', { 'retry-after': '5' }, '', true],
  ['so in words', {}, '{"message":"API rate limit exceeded"}', true],
  ['so in other words', {}, 'Too many requests', true],
  ['that a browser is wanted', { 'retry-after': '5' }, '<html><title>Just a moment…</title>', false],
  ['the same by a header', { 'retry-after': '5', 'cf-mitigated': 'challenge' }, '', false],
])('a 403 that says %s', (_what, headers: Record<string, string>, body, isRefusal) => {
  expect(isRateRefusal({ status: 403, headers, body }, policy)).toBe(isRefusal);
  expect(isRateRefusal({ status: 401, headers, body }, policy)).toBe(false);
});

const CERTIFICATES = listed(`
  CERT_CHAIN_TOO_LONG | CERT_HAS_EXPIRED | CERT_NOT_YET_VALID | CERT_REJECTED | CERT_REVOKED |
  CERT_SIGNATURE_FAILURE | CERT_UNTRUSTED | DEPTH_ZERO_SELF_SIGNED_CERT | ERROR_IN_CERT_NOT_AFTER_FIELD |
  ERROR_IN_CERT_NOT_BEFORE_FIELD | ERR_TLS_CERT_ALTNAME_INVALID | HOSTNAME_MISMATCH | INVALID_CA |
  INVALID_PURPOSE | PATH_LENGTH_EXCEEDED | SELF_SIGNED_CERT_IN_CHAIN |
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY | UNABLE_TO_DECRYPT_CERT_SIGNATURE | UNABLE_TO_GET_ISSUER_CERT |
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY | UNABLE_TO_VERIFY_LEAF_SIGNATURE | UND_ERR_PRX_TLS
`);
const OTHERS = [
  '',
  ...listed(`
    ENOTFOUND | EAI_AGAIN | ECONNREFUSED | ECONNRESET | EHOSTUNREACH | ENETUNREACH | EPIPE | EPROTO |
    UND_ERR_CONNECT_TIMEOUT | UND_ERR_HEADERS_TIMEOUT | UND_ERR_BODY_TIMEOUT | UND_ERR_SOCKET |
    UND_ERR_ABORTED | HPE_INVALID_CONSTANT | ABORTED | something new
  `),
];

describe('silence', () => {
  const silence = (sent: boolean, code: string) => ({ answer: false as const, sent, code });

  test.each(OTHERS)('after %s depends on nothing but whether the request left', (code) => {
    expect(isLasting(code)).toBe(false);
    expect(classifyOutcome(silence(false, code), policy)).toBe('not-sent');
    expect(classifyOutcome(silence(true, code), policy)).toBe('uncertain');
    for (const doubt of [false, true]) {
      expect(classifyRemoval(silence(false, code), policy, doubt)).toBe('not-sent');
      expect(classifyRemoval(silence(true, code), policy, doubt)).toBe('uncertain');
    }
  });

  test.each(CERTIFICATES)('after %s stops the run, unless the request left all the same', (code) => {
    expect(isLasting(code)).toBe(true);
    expect(classifyOutcome(silence(false, code), policy)).toBe('stop');
    expect(classifyOutcome(silence(true, code), policy)).toBe('uncertain');
    expect(classifyRemoval(silence(false, code), policy, false)).toBe('stop');
    expect(classifyRemoval(silence(true, code), policy, false)).toBe('uncertain');
  });
});

describe('the answer to a delete', () => {
  /** A status that is not in it is uncertain. */
  const REMOVALS: Readonly<Record<string, readonly number[]>> = {
    deleted: [200, 202, 204],
    absent: [404, 410],
    refused: [429],
    kept: [400, 409, 411, 412, 413, 414, 415, 422, 431],
    stop: [401, 402, 403, 405],
  };

  const removal = (status: number, facts: { contradicted?: boolean; doubt?: boolean } = {}): RemovalClass =>
    classifyRemoval(
      { answer: true, status, headers: {}, contradicted: facts.contradicted ?? false },
      policy,
      facts.doubt ?? false,
    );

  const expected = (status: number): string =>
    Object.keys(REMOVALS).find((key) => REMOVALS[key]?.includes(status)) ?? 'uncertain';

  test('has the class of its row, at every status', () => {
    expect(STATUSES.map((status) => [status, removal(status)])).toEqual(
      STATUSES.map((status) => [status, expected(status)]),
    );
  });

  test('that says that there is none is our own doing after an attempt that may have worked', () => {
    const ours = (status: number): string => (expected(status) === 'absent' ? 'deleted' : expected(status));
    expect(STATUSES.map((status) => [status, removal(status, { doubt: true })])).toEqual(
      STATUSES.map((status) => [status, ours(status)]),
    );
  });

  test('whose body contradicts a good status proves nothing', () => {
    const doubtful = (status: number): string =>
      expected(status) === 'deleted' ? 'uncertain' : expected(status);
    expect(STATUSES.map((status) => [status, removal(status, { contradicted: true })])).toEqual(
      STATUSES.map((status) => [status, doubtful(status)]),
    );
  });

  test('of 503 with Retry-After is refused only where the profile says so', () => {
    const facts = {
      answer: true as const,
      status: 503,
      headers: { 'retry-after': '5' },
      contradicted: false,
    };
    expect(classifyRemoval(facts, policy, false)).toBe('uncertain');
    expect(classifyRemoval(facts, { refuses503: true }, false)).toBe('refused');
  });
});
