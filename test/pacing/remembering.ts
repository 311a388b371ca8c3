import { Pacer } from '../../src/pacing/pacer.ts';
import type { Answer } from '../../src/pacing/pacer-state.ts';
import type { Client } from '../support/rate/world.ts';
import { push, SECOND, type Setting } from './any-world.ts';

/** A pacer made of what another one remembers, as it comes from a disk. */
export function copyOf(pacer: Pacer): Pacer {
  return new Pacer(JSON.parse(JSON.stringify(pacer)) as unknown);
}

export const SETTING: Setting = {
  seed: 1,
  kind: 'first-request',
  limit: 30,
  windowMs: 10 * SECOND,
  latencyMs: 20,
};

/** A pacer that has learnt what there is to know of that service. */
export function experienced(): Pacer {
  const pacer = new Pacer();
  push(SETTING, { client: pacer, requests: 345 });
  return pacer;
}

/** Works until a time, and goes on at another with a pacer that knows what the first one knew. */
export class Remembering implements Client {
  pacer = new Pacer();
  readonly #stopMs: number;
  readonly #resumeMs: number;
  #isResumed = false;

  constructor(stopMs: number, resumeMs: number) {
    this.#stopMs = stopMs;
    this.#resumeMs = resumeMs;
  }

  delayMs(now: number, leave?: number, wanted?: number): number {
    if (now >= this.#stopMs && now < this.#resumeMs) return this.#resumeMs - now;
    if (now >= this.#resumeMs && !this.#isResumed) {
      this.#isResumed = true;
      this.pacer = copyOf(this.pacer);
    }
    return this.pacer.delayMs(now, leave, wanted);
  }

  sent(now: number): number {
    return this.pacer.sent(now);
  }

  answered(ticket: number, now: number, answer: Answer): void {
    this.pacer.answered(ticket, now, answer);
  }

  lost(ticket: number, now: number): void {
    this.pacer.lost(ticket, now);
  }
}
