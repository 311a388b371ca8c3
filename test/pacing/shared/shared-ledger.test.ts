import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answer, type Machine, machine, type Process, WINDOW_MS } from '../ledger-machines.ts';

/** Takes as many as it may; gives the tickets. */
function takeAll({ take }: Process, most = 1000): number[] {
  const tickets: number[] = [];
  while (tickets.length < most) {
    const ticket = take();
    if (ticket === undefined) break;
    tickets.push(ticket);
  }
  return tickets;
}

/** Lets time pass while processes wait, as their gates do: they look every second. */
async function waitFor(ms: number, { clock }: Machine, ...waiting: Process[]): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    for (const process of waiting) expect(process.wait()).toBeDefined();
    await clock.advance(Math.min(left, 1000));
  }
}

/** A first process that knows a limit of 30 and has one request behind it. */
function limited({ start }: Machine): Process {
  const first = start();
  first.answered(first.take(), answer(30));
  return first;
}

describe('processes that share a budget', () => {
  test('send one request together before the first answer', () => {
    const { start } = machine();
    const [one, two] = [start(), start()];
    const scout = one.take();
    expect(scout).toBe(1);
    expect(two.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    one.answered(scout, answer(30));
    expect(two.take()).toBe(1);
  });

  test('look for nobody while one is alone and waits for its own answer', () => {
    const { start } = machine();
    const one = start();
    expect(one.take()).toBe(1);
    expect(one.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: Number.POSITIVE_INFINITY });
  });

  test('spend one budget', () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    expect(takeAll(one, 12)).toHaveLength(12);
    expect(takeAll(two)).toHaveLength(17);
    expect(one.ledger.budget(place.clock.now()).remaining).toBe(0);
    expect(one.wait()).toEqual({ delayMs: WINDOW_MS, againMs: 10 });
  });

  test('count on equal parts of it, as long as they live', async () => {
    const place = machine();
    const one = limited(place);
    const share = (process: Process) => process.ledger.budget(place.clock.now()).share;
    expect(share(one)).toBe(1);
    // Who has sent nothing yet comes beside those that are at work.
    const two = place.start();
    expect(share(two)).toBe(0.5);
    two.take();
    two.stop();
    expect([share(one), share(two)]).toEqual([0.5, 0.5]);
    await place.clock.advance(4000);
    expect(share(one)).toBe(1);
  });

  test('wait together when one of them is told to', () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    const ticket = two.take();
    expect(one.wait()).toBeUndefined();
    two.answered(ticket, answer(30, { refused: true, retryAfterMs: 5000 }));
    expect(one.wait()).toEqual({ delayMs: 5000, againMs: 10 });
  });

  test('see from the file alone that the wait has become shorter', async () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    takeAll(one);
    expect(two.wait()).toMatchObject({ delayMs: WINDOW_MS });
    await waitFor(5000, place, one, two);
    expect(two.wait()).toMatchObject({ delayMs: WINDOW_MS - 5000 });
    one.answered(2, answer(40));
    expect(two.take()).toBe(1);
  });

  test('have nothing to do with those who use another token or service', () => {
    const place = machine();
    const one = limited(place);
    takeAll(one);
    for (const account of [
      { origin: 'https://events.example', token: 'another' },
      { origin: 'https://other.example', token: 'a token' },
    ]) {
      expect(place.start(account).take()).toBe(1);
    }
    expect(one.wait()).toMatchObject({ delayMs: WINDOW_MS });
  });

  test('each keep back what they were told to leave', () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    for (let n = 0; n < 19; n += 1) expect(two.take(10)).toBe(n + 1);
    expect(two.wait(10)).toMatchObject({ delayMs: WINDOW_MS });
    expect(takeAll(one)).toHaveLength(10);
  });
});

describe('a no', () => {
  test('holds no longer when another one frees the budget, also when that is seen while showing it', () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    takeAll(one);
    expect(two.wait()).toMatchObject({ delayMs: WINDOW_MS });
    one.answered(2, answer(40));
    expect(two.ledger.budget(place.clock.now()).limit).toBe(40);
    expect(two.take()).toBe(1);
  });

  test('is asked for again when fewer are still to go', () => {
    const place = machine();
    const one = place.start(undefined, (pacer) => {
      const delayMs = pacer.delayMs.bind(pacer);
      pacer.delayMs = (now, leave, most = 0) => (most > 2 ? 500 : delayMs(now, leave));
    });
    const take = (most: number): boolean => 'ticket' in one.ledger.take(place.clock.now(), 0, most);
    expect([take(9), take(2)]).toEqual([false, true]);
  });
});

