import { describe, expect, test } from 'vitest';
import { defineRuns, type RunsOptions } from '../../../src/commands/runs/runs-options.ts';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { registerByHand } from '../../sync/service-hands.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';

const parse = (argv: Argv): Promise<RunsOptions> => parseArgv(defineRuns, 'runs', argv);
const NOTHING_SET = {
  ...GLOBALS,
  action: 'undo',
  id: '2027',
  dryRun: false,
  leave: 0,
  maxDelete: { kind: 'number', value: 50, assumed: true },
  report: [],
};

describe('the command line of runs undo', () => {
  test.each<[Argv, object]>([
    ['undo 2027', {}],
    ['undo', { id: undefined }],
    ['undo 2027 --dry-run --json', { dryRun: true, output: 'json' }],
    ['undo 2027 --max-delete 200 --yes', { maxDelete: { kind: 'number', value: 200 }, yes: true }],
    ['undo 2027 --max-delete 10%', { maxDelete: { kind: 'percent', value: 10 } }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...NOTHING_SET, ...expected });
  });

  test.each([
    ['undo 1 2', 'too many arguments'],
    ['undo 1 --max-delete all', '--max-delete: takes a whole number or a share'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

/** Guests A (changed), B (changed, then edited) and N (new). */
async function three(): Promise<{ bench: Bench; run: string; ids: Record<string, string> }> {
  const bench = await pushBench();
  await bench.push([bench.write('old.csv', visitors('A:Ann', 'B:Bob'))]);
  await bench.push([bench.write('new.csv', visitors('A:Bea', 'B:Bill', 'N:New'))]);
  await registerByHand(bench, { barcode: 'B', fields: { company: 'Edited\u001B[2J Ltd' } });
  const ids = Object.fromEntries(bench.kept().map(({ barcode, id }) => [barcode, id]));
  return { bench, run: bench.runs()[0]?.id ?? '', ids };
}

describe('what runs undo prints', () => {
  test('three lists, one after the other, as records on stdout; a summary on stderr', async () => {
    const { bench, run, ids } = await three();
    const ended = await bench.run(['runs', 'undo', run, '--yes', '--output', 'csv', '--progress', 'none']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.out).toBe(
      [
        'result,place,barcode,persona,registration_id,why',
        `deleted,new.csv:4,N,visitor,${ids['N']},`,
        `restored,new.csv:2,A,visitor,${ids['A']},`,
        `kept,new.csv:3,B,visitor,${ids['B']},edited in the service since: company`,
        '',
      ].join('\n'),
    );
    expect(ended.err).toMatch(
      new RegExp(
        `^Undo run ${run}: delete 1 registration and bring back 1 registration at \\S+\\? Yes \\(--yes\\)\\.\n` +
          `Backup: \\S+\nRun ${run}: 1 deleted, 1 restored, 1 kept\\.\n` +
          'Pushing new\\.csv again brings back whom it still has: change the list first\\.\n$',
      ),
    );
  });

  test('in a dry run what would be, and nothing is asked, done or kept in the journal', async () => {
    const { bench, run } = await three();
    const before = bench.kept();
    const ended = await bench.run(['runs', 'undo', run, '--dry-run', '--output', 'ndjson', '--quiet']);
    expect([ended.code, ended.err]).toEqual([EXIT.rejected, '']);
    const results = ended.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { result: string }).result);
    expect(results).toEqual(['delete', 'restore', 'kept']);
    expect([bench.kept(), bench.runs().length]).toEqual([before, 2]);
  });

  test('nothing on stdout when it is not confirmed', async () => {
    const { bench, run } = await three();
    const { prompt, asked, acting } = fakePrompt({ [`Undo run ${run}`]: false });
    const ended = await bench.run(['runs', 'undo', run], { tty: true, prompt: async () => prompt });
    expect([ended.code, ended.out, asked.length]).toEqual([EXIT.guarded, '', 1]);
    expect(acting).toEqual(asked);
    expect(bench.kept()).toHaveLength(3);
  });

  test('the start of an id is enough, and its help says what there is to know', async () => {
    const { bench, run } = await three();
    expect((await bench.run(['runs', 'undo', run.slice(0, -1), '--dry-run'])).code).toBe(EXIT.rejected);
    const { code, out } = await bench.run(['runs', 'undo', '--help-all']);
    expect(code).toBe(EXIT.done);
    for (const word of ['--dry-run', '--max-delete', 'Exit codes:', 'edited since'])
      expect(out).toContain(word);
  });
});

test('a run of the embedded sandbox names the flag that leads there', async () => {
  const bench = await pushBench();
  bench.write('a.csv', visitors('A'));
  await bench.run(['push', 'a.csv', '--sandbox'], { env: {} });
  const [run] = bench.runs();
  const { code, err } = await bench.run(['runs', 'undo', run?.id ?? '', '--yes']);
  expect(code).toBe(EXIT.usage);
  expect(err).toBe(`eventreg: Run ${run?.id} was at the embedded sandbox.\nhint: Add --sandbox.\n`);
});
