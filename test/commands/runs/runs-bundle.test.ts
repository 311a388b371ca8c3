import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { readParts } from '../../report/read-workbook.ts';
import { barcodes, type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { canaries, leaked } from '../../support/canary.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { listed } from '../../support/tables.ts';

const refuse = (bench: Bench, body: string): void => {
  bench.service.fault = ({ method, body: sent }) =>
    method === 'POST' && sent.includes('"B"') ? { answer: { status: 422, body } } : undefined;
};

interface BundledRow {
  barcode: string;
  line: number;
  state: string;
  message: string | null;
  steps: { step: string; status: number | null; request_id: string; detail: string | null }[];
}

async function bundled(bench: Bench, run: string): Promise<Map<string, string>> {
  const ended = await bench.run(['runs', 'bundle', run]);
  expect(ended.code).toBe(EXIT.done);
  return await readParts(readFileSync(join(bench.directory, `eventreg-${run}.redacted.zip`)));
}

const rowsOf = (parts: ReadonlyMap<string, string>): BundledRow[] =>
  (parts.get('rows.ndjson') ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BundledRow);

/** A run with a row that is refused in words that quote it. */
async function refusedRun(): Promise<{ bench: Bench; run: string }> {
  const bench = await pushBench();
  refuse(
    bench,
    '{"message":"Validation failed","errors":{"email":"bob@example.com is not allowed for Bob B"}}',
  );
  const { summary } = await bench.push([bench.write('guests.csv', visitors('A:Ada', 'B:Bob', 'C/B:Cy'))]);
  return { bench, run: summary.run ?? '' };
}

describe('a bundle', () => {
  test('has what support needs, and says what it holds', async () => {
    const { bench, run } = await refusedRun();
    const asked = bench.service.requests.length;
    const parts = await bundled(bench, run);
    expect([...parts.keys()]).toEqual(
      listed('README.txt | machine.json | event.json | run.json | rows.ndjson'),
    );
    expect(parts.get('README.txt')).toContain(`Run ${run}, for support`);
    expect(JSON.parse(parts.get('machine.json') ?? '')).toMatchObject({
      eventreg: '0.0.0-test',
      node: '20.18.1',
      settings: {
        readable: true,
        base_url_from: 'environment',
        token_from_environment: true,
        settle_ms: 60_000,
      },
      doctor: expect.arrayContaining([{ check: 'proxy', result: 'ok', found: 'none', advice: null }]),
    });
    expect(JSON.parse(parts.get('event.json') ?? '')).toMatchObject({
      slug: 'harbour-trade-fair-2027',
      personas: [
        { slug: 'visitor', fields: expect.arrayContaining([expect.objectContaining({ slug: 'meal' })]) },
        {},
        {},
      ],
    });
    expect(JSON.parse(parts.get('run.json') ?? '')).toMatchObject({
      run,
      state: 'finished',
      files: [{ file: expect.stringMatching(/^t-\w{12}$/), format: '.csv' }],
      counts: { new: 1, failed: 1, blocked: 1 },
      plan: [
        { op: 'send', plan: 'create', state: 'blocked', n: 1 },
        { op: 'send', plan: 'create', state: 'done', status: 201, n: 1 },
        { op: 'send', plan: 'create', state: 'failed', status: 422, n: 1 },
      ],
    });
    // Nothing was asked of the service.
    expect(bench.service.requests).toHaveLength(asked);
  });

  test('tells what the service allowed as it is', async () => {
    const bench = await pushBench({ limit: 5, windowMs: 20_000 });
    const { summary } = await bench.push([bench.write('guests.csv', visitors(...barcodes(15)))]);
    const parts = await bundled(bench, summary.run ?? '');
    expect(JSON.parse(parts.get('run.json') ?? '')).toMatchObject({
      allowed: { limit: 5, windowMs: expect.any(Number) },
      steps: expect.arrayContaining([expect.objectContaining({ step: 'paced', status: null })]),
    });
  });

  test('tells of every step, with texts of the service in their shape', async () => {
    const { bench, run } = await refusedRun();
    const rows = rowsOf(await bundled(bench, run));
    expect(rows.map(({ line, state }) => [line, state])).toEqual([
      [2, 'done'],
      [3, 'failed'],
      [4, 'blocked'],
    ]);
    expect(rows[1]?.message).toMatch(
      /^Validation failed; email: t-\w{12} is not allowed for t-\w{12} t-\w{12}$/,
    );
    expect(rows[1]?.steps.map(({ step, status }) => [step, status])).toEqual([
      ['sent', null],
      ['answered', 422],
    ]);
    expect(rows[1]?.steps[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('gives equal values equal tokens, and no two bundles the same', async () => {
    const { bench, run } = await refusedRun();
    const print = async (): Promise<BundledRow[]> => {
      const { out } = await bench.run(['runs', 'bundle', run, '--print']);
      return rowsOf(new Map([['rows.ndjson', out.split('---- rows.ndjson\n')[1] ?? '']]));
    };
    const [one, other] = [await print(), await print()];
    const parents = one.map((row) => (row as unknown as { parent_barcode: string }).parent_barcode);
    expect(parents).toEqual([null, null, one[1]?.barcode]);
    expect(new Set([...one, ...other].map(({ barcode }) => barcode)).size).toBe(6);
  });

  test('is printed whole and not written with --print, as one document with --json', async () => {
    const { bench, run } = await refusedRun();
    const before = readdirSync(bench.directory);
    const { out } = await bench.run(['runs', 'bundle', run, '--print']);
    const json = JSON.parse((await bench.run(['runs', 'bundle', run, '--print', '--json'])).out) as {
      parts: { name: string; text: string }[];
    };
    expect(readdirSync(bench.directory)).toEqual(before);
    const written = await bundled(bench, run);
    expect(json.parts.map(({ name }) => name)).toEqual([...written.keys()]);
    // But for the tokens, and the time at which it was made.
    const alike = (text: string): string => text.replace(/t-[0-9a-f]{12}/g, 't').replace(/Made \S+/, '');
    expect(alike(out)).toBe(alike([...written].map(([name, text]) => `---- ${name}\n${text}`).join('')));
    expect(alike(json.parts.map(({ text }) => text).join(''))).toBe(alike([...written.values()].join('')));
  });

  test('says that it does not know the event where this machine has not seen it', async () => {
    const { bench, run } = await refusedRun();
    writeFileSync(join(bench.directory, 'state', 'events.json'), '{"x":');
    const parts = await bundled(bench, run);
    expect(parts.get('event.json')).toBe('null\n');
    expect(parts.get('README.txt')).toContain('null: what the event asks is not known on this machine');
    expect(rowsOf(parts)[1]?.message).toMatch(/^Validation failed; email: t-/);
  });
});

describe('the file of a bundle', () => {
  test('is readable by its owner only, and can be named', async () => {
    const { bench, run } = await refusedRun();
    const ended = await bench.run(['runs', 'bundle', run.slice(0, 10), '--to', 'it.zip', '--json']);
    expect(JSON.parse(ended.out)).toMatchObject({ run, file: 'it.zip', parts: null });
    expect(statSync(join(bench.directory, 'it.zip')).mode & 0o077).toBe(0);
  });

  test('is never written over, nor through a link, not even with --yes', async () => {
    const { bench, run } = await refusedRun();
    writeFileSync(join(bench.directory, 'mine.zip'), 'mine');
    symlinkSync(join(bench.directory, 'elsewhere'), join(bench.directory, 'link.zip'));
    for (const file of ['mine.zip', 'link.zip']) {
      const ended = await bench.run(['runs', 'bundle', run, '--to', file, '--yes']);
      expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('is there already') });
    }
    expect(readFileSync(join(bench.directory, 'mine.zip'), 'utf8')).toBe('mine');
    expect(readdirSync(bench.directory)).not.toContain('elsewhere');
  });

  test.each([
    [['nonsense'], 'There is no run'],
    [['RUN', '--to', 'no/folder/it.zip'], 'cannot be written (ENOENT)'],
    [['RUN', '--print', '--to', 'it.zip'], '--print writes nothing'],
  ])('%j is wrong usage', async (argv, said) => {
    const { bench, run } = await refusedRun();
    const ended = await bench.run(['runs', 'bundle', ...argv.map((word) => (word === 'RUN' ? run : word))]);
    expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining(said) });
  });
});

test('of 240 guests of whom everything is unlike anything else nothing is in the bundle, however it is made', async () => {
  const list = canaries(temporaryDirectory());
  const bench = await pushBench({}, list.home);
  bench.service.fault = list.fault;
  const pushed = await bench.push(list.argv, list.overrides);
  expect(pushed.summary).toMatchObject({ rejected: 48, failed: 28 });
  // Of what is looked for there is a lot.
  expect(leaked(list, JSON.stringify(bench.kept())).length).toBeGreaterThan(1500);
  const run = pushed.summary.run ?? '';
  for (const more of [[], ['--print'], ['--print', '--json'], ['--print', '--show-values', '--verbose']]) {
    const ended = await bench.run(['runs', 'bundle', run, ...more], list.overrides);
    expect(ended.code).toBe(EXIT.done);
    expect(leaked(list, ended.out, ended.err)).toEqual([]);
  }
  const bytes = readFileSync(join(list.home, `eventreg-${run}.redacted.zip`));
  const parts = await readParts(bytes);
  expect(leaked(list, bytes, JSON.stringify([...parts]))).toEqual([]);
  expect(rowsOf(parts)).toHaveLength(240);
});
