import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';
import {
  backups,
  benchWith,
  deleteByBarcode,
  deleteByHand,
  giveId,
  left,
  registerByHand,
} from './service-hands.ts';
import { listIn } from '../support/documents.ts';
import { casesOf } from '../support/night.ts';

/** What deletes named, in order. */
const deleted = (bench: Bench): string[] =>
  bench.service.requests
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => decodeURIComponent(path.split('/').at(-1) ?? ''));

const ODD = [
  'MTc=',
  'a+b',
  'a/b',
  'a@b',
  '~a',
  'a b',
  'Ünal',
  'a%2Fb',
  'a?b#c',
  "$&'",
  '...',
  'x'.repeat(300),
];

describe('an id of odd characters', () => {
  test.each(casesOf(ODD, 3))('deletes what it names: %j', async (id) => {
    const bench = await benchWith(['A', 'B']);
    giveId(bench, 'B', id);
    const ended = await bench.run(['delete', '--barcode', 'B', '--yes']);
    expect([ended.code, left(bench), deleted(bench)]).toEqual([EXIT.done, ['A'], [id]]);
  });

  test('does not stop --prune', async () => {
    const bench = await benchWith(['A', 'B']);
    giveId(bench, 'B', 'a/b=');
    const pruned = await bench.push([bench.write('now.csv', visitors('A')), '--prune', '--yes']);
    expect([pruned.code, left(bench)]).toEqual([EXIT.done, ['A']]);
  });

  test.each([
    ['--barcode', ['delete', '--barcode', 'A', '--barcode', 'B', '--yes']],
    ['--persona', ['delete', '--persona', 'visitor', '--yes']],
    ['--prune', ['push', 'now.csv', '--prune', '--yes', '--max-delete', '2']],
  ])('that means another path is refused before anything is backed up or deleted: %s', async (_how, argv) => {
    const bench = await benchWith(['A', 'B', 'K']);
    bench.write('now.csv', visitors('K', 'N'));
    giveId(bench, 'B', '..');
    const ended = await bench.run(argv);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toMatch(/[Rr]egistration \.\.: "\.\." cannot be part of an address\./);
    expect([left(bench), deleted(bench), backups(bench)]).toEqual([['A', 'B', 'K'], [], []]);
  });

  test.each(['.', '..'])('that is asked for as %s is refused with everything beside it', async (id) => {
    const bench = await benchWith(['A']);
    const [a] = bench.kept();
    const ended = await bench.run(['delete', a?.id ?? '', id, '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(`The id "${id}" cannot be part of an address.`),
    });
    expect([left(bench), deleted(bench), backups(bench)]).toEqual([['A'], [], []]);
  });
});

describe('what names several is refused and named', () => {
  test('a barcode', async () => {
    const bench = await benchWith(['A', 'B'], { upsert: 'double' });
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Al' } });
    const [one, other] = bench.kept().filter(({ barcode }) => barcode === 'A');
    const ended = await bench.run(['delete', '--barcode', 'A', '--barcode', 'B', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(`The barcode A is that of 2 registrations: ${one?.id}, ${other?.id}.`),
    });
    expect([left(bench), backups(bench)]).toEqual([['A', 'A', 'B'], []]);
    expect((await bench.run(['delete', other?.id ?? '', '--yes'])).code).toBe(EXIT.done);
    expect(bench.kept().map(({ id }) => id)).toEqual([one?.id, bench.kept()[1]?.id]);
  });

  test.each([
    ['by id', ['x1']],
    ['by barcode', ['--barcode', 'A']],
    ['by persona', ['--persona', 'visitor']],
  ])('an id: %s', async (_how, argv) => {
    const bench = await benchWith(['A', 'B']);
    const list = ['A', 'B'].map((barcode) => ({ id: 'x1', persona: 'visitor', barcode, fields: {} }));
    bench.service.fault = ({ method, path }) => {
      if (method !== 'GET' || !path.includes('/registration')) return undefined;
      const wanted = new URL(path, 'http://x').searchParams.get('barcode');
      const shown = list.filter(({ barcode }) => wanted === null || barcode === wanted);
      return { answer: { status: 200, body: JSON.stringify(shown) } };
    };
    const ended = await bench.run(['delete', ...argv, '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('The id x1 is that of several registrations (barcodes A and B).'),
    });
    expect([deleted(bench), backups(bench)]).toEqual([[], []]);
  });

  test.each([
    ['delete', ['delete', '--barcode', 'A', '--yes']],
    ['delete by id', ['delete', 'B', '--yes']],
    ['delete by persona', ['delete', '--persona', 'visitor', '--yes']],
    ['--prune', ['push', 'now.csv', '--prune', '--yes', '--max-delete', '2']],
  ])('an id that is the barcode of another: %s', async (_how, argv) => {
    const bench = await benchWith(['A', 'B', 'K']);
    bench.write('now.csv', visitors('K', 'B'));
    giveId(bench, 'A', 'B');
    const ended = await bench.run(argv);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining('egistration B: its id is the barcode of another'),
    });
    expect([left(bench), deleted(bench), backups(bench)]).toEqual([['A', 'B', 'K'], [], []]);
  });

  test('a row whose id and barcode are those of two', async () => {
    const bench = await benchWith(['A', 'B', 'C']);
    const [a, b] = bench.kept();
    const file = bench.write('gone.csv', `registration_id,barcode\n${a?.id},A\n${b?.id},C\n`);
    const ended = await bench.run(['delete', '--file', file, '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(
        `gone.csv:3: registration ${b?.id} has the barcode B, not C as the row says.`,
      ),
    });
    expect([left(bench), backups(bench)]).toEqual([['A', 'B', 'C'], []]);
  });
});

