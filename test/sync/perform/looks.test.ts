import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { barcodes, type Bench, pushBench } from '../push-bench.ts';

/** What only the sandbox needs to be told: an edit of somebody else, past the service that can be broken. */
async function edit(bench: Bench, barcode: string, fields: Record<string, string>): Promise<void> {
  const answer = await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.sandbox.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ persona: 'visitor', barcode, fields }),
  });
  expect(answer.ok).toBe(true);
}

const guests = (codes: readonly string[], last: string): string =>
  [
    'persona,barcode,First name,Last name,E-mail',
    ...codes.map((code) => `visitor,${code},Ada,${last},${code.toLowerCase()}@example.com`),
    '',
  ].join('\n');

/** All guests are there as `Old`, and the file has them as `New`; somebody edits one while the push is sending. */
async function editedMeanwhile(count: number, at: number, which: number, limit = 30) {
  const bench = await pushBench({ limit, windowMs: 60_000 });
  const codes = barcodes(count);
  await bench.push([bench.write('a.csv', guests(codes, 'Old'))]);
  const before = bench.posts().length;
  const file = bench.write('a.csv', guests(codes, 'New'));
  await bench.clock.advance(120_000);
  let posts = 0;
  bench.service.fault = async ({ method }) => {
    if (method !== 'POST') return undefined;
    posts += 1;
    if (posts === at) await edit(bench, codes[which] ?? '', { first_name: 'Edited' });
    return undefined;
  };
  const ended = await bench.push([file]);
  return { bench, ended, before, code: codes[which] ?? '' };
}

const guest = (bench: Bench, code: string) => bench.kept().find(({ barcode }) => barcode === code)?.fields;

describe('an edit in the service while a push is sending', () => {
  test('stays where what is read after the first ten shows it, however new the plan is', async () => {
    const { bench, ended, code } = await editedMeanwhile(30, 6, 28, 0);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 30, values_kept: 1 } });
    expect(guest(bench, code)).toMatchObject({ first_name: 'Edited', last_name: 'New' });
  });

  test('stays, also where the row waits for minutes, for few looks; the other values of the row go', async () => {
    const { bench, ended, before, code } = await editedMeanwhile(70, 10, 65);
    const looks = bench.sandbox
      .requests()
      .slice(-110)
      .filter(({ method }) => method === 'GET').length;
    expect(bench.posts().length - before).toBeGreaterThanOrEqual(70);
    expect(looks).toBeLessThan(20);
    expect(ended).toMatchObject({
      code: EXIT.done,
      summary: { updated: 70, values_kept: 1, not_rechecked: 0 },
    });
    expect(guest(bench, code)).toMatchObject({ first_name: 'Edited', last_name: 'New' });
  });

  test('of what the file changes too is a conflict', async () => {
    const bench = await pushBench({ limit: 30, windowMs: 60_000 });
    const codes = barcodes(70);
    await bench.push([bench.write('a.csv', guests(codes, 'Old'))]);
    const file = bench.write('a.csv', guests(codes, 'New'));
    await bench.clock.advance(120_000);
    let posts = 0;
    bench.service.fault = async ({ method }) => {
      if (method === 'POST' && (posts += 1) === 10) await edit(bench, 'B066', { last_name: 'Edited' });
      return undefined;
    };
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { values_in_conflict: 1 } });
    expect(guest(bench, 'B066')).toMatchObject({ last_name: 'Edited' });
  });

  test('is a conflict where a saved plan is carried out', async () => {
    const bench = await pushBench({ limit: 30, windowMs: 60_000 });
    const codes = barcodes(70);
    await bench.push([bench.write('a.csv', guests(codes, 'Old'))]);
    bench.write('a.csv', guests(codes, 'New'));
    await bench.push(['a.csv', '--plan-out', 'p']);
    await bench.clock.advance(120_000);
    let posts = 0;
    bench.service.fault = async ({ method }) => {
      if (method === 'POST' && (posts += 1) === 10) await edit(bench, 'B066', { first_name: 'Edited' });
      return undefined;
    };
    const ended = await bench.push(['--plan', 'p']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.summary.problems).toMatchObject([
      { barcode: 'B066', message: 'it has been changed in the service since the plan was made' },
    ]);
    expect(guest(bench, 'B066')).toMatchObject({ first_name: 'Edited', last_name: 'Old' });
  });
});

describe('updates that are scattered over a long list', () => {
  /** Every seventh of some guests is updated, so that few are due on each page. */
  async function scattered(argv: readonly string[]) {
    const bench = await pushBench({ limit: 30, windowMs: 60_000 });
    const codes = barcodes(240);
    await bench.push([bench.write('a.csv', guests(codes, 'Old')), '--no-audit']);
    const some = codes.filter((_, index) => index % 7 === 0);
    const file = bench.write('a.csv', guests(some, 'New'));
    await bench.clock.advance(120_000);
    return { bench, ended: await bench.push([file, ...argv]) };
  }

  test('are looked at again for one in twenty requests more, and the others are counted, before and after', async () => {
    const { ended } = await scattered([]);
    expect(ended.code).toBe(EXIT.done);
    expect(ended.summary).toMatchObject({ updated: 35 });
    const { not_rechecked: left } = ended.summary as unknown as { not_rechecked: number };
    expect(left).toBeGreaterThan(0);
    expect(ended.err).toContain('will not be looked at again right before they are sent');
  });
});
