import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Gate, type GateWishes } from '../../src/pacing/gate.ts';
import { createMemoryLedger, type Ledger, type Turn } from '../../src/pacing/ledger.ts';
import type { Answer, Budget } from '../../src/pacing/pacer-state.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { CountingPacer } from './counting-pacer.ts';
import { UNKNOWN } from './states.ts';

function accepted(remaining: number, limit = 2): Answer {
  return { refused: false, limit, remaining, retryAfterMs: undefined };
}

interface Setting {
  gate: Gate;
  clock: FakeClock;
  /** Names of those who went through, in order, with the time. */
  went: string[];
  /** Asks under a name; gives the ticket. */
  ask: (name: string, signal?: AbortSignal) => Promise<number>;
  /** When waiting was announced, until when. */
  waits: { atMs: number; untilMs: number; remaining: number | undefined }[];
}

function setUp(): Setting {
  const clock = fakeClock({ startMs: 0 });
  const went: string[] = [];
  const waits: Setting['waits'] = [];
  const gate = new Gate({
    ledger: createMemoryLedger(new CountingPacer(1000)),
    clock,
    onWait: (untilMs, { remaining }) => waits.push({ atMs: clock.now(), untilMs, remaining }),
  });
  const never = new AbortController().signal;
  const ask = async (name: string, signal = never): Promise<number> => {
    const ticket = await gate.enter(signal);
    went.push(`${name} at ${clock.now()}`);
    return ticket;
  };
  return { gate, clock, went, ask, waits };
}

/** A gate whose budget of two is spent at 20 ms, so that the next one waits until 1000 ms. */
async function setUpSpent(): Promise<Setting> {
  const setting = setUp();
  const { gate, clock, ask, went } = setting;
  const scout = await ask('scout');
  await clock.advance(20);
  gate.answered(scout, accepted(1));
  const second = await ask('second');
  gate.answered(second, accepted(0));
  await clock.advance(0);
  went.length = 0;
  return setting;
}

describe('the gate', () => {
  test('lets them through in the order in which they came', async () => {
    const { gate, clock, went, ask } = setUp();
    const scout = await ask('scout');
    const all = ['a', 'b', 'c', 'd'].map((name) => ask(name));
    await clock.advance(20);
    expect(went).toEqual(['scout at 0']);
    gate.answered(scout, accepted(29, 30));
    await Promise.all(all);
    expect(went).toEqual(['scout at 0', 'a at 20', 'b at 20', 'c at 20', 'd at 20']);
  });

  test('does not let a newcomer take the turn of somebody whom an answer has just woken', async () => {
    const { gate, clock, went, ask } = setUp();
    const scout = await ask('scout');
    const head = ask('head');
    await clock.advance(20);
    gate.answered(scout, accepted(29, 30));
    const newcomer = ask('newcomer');
    await Promise.all([head, newcomer]);
    expect(went).toEqual(['scout at 0', 'head at 20', 'newcomer at 20']);
  });

  test('an answer wakes whoever waits for one', async () => {
    const { gate, clock, went, ask } = setUp();
    const scout = await ask('scout');
    const next = ask('next');
    await clock.advance(500);
    gate.answered(scout, accepted(1));
    await next;
    expect([went, clock.slept]).toEqual([['scout at 0', 'next at 500'], []]);
  });

  test('so does the loss of a request', async () => {
    const { gate, clock, went, ask } = setUp();
    const scout = await ask('scout');
    const next = ask('next');
    await clock.advance(500);
    gate.lost(scout);
    await next;
    expect(went).toEqual(['scout at 0', 'next at 500']);
  });

  test('a wait ends when its time is over, and is announced with its end and the budget', async () => {
    const { clock, went, ask, waits } = await setUpSpent();
    const next = ask('next');
    await clock.advance(979);
    expect(went).toEqual([]);
    expect(waits).toEqual([{ atMs: 20, untilMs: 1000, remaining: 0 }]);
    await clock.advance(1);
    await next;
    expect(went).toEqual(['next at 1000']);
  });

  test('an answer that changes the delay ends a wait early or puts it off', async () => {
    const { gate, clock, went, ask, waits } = setUp();
    gate.answered(await ask('scout'), accepted(29, 30));
    const [first, second] = [await ask('first'), await ask('second')];
    gate.answered(first, { ...accepted(0, 30), refused: true, retryAfterMs: 1000 });
    const next = ask('next');
    await clock.advance(500);
    gate.answered(second, { ...accepted(0, 30), refused: true, retryAfterMs: 2000 });
    await clock.advance(1999);
    expect(went).toEqual(['scout at 0', 'first at 0', 'second at 0']);
    expect(waits.map(({ untilMs }) => untilMs)).toEqual([1000, 2500]);
    await clock.advance(1);
    await next;
    expect(went.at(-1)).toBe('next at 2500');
  });

  test('leaves no sleeper behind', async () => {
    const { clock, ask, gate } = await setUpSpent();
    const stop = new AbortController();
    const next = ask('next', stop.signal);
    await clock.advance(10);
    expect(clock.sleeping).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(next).rejects.toThrow('stopped');
    expect(clock.sleeping).toBe(0);
    expect(gate.budget().remaining).toBe(0);
  });
});