describe('a service that deletes by barcode', () => {
  const HIDDEN = { idKey: 'none' } as const;
  const fail = (status: number) => ({ answer: { status, body: '{"message":"No."}' } });

  test('does so without a trial when the profile says so, also where barcodes are numbers', async () => {
    const bench = await benchWith(['100', '200', '300'], HIDDEN);
    deleteByBarcode(bench);
    const ended = await bench.run(['delete', '--barcode', '100', '200', '--yes', '--json']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, ['300']]);
    expect(ended.err).not.toContain('tried');
    expect(listIn(ended.out)).toContainEqual(
      expect.objectContaining({ registration_id: '100', barcode: '100', result: 'deleted' }),
    );
    expect(backups(bench)).toHaveLength(1);
  });

  test('is named by barcode although ids are shown, when the profile says so', async () => {
    const bench = await benchWith(['A', 'B']);
    deleteByBarcode(bench);
    bench.service.fault = async ({ method, path }) => {
      if (method !== 'DELETE') return undefined;
      const barcode = path.split('/').at(-1) ?? '';
      await deleteByHand(bench, barcode);
      return { answer: { status: barcode === 'B' ? 204 : 404 } };
    };
    const pruned = await bench.push([bench.write('now.csv', visitors('A')), '--prune', '--yes']);
    expect([pruned.code, left(bench), deleted(bench)]).toEqual([EXIT.done, ['A'], ['B']]);
  });

  test('never by a barcode that several have, whatever the profile says', async () => {
    const bench = await benchWith(['A', 'B'], { upsert: 'double' });
    deleteByBarcode(bench);
    await registerByHand(bench, { barcode: 'A', fields: { first_name: 'Al' } });
    const [a] = bench.kept();
    const ended = await bench.run(['delete', a?.id ?? '', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(': several registrations have its barcode.'),
    });
    const pruned = await bench.run(['push', bench.write('now.csv', visitors('B')), '--prune', '--yes']);
    expect(pruned).toMatchObject({
      code: EXIT.guarded,
      err: expect.stringContaining(': several registrations have its barcode.'),
    });
    expect(deleted(bench)).toEqual([]);
  });

  test('keeps one whose barcode another has got since the plan', async () => {
    const bench = await benchWith(['A', 'B'], { upsert: 'double' });
    deleteByBarcode(bench);
    let isFirst = true;
    bench.service.fault = async ({ method }) => {
      if (method === 'POST' && isFirst) {
        isFirst = false;
        await registerByHand(bench, { barcode: 'B', fields: { first_name: 'Bo' } });
      }
      return undefined;
    };
    const ended = await bench.push([bench.write('now.csv', visitors('A', 'N')), '--prune', '--yes']);
    expect([ended.code, left(bench), deleted(bench)]).toEqual([EXIT.rejected, ['A', 'B', 'B', 'N'], []]);
    expect(ended.err).toContain('several registrations have its barcode');
  });

  test('names no more than ten of those that cannot be deleted, once for all alike', async () => {
    const bench = await pushBench(HIDDEN);
    for (let number = 101; number <= 112; number += 1) {
      await registerByHand(bench, { barcode: String(number), fields: { first_name: 'Al' } });
    }
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
    expect(ended.err).toContain(
      'Registration 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, …: it shows no id',
    );
    expect(ended.code).toBe(EXIT.guarded);
  });

  test('shows that with one, alone, after everything was kept; that is learnt', async () => {
    const bench = await benchWith(['A', 'B', 'C', 'D'], HIDDEN);
    const ended = await bench.run(['delete', '--barcode', 'A', '--barcode', 'B', '--yes', '--json']);
    expect([ended.code, left(bench), deleted(bench)]).toEqual([EXIT.done, ['C', 'D'], ['A', 'B']]);
    expect(ended.err).toContain('Whether it deletes by barcode is tried with A, alone.');
    const lines = backups(bench).map((file) => readFileSync(file, 'utf8').trim().split('\n').length);
    expect(lines.sort()).toEqual([2, 4]);
    const results = listIn<{ barcode: string; result: string }>(ended.out);
    expect(results.map(({ barcode, result }) => [barcode, result])).toEqual([
      ['A', 'deleted'],
      ['B', 'deleted'],
    ]);
    const methods = bench.service.requests.map(({ method }) => method);
    expect(methods.slice(methods.indexOf('DELETE'), methods.lastIndexOf('DELETE') + 1)).toEqual([
      'DELETE',
      'GET',
      'GET',
      'DELETE',
    ]);
    const next = await bench.run(['delete', '--barcode', 'C', '--yes']);
    expect([next.code, next.err.includes('tried'), left(bench)]).toEqual([EXIT.done, false, ['D']]);
  });

  test('is tried by --prune, too, with one that has no members', async () => {
    const bench = await benchWith(['A', 'B/A', 'K'], HIDDEN);
    const ended = await bench.push([bench.write('now.csv', visitors('K', 'N')), '--prune', '--yes']);
    expect([ended.code, left(bench), deleted(bench)]).toEqual([EXIT.done, ['K', 'N'], ['B', 'A']]);
    expect(ended.err).toContain('is tried with B, alone.');
  });

  test.each(['4711', '٤٧١١', '0b7e6a52-7f6e-4d57-8a3c-0d4c4c9f5d11', '0B7E6A527F6E4D578A3C0D4C4C9F5D11'])(
    'is never tried with %s, which may be the id of another',
    async (barcode) => {
      const bench = await pushBench(HIDDEN);
      await registerByHand(bench, { barcode, fields: { first_name: 'Al' } });
      const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
      expect(ended).toMatchObject({
        code: EXIT.guarded,
        err: expect.stringContaining(
          `Registration ${barcode}: it shows no id, and its barcode may be the id of another.`,
        ),
      });
      expect(ended.err).toContain('"registrationId": "barcode"');
      const file = bench.write('now.csv', visitors('N'));
      const pruned = await bench.run(['push', file, '--prune', '--yes', '--max-delete', '1']);
      expect(pruned.code).toBe(EXIT.guarded);
      expect([deleted(bench), backups(bench)]).toEqual([[], []]);
    },
  );

  test('is refused when it knows no such id: nothing is deleted, and nothing learnt', async () => {
    const bench = await benchWith(['A', 'B'], HIDDEN);
    bench.service.fault = ({ method }) => (method === 'DELETE' ? fail(404) : undefined);
    for (const _time of [1, 2]) {
      const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
      expect(ended).toMatchObject({
        code: EXIT.guarded,
        err: expect.stringContaining(
          'A, tried alone: the service said that it is not there, and still lists it. No other was tried.',
        ),
      });
    }
    expect([left(bench), deleted(bench)]).toEqual([
      ['A', 'B'],
      ['A', 'A'],
    ]);
  });

  test('is not believed when what it says that it deleted is still listed', async () => {
    const bench = await benchWith(['A', 'B'], HIDDEN);
    bench.service.fault = ({ method }) => (method === 'DELETE' ? { answer: { status: 204 } } : undefined);
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
    expect([ended.code, left(bench), deleted(bench)]).toEqual([EXIT.guarded, ['A', 'B'], ['A']]);
  });

  test.each([
    ['with it', ['A', 'C'], '1 other registration is gone with it: C.'],
    ['instead', ['C'], '1 other registration is gone instead: C.'],
  ])('stops when another is gone %s, and says where it is kept', async (_how, gone, says) => {
    const bench = await benchWith(['A', 'B', 'C'], HIDDEN);
    bench.service.fault = async ({ method }) => {
      if (method !== 'DELETE') return undefined;
      bench.service.fault = () => undefined;
      for (const barcode of gone) await deleteByHand(bench, barcode);
      return { answer: { status: 204 } };
    };
    const ended = await bench.run(['delete', '--barcode', 'A', '--barcode', 'B', '--yes']);
    expect(ended).toMatchObject({ code: EXIT.failed, err: expect.stringContaining(says) });
    expect(left(bench)).toEqual(['A', 'B', 'C'].filter((one) => !gone.includes(one)));
    const whole = backups(bench).find((file) => ended.err.includes(`They are kept in ${file}`));
    expect(readFileSync(whole ?? '', 'utf8')).toContain('"barcode":"C"');
    // Nothing was learnt.
    expect((await bench.run(['delete', '--barcode', 'B', '--yes'])).err).toContain('is tried with B, alone.');
  });

  test('is given time where its list lags behind', async () => {
    const bench = await benchWith(['A', 'B'], { ...HIDDEN, readLagMs: 5000 });
    await bench.clock.advance(60_000);
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, []]);
  });
});
