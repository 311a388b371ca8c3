import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import pThrottle from 'p-throttle';
import { Agent, RetryAgent } from 'undici';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { backoffMs, type Client, type Connection, type Target } from './client.ts';
import { post, Refused } from './post.ts';

/** How often Bottleneck looks again when Remaining said 0: its own refills have this step. */
const LOOK_MS = 250;

/**
 * The reservoir is what the newest answer says is left, less what is under way. A try again goes through the
 * limiter anew: one that Bottleneck makes itself would pass it by.
 */
function bottleneckFed(target: Target): Connection {
  const limiter = new Bottleneck();
  const look = async (): Promise<void> => {
    const idle = limiter.counts().EXECUTING === 0 && (await limiter.currentReservoir()) === 0;
    if (idle) await limiter.incrementReservoir(1);
  };
  const looks = setInterval(() => void look(), LOOK_MS);
  const feed = (remaining: number | undefined): void => {
    if (remaining === undefined) return;
    const others = (limiter.counts().EXECUTING ?? 1) - 1;
    limiter.updateSettings({ reservoir: Math.max(0, remaining - others) });
  };
  const connection = bottleneck(limiter, target, feed);
  return {
    ...connection,
    close() {
      clearInterval(looks);
      return connection.close();
    },
  };
}

function bottleneckTold(target: Target): Connection {
  const { limit, windowMs } = target;
  const limiter = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
  });
  return bottleneck(limiter, target, () => undefined);
}

function bottleneck(
  limiter: Bottleneck,
  target: Target,
  onRemaining: (remaining: number | undefined) => void,
): Connection {
  const stop = (): void => void limiter.stop({ dropWaitingJobs: true }).catch(() => undefined);
  target.signal.addEventListener('abort', stop, { once: true });
  const connection = persistent(target, (agent, to, body) =>
    limiter.schedule(() => post(agent, to, body, onRemaining)),
  );
  return {
    ...connection,
    async close() {
      target.signal.removeEventListener('abort', stop);
      await limiter.disconnect();
      await connection.close();
    },
  };
}

function throttled(target: Target): Connection {
  const { limit, windowMs, signal } = target;
  return persistent(target, pThrottle({ limit, interval: windowMs, signal })(post));
}

/** Asks again after each refusal, as often as it takes. */
function persistent(target: Target, ask: typeof post): Connection {
  const agent = new Agent();
  const random = seededRandom(4);
  return {
    async send(body) {
      for (let times = 0; ; times += 1) {
        try {
          return await ask(agent, target, body);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          await sleep(error.retryAfterMs ?? backoffMs(times, random), undefined, { signal: target.signal });
        }
      }
    },
    close: () => agent.destroy(),
  };
}

/** As it comes, but for POST and without an end: five times would lose rows. */
function retryAgent(target: Target): Connection {
  const agent = new RetryAgent(new Agent(), {
    methods: ['POST'],
    statusCodes: [429],
    maxRetries: Number.POSITIVE_INFINITY,
  });
  return { send: (body) => post(agent, target, body), close: () => agent.destroy() };
}

export const OTHERS: readonly Client[] = [
  { name: 'Bottleneck, fed by headers', quick: true, connect: bottleneckFed },
  { name: 'Bottleneck, told', quick: false, connect: bottleneckTold },
  { name: 'p-throttle, told', quick: false, connect: throttled },
  { name: 'undici RetryAgent', quick: false, connect: retryAgent },
  { name: 'backoff on 429', quick: true, connect: (target) => persistent(target, post) },
];
