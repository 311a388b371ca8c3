import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { readDocument } from '../support/documents.ts';
import type { Fault, PassingRequest } from '../support/faulty-service.ts';
import { barcodes, type Bench, noList, pushBench, visitors } from '../sync/push-bench.ts';
import { listed } from '../support/tables.ts';

const MANY = Array.from({ length: 40 }, (_, n) => `B${n}`);

/** A service that allows 10 requests a minute. */
const slowBench = (): Promise<Bench> => pushBench({ limit: 10, windowMs: 60_000 });

describe('--max-wait', () => {
  test('ends a push with 6, with everything kept, and the same command goes on', async () => {
    const bench = await slowBench();
    const file = bench.write('a.csv', visitors(...MANY));
    const stopped = await bench.push([file, '--max-wait', '70s']);
    expect([stopped.code, stopped.summary.state]).toEqual([EXIT.gaveUp, 'stopped']);
    const { sent, pending } = stopped.summary;
    expect([sent + pending, sent > 0, pending > 0]).toEqual([40, true, true]);
    expect(bench.states().filter((state) => state === 'pending')).toHaveLength(pending);
    expect(stopped.summary).toMatchObject({ uncertain: 0, failed: 0, requests_left: pending });
    expect(stopped.err).toContain(`${pending} still to send`);
    expect(stopped.err).toContain('Nothing is lost: run the same command again later');
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.done);
    expect(ended.err).toContain(`Going on from run ${stopped.summary.run}.`);
    expect(bench.kept()).toHaveLength(40);
    expect(new Set(bench.postedBarcodes()).size).toBe(40);
  });

  test.each<[string, (request: PassingRequest, posts: number) => boolean, number]>([
    ['the event is read', ({ path }) => path.includes('/event'), 0],
    ['the plan is made', ({ method, path }) => method === 'GET' && !path.includes('/event'), 0],
    ['rows are sent', ({ method }, posts) => method === 'POST' && posts === 2, 2],
    ['what was sent is read back', ({ method }, posts) => method === 'GET' && posts === 3, 3],
  ])('ends it with 6 also where %s', async (where, isRefused, sent) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    bench.service.fault = (request) => (isRefused(request, bench.posts().length) ? REFUSED : undefined);
    const stopped = await bench.push([file, '--max-wait', '10m', '--concurrency', '1']);
    expect([stopped.code, bench.posts().length]).toEqual([EXIT.gaveUp, sent]);
    expect(stopped.err).toContain('Nothing is lost: run the same command again later');
    bench.service.fault = () => undefined;
    await bench.clock.advance(3_600_000);
    const before = bench.clock.now();
    expect((await bench.push([file])).code).toBe(EXIT.done);
    expect([bench.kept().length, bench.posts().length]).toEqual([3, 3]);
    // Where nothing was taken before the refusal, that tells of no limit.
    if (where === 'the event is read') expect(bench.clock.now() - before).toBeLessThan(5000);
  });

  test('ends it with 6 where doubts are settled', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { passOn: true, answer: 'cut' } : bench.posts().length > 0 ? REFUSED : undefined;
    const stopped = await bench.push([file, '--max-wait', '10m']);
    expect([stopped.code, stopped.summary.uncertain]).toEqual([EXIT.gaveUp, 1]);
    const resumed = await bench.push([file, '--max-wait', '10m']);
    expect(resumed.code).toBe(EXIT.gaveUp);
    bench.service.fault = () => undefined;
    await bench.clock.advance(3_600_000);
    expect((await bench.push([file])).code).toBe(EXIT.done);
    expect(bench.kept()).toHaveLength(1);
  });

  test.each<[string, string[], (request: PassingRequest) => boolean]>([
    ['delete', ['delete', '--barcode', 'A', '--yes'], ({ method }) => method === 'DELETE'],
    ['undo', ['runs', 'undo', 'RUN', '--yes'], ({ method }) => method === 'DELETE'],
    ['list', ['list', '--all'], ({ path }) => !path.includes('/event')],
  ])('ends %s with 6', async (_command, argv, isRefused) => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    const typed = argv.map((word) => (word === 'RUN' ? (bench.runs()[0]?.id ?? '') : word));
    bench.service.fault = (request) => (isRefused(request) ? REFUSED : undefined);
    const { code, err } = await bench.run([...typed, '--max-wait', '10m']);
    expect([code, bench.kept().length]).toEqual([EXIT.gaveUp, 2]);
    expect(err).toContain('Nothing is lost: run the same command again later');
  });

  test('ends a delete with 6 where it reads back what was deleted', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    bench.service.fault = ({ method }) =>
      method === 'GET' && bench.kept().length === 1 ? REFUSED : undefined;
    const { code, err } = await bench.run(['delete', '--barcode', 'A', '--yes', '--max-wait', '10m']);
    expect([code, bench.kept().length]).toEqual([EXIT.gaveUp, 1]);
    expect(err).toContain('1 registration deleted');
  });
});

/** A service whose answers for a path tell nothing of a limit. */
function withoutLimitIn(bench: Bench, part: string): Bench['service']['fault'] {
  return async ({ path }) => {
    if (!path.includes(`/${part}`)) return undefined;
    const headers = { authorization: 'Bearer bench-token-1234' };
    const answer = await fetch(`${bench.sandbox.baseUrl}/${part}`, { headers });
    return { answer: { status: 200, body: await answer.text() } };
  };
}

