import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, barcodes, pushBench, visitors } from './push-bench.ts';

/** Refuses every third row, each in other words. */
function refuseEveryThird(bench: Bench): void {
  bench.service.fault = ({ method, body }) => {
    const { barcode = '' } = JSON.parse(method === 'POST' ? body : '{}') as { barcode?: string };
    const at = Number(barcode.slice(1));
    return at > 0 && at % 3 === 0
      ? { answer: { status: 422, body: JSON.stringify({ message: `No ${barcode}.` }) } }
      : undefined;
  };
}

/** The most requests that were under way at once. */
async function mostAtOnce(concurrency: string): Promise<number> {
  const bench = await pushBench({ latencyMs: 30 });
  const file = bench.write('a.csv', visitors(...barcodes(24)));
  let under = 0;
  let most = 0;
  const { sandbox } = bench;
  bench.service.fault = async ({ method, path, body }) => {
    if (method !== 'POST') return undefined;
    under += 1;
    most = Math.max(most, under);
    const answer = await fetch(new URL(path, sandbox.url), {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
    });
    under -= 1;
    return { answer: { status: answer.status, body: await answer.text() } };
  };
  const { code } = await bench.push([file, '--concurrency', concurrency]);
  expect(code).toBe(EXIT.done);
  return most;
}

describe('--max-failures', () => {
  test.each([
    ['refuses all of them alike', () => 'No.'],
    ['refuses each in other words', (barcode: string) => `No ${barcode}.`],
  ])('counts updates that go first too: the service %s', async (_name, words) => {
    const bench = await pushBench();
    const people = barcodes(30);
    const file = bench.write('a.csv', visitors(...people));
    await bench.push([file]);
    bench.service.fault = ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const { barcode = '' } = JSON.parse(body) as { barcode?: string };
      return { answer: { status: 422, body: JSON.stringify({ message: words(barcode) }) } };
    };
    bench.write('a.csv', visitors(...people.map((barcode) => `${barcode}:Eve`)));
    const stopped = await bench.push([file, '--max-failures', '2']);
    expect(stopped.code).toBe(EXIT.guarded);
    expect(stopped.summary).toMatchObject({
      state: 'stopped',
      failed: 3,
      blocked: 0,
      postponed: 0,
      pending: 27,
    });
    expect(stopped.err).not.toContain('parent');
    const last = await bench.push([file]);
    const counts = { failed: 20, blocked: 0 };
    expect(last.summary).toMatchObject(
      words('A') === words('B')
        ? { ...counts, state: 'stopped', pending: 10 }
        : { ...counts, state: 'finished', postponed: 10 },
    );
    expect(last.err).not.toContain('parent');
    bench.service.fault = () => undefined;
    expect((await bench.push([file])).code).toBe(EXIT.done);
    expect(bench.kept().map(({ fields }) => fields.first_name)).toEqual(people.map(() => 'Eve'));
  });

  test.each([
    ['5', 6],
    ['0', 1],
    ['10%', 4],
  ])('%s of 30 rows: the push stops at failure %i, and the same command goes on', async (limit, failed) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(30)));
    refuseEveryThird(bench);
    const argv = [file, '--concurrency', '1', '--max-failures', limit];
    const stopped = await bench.push(argv);
    expect(stopped.code).toBe(EXIT.guarded);
    expect(stopped.err).toContain(
      `refused, more than --max-failures ${limit} allows, so the rest was not tried`,
    );
    expect(stopped.summary).toMatchObject({ state: 'stopped', failed, sent: 2 * failed });
    expect(bench.posts()).toHaveLength(2 * failed);

    bench.service.fault = () => undefined;
    const ended = await bench.push(argv);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 30 - 2 * failed } });
    expect(bench.kept()).toHaveLength(30);
  });

  test('that is not reached stops nothing', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(30)));
    refuseEveryThird(bench);
    const ended = await bench.push([file, '--max-failures', '10']);
    expect(ended).toMatchObject({
      code: EXIT.rejected,
      summary: { state: 'finished', failed: 10, sent: 20 },
    });
  });
});

describe('--concurrency', () => {
  test('1 sends one row after the other', async () => {
    expect(await mostAtOnce('1')).toBe(1);
  });

  test('4 has up to four requests under way', async () => {
    expect(await mostAtOnce('4')).toBe(4);
  });
});
