import { describe, expect, test } from 'vitest';
import { nextAttemptAt } from '../../../src/sandbox/deliver/post-delivery.ts';

const NOW_MS = Date.UTC(2027, 0, 1);
const standard = { webhookRetry: 'standard', webhookScale: 1 } as const;

/** Waits in seconds, until there is none. */
const waits = (manner: Parameters<typeof nextAttemptAt>[0]): (number | undefined)[] =>
  Array.from({ length: 11 }, (_none, at) => {
    const next = nextAttemptAt(manner, at + 1, undefined, NOW_MS);
    return next && (next - NOW_MS) / 1000;
  }).filter((wait) => wait !== undefined);

describe('the next attempt', () => {
  test('is due after the waits of Standard Webhooks', () => {
    expect(waits(standard)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  test('follows webhookRetry and webhookScale', () => {
    expect(waits({ ...standard, webhookRetry: 'every-minute' })).toEqual([60, 60, 60, 60, 60]);
    expect(waits({ ...standard, webhookRetry: 'none' })).toEqual([]);
    expect(waits({ ...standard, webhookScale: 86_400 })).toEqual([
      0.001, 0.004, 0.021, 0.084, 0.209, 0.417, 0.584, 0.834, 1,
    ]);
  });

  test.each([
    ['120', 120],
    ['1', 5],
    [new Date(NOW_MS + 3_600_000).toUTCString(), 3600],
    [new Date(NOW_MS - 3_600_000).toUTCString(), 5],
    ['999999999', 86_400],
    ['soon', 5],
  ])('is not due before Retry-After: %s', (retryAfter, seconds) => {
    expect(nextAttemptAt(standard, 1, retryAfter, NOW_MS)).toBe(NOW_MS + seconds * 1000);
  });

  test('keeps Retry-After as it is whatever the scale, and never goes on for it', () => {
    expect(nextAttemptAt({ ...standard, webhookScale: 1000 }, 1, '60', NOW_MS)).toBe(NOW_MS + 60_000);
    expect(nextAttemptAt(standard, 10, '60', NOW_MS)).toBeUndefined();
  });
});
