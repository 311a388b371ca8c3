import { describe, expect, test } from 'vitest';
import { type HttpRequest, type HttpResponse, TransportError } from '../../../src/service/http/http.ts';
import { retry } from '../../../src/service/http/retry.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { answer, notSent, sentButLost } from '../../support/http-answers.ts';

const url = new URL('https://events.example/registration');
const post: HttpRequest = { method: 'POST', url, headers: {}, body: '{}' };
const get: HttpRequest = { method: 'GET', url, headers: {} };

/** A stack over a service that does what `reply` says, and is counted. */
function serving(reply: (request: HttpRequest) => HttpResponse | TransportError) {
  const clock = fakeClock({ auto: true, startMs: 0 });
  const service = { asked: 0, reply };
  const send = retry(
    async (request) => {
      service.asked += 1;
      const result = service.reply(request);
      if (result instanceof TransportError) throw result;
      return result;
    },
    {
      clock,
      random: () => 0.5,
      signal: new AbortController().signal,
      policy: { refuses503: false },
      maxRefusedMs: 3_600_000,
    },
  );
  return { service, send, clock };
}

describe('requests of one client', () => {
  test('that all fail take thirty repeats together, however many succeeded before, and then come out at once', async () => {
    const { service, send, clock } = serving(() => answer(200));
    for (let times = 0; times < 5; times += 1) await send(get);
    service.asked = 0;
    service.reply = () => notSent();
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => send(post)));
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    expect(service.asked).toBe(16 + 30);
    const slept = clock.slept.length;
    await expect(send(post)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect([service.asked, clock.slept.length]).toEqual([16 + 30 + 1, slept]);
  });

  test('may wait in any number without a warning of Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on('warning', onWarning);
    const { send } = serving(() => notSent());
    await Promise.allSettled(Array.from({ length: 16 }, () => send(post)));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['silence', () => sentButLost()],
    ['500', () => answer(500)],
    ['520', () => answer(520)],
    ['529', () => answer(529)],
  ])('count reads that are asked again after %s', async (_what, fault) => {
    const { service, send } = serving(() => answer(200));
    await send(get);
    service.asked = 0;
    service.reply = fault;
    await Promise.allSettled(Array.from({ length: 10 }, () => send(get)));
    expect(service.asked).toBe(10 + 30);
  });

  test('may repeat again once requests succeed: two for one', async () => {
    const { service, send } = serving(() => answer(200));
    await send(get);
    service.reply = () => notSent();
    await Promise.allSettled(Array.from({ length: 16 }, () => send(post)));
    // Row refused, not there: the service works all the same.
    for (const status of [200, 404, 422, 201]) {
      service.reply = () => answer(status);
      await send(post);
    }
    service.asked = 0;
    service.reply = () => notSent();
    await expect(send(post)).rejects.toThrow('nothing listens');
    expect(service.asked).toBe(1 + 2);
  });

  test.each([
    ['a 500', () => answer(500)],
    ['silence', () => sentButLost()],
  ])('get nothing back for %s', async (_what, fault) => {
    const { service, send } = serving(() => answer(200));
    await send(get);
    service.reply = () => notSent();
    await Promise.allSettled(Array.from({ length: 16 }, () => send(post)));
    service.reply = fault;
    for (let times = 0; times < 4; times += 1) await send(post).catch(() => undefined);
    service.asked = 0;
    service.reply = () => notSent();
    await expect(send(post)).rejects.toThrow('nothing listens');
    expect(service.asked).toBe(1);
  });

  test('that are refused unprocessed take nothing from it', async () => {
    let refusals = 200;
    const { service, send } = serving(() =>
      answer((refusals -= 1) > 0 ? 429 : 201, '', { 'retry-after': '1' }),
    );
    expect((await send(post)).status).toBe(201);
    service.asked = 0;
    service.reply = () => notSent();
    await expect(send(post)).rejects.toThrow('nothing listens');
    expect(service.asked).toBe(6);
  });
});

test.each([519, 530, 501, 505])('a GET is not asked again after %d', async (status) => {
  const { service, send } = serving(() => answer(status));
  expect((await send(get)).status).toBe(status);
  expect(service.asked).toBe(1);
});
