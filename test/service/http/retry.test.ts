import { describe, expect, test } from 'vitest';
import { GaveUpError, InterruptedError } from '../../../src/errors.ts';
import { Gate } from '../../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../../src/pacing/ledger.ts';
import { Pacer } from '../../../src/pacing/pacer.ts';
import type { HttpRequest } from '../../../src/service/http/http.ts';
import { pace } from '../../../src/service/http/pace.ts';
import { backoffMs, retry } from '../../../src/service/http/retry.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { answer, notSent, type Script, script, sentButLost } from '../../support/http-answers.ts';

const url = new URL('https://events.example/registration');
const post: HttpRequest = { method: 'POST', url, headers: {}, body: '{}' };
const get: HttpRequest = { method: 'GET', url, headers: {} };
const remove: HttpRequest = { method: 'DELETE', url, headers: {} };

interface Wishes {
  random?: () => number;
  refuses503?: boolean;
  auto?: boolean;
  maxRefusedMs?: number;
}

function retrying(
  network: Script,
  { random = () => 0.5, refuses503 = false, auto = true, maxRefusedMs }: Wishes = {},
) {
  const clock = fakeClock({ auto, startMs: 0 });
  const stop = new AbortController();
  const gate = new Gate({ ledger: createMemoryLedger(new Pacer()), clock });
  const send = retry(pace(network.send, { gate, clock, signal: stop.signal, policy: { refuses503 } }), {
    clock,
    random,
    signal: stop.signal,
    policy: { refuses503 },
    maxRefusedMs: maxRefusedMs ?? 3_600_000,
  });
  return { clock, stop, send };
}

describe('a POST that may have been acted on', () => {
  test.each([
    ['a reset', sentButLost()],
    ['no answer in time', sentButLost('UND_ERR_HEADERS_TIMEOUT')],
    ['an abort', sentButLost('ABORTED')],
    ['an unknown error', sentButLost('WHATEVER')],
  ])('is never sent again after %s', async (_what, error) => {
    const network = script(error, answer(201));
    const { send, clock } = retrying(network);
    await expect(send(post)).rejects.toBe(error);
    expect([network.requests.length, clock.slept]).toEqual([1, []]);
  });

  test.each([500, 502, 503, 504, 520, 301, 400, 401, 409, 422, 200])(
    'is never sent again after %d',
    async (status) => {
      const network = script(answer(status, '', { 'retry-after': '1' }), answer(201));
      expect((await retrying(network).send(post)).status).toBe(status);
      expect(network.requests).toHaveLength(1);
    },
  );

  test('is not sent again after one that was not sent and one that was lost', async () => {
    const network = script(notSent(), sentButLost(), answer(201));
    await expect(retrying(network).send(post)).rejects.toMatchObject({ sent: true });
    expect(network.requests).toHaveLength(2);
  });
});

