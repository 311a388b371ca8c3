import type { Answer } from '../../../src/pacing/pacer-state.ts';

/** Sends one row: resolves once it is accepted. */
export type PushRow = () => Promise<void>;

/** A client as people build them today: from a request that resolves with its answer, 429 included. */
export type Rival = (ask: () => Promise<Answer>, told: RivalFacts) => PushRow;

/** What some are told, and the service does not say. */
export interface RivalFacts {
  limit: number;
  windowMs: number;
}

/** Asks through the library until the row is accepted. */
export function untilAccepted(ask: () => Promise<Answer>): PushRow {
  return async () => {
    for (;;) {
      const { refused } = await ask();
      if (!refused) return;
    }
  };
}
