import { describe, expect, test } from 'vitest';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { giveId } from '../service-hands.ts';

const HEAD = 'persona,barcode,First name,Last name,E-mail,Company';
const ANNA = 'visitor,EV-18,Anna,Albers,anna@example.com';
const BO = 'visitor,EV-19,Bo,Ek,bo@example.com,Beta Ltd';
const guests = (company: string, anna = ANNA): string => [HEAD, `${anna},${company}`, BO, ''].join('\n');
const mend = (company: string): string => `persona,barcode,Company\nvisitor,EV-18,${company}\n`;

const companies = (bench: Bench): unknown[] => bench.kept().map(({ fields }) => fields['company']);
const push = (bench: Bench, list: string, ...flags: readonly string[]) =>
  bench.push([bench.write('guests.csv', list), ...flags]);
const pushMend = (bench: Bench, company: string, file = 'mend.csv') =>
  bench.push([bench.write(file, mend(company))]);

/** The list was pushed, then a field mended by a file of its own. */
async function mended(switches: Partial<Switches> = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  await push(bench, guests('Alpha Ltd'));
  expect((await pushMend(bench, 'Q2 Ltd')).summary).toMatchObject({ updated: 1 });
  return bench;
}

describe('a value that a file of its own has mended', () => {
  test.each([{}, { idShown: 'nowhere' }, { storedAs: 'capitals' }] as const)(
    'is kept by the unchanged list, night after night: %o',
    async (switches) => {
      const bench = await mended(switches);
      const before = companies(bench);
      for (let night = 0; night < 3; night += 1) {
        const { code, summary } = await push(bench, guests('Alpha Ltd'));
        expect([code, summary.sent]).toEqual([0, 0]);
        expect(companies(bench)).toEqual(before);
      }
    },
  );

  test('is told to be kept by a dry run, and put back where that is asked for', async () => {
    const bench = await mended();
    const dry = await push(bench, guests('Alpha Ltd'), '--dry-run');
    expect(JSON.parse(dry.out)).toMatchObject({ to_update: 0, kept: 1 });
    expect((await push(bench, guests('Alpha Ltd'), '--overwrite')).summary).toMatchObject({ updated: 1 });
    expect(companies(bench)).toEqual(['Alpha Ltd', 'Beta Ltd']);
  });

  test('is a conflict where the list has changed it too, also after it was kept, until somebody settles it', async () => {
    const bench = await mended();
    await push(bench, guests('Alpha Ltd'));
    for (let night = 0; night < 2; night += 1) {
      const { code, summary } = await push(bench, guests('Gamma Ltd'));
      expect([code, summary.sent, summary.conflict]).toEqual([3, 0, 1]);
      expect(companies(bench)).toEqual(['Q2 Ltd', 'Beta Ltd']);
    }
    expect((await push(bench, guests('Gamma Ltd'), '--keep')).code).toBe(0);
    expect(await push(bench, guests('Gamma Ltd'))).toMatchObject({
      code: 0,
      summary: { sent: 0, conflict: 0 },
    });
    expect((await push(bench, guests('Delta Ltd'))).summary).toMatchObject({ updated: 1 });
    expect(companies(bench)).toEqual(['Delta Ltd', 'Beta Ltd']);
  });

  test('stays while the list changes another value of the row', async () => {
    const bench = await mended();
    const list = guests('Alpha Ltd', ANNA.replace('Albers', 'Albersen'));
    expect((await push(bench, list)).summary).toMatchObject({ updated: 1, conflict: 0 });
    expect(bench.kept()[0]?.fields).toMatchObject({ last_name: 'Albersen', company: 'Q2 Ltd' });
    expect((await push(bench, list)).summary).toMatchObject({ sent: 0 });
    expect(companies(bench)).toEqual(['Q2 Ltd', 'Beta Ltd']);
  });

  test("is the list's again once the list says it", async () => {
    const bench = await mended();
    expect(await push(bench, guests('Q2 Ltd'))).toMatchObject({ code: 0, summary: { sent: 0 } });
    expect((await push(bench, guests('Alpha Ltd'))).summary).toMatchObject({ updated: 1 });
    expect(companies(bench)).toEqual(['Alpha Ltd', 'Beta Ltd']);
  });

  test('may be mended again by the same file, or another', async () => {
    const bench = await mended();
    await push(bench, guests('Alpha Ltd'));
    expect((await pushMend(bench, 'Q3 Ltd')).summary).toMatchObject({ updated: 1 });
    expect((await pushMend(bench, 'Q4 Ltd', 'more.csv')).summary).toMatchObject({ updated: 1 });
    expect(await push(bench, guests('Alpha Ltd'))).toMatchObject({ code: 0, summary: { sent: 0 } });
    expect(companies(bench)).toEqual(['Q4 Ltd', 'Beta Ltd']);
  });

  test('is kept of a row without a barcode, and of an e-mail', async () => {
    const bench = await pushBench();
    const list = (rows: string): string => `persona,First name,Last name,E-mail,Company\n${rows}`;
    const rows = 'visitor,Anna,Albers,anna@example.com,Alpha Ltd\nvisitor,Bo,Ek,bo@example.com,\n';
    await bench.push([bench.write('bare.csv', list(rows))]);
    const [anna] = bench.sandbox.registrations();
    const mending = `persona,barcode,E-mail\nvisitor,${anna?.barcode},anna.albers@example.com\n`;
    expect((await bench.push([bench.write('mend.csv', mending)])).summary).toMatchObject({ updated: 1 });
    const again = await bench.push([bench.write('bare.csv', list(rows))]);
    expect(again).toMatchObject({ code: 0, summary: { sent: 0, conflict: 0 } });
    // The list under another name.
    const renamed = await bench.push([bench.write('tuesday.csv', list(rows))]);
    expect(renamed).toMatchObject({ code: 0, summary: { sent: 0, conflict: 0 } });
    expect(bench.sandbox.registrations().map(({ fields }) => fields['email'])).toEqual([
      'anna.albers@example.com',
      'bo@example.com',
    ]);
  });
});

