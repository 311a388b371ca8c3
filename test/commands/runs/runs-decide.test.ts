import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { stepsOf } from '../../sync/journal-bench.ts';
import { type Bench, type Ended, pushBench, visitors } from '../../sync/push-bench.ts';
import { registerByHand } from '../../sync/service-hands.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { addRow } from '../../../src/sync/journal/row-tables.ts';

/** As `visitors` has her. */
const ADA = { fields: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' } };

/** A push of guests without barcodes of whom the POSTs of some were cut; they may have landed. */
async function doubtful(cut: readonly string[], landed: boolean, ...people: readonly string[]) {
  const bench = await pushBench();
  bench.service.fault = ({ method, body }) =>
    method === 'POST' && cut.some((name) => body.includes(`"${name}"`))
      ? { answer: 'cut', passOn: landed }
      : undefined;
  const { summary } = await bench.push([bench.write('a.csv', visitors(...people))]);
  bench.service.fault = () => undefined;
  return { bench, run: summary.run ?? '' };
}

const decide = (bench: Bench, ...argv: readonly string[]): Promise<Ended> =>
  bench.run(['runs', 'decide', ...argv]);

describe('a row of which a person says', () => {
  test('that it is there counts as done, and is neither sent again nor doubted by the audit', async () => {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada', ':Bob');
    await registerByHand(bench, ADA);
    const ended = await decide(bench, run, '2', 'sent', '--yes');
    expect(ended).toMatchObject({ code: EXIT.done, out: '' });
    expect(ended.err).toBe(
      'a.csv:2: it counts as done and is not sent again. Go on? Yes (--yes).\na.csv:2 is settled: done.\n',
    );
    expect(await bench.push(['a.csv'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 0, unchanged: 2, uncertain: 0 },
    });
    expect(bench.posts()).toHaveLength(2);
    const steps = bench.journal((journal) => stepsOf(journal, run, 0));
    expect(steps.at(-1)).toMatchObject({ what: 'decided', detail: 'done: a person found it in the service' });
    const { out } = await bench.run(['runs', 'why', '2', '--offline']);
    expect(out).toContain('The service held it as the row has it, so it was not sent.');
    expect(out).not.toContain('read back');
  });

  test('that it is not there is sent by the next push', async () => {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada', ':Bob');
    const ended = await decide(bench, run.slice(0, -1), 'a.csv:2', 'not-sent', '--yes');
    expect(ended).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining('a.csv:2 is settled: still to send.'),
    });
    expect(bench.states()).toEqual(['pending', 'done']);
    expect(await bench.push(['a.csv'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 1, uncertain: 0 },
    });
    expect(bench.kept()).toHaveLength(2);
  });

  test('is asked for a yes, with what follows from it', async () => {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada');
    expect(await decide(bench, run, '2', 'sent')).toMatchObject({ code: EXIT.guarded });
    const no = fakePrompt({ 'it may be there twice': false });
    const ended = await bench.run(['runs', 'decide', run, '2', 'not-sent'], {
      tty: true,
      prompt: async () => no.prompt,
    });
    expect(ended).toMatchObject({ code: EXIT.guarded, err: expect.stringContaining('Nothing was decided.') });
    expect(bench.states()).toEqual(['uncertain']);
  });

  test('may have a barcode, and may have been left by a run that was killed', async () => {
    const bench = await pushBench();
    const { summary } = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    bench.journal((journal) => journal.run(`UPDATE operation SET state = 'sending' WHERE barcode = 'B'`));
    expect((await decide(bench, summary.run ?? '', 'B', 'sent', '--yes')).err).toContain(
      'a.csv:3 (barcode B)',
    );
    expect(bench.states()).toEqual(['done', 'done']);
  });
});

