import { describe, expect, test } from 'vitest';
import { EXIT, InterruptedError } from '../../src/errors.ts';
import { fakePrompt } from '../support/fake-runtime.ts';
import { type Bench, type Ended, pushBench, type Summary, visitors } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';
import { listIn } from '../support/documents.ts';

/** The first names that the service holds, by barcode. */
const names = (bench: Bench): Record<string, unknown> =>
  Object.fromEntries(bench.kept().map(({ barcode, fields }) => [barcode, fields['first_name']]));

/** A push in which the requests of some people are cut, and that ends at another with a 401. */
async function interrupted(
  bench: Bench,
  argv: readonly string[],
  cut: Readonly<Record<string, boolean>>,
  stop = 'Zoe',
): Promise<Ended & { summary: Summary }> {
  bench.service.fault = ({ method, body }) => {
    if (method !== 'POST') return undefined;
    const [who] = Object.keys(cut).filter((name) => body.includes(`"${name}"`));
    if (who !== undefined) return { answer: 'cut', passOn: cut[who] === true };
    return body.includes(`"${stop}"`) ? { answer: { status: 401, body: '{}' } } : undefined;
  };
  const ended = await bench.push([...argv, '--concurrency', '1']);
  bench.service.fault = () => undefined;
  return ended;
}

const MON = visitors('A:Ada', 'B:Bob', 'C:Cy', 'D:Di', 'E:Eve');
const TUE = visitors('A:Ada', 'B:Bill', 'C:Cy', 'D:Di', 'E:Eve');

describe('a list that is pushed every day', () => {
  async function threeDays(): Promise<{ bench: Bench; runs: (string | null)[] }> {
    const bench = await pushBench();
    bench.write('mon.csv', MON);
    bench.write('tue.csv', TUE);
    const runs: (string | null)[] = [];
    // What another list has changed since stays, unless the first one is to go over it.
    for (const argv of [['mon.csv'], ['tue.csv'], ['mon.csv', '--overwrite']])
      runs.push((await bench.push(argv)).summary.run);
    return { bench, runs };
  }

  test('is a run each time, with what that time did', async () => {
    const { bench, runs } = await threeDays();
    expect(new Set(runs).size).toBe(3);
    expect(bench.runs().map(({ id, files, state }) => [id, files, state])).toEqual([
      [runs[2], ['mon.csv'], 'finished'],
      [runs[1], ['tue.csv'], 'finished'],
      [runs[0], ['mon.csv'], 'finished'],
    ]);
    const listed = listIn<object>((await bench.run(['runs', '--json'])).out);
    expect(listed).toMatchObject([
      { new: 0, changed: 1, unchanged: 4 },
      { new: 0, changed: 1, unchanged: 4 },
      { new: 5, changed: 0, unchanged: 0 },
    ]);
  });

  test('can be undone a time each: the last time touches what it changed, and nothing else', async () => {
    const { bench, runs } = await threeDays();
    const before = bench.kept();
    const ended = await bench.run(['runs', 'undo', runs[2] ?? '', '--yes', '--json', '--progress', 'none']);
    expect(ended.code).toBe(EXIT.done);
    expect(listIn(ended.out)).toMatchObject([{ result: 'restored', barcode: 'B' }]);
    expect(bench.kept().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(names(bench)).toEqual({ A: 'Ada', B: 'Bill', C: 'Cy', D: 'Di', E: 'Eve' });
  });

  test('is a run also when there was nothing to send, and never one for a dry run or a refused file', async () => {
    const bench = await pushBench();
    bench.write('mon.csv', MON);
    await bench.push(['mon.csv']);
    const [first] = bench.runs();
    const again = await bench.push(['mon.csv']);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 5, state: 'finished' } });
    expect(again.summary.run).not.toBe(first?.id);
    expect((await bench.push(['mon.csv', '--dry-run'])).summary.run).toBeNull();
    bench.write('bad.csv', visitors('X', 'X'));
    expect(await bench.push(['bad.csv'])).toMatchObject({
      code: EXIT.rejected,
      summary: { run: null, state: 'refused', rejected: 2 },
    });
    expect(bench.runs().map(({ id }) => id)).toEqual([again.summary.run, first?.id]);
    const { out } = await bench.run(['runs'], { tty: true });
    expect(out).toMatch(/^\S+ {2}today 12:00 {2}5 the same {2}\S*done\S* {3}mon\.csv/m);
    expect(out).toContain('5 new');
  });
});

