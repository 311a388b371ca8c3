import { describe, expect, test } from 'vitest';
import { type CreateReading, readCreateAnswer } from '../../src/service/contracts.ts';
import {
  classifyOutcome,
  isCertificateError,
  isRefusedUnprocessed,
  type OutcomeClass,
} from '../../src/service/outcome.ts';

const CLASSES: OutcomeClass[] = [
  'not-sent',
  'refused',
  'uncertain',
  'conflict',
  'row-refused',
  'stop',
  'done',
  'accepted',
];
const RECORD = '{"registratoin_id":"r1","barcode":"B1"}';
const policy = { refuses503: false };

const reading = (status: number, body: string): { reading?: CreateReading } =>
  status >= 200 && status < 300 ? { reading: readCreateAnswer(status, body) } : {};

function answered(
  status: number,
  body = '',
  headers: Record<string, string> = {},
  refuses503 = false,
): OutcomeClass {
  return classifyOutcome({ answer: true, status, headers, body, ...reading(status, body) }, { refuses503 });
}

describe('an answer', () => {
  test.each<[OutcomeClass, number[]]>([
    ['done', [200, 201]],
    ['accepted', [202, 204]],
    ['refused', [408, 421, 425, 429]],
    ['conflict', [409, 412]],
    ['row-refused', [400, 411, 413, 414, 415, 422, 431]],
    ['stop', [401, 402, 403, 404, 405, 410]],
    ['uncertain', [300, 301, 302, 303, 304, 307, 308, 500, 501, 502, 503, 504, 520, 522, 524, 529, 599]],
  ])('is %s for %j', (outcome, statuses) => {
    expect(statuses.map((status) => answered(status, RECORD))).toEqual(statuses.map(() => outcome));
  });

  test('has exactly one class at every status, and is uncertain where none is named', () => {
    const named = new Set([
      200, 201, 202, 204, 408, 421, 425, 429, 409, 412, 400, 411, 413, 414, 415, 422, 431, 401, 402, 403, 404,
      405, 410,
    ]);
    for (let status = 200; status <= 599; status += 1) {
      const outcome = answered(status, RECORD);
      expect(CLASSES).toContain(outcome);
      expect([status, outcome === 'uncertain']).toEqual([status, !named.has(status)]);
    }
  });

  test.each<[string, number, string, OutcomeClass]>([
    ['a record', 200, RECORD, 'done'],
    ['a wrapped record', 201, `{"data":${RECORD}}`, 'done'],
    ['nothing', 200, '', 'accepted'],
    ['nothing', 201, '', 'accepted'],
    ['text', 200, 'OK', 'accepted'],
    ['a message', 201, '{"message":"Created."}', 'accepted'],
    ['a record under 202', 202, RECORD, 'accepted'],
    ['a web page', 200, '<!doctype html><title>Log in</title>', 'uncertain'],
    ['a web page', 202, '<html>', 'uncertain'],
    ['cut-off JSON', 201, '{"registratoin_id":"r', 'uncertain'],
    ['several records', 200, `[${RECORD},${RECORD}]`, 'uncertain'],
    ['a failure', 200, '{"success":false,"message":"no"}', 'uncertain'],
    ['an error', 200, '{"error":"no such persona"}', 'uncertain'],
  ])('of a good status with %s (%d) is judged by its body', (_what, status, body, outcome) => {
    expect(answered(status, body)).toBe(outcome);
  });

  test('of a good status whose body was not read is uncertain', () => {
    expect(classifyOutcome({ answer: true, status: 200, headers: {}, body: '' }, policy)).toBe('uncertain');
  });

  test.each([
    '{"message":"The barcode already exists."}',
    '{"errors":{"barcode":["The barcode has already been taken."]}}',
    'duplicate barcode',
    '{"message":"Attendee is already registered"}',
  ])('of 422 that says the registration is there is a conflict: %s', (body) => {
    expect(answered(422, body)).toBe('conflict');
    expect(answered(400, body)).toBe('row-refused');
  });

  test('of 503 with Retry-After is refused only where the profile says so', () => {
    const headers = { 'retry-after': '5' };
    expect(answered(503, '', headers)).toBe('uncertain');
    expect(answered(503, '', headers, true)).toBe('refused');
    expect(answered(503, '', {}, true)).toBe('uncertain');
    expect(isRefusedUnprocessed(503, headers, { refuses503: true })).toBe(true);
    expect(isRefusedUnprocessed(502, headers, { refuses503: true })).toBe(false);
  });
});

describe('silence', () => {
  test.each<[boolean, string, OutcomeClass]>([
    [false, 'ENOTFOUND', 'not-sent'],
    [false, 'ECONNREFUSED', 'not-sent'],
    [false, 'EHOSTUNREACH', 'not-sent'],
    [false, 'UND_ERR_CONNECT_TIMEOUT', 'not-sent'],
    [false, 'ECONNRESET', 'not-sent'],
    [false, 'ABORTED', 'not-sent'],
    [false, 'CERT_HAS_EXPIRED', 'stop'],
    [false, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'stop'],
    [true, 'ECONNRESET', 'uncertain'],
    [true, 'EPIPE', 'uncertain'],
    [true, 'UND_ERR_HEADERS_TIMEOUT', 'uncertain'],
    [true, 'UND_ERR_BODY_TIMEOUT', 'uncertain'],
    [true, 'UND_ERR_SOCKET', 'uncertain'],
    [true, 'HPE_INVALID_CONSTANT', 'uncertain'],
    [true, 'ABORTED', 'uncertain'],
    [true, 'CERT_HAS_EXPIRED', 'uncertain'],
    [true, 'something new', 'uncertain'],
  ])('when sent is %s, with %s, is %s', (sent, code, outcome) => {
    expect(classifyOutcome({ answer: false, sent, code }, policy)).toBe(outcome);
  });

  test('tells errors of certificates from others', () => {
    expect(isCertificateError('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toBe(true);
    expect(isCertificateError('ECONNRESET')).toBe(false);
  });
});
