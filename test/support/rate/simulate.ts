import { workersWanted } from '../../../src/pacing/workers-wanted.ts';
import { figuresOf, type Figures } from './figures.ts';
import { chance, SimulatedService } from './service.ts';
import { Timeline } from './timeline.ts';
import { type Client, type Command, type Sending, startOf, type World } from './world.ts';

/** What came of a push. */
export interface Simulated extends Figures {
  sendings: readonly Sending[];
  mostUnderWay: number;
  endMs: number;
  /** True when the client waited for an answer while none was to come, or nothing was granted for very long. */
  stalled: boolean;
}

const NETWORK_CHANCE = 4;
/** A connection that has been silent for longer is closed. */
const KEPT_ALIVE_MS = 4000;
/** The least time that passes while a client waits: shorter ones would get lost in milliseconds since 1970. */
const SHORTEST_WAIT_MS = 0.01;
/** A client that has had bad luck may look for a refill only every few hours. */
const SLOWEST_LEARNING_MS = 4 * 3_600_000;

/** Runs a push on virtual time, asking the client as the gate does: at the head of the queue, after every change. */
export function simulate(world: World): Simulated {
  const run = new Run(world);
  run.push(world.client, world.requests);
  const { sendings, service, mostUnderWay, nowMs: endMs, stalled } = run;
  return { ...figuresOf(world, sendings, service.others, endMs), sendings, mostUnderWay, endMs, stalled };
}

/** How each of several pushes to the same service went: `tookMs` is Infinity for one that stalled. */
export function simulateSeries(
  world: Omit<World, 'client' | 'requests'>,
  commands: readonly Command[],
): { tookMs: number; sent: number; refused: number }[] {
  const run = new Run(world);
  return commands.map(({ client, requests, pauseMs }) => {
    const [beganMs, before] = [run.nowMs, run.sendings.length];
    run.push(client(), requests);
    const sendings = run.sendings.slice(before);
    const tookMs = run.stalled ? Number.POSITIVE_INFINITY : run.nowMs - beganMs;
    run.nowMs += pauseMs;
    const refused = sendings.filter(({ outcome }) => outcome === 'refused').length;
    return { tookMs, sent: sendings.length, refused };
  });
}

class Run {
  readonly sendings: Sending[] = [];
  readonly service: SimulatedService;
  mostUnderWay = 0;
  nowMs: number;
  stalled = false;
  readonly #world: Omit<World, 'client' | 'requests'>;
  readonly #timeline = new Timeline();
  readonly #random: () => number;
  #client!: Client;
  /** Requests that are still to be granted, and since when the push goes on. */
  #left = 0;
  #beganMs = 0;
  #underWay = 0;
  #lastGrantMs: number;
  #lastTrafficMs = Number.NEGATIVE_INFINITY;

  constructor(world: Omit<World, 'client' | 'requests'>) {
    this.#world = world;
    this.service = new SimulatedService(world);
    this.#random = chance(world.seed, NETWORK_CHANCE);
    this.nowMs = startOf(world);
    this.#lastGrantMs = this.nowMs;
  }

  push(client: Client, requests: number): void {
    this.#client = client;
    this.#left = requests;
    this.#beganMs = this.nowMs;
    this.#lastGrantMs = this.nowMs;
    while (this.#left > 0 && !this.stalled) {
      const delay = this.#wantsToSend()
        ? client.delayMs(this.nowMs, this.#world.leave, this.#left - this.#underWay)
        : Number.POSITIVE_INFINITY;
      if (delay <= 0) this.#send();
      else this.#wait(delay);
    }
  }

  #wantsToSend(): boolean {
    return this.#left > this.#underWay && this.#underWay < this.#workers();
  }

  #workers(): number {
    const { workers = 64 } = this.#world;
    if (workers !== 'wanted') return workers;
    const budget = this.#client.budget?.(this.nowMs);
    return budget === undefined ? 64 : workersWanted(budget, this.#beganMs);
  }

  /** Until the delay is over or something happens, whichever is earlier. */
  #wait(delayMs: number): void {
    const next = this.#timeline.nextMs() ?? Number.POSITIVE_INFINITY;
    const untilMs = Math.min(next, this.nowMs + Math.max(delayMs, SHORTEST_WAIT_MS));
    const { windowMs, latencyMs } = this.#world;
    const patienceMs = 100 * (windowMs + latencyMs) + SLOWEST_LEARNING_MS;
    this.stalled = !(untilMs - this.#lastGrantMs < patienceMs);
    if (this.stalled) return;
    this.nowMs = untilMs;
    if (next === untilMs) this.#timeline.runNext();
  }

  #send(): void {
    const ticket = this.#client.sent(this.nowMs);
    const sending: Sending = {
      sentMs: this.nowMs,
      arrivedMs: undefined,
      doneMs: Number.POSITIVE_INFINITY,
      outcome: 'lost',
      underWayBefore: this.#underWay,
      retryAfterMs: undefined,
    };
    this.sendings.push(sending);
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    this.#travel(ticket, sending);
  }

  /** Out to the limiter, and the answer back. Losses are noticed after three round trips. */
  #travel(ticket: number, sending: Sending): void {
    const { latencyMs, lossy = 0, connectMs = 0 } = this.#world;
    const isCold = sending.sentMs - this.#lastTrafficMs > KEPT_ALIVE_MS;
    this.#lastTrafficMs = sending.sentMs;
    const lost = this.#random() < lossy;
    const arrives = !lost || this.#random() < 0.5;
    if (lost)
      this.#timeline.at(sending.sentMs + 3 * latencyMs, (nowMs) => this.#lost(ticket, sending, nowMs));
    if (!arrives) return;
    this.#timeline.at(sending.sentMs + (isCold ? connectMs : 0) + this.#halfTrip(), (arrivedMs) => {
      const answer = this.service.receive(arrivedMs);
      sending.arrivedMs = arrivedMs;
      if (lost) return;
      sending.outcome = answer.refused ? 'refused' : 'granted';
      sending.retryAfterMs = answer.retryAfterMs;
      const workMs = answer.refused ? 0 : (this.#world.atOnce?.workMs ?? 0);
      this.#timeline.at(arrivedMs + workMs + this.#halfTrip(), (nowMs) => {
        this.#done(sending, nowMs);
        this.#client.answered(ticket, nowMs, answer);
      });
    });
  }

  #halfTrip(): number {
    const { latencyMs, jitter = 0.2, tail } = this.#world;
    if (tail === undefined) return (latencyMs / 2) * (1 + jitter * (2 * this.#random() - 1));
    const chance = 1 - this.#random();
    // Of the heavy one a thousandth takes thirty times the mean.
    const longer = tail.shape === 'heavy' ? chance ** -0.5 - 1 : -Math.log(chance);
    return Math.max(0, latencyMs / 2 - tail.meanMs) + tail.meanMs * longer;
  }

  #lost(ticket: number, sending: Sending, nowMs: number): void {
    this.#done(sending, nowMs);
    this.#client.lost(ticket, nowMs);
  }

  #done(sending: Sending, nowMs: number): void {
    sending.doneMs = nowMs;
    this.#lastTrafficMs = nowMs;
    this.#underWay -= 1;
    if (sending.outcome !== 'granted') return;
    this.#left -= 1;
    this.#lastGrantMs = nowMs;
  }
}