describe('a push that was interrupted', () => {
  test('is gone on from by the next push of its file, and closed', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A:Ada', 'Z:Zoe', 'B:Bob'));
    const first = await interrupted(bench, ['a.csv'], {});
    expect(first).toMatchObject({ code: EXIT.unauthorised, summary: { sent: 1, pending: 2 } });
    const second = await bench.push(['a.csv']);
    expect(second).toMatchObject({ code: EXIT.done, summary: { sent: 2, unchanged: 1 } });
    expect(second.err).toContain(`Going on from run ${first.summary.run}.`);
    const [newest, oldest] = listIn<object>((await bench.run(['runs', '--json'])).out);
    expect(newest).toMatchObject({ run: second.summary.run, new: 2, unchanged: 1, state: 'finished' });
    expect(oldest).toMatchObject({ run: first.summary.run, new: 1, unchanged: 0, state: 'closed' });
  });

  test('before it looked at what it had sent is told by the next what came of it', async () => {
    const bench = await pushBench({ misstored: 'dropped', limit: 0 });
    const file = bench.write('a.csv', 'persona,barcode,first_name,company\nvisitor,A,Ada,\n');
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Old' } });
    const [old] = bench.kept();
    if (old !== undefined) bench.sandbox.put({ ...old, fields: { ...old.fields, company: 'Acme' } });
    const stop = new AbortController();
    bench.service.fault = ({ method, path }) => {
      if (method === 'GET' && !path.includes('barcode=') && bench.posts().length > 1)
        stop.abort(new InterruptedError());
      return undefined;
    };
    const first = await bench.push([file, '--yes'], { stopping: stop.signal });
    expect(first.err).toContain('Audit: not done');
    bench.service.fault = () => undefined;
    const second = await bench.push([file, '--yes']);
    expect(second.code).toBe(EXIT.rejected);
    expect(second.err).toContain(`What run ${first.summary.run} had left open was looked at`);
    const { out } = await bench.run(['runs', 'show', first.summary.run ?? '', '--json']);
    expect(out).toContain('company');
  });

  test('by a guard has begun no run, and counts for nothing', async () => {
    const bench = await pushBench();
    await registerByHand(bench, { barcode: 'S', fields: { first_name: 'Old', email: 'a@example.com' } });
    const file = bench.write('a.csv', 'persona,first_name,email\nvisitor,Ada,a@example.com\n');
    const first = await bench.push([file, '--match', 'email']);
    expect(first).toMatchObject({ code: EXIT.guarded, summary: { run: null } });
    const second = await bench.push([file, '--yes']);
    expect(second).toMatchObject({ code: EXIT.rejected, summary: { sent: 0 } });
    expect(second.err).toContain('--match email if it is the same person');
  });

  test('after which the file was edited is gone on from, and both are undone in one go', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A:Ada', 'Z:Zoe', 'B:Bob'));
    const first = await interrupted(bench, ['a.csv'], {});
    bench.write('a.csv', visitors('A:Ada', 'Z:Zora', 'B:Bob'));
    const second = await bench.push(['a.csv']);
    expect(second).toMatchObject({ code: EXIT.done, summary: { sent: 2, unchanged: 1 } });
    expect(second.err).toContain(`Going on from run ${first.summary.run}`);
    expect(second.summary.run).not.toBe(first.summary.run);
    expect(bench.runs()).toMatchObject([
      { id: second.summary.run, state: 'finished' },
      { id: first.summary.run, state: 'closed', continuedBy: second.summary.run },
    ]);
    const { out } = await bench.run(['runs'], { tty: true });
    expect(out).toContain(`goes on from run ${first.summary.run}`);
    expect(out).toContain(`run ${second.summary.run} went on from it`);

    const { prompt, asked } = fakePrompt({ 'Undo all of them?': true, 'Undo run': true });
    const undone = await bench.run(
      ['runs', 'undo', second.summary.run ?? '', '--json', '--progress', 'none'],
      {
        tty: true,
        prompt: async () => prompt,
      },
    );
    expect([undone.code, asked.length]).toEqual([EXIT.done, 3]);
    expect(listIn(undone.out)).toHaveLength(3);
    expect(bench.kept()).toEqual([]);
  });

  test('is gone on from by its list under another name with an open row edited, and not by another list', async () => {
    const bench = await pushBench();
    const first = await interrupted(bench, [bench.write('a.csv', visitors('A:Ada', 'Z:Zoe', 'B:Bob'))], {});
    const going = `Going on from run ${first.summary.run}.`;
    const other = bench.write('other.csv', visitors('A:Ann', 'Z:Zed', 'B:Bea'));
    expect((await bench.push([other, '--keep'])).err).not.toContain(going);
    const renamed = bench.write('b.csv', visitors('A:Ada', 'Z:Zora', 'B:Bob'));
    expect((await bench.push([renamed, '--keep'])).err).toContain(going);
    expect(bench.runs().at(-1)).toMatchObject({ id: first.summary.run, state: 'closed' });
  });

  test('while older doubts were settled has begun no run', async () => {
    const bench = await pushBench();
    bench.write('old.csv', visitors('A:Ada', 'Z:Zoe'));
    await interrupted(bench, ['old.csv'], { Ada: false });
    bench.write('new.csv', visitors('N:New'));
    const stop = new AbortController();
    bench.service.fault = ({ path }) => {
      if (path.includes('/registration')) stop.abort(new InterruptedError());
      return undefined;
    };
    const stopped = await bench.push(['new.csv'], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    expect(stopped).toMatchObject({ code: EXIT.interrupted, summary: { run: null } });
    const ended = await bench.push(['new.csv']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
  });
});

