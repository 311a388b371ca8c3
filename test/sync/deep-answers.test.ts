import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';

const DEEP = `${'{"data":['.repeat(10_000)}1${']}'.repeat(10_000)}`;
const WORDS = 'JSON nested more than 512 levels deep';

/** Answers requests of this method to this path with 20,000 levels of JSON. */
async function deepBench(wanted: string, path: string, status = 200, body = DEEP): Promise<Bench> {
  const bench = await pushBench();
  bench.service.fault = (request) =>
    request.method === wanted && request.path.includes(path)
      ? { passOn: true, answer: { status, body, headers: { 'content-type': 'application/json' } } }
      : undefined;
  return bench;
}

test.each([
  ['the event', ['event', 'show'], '/event', DEEP],
  ['the list', ['list'], '/registration', DEEP],
  ['a record of the list', ['list', '--json'], '/registration', `{"data":[{"id":"1","fields":${DEEP}}]}`],
  ['the webhooks', ['webhooks', 'list'], '/webhooks', DEEP],
])('20,000 levels of JSON in %s are the fault of the service', async (_, argv, path, body) => {
  const bench = await deepBench('GET', path, 200, body);
  const { code, err } = await bench.run(argv);
  expect({ code, err }).toEqual({ code: EXIT.failed, err: expect.stringContaining(WORDS) });
  expect(err).not.toContain('defect');
});

test('20,000 levels of JSON in answer to a create leave it uncertain, until it is found', async () => {
  const bench = await deepBench('POST', '/registration', 201);
  const ended = await bench.push([bench.write('a.csv', visitors('A'))]);
  expect(ended).toMatchObject({ code: EXIT.done, summary: { uncertain: 0 } });
  expect(bench.posts()).toHaveLength(1);
  const steps = bench.journal((journal) => journal.all<{ sends: string }>('SELECT sends FROM operation'));
  expect(JSON.stringify(steps)).toContain(`answered 201 with ${WORDS}`);
});

test('20,000 levels of JSON in a refusal are one failed row', async () => {
  const bench = await deepBench('POST', '/registration', 422);
  const { code, summary } = await bench.push([bench.write('a.csv', visitors('A'))]);
  expect({ code, message: summary.problems[0]?.message }).toEqual({
    code: EXIT.rejected,
    message: expect.stringContaining(WORDS),
  });
});
