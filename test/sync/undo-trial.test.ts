import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT, InterruptedError } from '../../src/errors.ts';
import { readTally } from '../../src/sync/perform/perform.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { barcodes, type Bench, pushBench, visitors } from './push-bench.ts';

const named = (people: readonly string[], name: string): string =>
  visitors(...people.map((barcode) => `${barcode}:${name}`));

/** Twenty guests called Ann, of whom a push made Bea. */
async function renamed(): Promise<{ bench: Bench; people: string[]; push: string }> {
  const people = barcodes(20);
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', named(people, 'Ann'))]);
  const ended = await bench.push([bench.write('a.csv', named(people, 'Bea'))]);
  expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 20 } });
  return { bench, people, push: ended.summary.run ?? '' };
}

/** From now on the service adds a registration where it used to change one. */
async function double(bench: Bench): Promise<void> {
  const other = await startSandbox({
    file: join(bench.directory, 'service.sqlite'),
    token: bench.sandbox.token,
    switches: { limit: 0, upsert: 'double' },
    now: () => bench.clock.now(),
  });
  onTestFinished(() => other.close());
  bench.service.fault = async ({ method, path, body }) => {
    if (method !== 'POST') return undefined;
    const headers = { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${other.url}${path}`, { method: 'POST', body, headers });
    return {
      answer: {
        status: answer.status,
        body: await answer.text(),
        headers: { 'content-type': 'application/json' },
      },
    };
  };
}

const namesOf = (bench: Bench): unknown[] => bench.kept().map(({ fields }) => fields['first_name']);

test('An undo reads the first one back that it restores: a service that doubles since is sent no other', async () => {
  const { bench, push } = await renamed();
  await double(bench);
  const before = bench.service.requests.filter(({ method }) => method === 'POST').length;
  const ended = await bench.run(['runs', 'undo', push, '--yes']);
  expect(ended.code).toBe(EXIT.rejected);
  expect(bench.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(before + 1);
  expect(namesOf(bench).filter((name) => name === 'Ann')).toHaveLength(1);
  expect(bench.kept()).toHaveLength(21);
  expect(`${ended.out}${ended.err}`).toContain('adds a second registration');
});

test('An undo that is resumed after its rows were sent again says nothing wrong of what it restored before', async () => {
  const { bench, people, push } = await renamed();
  const stop = new AbortController();
  const from = bench.service.requests.filter(({ method }) => method === 'POST').length;
  bench.service.fault = ({ method, nth }) => {
    if (method === 'POST' && nth === from + 8) stop.abort(new InterruptedError());
    return undefined;
  };
  const stopped = await bench.run(['runs', 'undo', push, '--yes'], { stopping: stop.signal });
  expect(stopped.code).toBe(EXIT.interrupted);
  bench.service.fault = () => undefined;
  expect(namesOf(bench)).toContain('Ann');
  bench.write('a.csv', named(people, 'Bea'));
  expect(
    (await bench.push(['a.csv', '--overwrite', '--again', ...people.flatMap((one) => ['--only', one])])).code,
  ).toBe(EXIT.done);
  const ended = await bench.run(['runs', 'undo', push, '--yes']);
  expect(`${ended.out}${ended.err}`).not.toContain('answered that it took the change');
  expect(new Set(namesOf(bench))).toEqual(new Set(['Bea']));
});

test('What an undo leaves alone does not count as failed while it is at work', async () => {
  const { bench, people, push } = await renamed();
  bench.write('b.csv', named(people.slice(0, 5), 'Eve'));
  await bench.push(['b.csv']);
  await bench.run(['runs', 'undo', push, '--yes']);
  const [undo] = bench.runs();
  expect(undo?.kind).toBe('undo');
  const tally = bench.journal((journal) => readTally(journal, undo?.id ?? ''));
  expect(tally).toEqual({ total: 15, sent: 15, failed: 0, uncertain: 0, notSent: 0 });
});