describe('rows in doubt of an earlier run', () => {
  test('are settled first, whatever became of them in the file', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A:Ada', 'B:Bob', 'C:Cy', 'Z:Zoe'));
    const first = await interrupted(bench, ['a.csv'], { Ada: true, Bob: false });
    expect(bench.states()).toEqual(['uncertain', 'uncertain', 'done', 'pending']);
    // Ada is corrected, Bob is not in the list any more.
    bench.write('a.csv', visitors('A:Adele', 'C:Cy', 'Z:Zoe'));
    const second = await bench.push(['a.csv']);
    expect(second).toMatchObject({ code: EXIT.done, summary: { sent: 2, uncertain: 0 } });
    expect(names(bench)).toEqual({ A: 'Adele', C: 'Cy', Z: 'Zoe' });
    expect(bench.states(first.summary.run ?? '')).toEqual(['done', 'pending', 'done', 'pending']);
    const [, closed] = bench.runs();
    expect(closed).toMatchObject({
      state: 'closed',
      counts: { new: 1, uncertain: 2, open: 1 },
      later: [{ text: '2 uncertain rows: 1 found as sent, 1 not there' }],
    });
  });

  test('that several runs carry are looked for once, and settled in all', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A:Ada', 'B:Bob'));
    // What is listed is behind: nothing can be told.
    bench.service.fault = ({ method, body, path }) => {
      if (method === 'POST') return body.includes('"Ada"') ? { answer: 'cut', passOn: true } : undefined;
      if (!path.includes('/registration')) return undefined;
      return { answer: { status: 200, body: '{"data":[],"meta":{"total":0}}' } };
    };
    expect((await bench.push(['a.csv', '--no-audit'])).code).toBe(EXIT.uncertain);
    expect((await bench.push(['a.csv', '--no-audit'])).code).toBe(EXIT.uncertain);
    expect(bench.runs()).toHaveLength(2);
    bench.service.fault = () => undefined;
    const third = await bench.push(['a.csv']);
    expect(third).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 2 } });
    expect(bench.runs().map(({ id }) => bench.states(id))).toEqual([
      ['unchanged', 'unchanged'],
      ['done', 'conflict'],
      ['done', 'done'],
    ]);
    expect(bench.kept()).toHaveLength(2);
  });
});

const GUESTS = 'persona,First name,Last name,E-mail\n';

describe('a row without a barcode in doubt', () => {
  async function doubt(): Promise<{ bench: Bench; run: string | null }> {
    const bench = await pushBench();
    bench.write('a.csv', `${GUESTS}visitor,Ada,Byron,ada@example.com\nvisitor,Zoe,Zed,zoe@example.com\n`);
    const { summary } = await interrupted(bench, ['a.csv'], { Ada: false });
    expect(bench.states()).toEqual(['uncertain', 'pending']);
    return { bench, run: summary.run };
  }

  test.each([
    ['the e-mail of a.csv:2 of run', 'visitor,Adele,Byron,ada@example.com'],
    ['the name of a.csv:2 of run', 'visitor,Ada,Byron,ada.byron@example.com'],
  ])('makes an edited row with %s a conflict, and it is not sent', async (what, edited) => {
    const { bench } = await doubt();
    bench.write('a.csv', `${GUESTS}${edited}\nvisitor,Zoe,Zed,zoe@example.com\n`);
    const dry = await bench.push(['a.csv', '--dry-run']);
    const ended = await bench.push(['a.csv']);
    expect([dry.code, ended.code]).toEqual([EXIT.rejected, EXIT.rejected]);
    expect(ended.summary).toMatchObject({ sent: 1, conflict: 1 });
    expect(ended.summary.problems).toMatchObject([
      {
        place: 'a.csv:2',
        state: 'conflict',
        message: expect.stringContaining(`has ${what}`),
      },
    ]);
    expect(bench.kept()).toHaveLength(1);
  });

  test('is told with the command that settles it', async () => {
    const { bench, run } = await doubt();
    bench.write('a.csv', `${GUESTS}visitor,Ada,Byron,ada.byron@example.com\n`);
    const ended = await bench.push(['a.csv']);
    const decide = `\`eventreg runs decide ${run} a.csv:2 sent\`, or not-sent`;
    expect(ended.err).toContain(`a.csv:2 of run ${run}: say what is so with ${decide}.`);
    const message = ended.summary.problems[0]?.message ?? '';
    expect(message).toMatch(/\(likely not there: .*\): say so first with/);
    expect(message.split('with ').at(-1)).toBe(decide);
  });

  test('says nothing of a family that was in the same file', async () => {
    const bench = await pushBench();
    const family = ['Ann', 'Zoe', 'Cy'].map((name) => `visitor,${name},Fox,fox@example.com\n`).join('');
    bench.write('a.csv', GUESTS + family);
    await interrupted(bench, ['a.csv'], { Ann: false });
    const ended = await bench.push(['a.csv']);
    expect(ended.summary).toMatchObject({ sent: 2, uncertain: 1, conflict: 0 });
    expect(bench.kept()).toHaveLength(2);
  });
});

