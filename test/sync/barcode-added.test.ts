import { describe, expect, test } from 'vitest';
import { pushBench } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';

const bare = (...people: readonly string[]): string =>
  ['persona,First name,Last name,E-mail', ...people.map((person) => `visitor,${person}`), ''].join('\n');
const barcoded = (...people: readonly string[]): string =>
  ['persona,barcode,First name,Last name,E-mail', ...people.map((person) => `visitor,${person}`), ''].join(
    '\n',
  );
const messagesOf = ({ summary }: { summary: { problems: { message: string }[] } }): string[] =>
  summary.problems.map(({ message }) => message);

describe('rows that get a barcode in the file', () => {
  test.each([{ ids: 'shown' }, { ids: 'hidden' }])(
    'and have no e-mail are not registered a second time unasked (ids $ids)',
    async ({ ids }) => {
      const bench = await pushBench(ids === 'hidden' ? { idShown: 'nowhere' } : {});
      const file = bench.write('f.csv', bare('Ana,Diaz,', 'Bea,Mora,'));
      await bench.push([file]);
      bench.write('f.csv', barcoded('A1,Ana,Diaz,', 'A2,Bea,Mora,', 'A3,Cy,Ek,'));
      const refused = await bench.push([file]);
      expect(refused).toMatchObject({ code: 3, summary: { created: 1, conflict: 2 } });
      expect(messagesOf(refused)).toEqual([
        expect.stringMatching(/registration .* has its name, and no row .* stands for it: .*--match none/),
        expect.stringMatching(/registration .* has its name, and no row .* stands for it: .*--match none/),
      ]);
      expect(await bench.push([file])).toMatchObject({ code: 3, summary: { sent: 0, conflict: 2 } });
      const others = await bench.push([file, '--match', 'none']);
      expect(others).toMatchObject({ code: 0, summary: { created: 2 } });
      expect(await bench.push([file])).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 3 } });
      bench.write('f.csv', barcoded('A1,Ana,Diaz,', 'A2,Bea,Mora,', 'A3,Cy,Ek,', 'A4,Bea,Mora,'));
      expect(await bench.push([file])).toMatchObject({ code: 0, summary: { created: 1 } });
    },
  );

  test('are known again with --match email, under the barcode that they have', async () => {
    const bench = await pushBench();
    const file = bench.write('f.csv', bare('Ana,Diaz,'));
    await bench.push([file]);
    bench.write('f.csv', barcoded('A1,Ana,Diaz,ana@example.com'));
    const same = await bench.push([file, '--match', 'email', '--yes']);
    expect(same).toMatchObject({ code: 3, summary: { updated: 1, created: 0 } });
    expect(messagesOf(same)[0]).toMatch(/^its registration has barcode QR-.*, which an update cannot change/);
    expect(bench.kept()).toMatchObject([{ fields: { email: 'ana@example.com' } }]);
  });

  test('are asked about when another client changed the e-mail, or deleted the registration', async () => {
    const bench = await pushBench();
    const people = ['Ana,Diaz,ana@example.com', 'Bea,Mora,bea@example.com'];
    const file = bench.write('f.csv', bare(...people));
    await bench.push([file]);
    const [ana, bea] = bench.sandbox.registrations();
    await registerByHand(bench, {
      persona: 'visitor',
      barcode: ana?.barcode ?? '',
      fields: { email: 'new@example.com' },
    });
    bench.sandbox.remove(bea?.id ?? '');
    bench.write('f.csv', barcoded(...people.map((person, at) => `A${at + 1},${person}`)));
    const refused = await bench.push([file]);
    expect(refused).toMatchObject({ code: 3, summary: { sent: 0, conflict: 2 } });
    expect(messagesOf(refused)).toEqual([
      // --match email cannot give a registration another barcode.
      expect.stringMatching(
        /^registration \S+ .* has its name, and no row .*: --match none .*; to change it, write its barcode/,
      ),
      expect.stringMatching(/^it was sent before and has been deleted in the service since; --overwrite/),
    ]);
    expect(await bench.push([file, '--keep'])).toMatchObject({ summary: { created: 0, conflict: 1 } });
    expect(await bench.push([file])).toMatchObject({ summary: { created: 0, kept: 1, conflict: 1 } });
  });

  test('are registered again when this machine deleted them', async () => {
    const bench = await pushBench();
    const file = bench.write('f.csv', bare('Ana,Diaz,', 'Bea,Mora,'));
    await bench.push([file]);
    await bench.push([file]);
    const ana = bench.sandbox.registrations().find(({ fields }) => fields['first_name'] === 'Ana');
    expect(await bench.run(['delete', ana?.id ?? '', '--yes'])).toMatchObject({ code: 0 });
    bench.write('f.csv', `${barcoded('A1,Ana,Diaz,')}visitor,,Bea,Mora,\n`);
    expect(await bench.push([file])).toMatchObject({ code: 0, summary: { created: 1, unchanged: 1 } });
  });

  test('are found in a list that is longer than looking barcodes up would take', async () => {
    const bench = await pushBench();
    for (let at = 0; at < 450; at += 1) {
      await registerByHand(bench, { persona: 'visitor', fields: { first_name: `First${at}` } });
    }
    const file = bench.write('f.csv', bare('Ana,Diaz,'));
    await bench.push([file]);
    bench.write('f.csv', barcoded('A1,Ana,Diaz,'));
    expect(await bench.push([file])).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
  });

  test('are asked about at a terminal', async () => {
    const bench = await pushBench();
    const file = bench.write('f.csv', bare('Ana,Diaz,'));
    await bench.push([file]);
    bench.write('f.csv', barcoded('A1,Ana,Diaz,'));
    const asked: string[] = [];
    const select = (question: string): Promise<string> => {
      asked.push(question);
      return Promise.resolve('none');
    };
    const prompt = () => Promise.resolve({ select, confirm: () => Promise.resolve(true) });
    expect(await bench.push([file], { tty: true, prompt } as never)).toMatchObject({
      code: 0,
      summary: { created: 1 },
    });
    expect(asked).toEqual([
      '1 row is like people who are registered already, and may be the same (row 2). What is to become of it?',
    ]);
  });
});

test('a row without barcode and e-mail whose name was mended is its person with --match email, if only one can be', async () => {
  const bench = await pushBench();
  const file = bench.write('f.csv', bare('Ana,Diaz,', 'Bea,Mora,bea@example.com'));
  await bench.push([file]);
  const mended = ['Anita,Diaz,', 'Bea,Mora,bea@example.com'];
  bench.write('f.csv', bare(...mended, 'Cy,Ek,'));
  const several = await bench.push([file, '--match', 'email', '--yes']);
  expect(several).toMatchObject({ code: 3, summary: { updated: 0, created: 0, conflict: 2 } });
  bench.write('f.csv', bare(...mended));
  const asked = await bench.push([file]);
  expect(messagesOf(asked)[0]).toMatch(/no e-mail either and stood in these files .*--match email if it is/);
  const same = await bench.push([file, '--match', 'email', '--yes']);
  expect(same).toMatchObject({ code: 0, summary: { updated: 1, created: 0 } });
  expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Bea', 'Anita']);
});
