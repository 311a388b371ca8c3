import { describe, expect, test } from 'vitest';
import { EventregError, EXIT } from '../../../src/errors.ts';
import {
  answerError,
  falseSuccess,
  isNotOffered,
  shapeError,
  silenceError,
} from '../../../src/service/http/failure.ts';
import { TransportError } from '../../../src/service/http/http.ts';

const attempted = { doing: 'list registrations', url: new URL('https://api.example.com/registration') };
const answer = (status: number, body: unknown) => ({ status, headers: {}, body: JSON.stringify(body) });
const textOf = (error?: EventregError): string => [error?.message, ...(error?.details ?? [])].join('\n');

describe('people that a service quotes are not passed on', () => {
  const said =
    'Page 3: Ürsula.O’Hara+x@mail.example.co.uk (+41 79 123 45 67, 0044 20 7946 0018) at 10.0.0.12, code 4711';
  const shown = 'at 10.0.0.12, code 4711';

  test.each([
    ['of an error', answerError(answer(500, { message: said }), attempted)],
    ['of its details', answerError(answer(422, { message: 'No.', errors: { email: [said] } }), attempted)],
    ['of a token that is not accepted', answerError(answer(403, { message: said }), attempted)],
    ['of a success that is none', falseSuccess(answer(200, { success: false, message: said }), attempted)],
  ])('%s', (_what, error) => {
    expect(error).toBeInstanceOf(EventregError);
    const text = textOf(error);
    expect(text).toContain(shown);
    expect(text).not.toMatch(/hara|example\.co|79 123|7946/i);
  });
});

test('What may be otherwise the next time is not said to be lacking: silence, a list that moves, a fault', () => {
  const moving = new EventregError(EXIT.failed, 'It moves.', { cause: new Error('moved') }, 'service');
  const silent = silenceError(new TransportError('no answer', { code: 'TIMEOUT', sent: true }), attempted);
  const answered = (...statuses: number[]) =>
    statuses.map((status) => answerError(answer(status, {}), attempted));
  const lasting = [...answered(400, 404, 405, 410, 422, 501), shapeError(answer(200, {}), attempted)];
  const passing = [...answered(401, 403, 429, 500, 503), silent, moving];
  expect([lasting.map(isNotOffered), passing.map(isNotOffered)]).toEqual([
    lasting.map(() => true),
    passing.map(() => false),
  ]);
});

test('A page that wants a browser says nothing of the token', () => {
  const page = { status: 403, headers: {}, body: '<html><title>Just a moment…</title></html>' };
  const [asked, denied] = [answerError(page, attempted), answerError(answer(403, {}), attempted)];
  expect([asked.exitCode, denied.exitCode]).toEqual([EXIT.failed, EXIT.unauthorised]);
  expect(asked.message).toBe(
    'Could not list registrations: api.example.com answered 403 with a web page titled "Just a moment…".',
  );
  expect(asked.hint).toContain('whatever the token');
});
