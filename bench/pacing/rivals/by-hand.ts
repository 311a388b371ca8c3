import { type Rival, untilAccepted } from './rival.ts';
import { sleep } from './virtual-time.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Retries a 429 after Retry-After, or else after half a second, one, two … thirty. */
export const plainRetry: Rival = (ask) => async () => {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const { refused, retryAfterMs } = await ask();
    if (!refused) return;
    await sleep(retryAfterMs ?? waitMs);
  }
};

/** One request after the other, a second between them. */
export const fixedSleep: Rival = (ask) => {
  let turn = Promise.resolve();
  const push = untilAccepted(async () => {
    const answer = await ask();
    await sleep(1000);
    return answer;
  });
  return () => (turn = turn.then(push));
};
