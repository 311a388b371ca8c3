import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bench, pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';

const HEAD = 'persona,First name,Last name,E-mail,Company';
const guests = (...people: readonly string[]): string =>
  [HEAD, ...people.map((person) => `visitor,${person}`), ''].join('\n');

/** What the service holds of all, as they are written in a list. */
const held = (bench: Bench): string[] =>
  bench.sandbox
    .registrations()
    .map(({ fields }) =>
      ['first_name', 'last_name', 'email', 'company'].map((slug) => String(fields[slug] ?? '')).join(','),
    )
    .sort();

/** From a machine that knows nothing of what was sent before. */
const pushAfresh = (bench: Bench, list: string, state: string, ...flags: readonly string[]) =>
  bench.push([bench.write('forms.csv', list), ...flags], {
    paths: { config: join(bench.directory, 'config'), state: join(bench.directory, state) },
  });

const ANA = 'Ana,Alba,ana@example.com,Quay';
const FAY = 'Fay,Nomail,,Acme Tools';
const CID = 'Cid,Noemail,,';

describe('a row with neither barcode nor e-mail, where the state is gone', () => {
  test.each([{}, { idShown: 'nowhere' }, { createStatus: '202' }] as const)(
    'is not registered again where the service holds just that: %o',
    async (switches) => {
      const bench = await pushBench(switches);
      const people = [ANA, FAY, CID, CID];
      await bench.push([bench.write('forms.csv', guests(...people))]);
      const again = await pushAfresh(bench, guests(...people), 'other');
      expect(again).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 4 } });
      const mixed = await pushAfresh(bench, guests(CID, FAY, CID, ANA), 'another');
      expect(mixed).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 4 } });
      expect(held(bench)).toEqual([ANA, CID, CID, FAY]);
    },
  );

  test('is linked, so that what is changed of it later is an update', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests(ANA, FAY))]);
    await pushAfresh(bench, guests(ANA, FAY), 'other');
    const changed = 'Fay,Nomail,,Acme Ltd';
    const asked = await pushAfresh(bench, guests(ANA, changed), 'other', '--match', 'email');
    expect(asked).toMatchObject({ code: 0, summary: { updated: 1, created: 0 } });
    expect(held(bench)).toEqual([ANA, changed]);
  });

  test('is registered once for each that is there once too few', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests(CID, CID))]);
    const again = await pushAfresh(bench, guests(CID, CID, CID), 'other');
    expect(again).toMatchObject({ code: 0, summary: { created: 1, unchanged: 2 } });
    expect(held(bench)).toEqual([CID, CID, CID]);
  });

  test.each(['--match none', '--match email'])('and has other values, is asked about: %s', async (flags) => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests(ANA, FAY, CID))]);
    const changed = 'Fay,Nomail,,Acme Ltd';
    const list = guests(ANA, changed, CID);
    const asked = await pushAfresh(bench, list, 'other');
    expect(asked).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, unchanged: 2 } });
    expect(asked.summary.problems[0]?.message).toMatch(
      /has its name, and no row of the files stands for it: --match email .*--match none/,
    );
    expect(held(bench)).toEqual([ANA, CID, FAY]);
    const answered = await pushAfresh(bench, list, 'other', ...flags.split(' '), '--yes');
    expect(answered.code).toBe(0);
    expect(held(bench)).toEqual(flags === '--match none' ? [ANA, CID, changed, FAY] : [ANA, CID, changed]);
    const again = await pushAfresh(bench, list, 'other');
    expect(again).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 3 } });
  });

  test('is nobody who has an e-mail, another persona or more names', async () => {
    const bench = await pushBench();
    await registerByHand(bench, {
      fields: { first_name: 'Fay', last_name: 'Nomail', email: 'fay@example.com' },
    });
    const [fay] = bench.sandbox.registrations();
    const bare = 'Fay,Nomail,,';
    const asked = await pushAfresh(bench, guests(bare), 'other');
    expect(asked).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
    if (fay !== undefined) bench.sandbox.put({ ...fay, persona: 'exhibitor' });
    expect(await pushAfresh(bench, guests('Fay,,,'), 'other')).toMatchObject({ summary: { created: 1 } });
    expect(await pushAfresh(bench, guests('Fay,,,', bare), 'other')).toMatchObject({
      summary: { created: 1 },
    });
    expect(bench.sandbox.registrations()).toHaveLength(3);
  });

  test('is not told from others where several have its name and none its values', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Fay,Nomail,,One', 'Fay,Nomail,,Two'))]);
    const list = guests('Fay,Nomail,,Two', 'Fay,Nomail,,Three', 'Fay,Nomail,,Four');
    const asked = await pushAfresh(bench, list, 'other', '--match', 'email');
    expect(asked).toMatchObject({ code: 3, summary: { sent: 0, conflict: 2, unchanged: 1 } });
    expect(held(bench)).toEqual(['Fay,Nomail,,One', 'Fay,Nomail,,Two']);
  });
});

test('What a dry run says of such rows is what a push does', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('forms.csv', guests(ANA, FAY, CID, CID))]);
  const list = guests('Fay,Nomail,,Other', CID, CID, CID);
  const dry = await pushAfresh(bench, list, 'other', '--dry-run');
  const { to_create: create, unchanged, conflict } = JSON.parse(dry.out) as Record<string, number>;
  expect([create, unchanged, conflict]).toEqual([1, 2, 1]);
  expect((await pushAfresh(bench, list, 'other')).summary).toMatchObject({
    created: 1,
    unchanged: 2,
    conflict: 1,
  });
});

test('A service that shows no values tells nothing of them', async () => {
  const bench = await pushBench({ recordShape: 'no-fields' });
  await bench.push([bench.write('forms.csv', guests(FAY))]);
  expect(await pushAfresh(bench, guests(FAY), 'other')).toMatchObject({ summary: { sent: 1 } });
  expect(bench.sandbox.registrations()).toHaveLength(2);
});
