import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { learn } from '../../../src/sync/journal/learned.ts';
import { noteDeletion } from '../../../src/sync/journal/runs.ts';
import { type Bench, type Ended, pushBench, visitors } from '../push-bench.ts';
import { listIn } from '../../support/documents.ts';

interface Resumed {
  run: string;
  files: string;
  uncertain_before: number;
  found: number;
  sent: number;
  uncertain: number;
  conflict: number;
  failed: number;
  deleted: number;
  waiting: number;
  held_by: string | null;
}

const NOTHING = {
  found: 0,
  sent: 0,
  uncertain: 0,
  conflict: 0,
  failed: 0,
  deleted: 0,
  waiting: 0,
  held_by: null,
};

async function resume(bench: Bench, ...argv: readonly string[]): Promise<Ended & { runs: Resumed[] }> {
  const ended = await bench.run(['push', '--resume-uncertain', '--json', '--progress', 'none', ...argv]);
  return { ...ended, runs: ended.out === '' ? [] : listIn<Resumed>(ended.out) };
}

/** A push that is stopped in the middle: the POSTs of some rows are cut, everything after them is refused. */
async function interrupted(
  bench: Bench,
  file: string,
  people: string,
  cut: Readonly<Record<string, boolean>>,
) {
  bench.service.fault = ({ method, body }) => {
    if (method !== 'POST') return undefined;
    const [who] = Object.keys(cut).filter((name) => body.includes(`"${name}"`));
    if (who !== undefined) return { answer: 'cut', passOn: cut[who] === true };
    return body.includes('"Zoe"') ? { answer: { status: 401, body: '{}' } } : undefined;
  };
  const { summary } = await bench.push([bench.write(file, people), '--concurrency', '1']);
  bench.service.fault = () => undefined;
  return summary.run ?? '';
}

/** Does something while another process has a run: its doubts are left alone. */
async function whileHeld<T>(bench: Bench, run: string, work: () => Promise<T>): Promise<T> {
  const other = new Journal(join(bench.directory, 'state'));
  try {
    expect(other.locks.take(run)).toBe(true);
    return await work();
  } finally {
    other.close();
  }
}

describe('rows in doubt', () => {
  test('are settled, sent once more when they are not there, and nothing else is sent', async () => {
    const bench = await pushBench();
    const run = await interrupted(bench, 'a.csv', visitors('A:Ada', 'B:Bob', 'C:Cy', 'Z:Zoe', 'D:Di'), {
      Ada: true,
      Bob: false,
    });
    expect(bench.states()).toEqual(['uncertain', 'uncertain', 'done', 'pending', 'pending']);
    const before = bench.clock.now();
    const ended = await resume(bench);
    expect(ended.code).toBe(EXIT.done);
    expect(ended.runs).toEqual([{ ...NOTHING, run, files: 'a.csv', uncertain_before: 2, found: 1, sent: 1 }]);
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(10_000);
    expect(bench.states()).toEqual(['done', 'done', 'done', 'pending', 'pending']);
    expect(bench.runs()).toMatchObject([{ id: run, state: 'stopped', holder: undefined }]);
    expect(await bench.push(['a.csv'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 2, unchanged: 3 },
    });
    expect(bench.kept()).toHaveLength(5);
  });

  test('of a process that was killed are settled as well', async () => {
    const bench = await pushBench();
    const { summary } = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    bench.journal((journal) => {
      journal.run(
        `UPDATE run SET state = 'sending', holder = '{"pid":1,"host":"h","startedAt":0,"since":0}'`,
      );
      journal.run(`UPDATE row SET state = 'sending', listed_no = NULL WHERE barcode = 'B'`);
    });
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.done, [{ run: summary.run, found: 1, sent: 0 }]]);
    expect(bench.runs()).toMatchObject([{ state: 'interrupted', holder: undefined }]);
  });

  test('stay uncertain where nothing tells them apart, and the exit code says so', async () => {
    const bench = await pushBench();
    await interrupted(bench, 'a.csv', visitors(':Ada', ':Bob'), { Ada: false });
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.uncertain, [{ uncertain: 1, found: 0, sent: 0 }]]);
    expect(ended.err).toMatch(/`eventreg runs decide \d+-\w+ LINE sent`, or not-sent\.$/m);
    expect(bench.sandbox.registrations()).toHaveLength(1);
    const matched = await resume(bench, '--match', 'email');
    expect([matched.code, matched.runs]).toMatchObject([EXIT.done, [{ found: 0, sent: 1 }]]);
  });

  test('that are not there keep waiting for a parent that is not there either', async () => {
    const bench = await pushBench();
    await interrupted(bench, 'a.csv', visitors('A:Ada', 'B/A:Bob'), {});
    bench.journal((journal) => {
      journal.run(`UPDATE row SET state = 'failed', listed_no = NULL WHERE barcode = 'A'`);
      journal.run(`UPDATE row SET state = 'uncertain', listed_no = NULL WHERE barcode = 'B'`);
    });
    const member = bench.kept().find(({ barcode }) => barcode === 'B')?.id ?? '';
    await fetch(`${bench.sandbox.baseUrl}/registration/${member}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bench.sandbox.token}` },
    });
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.rejected, [{ waiting: 1, sent: 0, uncertain: 0 }]]);
    expect(bench.posts()).toHaveLength(2);
  });

  test('that were deleted with eventreg are not brought back', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    const [victim] = bench.kept();
    const service = bench.runs()[0]?.service ?? '';
    bench.journal((journal) =>
      noteDeletion(journal, service, { id: victim?.id, barcode: victim?.barcode }, 'uncertain'),
    );
    await fetch(`${bench.sandbox.baseUrl}/registration/${victim?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bench.sandbox.token}` },
    });
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.done, [{ deleted: 1, sent: 0 }]]);
    expect(bench.states()).toEqual(['deleted', 'done']);
    expect(bench.kept()).toHaveLength(1);
  });

  test('with messages to people are sent once more only after a yes', async () => {
    const bench = await pushBench();
    const people = visitors('A:Ada', 'B:Bob')
      .replace('persona,', 'enable_comms,persona,')
      .replaceAll('visitor,', 'true,visitor,');
    const stop = new AbortController();
    // Stopped once both have left, before anything is settled.
    bench.service.fault = ({ method, body, nth }) => {
      if (method === 'POST' && nth === 1) stop.abort(new InterruptedError());
      return method === 'POST' && body.includes('"Ada"') ? { answer: 'cut' } : undefined;
    };
    await bench.push([bench.write('a.csv', people), '--yes'], { stopping: stop.signal });
    bench.service.fault = () => undefined;
    expect(bench.states()).toEqual(['uncertain', 'done']);
    const refused = await resume(bench);
    expect(refused).toMatchObject({ code: EXIT.guarded, err: expect.stringContaining('to 1 person') });
    expect(bench.posts()).toHaveLength(1);
    expect(bench.states()).toEqual(['pending', 'done']);
  });
});