test('Lists of each day under names of their own send what they change, also back', async () => {
  const bench = await pushBench();
  for (const [at, company] of ['Alpha Ltd', 'Gamma Ltd', 'Alpha Ltd'].entries()) {
    await bench.push([bench.write(`guests-${at}.csv`, guests(company))]);
    expect(companies(bench)).toEqual([company, 'Beta Ltd']);
  }
});

test('an e-mail in another case in another list gives the ticket to nobody else', async () => {
  const bench = await pushBench();
  const head = 'persona,First name,Last name,E-mail,Company';
  const own = bench.write('a.csv', `${head}\nvisitor,Bob,Two,bob@example.com,C2\n`);
  const other = bench.write('b.csv', `${head},Country\nvisitor,Bob,Two,BOB@example.com,C2,AT\n`);
  for (const file of [own, other, own]) expect((await bench.push([file, '--yes'])).code).toBe(0);
  const [bob] = bench.sandbox.registrations();
  if (bob !== undefined) bench.sandbox.put({ ...bob, fields: { ...bob.fields, company: 'Staff' } });
  const again = await bench.push([other, '--yes']);
  expect(again).toMatchObject({ code: 0, summary: { sent: 0, conflict: 0, values_kept: 1 } });
});

test('what the other list has changed stays, whatever ids updates give, also where a row is edited besides', async () => {
  const bench = await pushBench();
  const list = (name: string, ben: string): string =>
    bench.write(
      name,
      `persona,First name,Last name,E-mail,Company,Country\nvisitor,Ada,Abel,ada@example.com,Alpha,AT\nvisitor,Ben,${ben}\n`,
    );
  const BEN = 'Bach,ben@example.com,Beta';
  for (const name of ['office.csv', 'sponsor.csv']) await bench.push([list(name, `${BEN},AT`)]);
  let renewed = bench.posts().length;
  bench.service.fault = () => {
    for (; renewed < bench.posts().length; renewed += 1)
      giveId(bench, bench.postedBarcodes()[renewed] ?? '', `id-${renewed}`);
    return undefined;
  };
  for (const company of ['Gamma', 'Delta'])
    await bench.push([list('sponsor.csv', `Bach,ben@example.com,${company},AT`)]);
  const office = await bench.push([list('office.csv', `${BEN},AT`)]);
  expect(office).toMatchObject({ code: 0, summary: { sent: 0, values_kept: 1 } });
  const edited = await bench.push([list('office.csv', `${BEN},DE`)]);
  expect(edited).toMatchObject({ code: 0, summary: { updated: 1, values_kept: 1 } });
  expect(companies(bench)).toEqual(['Alpha', 'Delta']);
});