describe('a file that somebody else has for a moment', () => {
  /** Keeps everybody else out until it is told to end. */
  function hold({ directory }: Machine): () => void {
    const db = new DatabaseSync(join(directory, 'pacing.sqlite'));
    onTestFinished(() => db.close());
    db.exec('BEGIN IMMEDIATE');
    return () => db.exec('COMMIT');
  }

  test('is waited for, and what happened meanwhile is booked', () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    const [answered, lost] = takeAll(one, 2);
    const release = hold(place);
    expect(two.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    one.answered(answered, answer(5));
    one.ledger.lost(lost ?? 0, place.clock.now());
    expect(one.ledger.budget(place.clock.now()).limit).toBe(30);
    expect([one.closed(), two.closed()]).toEqual([0, 0]);
    release();
    expect(one.take()).toBe(4);
    expect(two.ledger.budget(place.clock.now())).toMatchObject({ limit: 5, remaining: 1 });
    expect([takeAll(two).length, takeAll(one).length]).toEqual([1, 0]);
  });

  test('is closed also when the process ends meanwhile', () => {
    const place = machine();
    const one = limited(place);
    one.take();
    hold(place);
    one.ledger.close(place.clock.now());
    expect([one.closed(), place.clock.sleeping]).toEqual([1, 0]);
  });

  test('is closed when it is held for good', async () => {
    const place = machine();
    const one = limited(place);
    hold(place);
    one.wait();
    await place.clock.advance(5001);
    expect(one.take()).toBe(2);
    expect(one.closed()).toBe(1);
  });
});

describe('turns', () => {
  test('go to whoever has had less, so that the shares are equal', async () => {
    const place = machine();
    const all = [limited(place), place.start(), place.start(), place.start()];
    takeAll(all[0] as Process);
    const taken = [0, 0, 0, 0];
    for (let window = 0; window < 12; window += 1) {
      await waitFor(WINDOW_MS, place, ...all);
      // The first asks ten times as often as the others.
      for (const index of Array.from({ length: 800 }, (_, n) => (n % 13 < 10 ? 0 : (n % 13) - 9))) {
        const process = all[index] as Process;
        const tickets = takeAll(process);
        for (const ticket of tickets) process.answered(ticket, answer(30));
        taken[index] = (taken[index] ?? 0) + tickets.length;
      }
    }
    expect(taken.reduce((sum, one) => sum + one)).toBe(360);
    for (const one of taken) expect(Math.abs(one - 90)).toBeLessThanOrEqual(4);
  });

  test('are used in a tenth of a second, or pass on', async () => {
    const place = machine();
    const one = limited(place);
    const asleep = place.start();
    takeAll(one);
    await waitFor(WINDOW_MS, place, one, asleep);
    expect(one.take()).toBeDefined();
    expect(one.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    await place.clock.advance(99);
    expect(one.wait()).toBeDefined();
    await place.clock.advance(1);
    expect(one.take()).toBeDefined();
    expect(takeAll(one)).toHaveLength(28);
  });

  test('are not saved up by not wanting any', async () => {
    const place = machine();
    const one = limited(place);
    const late = place.start();
    takeAll(late, 1);
    await place.clock.advance(WINDOW_MS);
    takeAll(one, 29);
    await place.clock.advance(WINDOW_MS);
    one.wait();
    const tickets = [one, late, one, late, one, late].map((process) => process.take() !== undefined);
    expect(tickets).toEqual([true, true, true, true, true, true]);
  });

  test('are not held by somebody who leaves more to others', async () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    expect(two.wait(30)).toBeDefined();
    expect(takeAll(one)).toHaveLength(29);
  });
});