/** Longer than any `--max-wait` here. */
const REFUSED: Fault = { answer: { status: 429, headers: { 'retry-after': '3600' }, body: '{}' } };

describe('--leave', () => {
  test('of everything there is stops with 7 at once, instead of waiting for ever', async () => {
    const bench = await slowBench();
    const file = bench.write('a.csv', visitors('A'));
    const { code, err } = await bench.push([file, '--leave', '10']);
    expect([code, bench.posts().length]).toEqual([EXIT.guarded, 0]);
    expect(err).toContain('--leave 10 keeps back every request: the service allows 10 requests a window.');
    expect(err).toContain('hint: Leave at most 9.');
    expect((await bench.push([file, '--leave', '9', '--no-audit'])).code).toBe(EXIT.done);
  });

  test.each([[['list', '--json']], [['list', '--all']], [['delete', 'an-id', '--yes']]])(
    'of everything stops %j with 7 whether or not it would have waited, and gives no data',
    async (argv) => {
      const bench = await slowBench();
      const codes: number[] = [];
      // The second time the limit is remembered: nothing is asked at all.
      for (let n = 0; n < 2; n += 1) {
        const { code, out, err } = await bench.run([...argv, '--leave', '10']);
        codes.push(code);
        await bench.clock.advance(3_600_000);
        expect([out === '' ? '' : readDocument(out).schema, err]).toEqual([
          argv.includes('--json') ? 'eventreg/error@1' : '',
          expect.stringContaining('with a smaller --leave it goes on'),
        ]);
      }
      expect([codes, bench.service.requests.length]).toEqual([[EXIT.guarded, EXIT.guarded], 1]);
    },
  );

  test('of everything, when the answer to a row tells the limit first: the row is known to be sent', async () => {
    const bench = await slowBench();
    const event = withoutLimitIn(bench, 'event');
    bench.service.fault = async (request) => (await event(request)) ?? noList(request);
    const file = bench.write('a.csv', visitors('A'));
    const { code, summary } = await bench.push([file, '--leave', '10', '--yes']);
    expect([code, summary.sent, summary.uncertain, summary.pending]).toEqual([EXIT.guarded, 1, 0, 0]);
  });
});

test('--leave of everything stops with 7 also when the limit shows only later', async () => {
  const bench = await slowBench();
  bench.service.fault = withoutLimitIn(bench, 'event');
  const file = bench.write('a.csv', visitors(...MANY));
  const { code, summary, err } = await bench.push([file, '--leave', '10']);
  expect([code, summary.uncertain, summary.failed]).toEqual([EXIT.guarded, 0, 0]);
  expect(err).toContain('--leave 10 keeps back every request');
});

test('a row that was refused when --leave turned out to be too much is still to send, not in doubt', async () => {
  const bench = await pushBench();
  const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' };
  bench.service.fault = ({ method }) =>
    method === 'POST' ? { answer: { status: 429, headers, body: '{}' } } : undefined;
  const { code, summary } = await bench.push([bench.write('a.csv', visitors('A')), '--leave', '10']);
  expect([code, summary.uncertain, summary.pending]).toEqual([EXIT.guarded, 0, 1]);
});

describe('before a push sends', () => {
  test('it says how long that takes', async () => {
    const bench = await slowBench();
    const file = bench.write('a.csv', visitors(...MANY));
    const dry = await bench.run(['push', file, '--dry-run', '--progress', 'none']);
    expect(dry.err).toContain('40 to send. How long it takes is not known yet.\n');
    const first = await bench.run(['push', file, '--progress', 'none']);
    expect(first.err).toMatch(/ · 40 new, 0 changed, 0 the same\. How long it takes is not known yet\.$/m);
    const renamed = bench.write('a.csv', visitors(...MANY.map((one) => `${one}:Eve`)));
    const again = await bench.run(['push', renamed, '--progress', 'none', '--max-wait', '3m']);
    expect(again.err).toMatch(/ · 0 new, 40 changed, 0 the same · about 4 min\. With --max-wait/m);
  });

  test('a delete and an undo count what they read as well', async () => {
    const bench = await pushBench({ limit: 5, windowMs: 60_000 });
    const people = barcodes(8);
    const push = async (name: string, among: readonly string[]) =>
      await bench.push([bench.write(`${name}.csv`, visitors(...among.map((one) => `${one}:${name}`)))]);
    await push('Ann', people.slice(0, 4));
    await push('Bea', people);
    const [pushed] = bench.runs();
    const undone = await bench.run(['runs', 'undo', pushed?.id ?? '', '--yes', '--progress', 'none']);
    expect(undone.err).toMatch(/^8 registrations · about 2 min$/m);
    await push('Bea', people);
    const { err } = await bench.run(
      listed('delete | --persona | visitor | --yes | --max-delete | 50 | --progress | none'),
    );
    expect(err).toMatch(/^8 registrations · about 2 min$/m);
    const methods = bench.service.requests.map(({ method }) => method);
    expect(methods.slice(methods.lastIndexOf('POST')).slice(-12)).toEqual([
      'GET',
      ...people.map(() => 'DELETE'),
      'GET',
      // That nobody of the persona is left the list without the filter confirms.
      'GET',
      'GET',
    ]);
  });

  test('it says nothing where there is no limit', async () => {
    const bench = await pushBench();
    const { err } = await bench.run(['push', bench.write('a.csv', visitors('A'))]);
    expect(err).not.toContain('request');
  });
});
