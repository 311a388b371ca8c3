import * as fc from 'fast-check';
import { rmSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAST_PLACE } from '../support/fast-place.ts';
import { answer, type Machine, machine, type Process, WINDOW_MS } from './ledger-machines.ts';

const LIMIT = 12;

type Step =
  | { do: 'take' | 'kill' | 'close'; who: number }
  | { do: 'answer' | 'lose'; who: number; which: number }
  | { do: 'wait'; ms: number };

const who = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('take' as const), who }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constantFrom('answer' as const, 'lose' as const), who, which: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'close' as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 99, 100, 1000, 2999, 3001, WINDOW_MS / 2, WINDOW_MS),
    }),
  },
);

/** Four processes and the service, which counts by itself. */
class World {
  readonly #place: Machine;
  readonly #processes: (Process & { tickets: number[] })[];
  /** When requests were sent. */
  readonly sent: number[] = [];

  constructor(place: Machine) {
    this.#place = place;
    this.#processes = Array.from({ length: 4 }, () => this.#start());
  }

  #start(): Process & { tickets: number[] } {
    return Object.assign(this.#place.start(), { tickets: [] });
  }

  async run(step: Step): Promise<void> {
    if (step.do === 'wait') return this.#place.clock.advance(step.ms);
    const process = this.#processes[step.who];
    if (process === undefined) return;
    if (step.do === 'take') this.take(process);
    else if (step.do === 'answer' || step.do === 'lose') this.#settle(process, step);
    else {
      if (step.do === 'close') process.ledger.close(this.#place.clock.now());
      else process.kill();
      this.#processes[step.who] = this.#start();
    }
  }

  take(process: Process & { tickets: number[] }): boolean {
    const ticket = process.take();
    if (ticket === undefined) return false;
    process.tickets.push(ticket);
    this.sent.push(this.#place.clock.now());
    return true;
  }

  #settle(
    { tickets, ledger, answered }: Process & { tickets: number[] },
    { do: what, which }: Step & { which: number },
  ): void {
    const [ticket] = tickets.splice(which % Math.max(1, tickets.length), 1);
    if (ticket === undefined) return;
    if (what === 'answer') answered(ticket, answer(LIMIT));
    else ledger.lost(ticket, this.#place.clock.now());
  }

  /** Whether a request goes within a window and some seconds, once no answer is due and everybody asks. */
  async goesOn(): Promise<boolean> {
    for (const { tickets, ledger } of this.#processes) {
      for (const ticket of tickets) ledger.lost(ticket, this.#place.clock.now());
    }
    for (let ms = 0; ms < WINDOW_MS + 5000; ms += 500) {
      if (this.#processes.some((process) => this.take(process))) return true;
      await this.#place.clock.advance(500);
    }
    return false;
  }
}

test('whatever the order of events, no more is sent than the budget allows, and nobody waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const directory = mkdtempSync(join(FAST_PLACE, 'eventreg-test-'));
      try {
        const world = new World(machine(directory));
        for (const one of steps) await world.run(one);
        expect(await world.goesOn()).toBe(true);
        expect(mostInAWindow(world.sent)).toBeLessThanOrEqual(LIMIT);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
});

/** Windows begin with the first request after the last one's end. */
function mostInAWindow(sent: readonly number[]): number {
  let [startMs, count, most] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const at of sent) {
    if (at >= startMs + WINDOW_MS) [startMs, count] = [at, 0];
    count += 1;
    most = Math.max(most, count);
  }
  return most;
}
