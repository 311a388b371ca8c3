import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/pacing/clock.ts';
import { Gate } from '../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../src/pacing/ledger.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import { pace } from '../../src/service/http/pace.ts';
import { identify } from '../../src/service/http/http.ts';
import { retry } from '../../src/service/http/retry.ts';
import { createUndiciTransport } from '../../src/service/http/undici-transport.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { type Client, HEADERS } from './client.ts';

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};
const TIMEOUT_MS = 30_000;
const MAX_REFUSED_MS = 600_000;

/** The layers of the program, as its service client stacks them; told nothing. */
export const ours: Client = {
  name: 'eventreg',
  quick: true,
  connect({ url, signal }) {
    const network = createUndiciTransport({ timeoutMs: TIMEOUT_MS, signal, env: {} });
    const gate = new Gate({ ledger: createMemoryLedger(new Pacer()), clock });
    const policy = { refuses503: false };
    const paced = pace(identify(network.send, randomUUID), { gate, clock, signal, policy });
    const random = seededRandom(2);
    const send = retry(paced, { clock, random, signal, policy, maxRefusedMs: MAX_REFUSED_MS });
    return {
      async send(body) {
        const { status } = await send({ method: 'POST', url, headers: HEADERS, body });
        if (status !== 201) throw new Error(`The server answered ${status}.`);
      },
      close: () => network.close(),
    };
  },
};