describe('an update in doubt', () => {
  async function doubtfulUpdate() {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
    const service = bench.runs()[0]?.service ?? '';
    const know = (): void =>
      bench.journal((journal) => {
        learn(journal, service, 'upsert', 'update', bench.clock.now());
        learn(journal, service, 'unsent:visitor:email', 'merge', bench.clock.now());
      });
    know();
    const run = await interrupted(bench, 'a.csv', visitors('A:Eva', 'B:Zoe'), { Eva: false });
    expect(bench.states(run)[0]).toBe('uncertain');
    return { bench, run, service };
  }

  test('is sent once more when the service is known to update', async () => {
    const { bench } = await doubtfulUpdate();
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.done, [{ sent: 1, waiting: 0 }]]);
    expect(bench.kept()[0]?.fields['first_name']).toBe('Eva');
  });

  test('waits for a push when that is not known', async () => {
    const { bench } = await doubtfulUpdate();
    bench.journal((journal) => journal.run('DELETE FROM learned'));
    const posts = bench.posts().length;
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.rejected, [{ sent: 0, waiting: 1 }]]);
    expect(bench.posts()).toHaveLength(posts);
  });

  test('that a later push has overtaken is not sent over it', async () => {
    const { bench, run } = await doubtfulUpdate();
    await whileHeld(bench, run, () => bench.push([bench.write('b.csv', visitors('A:Zed'))]));
    const posts = bench.posts().length;
    const ended = await resume(bench);
    expect(ended.runs).toMatchObject([{ run, conflict: 1, sent: 0, found: 0 }]);
    expect(bench.posts()).toHaveLength(posts);
    expect(bench.kept()[0]?.fields['first_name']).toBe('Zed');
  });

  test('that a later push has settled is taken for settled', async () => {
    const { bench, run } = await doubtfulUpdate();
    const later = bench.write('b.csv', visitors('A:Eva'));
    const { summary } = await whileHeld(bench, run, () => bench.push([later]));
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.done, [{ run, found: 1, sent: 0 }]]);
    const message = bench.journal((journal) =>
      journal.get<{ message: string }>(`SELECT message FROM row WHERE run = $run AND barcode = 'A'`, {
        $run: run,
      }),
    );
    expect(message).toEqual({ message: `settled by run ${summary.run}` });
  });
});

describe('which runs', () => {
  test('those of the named files, or all; newest first', async () => {
    const bench = await pushBench();
    const one = await interrupted(bench, 'a.csv', visitors('A:Ada', 'Z:Zoe'), { Ada: true });
    const two = await whileHeld(bench, one, () =>
      interrupted(bench, 'b.csv', visitors('B:Bob', 'Y:Zoe'), { Bob: true }),
    );
    expect((await resume(bench, 'a.csv')).runs.map(({ run }) => run)).toEqual([one]);
    expect((await resume(bench)).runs.map(({ run }) => run)).toEqual([two]);
    const none = await resume(bench);
    expect(none).toMatchObject({
      code: EXIT.done,
      runs: [],
      err: expect.stringContaining('Nothing is in doubt.'),
    });
  });

  test('none that another process works on: it is told, and left alone', async () => {
    const bench = await pushBench();
    const run = await interrupted(bench, 'a.csv', visitors('A:Ada', 'Z:Zoe'), { Ada: true });
    const other = new Journal(join(bench.directory, 'state'));
    onTestFinished(() => other.close());
    other.locks.take(run);
    other.run(`UPDATE run SET holder = '{"pid":7,"host":"there","startedAt":0,"since":0}' WHERE id = $id`, {
      $id: run,
    });
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([
      EXIT.uncertain,
      [{ run, uncertain: 1, held_by: 'process 7 on there' }],
    ]);
    expect(bench.states()).toContain('uncertain');
  });

  test('what stops it leaves the rest in doubt, and the run as it was', async () => {
    const bench = await pushBench();
    const run = await interrupted(bench, 'a.csv', visitors('A:Ada', 'Z:Zoe'), { Ada: true });
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/registration')
        ? { answer: { status: 401, body: '{}' } }
        : undefined;
    const ended = await resume(bench);
    expect([ended.code, ended.runs]).toMatchObject([EXIT.unauthorised, [{ run, uncertain: 1 }]]);
    expect(bench.runs()[0]).toMatchObject({ state: 'stopped', holder: undefined });
  });
});
