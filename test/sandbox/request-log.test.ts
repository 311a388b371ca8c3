import { expect, test } from 'vitest';
import { RequestLog } from '../../src/sandbox/server.ts';

test('keeps the last entries, oldest first', () => {
  const log = new RequestLog(3);
  const seen: number[][] = [];
  for (let at = 1; at <= 7; at += 1) {
    log.add({ at, method: 'GET', path: '/', query: {}, status: 200 });
    seen.push(log.entries().map((entry) => entry.at));
  }
  expect(seen).toEqual([[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]]);
});