describe('a request that is called off', () => {
  test('does not enter when it was called off before', async () => {
    const { gate, went, ask } = setUp();
    await expect(gate.enter(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    await ask('scout');
    expect(went).toEqual(['scout at 0']);
  });

  test('leaves at once, also from the middle of the queue, and those behind it keep their turn', async () => {
    const { clock, went, ask, waits } = await setUpSpent();
    const stop = new AbortController();
    const head = ask('head');
    const middle = ask('middle', stop.signal);
    const behind = ask('behind');
    void Promise.allSettled([head, behind]);
    await clock.advance(100);
    stop.abort(new Error('stopped'));
    await expect(middle).rejects.toThrow('stopped');
    expect([clock.now(), went]).toEqual([120, []]);
    await clock.advance(0);
    expect(waits).toHaveLength(1);
    await clock.advance(900);
    expect(went).toEqual(['head at 1000', 'behind at 1000']);
  });

  test('does not let those behind it overtake those before it', async () => {
    const { gate, clock, went, ask } = setUp();
    const scout = await ask('scout');
    const stop = new AbortController();
    const head = ask('head');
    const middle = ask('middle', stop.signal);
    const behind = ask('behind');
    stop.abort(new Error('stopped'));
    await expect(middle).rejects.toThrow('stopped');
    await clock.advance(30);
    gate.answered(scout, accepted(29, 30));
    await Promise.all([head, behind]);
    expect(went).toEqual(['scout at 0', 'head at 30', 'behind at 30']);
  });

  test('at the head of the queue makes room for the next', async () => {
    const { clock, went, ask } = await setUpSpent();
    const stop = new AbortController();
    const head = ask('head', stop.signal);
    const behind = ask('behind');
    await clock.advance(100);
    stop.abort(new Error('stopped'));
    await expect(head).rejects.toThrow('stopped');
    await clock.advance(900);
    await behind;
    expect(went).toEqual(['behind at 1000']);
  });

  test('all leave together, however many wait with one signal, and it gets one listener only', async () => {
    const { clock, ask } = await setUpSpent();
    const stop = new AbortController();
    const all = Promise.allSettled(Array.from({ length: 50 }, (_, index) => ask(`${index}`, stop.signal)));
    await clock.advance(100);
    const listeners = getEventListeners(stop.signal, 'abort').length;
    stop.abort(new Error('stopped'));
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect([listeners, clock.sleeping]).toEqual([1, 0]);
  });
});

test.each([
  ['what leads gets its turn by so much earlier', true, 800],
  ['what does not lead gets it when it is due', false, 1000],
])('%s, whoever waits behind it', async (_, leads, atMs) => {
  const clock = fakeClock({ startMs: 0 });
  const ledger = createMemoryLedger(new CountingPacer(1000));
  const gate = new Gate({ ledger, clock, leadMs: () => 200 });
  const never = new AbortController().signal;
  const scout = await gate.enter(never);
  gate.answered(scout, accepted(1));
  gate.answered(await gate.enter(never), accepted(0));
  let wentMs: number | undefined;
  const all = [leads, !leads].map((one) => gate.enter(never, one).then(() => (wentMs ??= clock.now())));
  await clock.advance(1000);
  await Promise.all(all);
  expect(wentMs).toBe(atMs);
});

/** A gate in front of a ledger that says what it is told to; it lets go whoever comes when told nothing. */
function setUpLedger(wishes: Omit<GateWishes, 'clock' | 'ledger'> = {}) {
  const clock = fakeClock({ startMs: 0 });
  const asked: { atMs: number; leave: number | undefined }[] = [];
  const wanted: (number | undefined)[] = [];
  const next: { turn: ((now: number) => Turn) | undefined } = { turn: undefined };
  const told = { budget: UNKNOWN, reads: 0 };
  const ledger: Ledger = {
    take(now, leave, left) {
      asked.push({ atMs: now, leave });
      wanted.push(left);
      return next.turn?.(now) ?? { ticket: asked.length };
    },
    answered: () => undefined,
    lost: () => undefined,
    budget: () => {
      told.reads += 1;
      return told.budget;
    },
    close: () => undefined,
  };
  const gate = new Gate({ ...wishes, ledger, clock });
  const never = new AbortController().signal;
  return { clock, asked, wanted, next, told, gate, enter: (signal = never) => gate.enter(signal) };
}

/** Sets the clock on or back; those who sleep do not notice. */
function set(clock: FakeClock, ms: number): void {
  const now = clock.now.bind(clock);
  clock.now = () => now() + ms;
}

/** No request before a time, as the ledger sees it. */
function notBefore(untilMs: number, againMs = Number.POSITIVE_INFINITY): (now: number) => Turn {
  return (now) => (now >= untilMs ? { ticket: 1 } : { delayMs: untilMs - now, againMs });
}

describe('the ledger', () => {
  test('is asked on behalf of the first only, and told what to leave', async () => {
    const { clock, asked, next, enter } = setUpLedger({ leave: 3 });
    next.turn = notBefore(1000);
    void Promise.allSettled([enter(), enter(), enter()]);
    expect(asked).toEqual([{ atMs: 0, leave: 3 }]);
    await clock.advance(1000);
    expect(asked).toHaveLength(4);
  });

  test('is told how many are still to go: those that wait, or as many as were announced', async () => {
    const { clock, wanted, next, gate, enter } = setUpLedger();
    await enter();
    gate.expect(3);
    await enter();
    await enter();
    next.turn = notBefore(10);
    void Promise.all([enter(), enter(), enter()]);
    expect(wanted).toEqual([1, 3, 2, 1]);
    await clock.advance(10);
    expect(wanted.slice(4)).toEqual([3, 2, 1]);
  });

  test('is told of all that are to come, also after one had to wait', async () => {
    const { clock, wanted, next, gate, enter } = setUpLedger();
    gate.expect(5);
    next.turn = notBefore(10);
    const first = enter();
    await clock.advance(10);
    await first;
    await enter();
    expect(wanted).toEqual([5, 5, 4]);
  });

  test('is asked again when nobody waits any more, as after all were called off', async () => {
    const { clock, asked, next, gate, enter } = setUpLedger();
    const stop = new AbortController();
    next.turn = notBefore(1000);
    const waiting = enter(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    gate.answered(1, accepted(0));
    await clock.advance(2000);
    expect(asked).toHaveLength(1);
  });

  test('is asked again as soon as it says, and told of once', async () => {
    const waits: number[] = [];
    const { clock, asked, next, enter } = setUpLedger({ onWait: (untilMs) => void waits.push(untilMs) });
    next.turn = notBefore(1000, 10);
    void enter();
    await clock.advance(25);
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, 10, 20]);
    next.turn = notBefore(22);
    await clock.advance(5);
    expect([asked.at(-1)?.atMs, waits, clock.sleeping]).toEqual([30, [1000], 0]);
  });

  test('is asked at least once a minute, however long the delay', async () => {
    const { clock, asked, next, enter } = setUpLedger();
    next.turn = notBefore(10_000_000);
    void enter();
    await clock.advance(180_000);
    expect(asked.map(({ atMs }) => atMs)).toEqual([0, 60_000, 120_000, 180_000]);
  });

  test.each([
    ['back by an hour', -3_600_000, 0, 2],
    ['forward by a day', 86_400_000, 2, 4],
  ])('a clock that is set %s neither freezes the gate nor makes it burst', async (_, jumpMs, soon, later) => {
    const { clock, went, ask } = await setUpSpent();
    void Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => ask(name)));
    await clock.advance(10);
    set(clock, jumpMs);
    await clock.advance(990);
    const wentSoon = went.length;
    await clock.advance(1010);
    expect([wentSoon, went.length]).toEqual([soon, later]);
  });
});

