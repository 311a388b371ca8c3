import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Timeline } from './timeline.ts';

test('things happen in order of time, and in the order they were planned at the same time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (times) => {
      const timeline = new Timeline();
      const happened: [number, number][] = [];
      for (const [index, ms] of times.entries()) timeline.at(ms, (nowMs) => happened.push([nowMs, index]));
      while (timeline.nextMs() !== undefined) timeline.runNext();
      const planned = times.map((ms, index): [number, number] => [ms, index]);
      expect(happened).toEqual(planned.sort(([a, first], [b, second]) => a - b || first - second));
    }),
  );
});

test('what happens can plan more', () => {
  const timeline = new Timeline();
  const happened: number[] = [];
  timeline.at(5, (nowMs) => {
    happened.push(nowMs);
    timeline.at(7, (laterMs) => happened.push(laterMs));
  });
  timeline.at(9, (nowMs) => happened.push(nowMs));
  while (timeline.nextMs() !== undefined) timeline.runNext();
  expect(happened).toEqual([5, 7, 9]);
});
