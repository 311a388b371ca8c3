import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { DEMO_EVENT } from '../../../src/sandbox/demo-event.ts';
import { InterruptedError } from '../../../src/errors.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { OwnBooks } from '../../../src/webhooks/own/own-books.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { listIn } from '../../support/documents.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { type ListenBench, listenBench, type Listening, until } from './listen-bench.ts';

const HOOK = ['--url', 'https://hooks.example.com/a', '--trigger', 'registration.updated'];

const HIDDEN = { webhookAnswer: 'number', webhookList: 'absent' } as const;

/** What a listen leaves that is killed. */
async function killed(bench: ListenBench): Promise<string> {
  const { runtime, sandbox } = bench.here;
  const name = 'eventreg listen 0123456789abcdef';
  const url = 'http://127.0.0.1:9/0123';
  await bench.run(['webhooks', 'create', '--url', url, '--trigger', 'registration.updated', '--name', name]);
  const books = new OwnBooks(runtime.paths.state);
  const at = runtime.clock.now();
  const listen = '0123456789abcdef';
  books.begin({ listen, service: `${sandbox.integUrl}/v1/webhooks`, name, url, at });
  books.note(listen, { webhookId: '1', isMade: true });
  books.noteShown(listen, { name, url });
  books.close();
  return name;
}

const left = (bench: ListenBench): number => bench.here.sandbox.counts().webhooks;

describe('what a killed listen leaves', () => {
  test('is told by doctor and by the next listen, and goes with --cleanup, which touches nothing else', async () => {
    const bench = await listenBench();
    const name = await killed(bench);
    await bench.run(['webhooks', 'create', ...HOOK]);
    await bench.run(['webhooks', 'create', ...HOOK, '--name', `${name}0`]);
    const doctor = await bench.run(['doctor', '--json']);
    const findings = listIn<{ check: string; result: string; found: string }>(doctor.out());
    expect(findings.find(({ check }) => check === 'webhooks')).toMatchObject({
      result: 'warning',
      found: expect.stringContaining(`1 ("${name}")`),
    });
    const listening = await bench.listen();
    expect(listening.err()).toContain('--cleanup');
    expect(listening.lines()[0]).toMatchObject({ type: 'warning', text: expect.stringContaining(name) });
    const cleanup = await bench.run(['webhooks', 'listen', '--cleanup', '--json']);
    expect([cleanup.code, listIn(cleanup.out())]).toEqual([
      0,
      [{ id: '1', name, result: 'deleted', why: null }],
    ]);
    // The two of others, and that of the listen that lives.
    expect(left(bench)).toBe(3);
    expect([await listening.stop(), left(bench)]).toEqual([0, 2]);
    const again = await bench.run(['webhooks', 'listen', '--cleanup']);
    expect([again.code, again.err(), left(bench)]).toEqual([0, expect.stringContaining('No listen'), 2]);
  });

  test('is told by doctor with the flag that leads to the same service', async () => {
    const bench = await listenBench();
    const { state } = bench.here.runtime.paths;
    const name = 'eventreg listen 0123456789abcdef';
    await bench.run(['webhooks', 'create', '--sandbox', ...HOOK, '--name', name]);
    const sandbox = await startSandbox({ file: join(state, 'sandbox.sqlite') });
    const service = `sandbox:${sandbox.instanceId}`;
    await sandbox.close();
    const books = new OwnBooks(state);
    const own = { listen: '0123456789abcdef', name, url: 'http://127.0.0.1:9/', at: 0 };
    books.begin({ ...own, service });
    books.note(own.listen, { webhookId: '1', isMade: true });
    books.close();
    const doctor = await bench.run(['doctor', '--sandbox']);
    expect(doctor.out()).toContain('`eventreg webhooks listen --cleanup --sandbox`');
  });

  test('is left alone when somebody has taken it over', async () => {
    const bench = await listenBench();
    await killed(bench);
    const theirs = ['--name', 'Badge printer', '--url', 'https://hooks.example.com/b'];
    await bench.run(['webhooks', 'update', '1', ...theirs]);
    const cleanup = await bench.run(['webhooks', 'listen', '--cleanup', '--json']);
    expect([listIn(cleanup.out()), left(bench)]).toMatchObject([[{ result: 'renamed' }], 1]);
  });

  test('is looked for where it was made, and named elsewhere', async () => {
    const bench = await listenBench({ webhookList: 'absent' });
    const other = await listenBench({ webhookList: 'absent' });
    const name = await killed(bench);
    await other.run(['webhooks', 'create', ...HOOK]);
    const env = { ...bench.here.runtime.env, EVENTREG_INTEG_URL: other.here.sandbox.integUrl };
    const { code, err } = await bench.run(['webhooks', 'listen', '--cleanup', '--yes'], { env });
    expect([code, left(bench), left(other)]).toEqual([0, 1, 1]);
    expect(err()).toContain(`Webhook 1 ("${name}") is left elsewhere: at ${bench.here.sandbox.integUrl}`);
  });

  test('is told by doctor where there is no list', async () => {
    const bench = await listenBench({ webhookList: 'absent' });
    const name = await killed(bench);
    const findings = listIn<{ check: string; found: string; advice: string }>(
      (await bench.run(['doctor', '--json'])).out(),
    );
    expect(findings.find(({ check }) => check === 'webhooks')).toMatchObject({
      result: 'problem',
      found: expect.stringContaining(`left by an earlier listen: 1 ("${name}")`),
      advice: expect.stringContaining('--cleanup'),
    });
  });

  test('is asked about where names cannot be read', async () => {
    const bench = await listenBench({ webhookList: 'absent' });
    await killed(bench);
    expect([(await bench.run(['webhooks', 'listen', '--cleanup'])).code, left(bench)]).toEqual([7, 1]);
    expect([(await bench.run(['webhooks', 'listen', '--cleanup', '--yes'])).code, left(bench)]).toEqual([
      0, 0,
    ]);
  });

  test('ends with 1 and says what is to be done where the service does not let it go', async () => {
    const clock = fakeClock({ auto: true });
    const switches: Partial<Switches> = { webhookDelete: 'absent', webhookUpdate: 'ignored' };
    const bench = await listenBench(switches, { clock });
    const name = await killed(bench);
    const { code, err } = await bench.run(['webhooks', 'listen', '--cleanup']);
    expect([code, err(), left(bench)]).toEqual([1, expect.stringContaining(`1 ("${name}")`), 1]);
  });
});