describe('how many should be under way', () => {
  /** Ten are under way at once at an even rate. */
  const KNOWN: Budget = { ...UNKNOWN, limit: 1000, windowMs: 10_000, roundTripMs: 100, confirmedAtMs: 5000 };

  test('is eight until this process has seen the window confirmed', async () => {
    const { clock, gate, told, enter } = setUpLedger();
    told.budget = KNOWN;
    expect(gate.workersWanted()).toBe(8);
    await clock.advance(5001);
    await enter();
    expect(gate.workersWanted()).toBe(8);
    told.budget = { ...KNOWN, confirmedAtMs: 5001 };
    await clock.advance(100);
    await enter();
    expect(gate.workersWanted()).toBe(22);
  });

  test('is reckoned ten times a second at most, also when the clock was put back', async () => {
    const { clock, gate, told } = setUpLedger();
    gate.workersWanted();
    await clock.advance(99);
    gate.workersWanted();
    expect(told.reads).toBe(1);
    await clock.advance(1);
    gate.workersWanted();
    expect(told.reads).toBe(2);
    set(clock, -50);
    gate.workersWanted();
    expect(told.reads).toBe(2);
    set(clock, -50);
    gate.workersWanted();
    expect(told.reads).toBe(3);
  });
});

describe('patience', () => {
  const tooLong = (waitedMs: number): Error => new Error(`waited ${waitedMs}`);

  test('ends before a wait that would be too long, for everybody', async () => {
    const { clock, next, enter } = setUpLedger({ maxWaitMs: 5000, tooLong });
    next.turn = notBefore(5000);
    const first = enter();
    await clock.advance(5000);
    await first;
    next.turn = notBefore(5001);
    await expect(enter()).rejects.toThrow('waited 5000');
    next.turn = undefined;
    await expect(enter()).rejects.toThrow('waited 5000');
    expect(clock.sleeping).toBe(0);
  });

  test('that has ended says so, if nobody has words of their own', async () => {
    const { clock, next, enter } = setUpLedger({ maxWaitMs: 1000 });
    next.turn = notBefore(1000);
    const first = enter();
    await clock.advance(1000);
    await first;
    next.turn = notBefore(1001);
    await expect(enter()).rejects.toThrow('Waited 1000 ms for the budget.');
  });

  test('ends when a delay grows while several wait, and leaves no sleeper', async () => {
    const { clock, gate, next, enter } = setUpLedger({ maxWaitMs: 5000, tooLong });
    next.turn = notBefore(3000);
    const all = Promise.allSettled([enter(), enter(), enter()]);
    await clock.advance(1000);
    next.turn = notBefore(6000);
    gate.answered(1, accepted(0));
    const reasons = (await all).map((settled) => settled.status === 'rejected' && String(settled.reason));
    expect(reasons).toEqual(Array.from({ length: 3 }, () => 'Error: waited 1000'));
    expect(clock.sleeping).toBe(0);
  });

  test('counts time once however many wait, and not the time in which nobody does', async () => {
    const { clock, next, enter } = setUpLedger({ maxWaitMs: 2000, tooLong });
    next.turn = notBefore(1000);
    const all = Promise.all([enter(), enter(), enter()]);
    await clock.advance(1000);
    await all;
    await clock.advance(10_000);
    next.turn = notBefore(12_000);
    const last = enter();
    await clock.advance(1000);
    await last;
    next.turn = notBefore(12_001);
    await expect(enter()).rejects.toThrow('waited 2000');
  });

  test('is not worn by waiting for an answer', async () => {
    const { clock, gate, next, enter } = setUpLedger({ maxWaitMs: 10, tooLong });
    next.turn = () => ({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    const waiting = enter();
    await clock.advance(60_000);
    next.turn = undefined;
    gate.lost(1);
    await expect(waiting).resolves.toBeDefined();
    next.turn = notBefore(60_010);
    const more = enter();
    await clock.advance(10);
    await expect(more).resolves.toBeDefined();
  });
});

test.each([
  ['after a sleep', 1000],
  ['after an answer', 500],
])('everybody who waits hears of it when the ledger fails %s', async (_, sleptMs) => {
  const { clock, gate, next, enter } = setUpLedger();
  next.turn = notBefore(1000);
  const all = Promise.allSettled([enter(), enter()]);
  next.turn = () => {
    throw new Error('the ledger failed');
  };
  await clock.advance(sleptMs);
  gate.lost(1);
  const reasons = (await all).map((settled) => settled.status === 'rejected' && String(settled.reason));
  expect(reasons).toEqual(['Error: the ledger failed', 'Error: the ledger failed']);
  expect(clock.sleeping).toBe(0);
});

test('whoever is told of a wait may call it off at once', async () => {
  const stop = new AbortController();
  const { clock, next, enter } = setUpLedger({ onWait: () => stop.abort(new Error('stopped')) });
  next.turn = notBefore(1000);
  await expect(enter(stop.signal)).rejects.toThrow('stopped');
  expect(clock.sleeping).toBe(0);
});