describe('a request that was not sent', () => {
  test('is tried three times while the service has never answered', async () => {
    const network = script(notSent());
    await expect(retrying(network).send(post)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(network.requests).toHaveLength(3);
  });

  test('is tried six times once the service has answered', async () => {
    const network = script(answer(200), notSent());
    const { send } = retrying(network);
    await send(get);
    await expect(send(post)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(network.requests).toHaveLength(1 + 6);
  });

  test('is tried six times once a request was sent, although it got no answer', async () => {
    const network = script(sentButLost(), notSent());
    const { send } = retrying(network);
    await expect(send(post)).rejects.toMatchObject({ sent: true });
    await expect(send(post)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(network.requests).toHaveLength(1 + 6);
  });

  test('gets through when a later attempt does', async () => {
    const network = script(notSent('ENOTFOUND'), notSent(), answer(201));
    expect((await retrying(network).send(post)).status).toBe(201);
  });

  test('waits a random share of a doubling time', async () => {
    for (const share of [0.25, 0.999]) {
      const { send, clock } = retrying(script(answer(200), notSent()), { random: () => share });
      await send(get);
      await expect(send(post)).rejects.toThrow('nothing listens');
      expect(clock.slept).toEqual([1, 2, 4, 8, 16].map((seconds) => seconds * 1000 * share));
    }
  });

  test.each(['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'is not tried again over %s, not even a GET',
    async (code) => {
      const network = script(notSent(code));
      const { send } = retrying(network);
      await expect(send(post)).rejects.toMatchObject({ code });
      await expect(send(get)).rejects.toMatchObject({ code });
      expect(network.requests).toHaveLength(2);
    },
  );

  test('is not tried again when it was broken off', async () => {
    const network = script(notSent('ABORTED'));
    await expect(retrying(network).send(get)).rejects.toMatchObject({ code: 'ABORTED' });
    expect(network.requests).toHaveLength(1);
  });
});

test('backoffMs is capped at half a minute', () => {
  expect([0, 1, 5, 6, 7, 1000].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    500, 1000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(backoffMs(3, () => 0)).toBe(0);
});

describe('a refused request', () => {
  test('waits and is sent again after 429, a POST too', async () => {
    const network = script(answer(429, '', { 'retry-after': '7' }), answer(201));
    const { send, clock } = retrying(network);
    expect((await send(post)).status).toBe(201);
    expect(clock.now()).toBe(7000);
  });

  test.each([408, 409, 412, 413, 421, 423, 425, 500, 502, 503, 504, 307])(
    'is no POST that was answered with %d, Retry-After or not: it may have been stored',
    async (status) => {
      const network = script(answer(status, '', { 'retry-after': '7' }), answer(201));
      const { send, clock } = retrying(network);
      expect((await send(post)).status).toBe(status);
      expect([network.requests.length, clock.slept]).toEqual([1, []]);
    },
  );

  test('is no attempt: many refusals do not use up the attempts', async () => {
    const refusals = Array.from({ length: 20 }, () => answer(429));
    const network = script(...refusals, notSent(), notSent(), answer(201));
    expect((await retrying(network).send(post)).status).toBe(201);
    expect(network.requests).toHaveLength(23);
  });

  test.each(['0', 'Thu, 01 Jan 1970 00:00:00 GMT', 'nonsense'])(
    'backs off when Retry-After is %s, and does not hammer',
    async (retryAfter) => {
      const network = script(answer(429, '', { 'retry-after': retryAfter }));
      await expect(retrying(network, { maxRefusedMs: 600_000 }).send(post)).rejects.toThrow(GaveUpError);
      expect(network.requests.length).toBeLessThan(60);
    },
  );

  test('gives up when it has been refused for too long', async () => {
    const network = script(answer(429, '', { 'retry-after': '60' }));
    const { send, clock } = retrying(network, { maxRefusedMs: 10 * 60_000 });
    await expect(send(post)).rejects.toMatchObject({ name: 'GaveUpError', exitCode: 6 });
    expect(clock.now()).toBe(11 * 60_000);
    expect(network.requests).toHaveLength(12);
  });

  test('counts from the first refusal, not from its waiting for the budget', async () => {
    const used = answer(200, '', { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    const network = script(used, answer(429), answer(201));
    const { send, clock } = retrying(network, { maxRefusedMs: 900, auto: true });
    await send(get);
    expect((await send(post)).status).toBe(201);
    expect(clock.now()).toBeGreaterThan(900);
  });

  test('is sent again after 503 with Retry-After only where the profile says so', async () => {
    const steps = [answer(503, '', { 'retry-after': '5' }), answer(201)] as const;
    expect((await retrying(script(...steps)).send(post)).status).toBe(503);
    expect((await retrying(script(...steps), { refuses503: true }).send(post)).status).toBe(201);
  });
});

describe('a GET', () => {
  test.each([408, 421, 425, 500, 502, 503, 504])(
    'is asked again after %d, six times in all',
    async (status) => {
      const network = script(answer(status), answer(200));
      expect((await retrying(network).send(get)).status).toBe(200);
      const dead = script(answer(status));
      expect((await retrying(dead).send(get)).status).toBe(status);
      expect(dead.requests).toHaveLength(6);
    },
  );

  test('is asked again after any silence', async () => {
    const network = script(sentButLost(), sentButLost('UND_ERR_BODY_TIMEOUT'), answer(200));
    expect((await retrying(network).send(get)).status).toBe(200);
  });

  test('waits for as long as Retry-After asks', async () => {
    const { send, clock } = retrying(script(answer(503, '', { 'retry-after': '9' }), answer(200)));
    await send(get);
    expect(clock.slept).toContain(9000);
  });

  test.each([301, 400, 401, 404, 422, 501])('is not asked again after %d', async (status) => {
    const network = script(answer(status));
    expect((await retrying(network).send(get)).status).toBe(status);
    expect(network.requests).toHaveLength(1);
  });
});

test('a DELETE is sent again here only when it was not sent', async () => {
  const network = script(notSent(), sentButLost());
  await expect(retrying(network).send(remove)).rejects.toMatchObject({ sent: true });
  expect(network.requests).toHaveLength(2);
});

describe('when the stop signal aborts', () => {
  test.each([
    ['after a request that was not sent', notSent(), post],
    ['after a refusal for the rate', answer(429, '', { 'retry-after': '600' }), post],
    ['after a GET that failed', answer(500), get],
  ])('ends the waiting at once %s, and sends nothing more', async (_what, step, request) => {
    const network = script(step, answer(200));
    const { send, clock, stop } = retrying(network, { auto: false });
    const pending = send(request);
    await clock.advance(10);
    stop.abort(new InterruptedError());
    await expect(pending).rejects.toBeInstanceOf(InterruptedError);
    expect([network.requests.length, clock.sleeping, clock.now()]).toEqual([1, 0, 10]);
  });

  test('sends nothing when it has aborted before', async () => {
    const network = script(answer(200));
    const { send, stop } = retrying(network);
    stop.abort(new InterruptedError());
    await expect(send(post)).rejects.toBeInstanceOf(InterruptedError);
    expect(network.requests).toHaveLength(0);
  });
});

test('what onSending throws comes through as it is, and nothing is sent', async () => {
  const full = new Error('the journal is full');
  const network = script(answer(200));
  const request: HttpRequest = {
    ...post,
    onSending: () => {
      throw full;
    },
  };
  await expect(retrying(network).send(request)).rejects.toBe(full);
  expect(network.requests).toHaveLength(0);
});

test('onSending runs once an attempt', async () => {
  let calls = 0;
  const network = script(notSent(), answer(429), answer(201));
  await retrying(network).send({ ...post, onSending: () => void (calls += 1) });
  expect(calls).toBe(3);
});
