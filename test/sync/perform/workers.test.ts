import { expect, test } from 'vitest';
import { workTogether } from '../../../src/sync/perform/queue.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes so many things, each for a turn, with as many workers as `wanted` says once so many are taken. */
async function take(things: number, wanted: (taken: number) => number) {
  const atOnce: number[] = [];
  let taken = 0;
  let busy = 0;
  await workTogether(
    () => wanted(taken),
    async (goesOn) => {
      while (goesOn() && taken < things) {
        taken += 1;
        busy += 1;
        atOnce.push(busy);
        await nextTurn();
        busy -= 1;
      }
    },
  );
  return { taken, atOnce, busy };
}

test('as many work as are wanted, and all has been taken when it ends', async () => {
  const { taken, atOnce, busy } = await take(20, () => 4);
  expect([taken, busy, Math.max(...atOnce)]).toEqual([20, 0, 4]);
});

test('more come and others go as the wish changes', async () => {
  const { taken, atOnce } = await take(300, (soFar) => (soFar < 50 ? 8 : soFar < 200 ? 40 : 2));
  expect(taken).toBe(300);
  expect(Math.max(...atOnce.slice(0, 49))).toBe(8);
  expect(Math.max(...atOnce.slice(60, 200))).toBe(40);
  expect(Math.max(...atOnce.slice(245))).toBe(2);
});

test('one works however few are wanted', async () => {
  expect((await take(5, () => 0)).atOnce).toEqual([1, 1, 1, 1, 1]);
});

test('no more come once one has found nothing left, and it ends with the last', async () => {
  let begun = 0;
  let ended = 0;
  await workTogether(
    () => (ended > 0 ? 10 : 3),
    async (goesOn) => {
      begun += 1;
      for (let turn = 1; turn < begun; turn += 1) await nextTurn();
      goesOn();
      ended += 1;
    },
  );
  expect([begun, ended]).toEqual([3, 3]);
});