describe('a process that is killed', () => {
  test('holds nobody for longer than some seconds, and what it sent stays paid for', async () => {
    const place = machine();
    const [one, two] = [place.start(), place.start()];
    expect(one.take()).toBe(1);
    one.kill();
    expect(two.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    await place.clock.advance(3000);
    expect(two.wait()).toBeDefined();
    await place.clock.advance(1);
    two.answered(two.take(), answer(30));
    expect(two.ledger.budget(place.clock.now()).remaining).toBe(28);
  });

  test('is not mistaken for one that waits long for an answer', async () => {
    const place = machine();
    const one = limited(place);
    const two = place.start();
    two.wait();
    const slow = one.take();
    takeAll(two);
    await waitFor(20_000, place, two);
    one.answered(slow, answer(99));
    expect(two.ledger.budget(place.clock.now()).limit).toBe(99);
  });

  test('is not mistaken for one that came first, alone', async () => {
    const place = machine();
    const one = place.start();
    const slow = one.take();
    await place.clock.advance(3500);
    const two = place.start();
    expect(two.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    await waitFor(3000, place, two);
    one.answered(slow, answer(30, { refused: true, retryAfterMs: 5000 }));
    expect(two.wait()).toMatchObject({ delayMs: 5000 });
    expect(place.clock.sleeping).toBe(0);
  });

  test('and one that was only stopped goes on, its late answers left aside', async () => {
    const place = machine();
    const [one, two] = [place.start(), place.start()];
    const late = one.take();
    two.wait();
    one.stop();
    await place.clock.advance(4000);
    expect(two.take()).toBe(1);
    one.answered(late, answer(99));
    expect(two.ledger.budget(place.clock.now()).limit).toBeUndefined();
    two.answered(1, answer(30));
    expect(one.take()).toBe(2);
  });

  test('leaves its knowledge to the next run', async () => {
    const place = machine();
    const one = limited(place);
    takeAll(one, 9);
    one.kill();
    const next = place.start();
    expect(next.ledger.budget(place.clock.now())).toMatchObject({ limit: 30, remaining: 20 });
  });
});

describe('what is remembered', () => {
  test('is there before the first request', async () => {
    const place = machine();
    const one = limited(place);
    one.ledger.close(place.clock.now());
    await place.clock.advance(29 * 86_400_000);
    expect(place.start().ledger.budget(place.clock.now()).limit).toBe(30);
  });

  test('is forgotten when it was not used for thirty days', async () => {
    const place = machine();
    limited(place).ledger.close(place.clock.now());
    await place.clock.advance(31 * 86_400_000);
    expect(place.start().ledger.budget(place.clock.now()).limit).toBeUndefined();
  });

  test('freezes nobody when the clock has been put back meanwhile', async () => {
    const place = machine();
    const one = limited(place);
    takeAll(one);
    one.ledger.close(place.clock.now());
    await place.clock.advance(-86_400_000);
    const next = place.start();
    expect(next.wait()).toEqual({ delayMs: WINDOW_MS, againMs: 1000 });
    expect(next.ledger.budget(place.clock.now()).refillsAtMs).toBe(place.clock.now() + WINDOW_MS);
    await place.clock.advance(WINDOW_MS);
    expect(next.take()).toBe(1);
  });

  test('holds no requests that were under way when the process ended', () => {
    const place = machine();
    const one = place.start();
    one.take();
    one.ledger.close(place.clock.now());
    expect(place.start().take()).toBe(1);
  });
});

describe('a service without a limit', () => {
  test('costs the file one request a process', () => {
    const place = machine();
    const [one, two] = [place.start(), place.start()];
    one.answered(one.take(), answer(undefined));
    expect(takeAll(one, 50)).toHaveLength(50);
    expect(takeAll(two, 50)).toHaveLength(50);
    one.kill();
    expect(takeAll(one, 50)).toHaveLength(50);
  });

  test('that limits after all is shared from then on, requests under way included', () => {
    const place = machine();
    const [one, two] = [place.start(), place.start()];
    one.answered(one.take(), answer(undefined));
    const [mine, theirs] = [takeAll(one, 5), takeAll(two, 5)];
    one.answered(mine[0], answer(30));
    expect(one.ledger.budget(place.clock.now()).remaining).toBe(24);
    two.answered(theirs[0], answer(30));
    expect(two.ledger.budget(place.clock.now()).remaining).toBe(19);
    expect(takeAll(one)).toHaveLength(19);
    two.answered(theirs[1], answer(40));
    expect(takeAll(two)).toHaveLength(10);
  });
});

test('a request that is brought in counts from when it was sent', async () => {
  const place = machine();
  const sentAt: number[] = [];
  const one = place.start();
  const two = place.start(undefined, (pacer) => {
    const sent = pacer.sent.bind(pacer);
    pacer.sent = (now) => (sentAt.push(now), sent(now));
  });
  one.answered(one.take(), answer(undefined));
  const [mine, theirs] = [one.take(), two.take()];
  await place.clock.advance(700);
  one.answered(mine, answer(30));
  two.answered(theirs, answer(30));
  expect(sentAt).toEqual([place.clock.now() - 700, place.clock.now() - 700]);
});

test('a mistake that is no fault of the file is heard of', () => {
  const wrong = Object.assign(new TypeError('wrong'), { code: 'ERR_INVALID_ARG_TYPE' });
  let made = 0;
  const one = machine().start(undefined, () => {
    made += 1;
    if (made === 1) throw wrong;
  });
  expect(() => one.take()).toThrow(wrong);
});

test('an answer to a request of before the end of the ledger changes nothing', () => {
  const place = machine();
  const one = limited(place);
  const ticket = one.take();
  one.ledger.close(place.clock.now());
  one.answered(ticket, answer(77));
  expect(one.ledger.budget(place.clock.now()).limit).toBe(30);
});
