import { onTestFinished } from 'vitest';
import { Gate } from '../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../src/pacing/ledger.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { RequestLogEntry } from '../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type ClientOptions, createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import type { Network } from '../../src/service/http/http.ts';
import { createUndiciTransport } from '../../src/service/http/undici-transport.ts';
import { defaultEndpoints } from '../../src/settings/settings.ts';
import { type FakeClock, fakeClock } from './fake-clock.ts';

/** A client that answers to nobody but the test: no real waiting, no jitter. */
export function clientOver(
  network: Network,
  overrides: Partial<ClientOptions> = {},
): { client: ServiceClient } {
  const clock = fakeClock({ auto: true });
  const client = createServiceClient({
    network,
    gate: new Gate({ ledger: createMemoryLedger(new Pacer()), clock }),
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    baseUrl: new URL('http://127.0.0.1:9/api'),
    integUrl: new URL('http://127.0.0.1:9/integ'),
    endpoints: defaultEndpoints,
    token: 'test-token-0123456789',
    userAgent: 'eventreg/0.0.0-test',
    policy: { refuses503: false },
    maxRefusedMs: 60_000,
    onAttempt: () => undefined,
    ...overrides,
  });
  return { client };
}

export interface SandboxClient {
  client: ServiceClient;
  sandbox: Sandbox;
  /** The time of both. */
  clock: FakeClock;
  /** What the sandbox was asked since the last call. */
  asked: () => RequestLogEntry[];
}

/** A client of a real sandbox in memory, over real sockets. Its limiter is off unless a switch says otherwise. */
export async function sandboxClient(
  switches: Partial<Switches> = {},
  overrides: Partial<ClientOptions> = {},
): Promise<SandboxClient> {
  const clock = fakeClock({ auto: true });
  const sandbox = await startSandbox({
    file: ':memory:',
    now: () => clock.now(),
    switches: { limit: 0, ...switches },
  });
  const network = createUndiciTransport({ timeoutMs: 30_000, signal: new AbortController().signal, env: {} });
  onTestFinished(async () => {
    await network.close();
    await sandbox.close();
  });
  const { client } = clientOver(network.send, {
    baseUrl: new URL(sandbox.baseUrl),
    integUrl: new URL(sandbox.integUrl),
    token: sandbox.token,
    clock,
    gate: new Gate({ ledger: createMemoryLedger(new Pacer()), clock }),
    ...overrides,
  });
  let told = 0;
  const asked = (): RequestLogEntry[] => {
    const all = sandbox.requests();
    const fresh = all.slice(told);
    told = all.length;
    return fresh;
  };
  return { client, sandbox, clock, asked };
}
