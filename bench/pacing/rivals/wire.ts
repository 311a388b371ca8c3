import type { Answer } from '../../../src/pacing/pacer-state.ts';
import { chance, SimulatedService } from '../../../test/support/rate/service.ts';
import type { NetworkWorld, Sending, ServiceWorld } from '../../../test/support/rate/world.ts';
import { sleep } from './virtual-time.ts';

const NETWORK_CHANCE = 4;

/** The simulated service as libraries see it: behind a promise, in virtual time. */
export class Wire {
  readonly sendings: Sending[] = [];
  readonly service: SimulatedService;
  underWay = 0;
  readonly #world: ServiceWorld & NetworkWorld;
  readonly #random: () => number;

  constructor(world: ServiceWorld & NetworkWorld) {
    this.#world = world;
    this.service = new SimulatedService(world);
    this.#random = chance(world.seed, NETWORK_CHANCE);
  }

  /** Sends one request. */
  async ask(): Promise<Answer> {
    const sending: Sending = {
      sentMs: Date.now(),
      arrivedMs: undefined,
      doneMs: Number.POSITIVE_INFINITY,
      outcome: 'lost',
      underWayBefore: this.underWay,
      retryAfterMs: undefined,
    };
    this.sendings.push(sending);
    this.underWay += 1;
    await sleep(this.#halfTripMs());
    const answer = this.service.receive(Date.now());
    sending.arrivedMs = Date.now();
    await sleep(this.#halfTripMs());
    this.underWay -= 1;
    sending.doneMs = Date.now();
    sending.outcome = answer.refused ? 'refused' : 'granted';
    sending.retryAfterMs = answer.retryAfterMs;
    return answer;
  }

  #halfTripMs(): number {
    const { latencyMs, jitter = 0.2 } = this.#world;
    return (latencyMs / 2) * (1 + jitter * (2 * this.#random() - 1));
  }
}
