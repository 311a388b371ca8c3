import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ConnectOptions, type Connection, connect } from '../../../src/commands/connect/connection.ts';
import { globalOptions } from '../../../src/commands/options/options.ts';
import { EXIT } from '../../../src/errors.ts';
import type { Runtime } from '../../../src/runtime.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { sandboxRuntime } from '../sandbox-runtime.ts';

async function open(
  runtime: Runtime,
  hooks: ConnectOptions = {},
  flags: Record<string, unknown> = {},
): Promise<Connection> {
  const connection = await connect(
    { options: globalOptions.parse({ quiet: true, ...flags }), runtime },
    hooks,
  );
  onTestFinished(() => connection.close());
  return connection;
}

const limited = (limit = 30) =>
  sandboxRuntime({ limit, windowMs: 60_000 }, { clock: fakeClock({ auto: true }) });

describe('the budget of a service', () => {
  test('is remembered from run to run', async () => {
    const { runtime } = await limited();
    const first = await open(runtime);
    expect(first.gate.budget().limit).toBeUndefined();
    await first.client.getEvent();
    await first.close();
    expect((await open(runtime)).gate.budget()).toMatchObject({ limit: 30, remaining: 29 });
  });

  test('is one for all who are at work', async () => {
    const { runtime } = await limited();
    const [one, two] = [await open(runtime), await open(runtime)];
    await one.client.getEvent();
    await two.client.getEvent();
    expect([one, two].map(({ gate }) => gate.budget().remaining)).toEqual([28, 28]);
  });

  test('is another with another token', async () => {
    const { runtime } = await limited();
    await (await open(runtime)).client.getEvent();
    const other = await open({ ...runtime, env: { ...runtime.env, EVENTREG_TOKEN: 'another-token' } });
    expect(other.gate.budget().limit).toBeUndefined();
  });

  test('of the embedded sandbox is known from the first, and ends with the process', async () => {
    const { runtime } = fakeRuntime({ directory: temporaryDirectory() });
    const connection = await open(runtime, {}, { sandbox: true });
    expect(connection.gate.budget()).toMatchObject({ limit: 30, windowMs: 1000 });
    await connection.client.getEvent();
    await connection.close();
    expect(existsSync(join(runtime.paths.state, 'pacing.sqlite'))).toBe(false);
  });
});

test('a command that may not wait longer gives up, and says that nothing is lost', async () => {
  const { runtime } = await limited(5);
  const { client } = await open(runtime, { maxWaitMs: 1000 });
  const spend = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await client.getEvent();
  };
  await expect(spend()).rejects.toMatchObject({
    exitCode: EXIT.gaveUp,
    message: expect.stringMatching(
      /^Waited (0|0\.\d|1) s for the request budget, and the next request would wait (0\.\d|[1-9]\d*) (s|min)( \d+ s)? more: --max-wait allows 1 s in all\.$/,
    ),
    hint: 'Nothing is lost: run the same command again later, or with a longer --max-wait.',
  });
});
