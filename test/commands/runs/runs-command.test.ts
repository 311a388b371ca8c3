import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defineRuns, type RunsOptions } from '../../../src/commands/runs/runs-options.ts';
import { EXIT } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { listIn } from '../../support/documents.ts';

const parse = (argv: Argv): Promise<RunsOptions> => parseArgv(defineRuns, 'runs', argv);

describe('the command line of runs', () => {
  test.each<[Argv, object]>([
    [[], { action: 'list' }],
    ['list --json', { action: 'list', output: 'json' }],
    ['show 2026', { action: 'show', id: '2026' }],
    ['show 2026 --state failed', { action: 'show', id: '2026', state: 'failed' }],
    ['why a.csv:17', { action: 'why', who: 'a.csv:17', offline: false }],
    [
      'why ada@example.com --run 2026 --show-values --offline',
      { action: 'why', who: 'ada@example.com', run: '2026', offline: true, showValues: true },
    ],
    ['decide 2026 17 sent', { action: 'decide', id: '2026', row: '17', verdict: 'sent' }],
    [
      'decide 2026 a.csv:17 not-sent --yes',
      { action: 'decide', id: '2026', row: 'a.csv:17', verdict: 'not-sent', yes: true },
    ],
    ['purge', { action: 'purge', olderThan: 30 }],
    ['purge 2026 --yes', { action: 'purge', id: '2026', olderThan: 30, yes: true }],
    ['purge --older-than 7', { action: 'purge', olderThan: 7 }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...GLOBALS, ...expected });
  });

  test.each([
    ['report', 'missing required argument'],
    ['purge --older-than soon', '--older-than: takes a whole number of at least 0'],
    ['purge --older-than -1', '--older-than'],
    ['why', 'missing required argument'],
    [['why', ''], '<who>: must not be empty'],
    ['decide 2026 17', 'missing required argument'],
    ['decide 2026 17 perhaps', '<verdict>: takes sent, not-sent'],
    ['nonsense', "unknown action 'nonsense'"],
    ['list more', "unknown action 'more'"],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });

  test('a mistyped action is told with the nearest one', async () => {
    for (const [word, meant] of [
      ['shwo', 'show'],
      ['Why', 'why'],
      ['purg', 'purge'],
    ] as const) {
      await expect(parse([word])).rejects.toThrow(`unknown action '${word}'\n(Did you mean runs ${meant}?)`);
    }
  });
});

/** Makes a run one that this process works on. */
function beAtWork(journal: Journal, run: string): void {
  expect(journal.locks.take(run)).toBe(true);
  const holder = JSON.stringify({ pid: 7, host: 'other-host', startedAt: 0, since: 0 });
  journal.run(`UPDATE run SET state = 'sending', holder = $holder WHERE id = $id`, {
    $holder: holder,
    $id: run,
  });
}

/** One push that was fine, one of which every row was refused. */
async function twoRuns(): Promise<{ bench: Bench; good: string; bad: string }> {
  const bench = await pushBench();
  const good = (await bench.push([bench.write('a.csv', visitors('A', 'B/A'))])).summary.run ?? '';
  bench.service.fault = ({ method }) =>
    method === 'POST' ? { answer: { status: 422, body: '{}' } } : undefined;
  const bad = (await bench.push([bench.write('b.csv', visitors('X', 'Y'))])).summary.run ?? '';
  bench.service.fault = () => undefined;
  return { bench, good, bad };
}