describe('the counts of the end', () => {
  test('stay as they were; what was decided or undone since is a line with its time', async () => {
    const bench = await pushBench();
    bench.write('a.csv', `${GUESTS}visitor,Ada,Byron,ada@example.com\nvisitor,Bob,Day,bob@example.com\n`);
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('"Ada"') ? { answer: 'cut' } : undefined;
    const { summary, code } = await bench.push(['a.csv']);
    bench.service.fault = () => undefined;
    expect(code).toBe(EXIT.uncertain);
    const run = summary.run ?? '';
    expect((await bench.run(['runs', 'decide', run, 'a.csv:2', 'sent', '--yes'])).code).toBe(EXIT.done);
    await bench.run(['runs', 'undo', run, '--yes', '--max-delete', '100%']);
    const [undo, push] = listIn<Record<string, unknown>>((await bench.run(['runs', '--json'])).out);
    expect(undo).toMatchObject({ kind: 'undo', undoes: run, deleted: 1 });
    expect(push).toMatchObject({
      new: 1,
      uncertain: 1,
      later: [
        { text: 'a person decided a.csv:2: sent' },
        { text: expect.stringMatching(`^undone by run ${String(undo?.['run'])}: 1 deleted`) },
      ],
    });
    const shown = await bench.run(['runs', 'show', run, '--json']);
    expect(shown.err).toContain('1 new, 1 not known whether they arrived\n');
    expect(shown.err).toMatch(/^2026-01-15 12:01: a person decided a\.csv:2: sent$/m);
  });
});

describe('runs undo without an id', () => {
  async function twoPushes(): Promise<{ bench: Bench; last: string }> {
    const bench = await pushBench();
    await bench.push([bench.write('mon.csv', MON)]);
    const { summary } = await bench.push([bench.write('tue.csv', TUE)]);
    // Nothing to undo of this one.
    await bench.push(['tue.csv']);
    return { bench, last: summary.run ?? '' };
  }

  test('asks at a terminal about the last push that did something', async () => {
    const { bench, last } = await twoPushes();
    const { prompt, asked } = fakePrompt({ 'Undo it?': true, 'Undo run': true });
    const ended = await bench.run(['runs', 'undo'], { tty: true, prompt: async () => prompt });
    expect(ended.code).toBe(EXIT.done);
    expect(asked[0]).toContain(
      `The last push is run ${last} of 2026-01-15 12:00 (tue.csv: 1 changed, 4 the same)`,
    );
    expect(names(bench)['B']).toBe('Bob');
    // The next one offered is the one before.
    const dry = await bench.run(['runs', 'undo', '--dry-run']);
    expect(dry.err).toContain('(mon.csv: 5 new)');
  });

  test('names the id where nobody can be asked', async () => {
    const { bench, last } = await twoPushes();
    const ended = await bench.run(['runs', 'undo', '--yes']);
    expect(ended).toMatchObject({ code: EXIT.usage, out: '' });
    expect(ended.err).toContain(`hint: eventreg runs undo ${last}\n`);
    expect(names(bench)['B']).toBe('Bill');
  });

  test('names the flag that leads to the sandbox', async () => {
    const bench = await pushBench();
    const { summary } = await bench.push([bench.write('a.csv', visitors('A')), '--sandbox']);
    const ended = await bench.run(['runs', 'undo', '--yes', '--sandbox']);
    expect(ended.err).toContain(`hint: eventreg runs undo ${summary.run} --sandbox\n`);
  });

  test('has nothing to offer where nothing was pushed', async () => {
    const bench = await pushBench();
    expect(await bench.run(['runs', 'undo'])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('can be undone'),
    });
  });
});
