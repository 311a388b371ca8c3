import { describe, expect, test, vi } from 'vitest';
import { Gate } from '../../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../../src/pacing/ledger.ts';
import { Pacer } from '../../../src/pacing/pacer.ts';
import { pace, readRateHeaders } from '../../../src/service/http/pace.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { answer, script, sentButLost } from '../../support/http-answers.ts';

const request = { method: 'GET', url: new URL('https://events.example/event'), headers: {} } as const;

function paced(...steps: Parameters<typeof script>) {
  const clock = fakeClock({ startMs: 0 });
  const gate = new Gate({ ledger: createMemoryLedger(new Pacer()), clock });
  const stop = new AbortController();
  const network = script(...steps);
  return {
    clock,
    gate,
    stop,
    network,
    send: pace(network.send, { gate, clock, signal: stop.signal, policy: { refuses503: false } }),
  };
}

describe('readRateHeaders', () => {
  test.each([
    ['30', 30],
    [' 7 ', 7],
    ['0', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['30, 30', undefined],
    ['', undefined],
    ['many', undefined],
    ['1e3', undefined],
    ['9999999999', undefined],
    ['0x1f', undefined],
    ['٣', undefined],
  ])('reads %j as %s', (text, value) => {
    expect(
      readRateHeaders({ headers: { 'x-ratelimit-limit': text, 'x-ratelimit-remaining': text } }, 0),
    ).toEqual({ limit: value, remaining: value });
  });

  test('knows nothing without the headers', () => {
    expect(readRateHeaders({ headers: {} }, 0)).toEqual({ limit: undefined, remaining: undefined });
  });

  const nowMs = Date.UTC(2026, 0, 15, 12);

  test.each<[Record<string, string>, object]>([
    [
      { 'ratelimit-limit': '30', 'ratelimit-remaining': '7' },
      { limit: 30, remaining: 7 },
    ],
    [
      { 'ratelimit-limit': '30', 'ratelimit-reset': '12' },
      { limit: 30, remaining: undefined, resetMs: 12_000 },
    ],
    [{ ratelimit: 'limit=30, remaining=7, reset=12' }, { limit: 30, remaining: 7, resetMs: 12_000 }],
    [{ ratelimit: '"default";r=7;t=12' }, { limit: undefined, remaining: 7, resetMs: 12_000 }],
    [{ ratelimit: 'r=7,t=12' }, { limit: undefined, remaining: 7, resetMs: 12_000 }],
    [
      { ratelimit: '"x";r=7', 'ratelimit-policy': '"x";q=30;w=60' },
      { limit: 30, remaining: 7 },
    ],
    [{ 'x-ratelimit-reset': '3' }, { limit: undefined, remaining: undefined, resetMs: 3000 }],
    [
      { 'x-ratelimit-reset': String(nowMs / 1000 + 5) },
      { limit: undefined, remaining: undefined, resetMs: 5000 },
    ],
    [{ 'x-ratelimit-reset': String(nowMs / 1000 - 5) }, { limit: undefined, remaining: undefined }],
    [
      { 'x-ratelimit-limit': '30', 'ratelimit-limit': '90' },
      { limit: 30, remaining: undefined },
    ],
  ])('reads %j as %j', (headers, told) => {
    expect(readRateHeaders({ headers }, nowMs)).toEqual(told);
  });
});

describe('pace', () => {
  test('tells the gate what the answer said', async () => {
    const { gate, send } = paced(
      answer(200, '', { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '12' }),
    );
    await send(request);
    expect(gate.budget()).toMatchObject({ limit: 30, remaining: 12, windowMs: undefined });
  });

  test('takes nonsense for no news', async () => {
    const { gate, send } = paced(
      answer(200, '', { 'x-ratelimit-limit': 'NaN', 'x-ratelimit-remaining': '-3' }),
    );
    await send(request);
    expect(gate.budget()).toMatchObject({ limit: undefined, remaining: undefined, windowMs: undefined });
  });

  test('holds the next request for as long as Retry-After asks', async () => {
    const { clock, network, send } = paced(answer(429, '', { 'retry-after': '20' }), answer(200));
    await send(request);
    const next = send(request);
    await clock.advance(19_999);
    expect(network.requests).toHaveLength(1);
    await clock.advance(1);
    await next;
    expect(network.requests).toHaveLength(2);
  });

  test('still waits a moment when Retry-After asks for no wait', async () => {
    const { clock, network, send } = paced(answer(429, '', { 'retry-after': '0' }), answer(200));
    await send(request);
    const next = send(request);
    await clock.advance(100);
    expect(network.requests).toHaveLength(1);
    await clock.advance(60_000);
    await next;
  });

  test('lets the next request go after one that was lost or stopped, and passes the error on', async () => {
    const lost = sentButLost();
    const { network, send } = paced(lost, answer(200));
    await expect(send(request)).rejects.toBe(lost);
    const full = new Error('the journal is full');
    const stopped = send({
      ...request,
      onSending: () => {
        throw full;
      },
    });
    await expect(stopped).rejects.toBe(full);
    expect((await send(request)).status).toBe(200);
    expect(network.requests).toHaveLength(2);
  });

  test('says of what changes something that it is told of to others before it leaves', async () => {
    const { gate, send } = paced(answer(200), answer(200));
    const entering = vi.spyOn(gate, 'enter');
    await send(request);
    await send({ ...request, method: 'DELETE' });
    expect(entering.mock.calls.map(([, leads]) => leads)).toEqual([false, true]);
  });

  test('takes no answer for lost when the gate fails to book it', async () => {
    const { gate, send } = paced(answer(200));
    const lost: number[] = [];
    gate.lost = (ticket) => void lost.push(ticket);
    gate.answered = () => {
      throw new Error('not booked');
    };
    await expect(send(request)).rejects.toThrow('not booked');
    expect(lost).toEqual([]);
  });

  test('gives up waiting at once when the signal aborts', async () => {
    const { clock, network, stop, send } = paced(answer(429, '', { 'retry-after': '600' }));
    await send(request);
    const next = send(request);
    await clock.advance(1000);
    stop.abort(new Error('interrupted'));
    await expect(next).rejects.toThrow('interrupted');
    expect([network.requests.length, clock.now(), clock.sleeping]).toEqual([1, 1000, 0]);
  });
});
