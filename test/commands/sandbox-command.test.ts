import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineSandbox, runSandbox, type SandboxOptions } from '../../src/commands/sandbox-command.ts';
import { EXIT, InterruptedError } from '../../src/errors.ts';
import { SANDBOX_HEADER } from '../../src/service/contracts/registration-body.ts';
import { SWITCHES } from '../../src/sandbox/store/switches.ts';
import { pushBench, visitors } from '../sync/push-bench.ts';
import { fakePrompt, fakeRuntime } from '../support/fake-runtime.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type Argv, GLOBALS, parseArgv } from './parse-argv.ts';

const parse = (argv: Argv): Promise<SandboxOptions> => parseArgv(defineSandbox, 'sandbox', argv);
const START = { action: 'start', port: 8787, set: [] } as const;
const CLONE = { action: 'clone', registrations: 'masked', maskBarcodes: false };

describe('the command line of sandbox', () => {
  test.each<[Argv, object]>([
    [[], START],
    ['start', START],
    ['--port 0 --data x.sqlite', { ...START, port: 0, data: 'x.sqlite' }],
    ['--set limit=5 --set windowMs=10', { ...START, set: ['limit=5', 'windowMs=10'] }],
    ['sample a.csv', { action: 'sample', file: 'a.csv' }],
    ['reset --yes', { action: 'reset', yes: true }],
    ['reset --data x.sqlite', { action: 'reset', data: 'x.sqlite' }],
    ['deliveries --dead', { action: 'deliveries', dead: true }],
    ['redeliver 17 --data x.sqlite', { action: 'redeliver', number: 17, data: 'x.sqlite' }],
    ['deliveries', { action: 'deliveries', dead: false }],
    ['reset fair', { action: 'reset', name: 'fair' }],
    ['clone', CLONE],
    [
      'clone --registrations none --limit 5 --as fair --mask-barcodes',
      { action: 'clone', registrations: 'none', limit: 5, as: 'fair', maskBarcodes: true },
    ],
    ['clones', { action: 'clones' }],
    ['mask a.csv --to b.csv', { action: 'mask', file: 'a.csv', to: 'b.csv' }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...GLOBALS, ...expected });
  });

  test.each([
    ['--port 70000', '--port'],
    ['--port x', '--port: takes a whole number from 0 to 65535'],
    ['reset --port 1', 'unknown option'],
    ['redeliver', 'missing required argument'],
    ['redeliver x', '<number>: takes a whole number of at least 1'],
    ['sample a.txt', '<file>: takes the name of a file that ends in .xlsx'],
    ['clone --as ../x', '--as: takes a name'],
    ['clone --registrations some', '--registrations: takes none, masked, as-they-are'],
    ['empty', "unknown action 'empty'\n(Did you mean sandbox reset?)"],
    ['smaple', "unknown action 'smaple'\n(Did you mean sandbox sample?)"],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

type Start = Extract<SandboxOptions, { action: 'start' }>;

const start = (options: Partial<Start> = {}): Start => ({
  ...GLOBALS,
  ...START,
  set: [],
  port: 0,
  ...options,
});

/** Waits until text has been written, without a clock. */
async function until(text: () => string, part: string): Promise<string> {
  while (!text().includes(part)) await new Promise((resolve) => setImmediate(resolve));
  return text();
}

describe('sandbox start', () => {
  test('says how to use it, serves until the stop signal, and keeps its data', async () => {
    const directory = temporaryDirectory();
    const serve = async (
      work: (env: Record<string, string>, out: string) => Promise<void>,
    ): Promise<void> => {
      const stop = new AbortController();
      const { runtime, out, err } = fakeRuntime({ directory, stopping: stop.signal });
      const ending = runSandbox(start({ verbose: true }), runtime);
      const text = await until(out, 'Data: ');
      const env = Object.fromEntries(
        [...text.matchAll(/export (\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
      );
      await work({ ...env, EVENTREG_KEYCHAIN: 'off' }, text);
      expect(err()).toContain('GET /api/registration → 200');
      stop.abort(new InterruptedError());
      expect(await ending).toBe(EXIT.done);
    };
    const bench = await pushBench();
    await serve(async (env, out) => {
      expect(out).toMatch(/^The sandbox listens on http:\/\/127\.0\.0\.1:\d+ until Ctrl-C\.\n/);
      expect(out).toContain(
        `Data: ${join(directory, 'state', 'sandbox.sqlite')} (0 registrations, 0 webhooks)`,
      );
      const ended = await bench.push([bench.write('a.csv', visitors('A', 'B'))], { env });
      expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
      await bench.run(['list'], { env });
    });
    await serve(async (env, out) => {
      expect(out).toContain('(2 registrations, 0 webhooks)');
      expect((await bench.run(['list', '--json'], { env })).out).toContain('"barcode":"A"');
    });
  });

  test('ends at once when the stop signal came before', async () => {
    const stopping = AbortSignal.abort(new InterruptedError());
    const { runtime } = fakeRuntime({ directory: temporaryDirectory(), stopping });
    expect(await runSandbox(start(), runtime)).toBe(EXIT.done);
  });

  test('behaves as the switches say', async () => {
    const stop = new AbortController();
    const { runtime, out } = fakeRuntime({ directory: temporaryDirectory(), stopping: stop.signal });
    const ending = runSandbox(start({ set: ['event=404', 'errorShape=problem'] }), runtime);
    const text = await until(out, 'Data: ');
    const url = /EVENTREG_BASE_URL=(\S+)/.exec(text)?.[1] ?? '';
    const token = /EVENTREG_TOKEN=(\S+)/.exec(text)?.[1] ?? '';
    const response = await fetch(`${url}/event`, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
    stop.abort(new InterruptedError());
    await ending;
  });

  test.each([
    ['colour=blue', SWITCHES.map(({ name }) => name).join(', ')],
    ['webhooksign=github', 'There is no switch "webhooksign": did you mean webhookSign?'],
    ['limit=many', 'a whole number from 0 to 1000000'],
    ['upsert=never', 'update | double | refuse | ignore'],
    ['upsert', 'update | double | refuse | ignore'],
  ])('with the wrong switch %s lists what is allowed', async (pair, allowed) => {
    const bench = await pushBench();
    const ended = await bench.run(['sandbox', '--port', '0', '--set', pair]);
    expect(ended.code).toBe(EXIT.usage);
    expect(ended.err).toContain(allowed);
    expect(ended.err).toContain('hint: See all switches with `eventreg sandbox --help-all`.');
  });

  test('on a port in use says so', async () => {
    const bench = await pushBench();
    const { port } = new URL(bench.sandbox.url);
    const ended = await bench.run(['sandbox', '--port', port]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain(`port ${port}: it is already in use.`);
    expect(ended.err).toContain('hint: Try another --port or --data.');
  });
});

describe('sandbox reset', () => {
  test('shows no switches in its help, which it does not take', async () => {
    const bench = await pushBench();
    expect((await bench.run(['sandbox', 'start', '--help-all'])).out).toContain('fieldsOnUpdate');
    const { out } = await bench.run(['sandbox', 'reset', '--help-all']);
    expect(out).not.toContain('fieldsOnUpdate');
    expect(out).toContain('eventreg sandbox reset --data');
  });

  test('empties it with --yes, whatever file it is in', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A'))]);
    const ended = await bench.run(['sandbox', 'reset', '--data', 'service.sqlite', '--yes']);
    expect(ended).toMatchObject({ code: EXIT.done, err: expect.stringContaining('The sandbox is empty.') });
    expect(bench.sandbox.registrations()).toEqual([]);
  });

  test('asks first: without anybody to ask, or with a no, all stays', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A'))]);
    const argv = ['sandbox', 'reset', '--data', 'service.sqlite'];
    expect(await bench.run(argv)).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('Add --yes'),
    });
    const { prompt } = fakePrompt({ 'Empty the sandbox': false });
    expect((await bench.run(argv, { tty: true, prompt: async () => prompt })).code).toBe(EXIT.guarded);
    expect(bench.sandbox.registrations()).toHaveLength(1);
    expect(existsSync(join(bench.directory, 'state', 'sandbox.sqlite'))).toBe(false);
  });
});

describe('sandbox sample', () => {
  test.each(['guests.xlsx', 'guests.csv', 'guests.json', 'guests.ndjson'])(
    'writes %s, which push sends to the sandbox without a question',
    async (file) => {
      const bench = await pushBench();
      const wrote = await bench.run(['sandbox', 'sample', join(bench.directory, file)]);
      expect([wrote.code, wrote.out]).toEqual([EXIT.done, '']);
      expect(wrote.err).toMatch(/^40 guests written to .+ Next: eventreg push \S+ --sandbox\n$/);
      const { code, summary } = await bench.push([join(bench.directory, file)]);
      expect([code, summary]).toMatchObject([EXIT.done, { created: 40, rejected: 0 }]);
      const [first] = bench.kept();
      expect(first).toMatchObject({
        persona: 'visitor',
        fields: { country: 'DE', phone: '+49 1512 2345678' },
      });
    },
  );

  test('is kept from any other service, whole or in part, unless it is meant so', async () => {
    const bench = await pushBench();
    bench.service.passes = (header) => header !== SANDBOX_HEADER;
    await bench.run(['sandbox', 'sample', join(bench.directory, 'sample.csv')]);
    const lines = readFileSync(join(bench.directory, 'sample.csv'), 'utf8').split(/\r?\n/);
    const [heading = '', first = ''] = lines;
    const own = first.replace(/SAMPLE-001/, 'A1').replace(/[^,]+@[^,]+/, 'ada@ada.org');
    bench.write('own.csv', `${heading}\n${own}\n`);
    bench.write('mixed.csv', `${heading}\n${own}\n${lines[2]}\n`);
    bench.write(
      'names.csv',
      `${lines
        .slice(0, 3)
        .map((line) => line.split(',').slice(0, 4).join(','))
        .join('\n')}\n`,
    );
    for (const [file, of] of [
      ['sample.csv', '40 of 40 rows are'],
      ['mixed.csv', '1 of 2 rows is'],
      ['names.csv', '2 of 2 rows are'],
    ] as const) {
      const { code, err, summary } = await bench.push([file]);
      expect([code, summary]).toMatchObject([EXIT.guarded, { stopped_by: 'masked' }]);
      expect(err).toContain(`${of} of the list that \`sandbox sample\` writes`);
    }
    expect(bench.kept()).toEqual([]);
    expect((await bench.push(['own.csv'])).code).toBe(EXIT.done);
    expect((await bench.push(['names.csv', '--set', 'accept=masked'])).code).toBe(EXIT.done);
  });

  test('leaves a file that is there, unless somebody says yes', async () => {
    const bench = await pushBench();
    const file = join(bench.directory, bench.write('mine.csv', 'mine'));
    expect((await bench.run(['sandbox', 'sample', file])).code).toBe(EXIT.guarded);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await bench.run(['sandbox', 'sample', file, '--yes'])).code).toBe(EXIT.done);
    expect(readFileSync(file, 'utf8')).toContain('SAMPLE-040');
  });
});
