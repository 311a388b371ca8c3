import { describe, expect, test } from 'vitest';
import { fakeClock } from './fake-clock.ts';

describe('the fake clock', () => {
  test('stands still until it is advanced, and wakes sleepers in the order of their times', async () => {
    const clock = fakeClock({ startMs: 0 });
    const woken: string[] = [];
    const nap = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push(`${name} at ${clock.now()}`);
    };
    const naps = [nap('late', 100), nap('early', 50), nap('never', 1000)];
    expect([clock.sleeping, clock.now()]).toEqual([3, 0]);
    await clock.advance(60);
    expect([woken, clock.now()]).toEqual([['early at 50'], 60]);
    await clock.advance(40);
    expect(woken).toEqual(['early at 50', 'late at 100']);
    expect(clock.slept).toEqual([100, 50, 1000]);
    await clock.advance(900);
    await Promise.all(naps);
  });

  test('wakes also those who go to sleep again while it is advanced', async () => {
    const clock = fakeClock({ startMs: 0 });
    const times: number[] = [];
    const ticking = (async () => {
      for (let tick = 0; tick < 3; tick += 1) {
        await clock.sleep(10);
        times.push(clock.now());
      }
    })();
    await clock.advance(1000);
    await ticking;
    expect([times, clock.now()]).toEqual([[10, 20, 30], 1000]);
  });

  test('jumps by itself when asked to, side by side for those who sleep at the same time', async () => {
    const clock = fakeClock({ startMs: 0, auto: true });
    await Promise.all([clock.sleep(60_000), clock.sleep(60_000), clock.sleep(30_000)]);
    expect(clock.now()).toBe(60_000);
    await clock.sleep(1);
    expect(clock.now()).toBe(60_001);
  });

  test('does not jump for those alone that keep no process alive, and wakes them when it passes them', async () => {
    const clock = fakeClock({ startMs: 0, auto: true });
    const woken: number[] = [];
    void clock.sleep(1000, undefined, { ref: false }).then(() => woken.push(clock.now()));
    await new Promise((resolve) => setImmediate(resolve));
    expect([clock.now(), woken]).toEqual([0, []]);
    await clock.sleep(5000);
    expect([clock.now(), woken]).toEqual([5000, [1000]]);
    expect(clock.slept).toEqual([5000]);
  });

  test.each([true, false])('wakes whoever is aborted with the reason (auto: %s)', async (auto) => {
    const clock = fakeClock({ auto });
    const stop = new AbortController();
    const sleep = clock.sleep(1000, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(sleep).rejects.toThrow('stopped');
    await expect(clock.sleep(1000, stop.signal)).rejects.toThrow('stopped');
    expect(clock.sleeping).toBe(0);
  });

  test('does not hold up a sleep of no time', async () => {
    const clock = fakeClock({ startMs: 5 });
    await clock.sleep(0);
    await clock.sleep(-1);
    expect(clock.now()).toBe(5);
  });
});