describe('runs', () => {
  test('list: newest first, with what came of each', async () => {
    const { bench, good, bad } = await twoRuns();
    const { code, out, err } = await bench.run(['runs', '--output', 'csv']);
    expect([code, err]).toEqual([EXIT.done, '']);
    expect(out).toBe(
      [
        'run,kind,started,ended,state,new,changed,sent,unchanged,kept,deleted,restored,left,rejected,failed,conflict,values_in_conflict,blocked,postponed,uncertain,open,files,event,undoes,continued_by,message,later,service',
        `${bad},push,2026-01-15T12:00:02.000Z,2026-01-15T12:00:02.000Z,finished,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,b.csv,Harbour Trade Fair 2027,,,,,${bench.env['EVENTREG_BASE_URL']}`,
        `${good},push,2026-01-15T12:00:01.000Z,2026-01-15T12:00:01.000Z,finished,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,a.csv,Harbour Trade Fair 2027,,,,,${bench.env['EVENTREG_BASE_URL']}`,
        '',
      ].join('\n'),
    );
  });

  test('list: as csv, a file name drives no terminal, and stays as it is for other readers', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a\u001B[2J.csv', visitors('A'))]);
    const argv = ['runs', 'list', '--output', 'csv'];
    const shown = (await bench.run(argv, { tty: true })).out;
    expect(shown).toContain(String.raw`a\u{1b}[2J.csv`);
    expect(shown).not.toContain('\u001B');
    expect((await bench.run(argv)).out).toContain('a\u001B[2J.csv');
  });

  test('list: none at all, and one whose process is gone', async () => {
    const bench = await pushBench();
    const none = await bench.run(['runs', '--json']);
    expect([none.code, listIn(none.out), none.err]).toEqual([EXIT.done, [], '']);
    const { summary } = await bench.push([bench.write('a.csv', visitors('A'))]);
    const other = new Journal(join(bench.directory, 'state'));
    beAtWork(other, summary.run ?? '');
    const states = async () => listIn<{ state: string }>((await bench.run(['runs', '--json'])).out);
    expect(await states()).toMatchObject([{ state: 'sending' }]);
    // As the operating system does when a process is killed.
    other.close();
    expect(await states()).toMatchObject([{ state: 'killed' }]);
  });

  test('show: every row with its place, state and id', async () => {
    const { bench, good } = await twoRuns();
    const { out, err } = await bench.run(['runs', 'show', good, '--json']);
    expect(err).toBe(
      `Run ${good}, push, finished, 2026-01-15T12:00:01.000Z: Harbour Trade Fair 2027 at ${bench.service.url}/api; 2 new\n`,
    );
    const row = {
      file: 'a.csv',
      op: 'send',
      plan: 'create',
      state: 'done',
      persona: 'visitor',
      attempts: 1,
      status: 201,
      message: null,
    };
    expect(listIn(out)).toMatchObject([
      {
        ...row,
        line: 2,
        barcode: 'A',
        sent_at: '2026-01-15T12:00:01.000Z',
        registration_id: expect.stringMatching(/^reg-/),
      },
      { ...row, line: 3, barcode: 'B' },
    ]);
  });

  test('show: the last run where none is named, and what matters most of each row at a terminal', async () => {
    const { bench, bad } = await twoRuns();
    const { err, out } = await bench.run(['runs', 'show', '--no-color'], { tty: true });
    expect(err).toMatch(new RegExp(`^Run ${bad}, push, finished, today 12:00: `));
    expect(out.split('\n')[0]).toMatch(/^line +state +.*message/);
    const none = await (await pushBench()).run(['runs', 'show']);
    expect([none.code, none.err]).toEqual([
      EXIT.usage,
      'eventreg: There is no run yet.\nhint: The first `eventreg push` makes one.\n',
    ]);
  });

  test('show: only rows in a state, with what is against them', async () => {
    const bench = await pushBench();
    const rows = 'persona,barcode,E-mail\nvisitor,A,a@example.com\nvisitor,B,nonsense\n';
    const run = (await bench.push([bench.write('a.csv', rows), '--invalid', 'skip'])).summary.run ?? '';
    const { out } = await bench.run(['runs', 'show', run, '--state', 'rejected', '--output', 'csv']);
    expect(out).toBe(
      [
        'file,sheet,line,op,plan,state,barcode,persona,registration_id,attempts,status,sent_at,done_at,checked_at,message,differences,mended',
        'a.csv,,3,send,,rejected,B,,,0,,,,,E-mail: has no @,,',
        '',
      ].join('\n'),
    );
  });

  test('purge of old runs asks when rows are not sent or uncertain', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 401, body: '{}' } } : undefined;
    await bench.push([bench.write('a.csv', visitors('A'))]);
    await bench.clock.advance(1000);
    const purge = ['runs', 'purge', '--older-than', '0'];
    const ended = await bench.run(purge);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('1 run has rows not sent'),
    });
    expect(bench.runs()).toHaveLength(1);
    expect((await bench.run([...purge, '--yes'])).code).toBe(EXIT.done);
    expect(bench.runs()).toEqual([]);
  });

  test.each(['show', 'purge'])('%s of an unknown run is wrong usage', async (action) => {
    const { bench } = await twoRuns();
    for (const [id, problem] of [
      ['nonsense', 'There is no run'],
      ['2026', 'Several runs begin with'],
      ['\u001b', 'There is no run'],
    ] as const) {
      const ended = await bench.run(['runs', action, id, '--yes']);
      expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining(problem) });
      expect(ended.err).not.toContain('\u001b');
    }
  });

  test('purge: one run, by the beginning of its id', async () => {
    const { bench, good, bad } = await twoRuns();
    const ended = await bench.run(['runs', 'purge', good.slice(0, -1)]);
    expect(ended).toEqual({ code: EXIT.done, out: '', err: `Run ${good} forgotten.\n` });
    expect(bench.runs().map(({ id }) => id)).toEqual([bad]);
  });

  test('purge: what ended some days ago', async () => {
    const { bench } = await twoRuns();
    expect((await bench.run(['runs', 'purge'])).err).toBe('0 runs forgotten.\n');
    await bench.clock.advance(8 * 24 * 60 * 60_000);
    expect((await bench.run(['runs', 'purge', '--older-than', '7'])).err).toBe('2 runs forgotten.\n');
    expect(bench.runs()).toEqual([]);
  });

  test('purge: a run with rows not sent needs a yes', async () => {
    const { bench, good } = await twoRuns();
    bench.journal((journal) => journal.run(`UPDATE operation SET state = 'uncertain' WHERE barcode = 'B'`));
    const ended = await bench.run(['runs', 'purge', good]);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain(`Run ${good} has 1 row not sent or uncertain. Forget it?`);
    const { prompt } = fakePrompt({ 'Forget it?': false });
    expect((await bench.run(['runs', 'purge', good], { tty: true, prompt: async () => prompt })).code).toBe(
      EXIT.guarded,
    );
    expect(bench.runs()).toHaveLength(2);
    expect((await bench.run(['runs', 'purge', good, '--yes'])).code).toBe(EXIT.done);
    expect(bench.runs()).toHaveLength(1);
  });

  test('purge: never a run at work', async () => {
    const { bench, good } = await twoRuns();
    const other = new Journal(join(bench.directory, 'state'));
    onTestFinished(() => other.close());
    beAtWork(other, good);
    const ended = await bench.run(['runs', 'purge', good, '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('process 7 on other-host'),
    });
    expect(bench.runs()).toHaveLength(2);
  });
});
