import { expect, test } from 'vitest';
import { type Network, type TraceEntry, trace } from '../../../src/service/http/http.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { answer, sentButLost } from '../../support/http-answers.ts';

const request = {
  method: 'POST',
  url: new URL('https://events.example/api/registration?page=2'),
  headers: { authorization: 'Bearer secret-token-123' },
  body: '{"persona":"visitor"}',
  requestId: 'id-1',
} as const;

async function traced(
  step: Error | ReturnType<typeof answer>,
): Promise<{ entries: TraceEntry[]; result: unknown }> {
  const clock = fakeClock({ auto: true });
  const entries: TraceEntry[] = [];
  const next: Network = async () => {
    await clock.sleep(120);
    if (step instanceof Error) throw step;
    return step;
  };
  const send = trace(next, clock, (entry) => entries.push(entry));
  const result = await send(request).catch((error: unknown) => error);
  return { entries, result };
}

test('tells of an answer, its time and what is left', async () => {
  const response = answer(201, {}, { 'x-ratelimit-remaining': '29' });
  const { entries, result } = await traced(response);
  expect(result).toBe(response);
  expect(entries).toEqual([
    {
      method: 'POST',
      path: '/api/registration?page=2',
      result: 201,
      tookMs: 120,
      remaining: '29',
      requestId: 'id-1',
    },
  ]);
});

test('tells of silence by its code, and passes the error on', async () => {
  const lost = sentButLost();
  const { entries, result } = await traced(lost);
  expect(result).toBe(lost);
  expect(entries.map((entry) => entry.result)).toEqual(['ECONNRESET']);
});

test('tells of any other error without its words', async () => {
  const { entries } = await traced(new Error('the journal is full'));
  expect(entries.map((entry) => entry.result)).toEqual(['error']);
});

test('holds neither headers nor bodies', async () => {
  const { entries } = await traced(answer(200, { secret: 'body' }));
  expect(JSON.stringify(entries)).not.toMatch(/secret|visitor/);
});