describe('the end of a listen', () => {
  test.each<[string, Partial<Switches>, number, object]>([
    ['nothing but a list is there', { webhookUpdate: 'absent' }, 0, { webhook: 'deleted' }],
    ['there is no list', { webhookList: 'absent' }, 0, { webhook: 'deleted' }],
    ['the answers show nothing', { webhookAnswer: 'empty' }, 0, { webhook: 'deleted' }],
    ['it says that it deletes, and does not', { webhookDelete: 'ignored' }, 0, { webhook: 'inactive' }],
    ['its list has no ids', { webhookList: 'no-ids', webhookDelete: 'ignored' }, 0, { webhook: 'inactive' }],
    ['it cannot delete', { webhookDelete: 'absent' }, 0, { webhook: 'inactive' }],
  ])('where %s', async (_, switches, code, has) => {
    const bench = await listenBench(switches, { clock: fakeClock({ auto: true }) });
    const listening = await bench.listen();
    const active = (): unknown[] => bench.here.sandbox.requests().filter(({ method }) => method === 'PUT');
    expect([
      await listening.stop(),
      JSON.parse(listening.out().trim().split('\n').at(-1) ?? ''),
    ]).toMatchObject([code, has]);
    expect(active().length).toBeGreaterThan(0);
  });

  test('with 1, the id and the command where it can neither be deleted nor switched off', async () => {
    const switches: Partial<Switches> = { webhookDelete: 'absent', webhookUpdate: 'absent' };
    const bench = await listenBench(switches, { clock: fakeClock({ auto: true }) });
    const { code, err } = await bench.run(['webhooks', 'listen', '--port', '0']);
    expect([code, err(), left(bench)]).toEqual([1, expect.stringMatching(/1 \("eventreg listen \w+"\)/), 1]);
    expect(err()).toContain('eventreg webhooks listen --cleanup');
  });

  test('does not say that it is there where nothing shows whether it is', async () => {
    const bench = await listenBench(
      { webhookList: 'absent', webhookRead: 'absent', webhookUpdate: 'absent' },
      { clock: fakeClock({ auto: true }) },
    );
    const { code, err } = await bench.run(['webhooks', 'listen', '--port', '0', '--for', '1m']);
    expect([code, err(), left(bench)]).toEqual([1, expect.stringContaining('may be left at the service'), 0]);
    expect(err()).toContain('set listWebhooks in endpoints');
    const again = await bench.run(['webhooks', 'listen', '--cleanup', '--yes']);
    expect([again.code, again.err()]).toEqual([1, expect.stringContaining('may still be there.')]);
  });

  test.each<[string, Partial<Switches>, number]>([
    ['its answer has the id of something else, and there is no list', HIDDEN, 1],
    ['it gives the webhook another name', { webhookUpdate: 'renamed' }, 0],
    [
      'its list never shows it, and it deletes nothing',
      { webhookList: 'empty', webhookDelete: 'ignored' },
      0,
    ],
    ['it shows neither name nor address', { webhookShown: 'neither' }, 1],
  ])('touches nobody else where %s', async (_, switches, code) => {
    const bench = await listenBench(switches, { clock: fakeClock({ auto: true }) });
    await bench.run(['webhooks', 'create', ...HOOK]);
    const run = await bench.run(['webhooks', 'listen', '--port', '0', '--for', '1m']);
    const writes = bench.here.sandbox.requests().filter(({ method }) => /PUT|DELETE/.test(method));
    expect([run.code, writes.filter(({ path }) => path.endsWith('/1'))]).toEqual([code, []]);
    const named = /Webhook (?:2 )?\(?"eventreg listen \w+"\)? (?:is|may be) left at the service/;
    if (code === 1) expect(run.err()).toMatch(named);
  });

  test('takes what all webhooks of a list share for the id of none', async () => {
    const bench = await listenBench({ webhookId: 'event-and-uuid' }, { clock: fakeClock({ auto: true }) });
    for (const name of ['a', 'b']) await bench.run(['webhooks', 'create', ...HOOK, '--name', name]);
    const { code } = await bench.run(['webhooks', 'listen', '--port', '0', '--for', '1m']);
    const event = String(DEMO_EVENT.event_id);
    const refused = await bench.run(['webhooks', 'delete', event, '--yes']);
    expect([code, left(bench), refused.code]).toEqual([0, 2, 2]);
    expect(refused.err()).toContain(`Several webhooks are listed with ${event}`);
    const writes = bench.here.sandbox.requests().filter(({ method }) => /PUT|DELETE/.test(method));
    expect(writes.map(({ path }) => path.split('/').at(-1))).toEqual(['wh_3', 'wh_3']);
  });

  test('is told at once while the webhook is made, and that it is interrupted only once', async () => {
    const bench = await listenBench({ latencyMs: 50 });
    const [stopping, aborting] = [new AbortController(), new AbortController()];
    const signals = { stopping: stopping.signal, aborting: aborting.signal };
    const run = bench.run(['webhooks', 'listen', '--port', '0'], signals);
    await until(() => left(bench) === 1);
    stopping.abort(new InterruptedError());
    aborting.abort(new InterruptedError());
    const { code, err } = await run;
    expect([code, err().match(/interrupted/gi)]).toEqual([1, ['Interrupted']]);
    expect(err()).toMatch(/Deleting the webhook\. Ctrl-C again[^]*(?:is|may be) left at the service/);
  });

  test('leaves it to --cleanup at a second Ctrl-C', async () => {
    const bench = await listenBench({ latencyMs: 50 });
    const listening = await bench.listen();
    const done = listening.stop();
    listening.abort();
    expect([await done, left(bench)]).toEqual([1, 1]);
    expect(listening.err()).toMatch(/Webhook 1 \("eventreg listen \w+"\) is left at the service/);
    expect([(await bench.run(['webhooks', 'listen', '--cleanup'])).code, left(bench)]).toEqual([0, 0]);
  });

  describe('where the limit of requests is used up', () => {
    /** A listen that was told to end; somebody else has used up the minute. */
    async function waiting(): Promise<{
      bench: ListenBench;
      listening: Listening;
      clock: FakeClock;
      done: Promise<number>;
    }> {
      const clock = fakeClock();
      const bench = await listenBench(
        { limit: 30, windowMs: 60_000, pastLimit: '429-retry-after' },
        { clock },
      );
      const listening = await bench.listen();
      const { baseUrl, token } = bench.here.sandbox;
      const headers = { authorization: `Bearer ${token}` };
      while ((await fetch(`${baseUrl}/event`, { headers })).ok);
      const done = listening.stop();
      await until(() => listening.err().includes('Waiting'));
      return { bench, listening, clock, done };
    }

    test('says how long it waits, and deletes the webhook then', async () => {
      const { bench, listening, clock, done } = await waiting();
      expect(listening.err()).toMatch(/Waiting (?:1 min|\d+ s)[^.]* for the request budget\./);
      expect(listening.err()).toContain('Ctrl-C again leaves that to eventreg webhooks listen --cleanup');
      expect(left(bench)).toBe(1);
      await clock.advance(61_000);
      expect([await done, left(bench)]).toEqual([0, 0]);
    });

    test('leaves it to --cleanup at a second Ctrl-C, without waiting', async () => {
      const { bench, listening, clock, done } = await waiting();
      listening.abort();
      expect([await done, left(bench)]).toEqual([1, 1]);
      expect(listening.err()).toMatch(/Webhook 1 \("eventreg listen \w+"\) is left at the service/);
      expect(listening.err()).toContain('Delete what is left with: eventreg webhooks listen --cleanup');
      await clock.advance(61_000);
      expect([(await bench.run(['webhooks', 'listen', '--cleanup'])).code, left(bench)]).toEqual([0, 0]);
    });
  });
});