describe('a doubt that several runs carry', () => {
  /** The request was the first run's; the second has a row that says the same. */
  async function carried(isThere = true) {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada', ':Bob');
    const { summary } = await bench.push([bench.write('b.csv', visitors(':Ada', ':Cy'))]);
    if (isThere) await registerByHand(bench, ADA);
    return { bench, first: run, second: summary.run ?? '' };
  }

  test.each([
    ['whose request it was', 0],
    ['which has the same row', 1],
  ])('is settled in all of them at once, by the run %s', async (_which, at) => {
    const { bench, first, second } = await carried();
    const [run = '', other = ''] =
      [
        [first, second],
        [second, first],
      ][at] ?? [];
    expect(bench.states(first)).toEqual(['uncertain', 'done']);
    expect(bench.states(second)).toEqual(['uncertain', 'done']);
    const ended = await decide(bench, run, '2', 'sent', '--yes');
    expect(ended.err).toContain(`${['a', 'b'][at]}.csv:2 is settled: done, also in run ${other}.`);
    expect([bench.states(first), bench.states(second)]).toEqual([
      ['done', 'done'],
      ['done', 'done'],
    ]);
    for (const file of ['a.csv', 'b.csv']) {
      expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 0 } });
    }
  });

  test('and is not there after all, is sent by one of them only', async () => {
    const { bench, second } = await carried(false);
    expect((await decide(bench, second, '2', 'not-sent', '--yes')).code).toBe(EXIT.done);
    const before = bench.posts().length;
    expect(await bench.push(['a.csv'])).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(await bench.push(['b.csv'])).toMatchObject({ code: EXIT.done, summary: { sent: 0 } });
    expect(bench.posts()).toHaveLength(before + 1);
  });
});

describe('refused is', () => {
  test.each([
    ['a row that is not uncertain', '3', 'a.csv:3 is done'],
    ['a row that is not there', '17', 'has no row "17"'],
  ])('%s', async (_name, row, why) => {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada', ':Bob');
    expect(await decide(bench, run, row, 'sent', '--yes')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(why),
    });
    expect(bench.states()).toEqual(['uncertain', 'done']);
  });

  test('a line on which several are uncertain, until one is meant', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: 'cut' } : undefined);
    const file = bench.write('a.csv', 'persona,First name,Last name\nvisitor,Ada,Example\n');
    const { summary } = await bench.push([file]);
    // A second row on the line, as companions are.
    bench.journal((journal) => {
      const { run = '', payload = '' } =
        journal.get<{ run: string; payload: string }>('SELECT * FROM row') ?? {};
      const beside = { part: 1, state: 'uncertain', rowKey: 'h:other:1', hash: 'other', payload };
      addRow(journal, { run, seq: 1, file: 'a.csv', line: 2, ...beside });
    });
    const run = summary.run ?? '';
    const ended = await decide(bench, run, '2', 'sent', '--yes');
    expect(ended).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('Several uncertain rows') });
    expect(ended.err).toContain('a.csv:2/1 is uncertain');
    expect((await decide(bench, run, '2/1', 'sent', '--yes')).code).toBe(EXIT.done);
    expect(bench.states()).toEqual(['uncertain', 'done']);
  });

  test('a deletion: it is settled by running it again', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A'))]);
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    const run = bench.runs().find(({ kind }) => kind === 'delete')?.id ?? '';
    bench.journal((journal) => journal.run(`UPDATE operation SET state = 'uncertain' WHERE op = 'delete'`));
    expect(await decide(bench, run, 'A', 'sent', '--yes')).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('A delete is settled by running it again'),
    });
  });

  test('a run at work', async () => {
    const { bench, run } = await doubtful(['Ada'], false, ':Ada');
    const other = new Journal(join(bench.directory, 'state'));
    onTestFinished(() => other.close());
    expect(other.locks.take(run)).toBe(true);
    expect(await decide(bench, run, '2', 'sent', '--yes')).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('is being worked on'),
    });
    expect(bench.states()).toEqual(['uncertain']);
  });
});
