import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDeadlines } from '../../../src/service/http/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Work that ends with its signal only, and gives the reason. */
const untilEnd = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('a deadline', () => {
  test('ends the wait for an answer at its own time, as undici ends one for headers', async () => {
    const deadlines = createDeadlines(new AbortController().signal);
    const ended: string[] = [];
    const short = deadlines.within(1000, untilEnd).finally(() => ended.push('short'));
    void deadlines.within(2000, untilEnd).finally(() => ended.push('long'));
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['short']);
    await expect(short).resolves.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toEqual(['short', 'long']);
  });

  test('is forgotten when the work has ended, and gives its result', async () => {
    const deadlines = createDeadlines(new AbortController().signal);
    let given: AbortSignal | undefined;
    const result = await deadlines.within(1000, (signal) => {
      given = signal;
      return Promise.resolve('answer');
    });
    expect([result, vi.getTimerCount()]).toEqual(['answer', 0]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(given?.aborted).toBe(false);
  });

  test('comes for all at once when all waiting ends, and at once for what is begun later', async () => {
    const end = new AbortController();
    const deadlines = createDeadlines(end.signal);
    const waiting = [deadlines.within(1000, untilEnd), deadlines.within(2000, untilEnd)];
    const reason = new Error('broken off');
    end.abort(reason);
    expect(await Promise.all(waiting)).toEqual([reason, reason]);
    expect(await deadlines.within(1000, untilEnd)).toBe(reason);
  });
});
