import { install } from '@sinonjs/fake-timers';
import { START_MS } from '../../../test/support/rate/world.ts';

const { setImmediate: turn } = globalThis;

// Timers and dates of the whole process are virtual from here on: libraries must be loaded after this file.
const clock = install({
  now: START_MS,
  toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
});

/** Forgets every timer and begins again. */
export function restartTime(): void {
  clock.reset();
}

/** Resolves when everything has happened that no timer stands before. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    turn(resolve);
  });

/** False when there is none. */
export function runNextTimer(): boolean {
  if (clock.countTimers() === 0) return false;
  clock.next();
  return true;
}

/** Resolves after `ms` of virtual time. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.round(ms));
  });
