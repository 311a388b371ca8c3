import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Fault } from '../../support/faulty-service.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { type Bench, noList, pushBench, visitors } from '../push-bench.ts';

const ASKED = 'so nothing can be looked at';
const QUESTION = 'Send 2 rows all the same?';

/** What requests for the list get. */
const listing =
  (answer: Fault['answer']): Bench['service']['fault'] =>
  ({ method, path }) =>
    method === 'GET' && path.includes('/registration') ? { answer } : undefined;

describe.each<[string, Bench['service']['fault']]>([
  ['offers no list', noList],
  ['lists in no shape that is known', listing({ status: 200, body: '{"people":7}' })],
  ['takes no such question', listing({ status: 422, body: '{"message":"page is not known"}' })],
])('a service that %s', (_name, fault) => {
  async function blind(): Promise<{ bench: Bench; file: string }> {
    const bench = await pushBench();
    bench.service.fault = fault;
    return { bench, file: bench.write('a.csv', visitors('A', 'B')) };
  }

  test('is sent nothing without a yes where nobody can be asked', async () => {
    const { bench, file } = await blind();
    const ended = await bench.push([file]);
    expect([ended.code, bench.posts().length, bench.runs().length]).toEqual([EXIT.guarded, 0, 0]);
    expect(ended.err).toContain(ASKED);
    expect(ended.err).toContain(`${QUESTION} Nobody is here to be asked, so nothing was done.`);
    expect(ended.err).toContain('hint: Add --yes');
  });

  test.each([true, false])('is asked about at a terminal: %s', async (answer) => {
    const { bench, file } = await blind();
    const { prompt, acting } = fakePrompt({ [QUESTION]: answer });
    const ended = await bench.push([file], { tty: true, prompt: async () => prompt });
    expect([ended.code, bench.posts().length]).toEqual(answer ? [EXIT.done, 2] : [EXIT.guarded, 0]);
    expect(acting[0]).toContain(ASKED);
  });

  test('is sent what was not sent before, with a yes', async () => {
    const { bench, file } = await blind();
    expect(await bench.push([file, '--yes'])).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    const more = await bench.push([bench.write('a.csv', visitors('A', 'B:Bea', 'C')), '--yes']);
    expect(more).toMatchObject({ code: EXIT.done, summary: { sent: 2, unchanged: 1 } });
    // Nothing is to be sent: nothing is asked.
    expect(await bench.push([bench.write('a.csv', visitors('A', 'B:Bea', 'C'))])).toMatchObject({
      code: EXIT.done,
    });
  });

  test('leaves a row without an answer in doubt, and the others go on, also later', async () => {
    const { bench, file } = await blind();
    bench.service.fault = async (request) =>
      request.method === 'POST' && request.body.includes('"B"')
        ? { answer: 'cut', passOn: true }
        : await fault?.(request);
    expect(await bench.push([file, '--yes'])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 1, uncertain: 1 },
    });
    bench.service.fault = fault;
    const more = await bench.push([bench.write('a.csv', visitors('A', 'B', 'C')), '--yes']);
    expect(more).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, unchanged: 1, uncertain: 1 } });
  });

  test('is told of by a dry run', async () => {
    const { bench, file } = await blind();
    const ended = await bench.push([file, '--dry-run']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { pending: 2, to_create: 0 } });
    expect(ended.err).toContain('be there twice: a push asks first.');
  });

  test('is no place to delete what a file no longer has', async () => {
    const { bench, file } = await blind();
    expect((await bench.push([file, '--prune', '--yes'])).code).toBe(EXIT.failed);
    expect(bench.posts()).toHaveLength(0);
  });
});

test.each<[string, Fault['answer'], number]>([
  ['fails', { status: 500, body: '{}' }, EXIT.failed],
  ['gives no answer', 'cut', EXIT.failed],
  ['does not take the token', { status: 403, body: '{}' }, EXIT.unauthorised],
])('A list that %s stops a push, also with --yes', async (_name, answer, code) => {
  const bench = await pushBench();
  bench.service.fault = listing(answer);
  const ended = await bench.push([bench.write('a.csv', visitors('A')), '--yes']);
  expect([ended.code, bench.posts().length]).toEqual([code, 0]);
});

describe('a service that shows no values', () => {
  test('is asked about for rows that are there, not for new ones nor for those as they were sent', async () => {
    const bench = await pushBench({ recordShape: 'no-fields' });
    const file = bench.write('a.csv', visitors('A', 'B'));
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    expect((await bench.push([file])).code).toBe(EXIT.done);
    const edited = bench.write('a.csv', visitors('A:Eve', 'B', 'C'));
    const ended = await bench.push([edited]);
    expect([ended.code, bench.posts().length]).toEqual([EXIT.guarded, 2]);
    expect(ended.err).toContain(`does not show the values of its registrations, ${ASKED}`);
    expect(ended.err).toContain('Send 1 row all the same?');
    expect(await bench.push([edited, '--yes'])).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
  });
});

test('where there is no list, a row without a barcode that was edited since is not registered once more', async () => {
  const bench = await pushBench();
  bench.service.fault = noList;
  const list = (company: string): string =>
    bench.write(
      'a.csv',
      `persona,First name,Last name,E-mail,Company\nvisitor,Ana,Poole,a@example.com,${company}\n`,
    );
  await bench.push([list('Acme'), '--yes']);
  const edited = await bench.push([list('Best'), '--yes']);
  expect([edited.code, edited.summary.conflict, bench.kept().length]).toEqual([EXIT.rejected, 1, 1]);
  await bench.push([list('Best'), '--yes', '--match', 'none']);
  expect(bench.kept()).toHaveLength(2);
});

test('what is sent to a service that has no list while it is empty is read back once it has one', async () => {
  const bench = await pushBench();
  bench.service.fault = (request) => (bench.kept().length > 0 ? undefined : noList(request));
  bench.service.sent = ({ body }) => body.replace('"Bea"', '"Eve"');
  const ended = await bench.push([bench.write('a.csv', visitors('A', 'B:Bea')), '--yes']);
  expect([ended.code, ended.summary.sent]).toEqual([EXIT.rejected, 2]);
  expect(ended.summary.problems).toMatchObject([{ barcode: 'B', state: 'different' }]);
});
