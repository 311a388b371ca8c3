import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/pacing/clock.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type FakeRuntime, type FakeRuntimeOverrides, fakeRuntime } from '../support/fake-runtime.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Turns up in no other text, so that a test can look for it in all output. */
export const TOKEN = 'tok-Zx81-Qq';

export interface SandboxRuntime extends FakeRuntime {
  sandbox: Sandbox;
  directory: string;
}

const realClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

/** A running sandbox, and a Runtime whose environment points at it. Both share one clock. */
export async function sandboxRuntime(
  switches: Partial<Switches> = {},
  overrides: FakeRuntimeOverrides = {},
): Promise<SandboxRuntime> {
  const directory = temporaryDirectory();
  const clock = overrides.clock ?? realClock;
  const sandbox = await startSandbox({
    file: join(directory, 'service.sqlite'),
    token: TOKEN,
    switches,
    now: () => clock.now(),
  });
  onTestFinished(() => sandbox.close());
  const env = {
    EVENTREG_BASE_URL: sandbox.baseUrl,
    EVENTREG_INTEG_URL: sandbox.integUrl,
    EVENTREG_TOKEN: TOKEN,
    EVENTREG_KEYCHAIN: 'off',
    ...overrides.env,
  };
  const fake = fakeRuntime({ directory, ...overrides, clock, env });
  return { ...fake, sandbox, directory };
}
