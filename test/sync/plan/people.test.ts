import { describe, expect, test } from 'vitest';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { type Bench, noList, pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';

const HEAD = 'persona,First name,Last name,E-mail,Company';
const guests = (...people: readonly string[]): string =>
  [HEAD, ...people.map((person) => `visitor,${person}`), ''].join('\n');
const many = (count: number, company = 'Acme'): string[] =>
  Array.from({ length: count }, (_, at) => `First${at},Last${at},g${at}@example.com,${company}`);
const kept = (bench: Bench, field: string): unknown[] =>
  bench.sandbox.registrations().map(({ fields }) => fields[field]);

async function terminal(answer: string) {
  const asked: string[] = [];
  const prompt = () =>
    Promise.resolve({
      select: (question: string) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
      confirm: () => Promise.resolve(true),
    });
  return { asked, overrides: { tty: true, prompt } as never };
}

describe('rows without barcodes', () => {
  test('of which 3 of 25 were corrected are 25 guests, 3 of them updated', async () => {
    const bench = await pushBench();
    const people = many(25);
    await bench.push([bench.write('forms.csv', guests(...people))]);
    const corrected = people.map((person, at) =>
      at % 10 === 0 ? person.replace('Acme', 'Acme Ltd') : person,
    );
    const again = await bench.push([bench.write('forms.csv', guests(...corrected))]);
    expect(again).toMatchObject({ code: 0, summary: { created: 0, updated: 3, sent: 3, unchanged: 22 } });
    expect(kept(bench, 'company').filter((company) => company === 'Acme Ltd')).toHaveLength(3);
    expect(bench.sandbox.registrations()).toHaveLength(25);
  });

  test('of which a name was corrected beside an e-mail of its own are asked about', async () => {
    const bench = await pushBench();
    await bench.push([
      bench.write('forms.csv', guests('Ada,Lovelace,ada@example.com,', 'Bo,Ek,bo@example.com,')),
    ]);
    const file = bench.write('forms.csv', guests('Eda,Lovelace,ada@example.com,', 'Bo,Ek,bo@example.com,'));
    const refused = await bench.push([file]);
    expect(refused).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
    expect(refused.summary.problems[0]?.message).toMatch(/has its e-mail.*--match email.*--match none/);
    expect(await bench.push([file, '--match', 'email'])).toMatchObject({ code: 0, summary: { updated: 1 } });
    expect(kept(bench, 'first_name')).toEqual(['Eda', 'Bo']);
  });

  test.each([{}, { idShown: 'nowhere' }] as const)(
    'that were deleted in the service since are asked about: %o',
    async (switches) => {
      const bench = await pushBench(switches);
      const file = bench.write('forms.csv', guests('Ada,Lovelace,ada@example.com,', 'Bo,Ek,bo@example.com,'));
      await bench.push([file]);
      bench.sandbox.remove(bench.sandbox.registrations()[0]?.id ?? '');
      const again = await bench.push([file]);
      expect(again).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, unchanged: 1 } });
      expect(again.summary.problems[0]?.message).toMatch(/has been deleted in the service since/);
      expect(await bench.push([file, '--overwrite'])).toMatchObject({ code: 0, summary: { created: 1 } });
      expect(kept(bench, 'first_name')).toEqual(['Bo', 'Ada']);
    },
  );

  test('that are told to be other people are registered', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Ada,Lovelace,ada@example.com,'))]);
    const file = bench.write('more.csv', guests('Eda,Lovelace,ada@example.com,'));
    expect(await bench.push([file, '--match', 'none'])).toMatchObject({ code: 0, summary: { created: 1 } });
    expect(kept(bench, 'first_name')).toEqual(['Ada', 'Eda']);
  });

  test('ask at a terminal, once for all', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Ada,Lovelace,ada@example.com,'))]);
    const file = bench.write('more.csv', guests('Eda,Lovelace,ada@example.com,'));
    const { asked, overrides } = await terminal('email');
    expect(await bench.push([file], overrides)).toMatchObject({ code: 0, summary: { updated: 1 } });
    expect(asked).toEqual([
      '1 person is registered already with the same e-mail but other data (row 2). What is to become of it?',
    ]);
  });

  test('of another persona are not said to be updated by an e-mail', async () => {
    const bench = await pushBench();
    const people = ['Ada,Ek,ada@example.com,', 'Bo,Alt,bo@example.com,'];
    await bench.push([bench.write('forms.csv', guests(...people))]);
    const rows = ['exhibitor,Ada,Ek,ada@example.com,', 'visitor,Bob,Alt,bo@example.com,'];
    const file = bench.write('forms.csv', [HEAD, ...rows, ''].join('\n'));
    const answers = { 'people who are registered already': 'Update 1 of them (--match email)' };
    const person = async () => {
      const { prompt } = fakePrompt(answers);
      return await bench.push([file], { tty: true, prompt: async () => prompt });
    };
    const ended = await person();
    expect(ended.summary).toMatchObject({ updated: 1, created: 0, conflict: 1 });
    const [ada] = bench.kept();
    const write = `to change it, write its barcode ${ada?.barcode} into the row, in a column called Barcode`;
    expect(ended.summary.problems[0]?.message).toContain(write);
    expect(ended.err.replaceAll(/\s+/g, ' ')).toContain(`(barcode ${ada?.barcode}) has its e-mail`);
    // Nobody who is left can be.
    expect((await person()).err).toContain('No choice has Update 1 of them');
    const fixed = ['exhibitor,Ada,Ek,ada@example.com,', 'visitor,Bob,Alt,bo@example.com,'].map((row, at) =>
      at === 0 ? `${row},${ada?.barcode}` : `${row},`,
    );
    const mended = bench.write('forms.csv', [`${HEAD},Barcode`, ...fixed, ''].join('\n'));
    expect((await bench.push([mended])).summary).toMatchObject({ updated: 1, created: 0 });
    expect(bench.kept().map(({ persona }) => persona)).toEqual(['exhibitor', 'visitor']);
  });

  test('that left names out are known by those that the service shows when their e-mail was mended', async () => {
    const bench = await pushBench();
    await registerByHand(bench, {
      barcode: 'S-1',
      fields: { first_name: 'Bob', last_name: 'Byron', email: 'bob@example.com' },
    });
    await bench.push([bench.write('forms.csv', 'persona,First name,E-mail\nvisitor,Bob,bob@example.com\n')]);
    const file = bench.write('forms.csv', guests('Bob,Byron,byron@example.com,'));
    expect((await bench.push([file])).summary).toMatchObject({ created: 0, conflict: 1 });
    const flags = ['--match', 'email', '--prune', '--max-delete', '100%', '--yes'];
    expect((await bench.push([file, ...flags])).summary).toMatchObject({
      created: 0,
      updated: 1,
      deleted: 0,
    });
    expect(bench.kept()).toMatchObject([{ barcode: 'S-1', fields: { email: 'byron@example.com' } }]);
  });

  test('whose e-mail was mended are not sent over a registration that somebody has renamed', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Gus,Byron,gus@example.com,'))]);
    const barcode = bench.kept()[0]?.barcode ?? '';
    const fields = { first_name: 'Dan', last_name: 'Byron', email: 'gus@example.com' };
    await registerByHand(bench, { barcode, fields });
    const file = bench.write('forms.csv', guests('Gus,Byron,new@example.com,'));
    const { summary } = await bench.push([file, '--match', 'email']);
    expect(summary).toMatchObject({ created: 0, updated: 0, conflict: 1 });
    expect(summary.problems[0]?.message).toMatch(
      /has another name now, and had its name when these files were last pushed, .*--match none to register/,
    );
    expect(kept(bench, 'email')).toEqual(['gus@example.com']);
  });

  test('of another persona and with another e-mail are nobody who is gone, whatever their first name', async () => {
    const bench = await pushBench();
    await bench.push([
      bench.write('forms.csv', 'persona,First name,Last name,E-mail\nexhibitor,Gus,Turing,gus@example.com\n'),
    ]);
    const rows = ['visitor,Gus,other@example.com', 'exhibitor,Gus,gus.turing@example.com'];
    const file = bench.write('forms.csv', ['persona,First name,E-mail', ...rows, ''].join('\n'));
    const { summary } = await bench.push([file, '--match', 'email']);
    expect(summary).toMatchObject({ created: 1, updated: 1, conflict: 0 });
    expect(
      bench.kept().map(({ persona, fields }) => [persona, fields['last_name'], fields['email']]),
    ).toEqual([
      ['exhibitor', 'Turing', 'gus.turing@example.com'],
      ['visitor', undefined, 'other@example.com'],
    ]);
  });

  test('that are companions are named as such when their e-mail was mended', async () => {
    const bench = await pushBench();
    const head =
      'persona,First name,Last name,E-mail,Companion 1 first name,Companion 1 last name,Companion 1 e-mail,Barcode';
    const row = (email: string) =>
      bench.write('forms.csv', `${head}\nvisitor,Ada,Ek,ada@example.com,Bo,Ek,${email},A-1\n`);
    expect((await bench.push([row('bo@example.com')])).summary).toMatchObject({ created: 2 });
    const { summary } = await bench.push([row('bo@example.org')]);
    expect(summary.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^companion 1 of this row: registration \S+ .* has its name, and no row .*: --match email/,
      ),
    ]);
  });

  test('of a family are asked about where a name was mended', async () => {
    const bench = await pushBench();
    const family = ['Ada,Ek,ek@example.com,', 'Bo,Ek,ek@example.com,', 'Cy,Ek,ek@example.com,'];
    await bench.push([bench.write('forms.csv', guests(...family))]);
    const file = bench.write(
      'forms.csv',
      guests('Ada,Ek,ek@example.com,', 'Bob,Ek,ek@example.com,', 'Cy,Ek,ek@example.com,'),
    );
    expect(await bench.push([file])).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
    const said = await bench.push([file, '--match', 'email']);
    expect(said).toMatchObject({ code: 0, summary: { updated: 1, created: 0 } });
    expect(kept(bench, 'first_name')).toEqual(['Ada', 'Bob', 'Cy']);
  });

  test('of a family of three are three, also when the first was sent before a kill', async () => {
    const bench = await pushBench();
    const family = ['Ada,Ek,ek@example.com,', 'Bo,Ek,ek@example.com,', 'Cy,Ek,ek@example.com,'];
    const file = bench.write('forms.csv', guests(...family));
    let posts = 0;
    bench.service.fault = ({ method }) => {
      if (method === 'POST') posts += 1;
      return posts === 2 && method === 'POST' ? { answer: { status: 401 } } : undefined;
    };
    expect(await bench.push([file])).toMatchObject({ code: 4, summary: { sent: 1 } });
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: 0, summary: { created: 2 } });
    expect(kept(bench, 'first_name').sort()).toEqual(['Ada', 'Bo', 'Cy']);
    expect(await bench.push([file])).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 3 } });
  });

  test('without an e-mail are asked about when rows of the last push are gone', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Ada,Ek,,', 'Bo,Ek,,'))]);
    const file = bench.write('forms.csv', guests('Ada,Ek,,', 'Bob,Ek,,'));
    const refused = await bench.push([file]);
    expect(refused).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, unchanged: 1 } });
    expect(refused.summary.problems[0]?.message).toContain('no e-mail either and stood in these files');
    expect(await bench.push([file, '--match', 'none'])).toMatchObject({ code: 0, summary: { created: 1 } });
    expect(kept(bench, 'first_name')).toEqual(['Ada', 'Bo', 'Bob']);
    const more = bench.write('forms.csv', guests('Ada,Ek,,', 'Bob,Ek,,', 'Cy,Ek,,'));
    expect(await bench.push([more])).toMatchObject({ code: 0, summary: { created: 1 } });
  });

  test.each([{ ids: 'shown' }, { ids: 'hidden' }])(
    'are asked about until somebody answers ($ids)',
    async ({ ids }) => {
      const bench = await pushBench(ids === 'hidden' ? { idShown: 'nowhere' } : {});
      await bench.push([
        bench.write('forms.csv', guests('Uma,Ural,uma@gmail.com,', 'Vic,Ek,vic@example.com,')),
      ]);
      const rows = ['Uma,Ural,uma.ural@gmail.com,', 'Vic,Ek,vic@example.com,'];
      const file = bench.write('forms.csv', guests(...rows));
      const conflict = { code: 3, summary: { sent: 0, conflict: 1 } };
      expect(await bench.push([file])).toMatchObject(conflict);
      const again = await bench.push([file]);
      expect(again).toMatchObject(conflict);
      expect(again.summary.problems[0]?.message).toContain('has its name, and no row of the files');
      bench.write('forms.csv', guests('Vic,Ek,vic@example.com,'));
      await bench.push([file]);
      bench.write('forms.csv', guests(...rows));
      expect(await bench.push([file])).toMatchObject(conflict);
      if (ids === 'hidden') return;
      expect(await bench.push([file, '--match', 'email'])).toMatchObject({
        code: 0,
        summary: { updated: 1, created: 0 },
      });
      expect(kept(bench, 'email')).toEqual(['uma.ural@gmail.com', 'vic@example.com']);
      expect(await bench.push([file])).toMatchObject({ code: 0, summary: { sent: 0, unchanged: 2 } });
    },
  );

  test('that an earlier push found, and could not update, are asked about once they are corrected', async () => {
    const bench = await pushBench({ recordBarcode: 'hidden' });
    await registerByHand(bench, { fields: { first_name: 'Uma', last_name: 'Ural', email: 'uma@gmail.com' } });
    const first = bench.write('forms.csv', guests('Uma,Ural,uma@gmail.com,Acme'));
    expect(await bench.push([first, '--yes'])).toMatchObject({ code: 3, summary: { conflict: 1 } });
    const file = bench.write('forms.csv', guests('Uma,Ural,uma.ural@gmail.com,Acme'));
    expect(await bench.push([file, '--yes'])).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
    expect(bench.sandbox.registrations()).toHaveLength(1);
  });

  test.each([
    { switches: {}, ends: { code: 0, summary: { created: 0, updated: 1 } } },
    { switches: { idKey: 'none' } as const, ends: { code: 0, summary: { created: 0, updated: 1 } } },
  ])(
    'are found again where a service answers nothing and writes values its own way: %o',
    async ({ switches, ends }) => {
      const bench = await pushBench({ ...switches, createStatus: '202', storedAs: 'capitals' });
      const made = await bench.push([bench.write('forms.csv', guests('Uma,Ural,uma@gmail.com,Acme'))]);
      expect(made).toMatchObject({ code: 0, summary: { created: 1, audit: { unverified: 0 } } });
      const file = bench.write('forms.csv', guests('Uma,Ural,uma.ural@gmail.com,Acme'));
      expect(await bench.push([file, '--match', 'email'])).toMatchObject(ends);
      expect(bench.sandbox.registrations()).toHaveLength(1);
    },
  );

  test('are asked about in a file of another name that has others of them', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', guests('Ana,Lee,ana@example.com,', 'Bob,Ray,bob@example.com,'))]);
    const file = bench.write('b.csv', guests('Ana,Lee,ana.lee@example.com,', 'Bob,Ray,bob@example.com,'));
    const asked = await bench.push([file]);
    expect(asked).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, unchanged: 1 } });
    expect(asked.summary.problems[0]?.message).toContain('has its name, and no row of the files');
    expect(await bench.push([file, '--match', 'email'])).toMatchObject({ code: 0, summary: { updated: 1 } });
    expect(kept(bench, 'email')).toEqual(['ana.lee@example.com', 'bob@example.com']);
  });

  test('are registered from another file that has nobody of them, or nobody of their name', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', guests('Ana,Lee,ana@example.com,', 'Bob,Ray,bob@example.com,'))]);
    const others = bench.write('b.csv', guests('Ana,Lee,other.ana@example.com,', 'Cy,Fox,cy@example.com,'));
    expect(await bench.push([others])).toMatchObject({ code: 0, summary: { created: 2 } });
    const more = bench.write(
      'c.csv',
      guests('Bob,Ray,bob@example.com,', 'Di,Fox,di@example.com,', 'Ed,Fox,,'),
    );
    expect(await bench.push([more])).toMatchObject({ code: 0, summary: { created: 2, unchanged: 1 } });
  });

  test('whose e-mail was corrected in the service are the same when the file gets another column', async () => {
    const bench = await pushBench();
    const people = ['Ana,Lee,ana@example.com,', 'Bob,Ray,bob@example.com,'];
    await bench.push([bench.write('a.csv', guests(...people))]);
    const [, bob] = bench.sandbox.registrations();
    if (bob !== undefined)
      bench.sandbox.put({ ...bob, fields: { ...bob.fields, email: 'bobby@example.com' } });
    const fuller = bench.write('b.csv', guests(...people.map((one) => `${one}Quay`)));
    expect(await bench.push([fuller])).toMatchObject({ code: 0, summary: { created: 0, updated: 2 } });
    expect(kept(bench, 'email')).toEqual(['ana@example.com', 'bobby@example.com']);
    expect(kept(bench, 'company')).toEqual(['Quay', 'Quay']);
  });

  test('are asked about again when the question was cancelled', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('forms.csv', guests('Uma,Ural,uma@gmail.com,'))]);
    const file = bench.write('forms.csv', guests('Uma,Ural,uma.ural@gmail.com,'));
    const { asked, overrides } = await terminal('stop');
    await bench.push([file], overrides);
    await bench.push([file], overrides);
    expect(asked).toHaveLength(2);
    expect(bench.sandbox.registrations()).toHaveLength(1);
  });
});

const barcoded = (...people: readonly string[]): string =>
  [
    'persona,barcode,First name,Last name,E-mail,Company',
    ...people.map((person) => `visitor,${person}`),
    '',
  ].join('\n');

describe('rows with a barcode that the service does not list', () => {
  test('with the e-mail of a registration that no row stands for are not sent unasked', async () => {
    const bench = await pushBench();
    await bench.push([
      bench.write('old.csv', barcoded('A1,Ada,Ek,ada@example.com,', 'B1,Bo,Ek,bo@example.com,')),
    ]);
    const file = bench.write('new.csv', barcoded('A2,Ada,Ek,ada@example.com,', 'B2,Bo,Ek,bo@example.com,'));
    const refused = await bench.push([file]);
    expect(refused).toMatchObject({ code: 3, summary: { sent: 0, conflict: 2 } });
    expect(bench.sandbox.registrations()).toHaveLength(2);
    const updated = await bench.push([
      bench.write('new.csv', barcoded('A2,Ada,Eck,ada@example.com,', 'B2,Bo,Ek,bo@example.com,')),
      '--match',
      'email',
      '--yes',
    ]);
    expect(updated).toMatchObject({ code: 3, summary: { updated: 1, conflict: 1 } });
    const cannot = (barcode: string) =>
      `its registration has barcode ${barcode}, which an update cannot change`;
    expect(updated.summary.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(new RegExp(`^${cannot('A1')}`)),
      expect.stringMatching(new RegExp(`^${cannot('B1')}`)),
    ]);
    for (const barcode of ['A2', 'B2']) {
      const why = await bench.run(['runs', 'why', barcode]);
      expect(why.out).not.toContain('edited');
      expect(why.out).toMatch(/barcode: .* → .* conflict/);
    }
    expect(bench.kept().map(({ barcode, fields }) => [barcode, fields['last_name']])).toEqual([
      ['A1', 'Eck'],
      ['B1', 'Ek'],
    ]);
  });

  test('are those whose barcode was changed in the service, also when their row has changed', async () => {
    const bench = await pushBench();
    await bench.push([
      bench.write('a.csv', barcoded('A1,Ada,Ek,ada@example.com,', 'B1,Bo,Ek,bo@example.com,')),
    ]);
    const [, bo] = bench.sandbox.registrations();
    if (bo !== undefined) bench.sandbox.put({ ...bo, barcode: 'Z9' });
    const file = bench.write(
      'a.csv',
      barcoded('A1,Ada,Ek,ada@example.com,Quay', 'B1,Bo,Ek,bo@example.com,Quay'),
    );
    for (const flags of [[], ['--overwrite']]) {
      const ended = await bench.push([file, ...flags]);
      expect(ended).toMatchObject({ code: 3, summary: { created: 0 } });
      expect(ended.summary.problems[0]?.message).toContain(
        'its registration has barcode Z9, which an update cannot change',
      );
    }
    expect(bench.sandbox.registrations()).toHaveLength(2);
  });

  test('but in another case are not sent unasked', async () => {
    const bench = await pushBench({ recognise: 'barcode-any-case' });
    await registerByHand(bench, { barcode: 'AB-1', fields: { first_name: 'Ada', email: 'ada@example.com' } });
    const refused = await bench.push([bench.write('new.csv', barcoded('ab-1,Bo,Ek,bo@example.com,'))]);
    expect(refused).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1 } });
    expect(refused.summary.problems[0]?.message).toContain('its barcode in another case');
    expect(kept(bench, 'first_name')).toEqual(['Ada']);
  });
});

describe('a service that knows people by e-mail', () => {
  test('is noticed with rows that share one, and what is learnt holds for strangers', async () => {
    const bench = await pushBench({ recognise: 'email' });
    await registerByHand(bench, { barcode: 'S-1', fields: { first_name: 'Sue', email: 'sue@example.com' } });
    const file = bench.write(
      'new.csv',
      barcoded('A1,Ada,Ek,ek@example.com,', 'B1,Bo,Ek,ek@example.com,', 'S-2,Sam,Xi,sue@example.com,'),
    );
    const ended = await bench.push([file, '--match', 'none']);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 2 } });
    const sue = bench.sandbox.registrations().find(({ fields }) => fields['email'] === 'sue@example.com');
    expect(sue?.fields['first_name']).toBe('Sue');
  });

  test('changes one that the same push has given the e-mail: both rows are told', async () => {
    const bench = await pushBench({ recognise: 'barcode-or-email', idKey: 'none' });
    const head = 'persona,barcode,First name,Last name,E-mail,Company';
    await bench.push([bench.write('new.csv', `${head}\nvisitor,A1,Finn,Ek,,\n`)]);
    const file = bench.write('new.csv', barcoded('A1,Finn,Ek,ek@example.com,', 'B1,Dan,Ek,ek@example.com,'));
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: 3, summary: { created: 0, conflict: 2, uncertain: 0 } });
    expect(ended.summary.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('the service took new.csv:3 for the same person'),
      expect.stringContaining('has changed registration with barcode A1 instead of adding one'),
    ]);
    const undone = await bench.run([
      'runs',
      'undo',
      ended.summary.run ?? '',
      '--yes',
      '--max-delete',
      '100%',
    ]);
    expect(undone).toMatchObject({
      code: 3,
      out: expect.stringContaining('its barcode is B1 now, and was A1'),
    });
    expect(bench.kept()).toHaveLength(1);
  });

  /** It goes by the e-mail, and takes the barcode for a value like others. */
  async function goesByEmail() {
    const bench = await pushBench();
    const file = (one: string, other: string): string =>
      bench.write('a.csv', barcoded(`A1,Ada,Ek,${one}@example.com,`, `B1,Bo,Ek,${other}@example.com,`));
    await bench.push([file('ada', 'bo')]);
    const listed = (): unknown[] => bench.kept().map(({ id, barcode, fields }) => ({ id, barcode, fields }));
    const takesOver = (): void => {
      bench.service.fault = ({ method, body }) => {
        if (method !== 'POST') return undefined;
        const { barcode, fields } = JSON.parse(body) as { barcode: string; fields: Record<string, string> };
        const found = bench.sandbox.registrations().find((one) => one.fields['email'] === fields['email']);
        if (found === undefined) return undefined;
        bench.sandbox.put({ ...found, barcode, fields: { ...found.fields, ...fields } });
        return { answer: { status: 200, body: JSON.stringify({ registration_id: found.id }) } };
      };
    };
    const says = `has changed registration ${bench.kept()[1]?.id ?? ''} instead of the one with its barcode, because it knows people by e-mail: first_name, barcode`;
    return { bench, file, listed, takesOver, says };
  }

  test('changes another one instead of the one with the barcode: named, stopped, and undo brings it back', async () => {
    const { bench, file, listed, takesOver, says } = await goesByEmail();
    const before = listed();
    takesOver();
    const ended = await bench.push([file('bo', 'ada')]);
    expect(ended).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, pending: 1 } });
    expect(ended.summary.problems[0]?.message).toContain(says);
    await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes']);
    expect(listed()).toEqual(before);
  });

  test('is told so also of a single update of a service that took others, and not as somebody registered twice', async () => {
    const { bench, file, takesOver, says } = await goesByEmail();
    expect((await bench.push([file('eda', 'bo')])).summary.updated).toBe(1);
    takesOver();
    const ended = await bench.push([file('bo', 'bo')]);
    expect(ended).toMatchObject({ code: 3, summary: { sent: 0, conflict: 1, audit: { doubled: 0 } } });
    expect(ended.summary.problems[0]?.message).toContain(says);
  });

  test('is told with all that it has changed, also where it shows no barcodes', async () => {
    const bench = await pushBench({
      recognise: 'email-in-persona',
      recordBarcode: 'hidden',
      fieldsOnUpdate: 'replace',
    });
    const sue = { first_name: 'Sue', last_name: 'Ek', email: 'ek@example.com', phone: '+4930123456' };
    await registerByHand(bench, { fields: sue });
    const ended = await bench.push([
      bench.write('new.csv', guests('Sue,Ek,ek@example.com,', 'Bo,Ek,ek@example.com,')),
    ]);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 1 } });
    expect(ended.summary.problems[0]?.message).toContain(
      'because it knows people by e-mail: first_name, phone;',
    );
  });

  test('changes a registration instead of adding one: said, and undo brings it back', async () => {
    const bench = await pushBench({ recognise: 'email', createStatus: '201' });
    await registerByHand(bench, { barcode: 'S-1', fields: { first_name: 'Sue', email: 'sue@example.com' } });
    const file = bench.write(
      'new.csv',
      barcoded('S-2,Sam,Xi,sue@example.com,Acme', 'T-2,Tom,Xi,tom@example.com,'),
    );
    const ended = await bench.push([file, '--match', 'none']);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 1, created: 1, sent: 1 } });
    expect(ended.summary.problems[0]?.message).toMatch(/has changed registration \S+ instead of adding one/);
    const undone = await bench.run([
      'runs',
      'undo',
      ended.summary.run ?? '',
      '--yes',
      '--max-delete',
      '100%',
    ]);
    expect(undone.err).not.toContain('defect');
    expect(bench.sandbox.registrations().map(({ fields }) => fields['first_name'])).toEqual(['Sue']);
  });

  test('changes a namesake without a word: seen when it is read back', async () => {
    const bench = await pushBench({ recognise: 'barcode-or-name', createBody: 'empty' });
    const sam = { first_name: 'Sam', last_name: 'Xi', email: 'other@example.com' };
    await registerByHand(bench, { barcode: 'X-1', fields: sam });
    const file = bench.write(
      'new.csv',
      barcoded('T-2,Tom,Xi,tom@example.com,Acme', 'S-2,Sam,Xi,sam@example.com,'),
    );
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 1, created: 1, sent: 1 } });
    expect(ended.summary.problems[0]?.message).toMatch(
      /^the service has changed registration \S+ instead of adding one: .*barcode$/,
    );
  });
});

describe('a barcode that the service has changed, with nothing else', () => {
  async function takenOver(): Promise<Bench> {
    const bench = await pushBench({ recognise: 'email' });
    const fields = { first_name: 'Gus', email: 'gus@example.com' };
    await registerByHand(bench, { barcode: 'EV-1', fields });
    const row = (barcode: string): string => `visitor,${barcode},Gus,gus@example.com\n`;
    const file = bench.write('a.csv', `persona,barcode,First name,E-mail\n${row('EV-0')}${row('EV-1')}`);
    expect(await bench.push([file])).toMatchObject({ code: 3, summary: { conflict: 1 } });
    expect(barcodesOf(bench)).toEqual(['EV-0']);
    return bench;
  }
  const barcodesOf = (bench: Bench): string[] => bench.sandbox.registrations().map(({ barcode }) => barcode);
  const undo = async (bench: Bench) => await bench.run(['runs', 'undo', bench.runs()[0]?.id ?? '', '--yes']);

  test('is brought back by undo where the service is known to know people by e-mail', async () => {
    const bench = await takenOver();
    expect(await undo(bench)).toMatchObject({ code: 0, err: expect.stringContaining('1 restored') });
    expect(barcodesOf(bench)).toEqual(['EV-1']);
  });

  test('is named by undo where it cannot be brought back', async () => {
    const bench = await takenOver();
    bench.journal((journal) => journal.run(`DELETE FROM learned WHERE name LIKE 'knows by %'`));
    const ended = await undo(bench);
    expect(ended).toMatchObject({
      code: 3,
      out: expect.stringContaining('its barcode is EV-0 now, and was EV-1, which cannot be brought back'),
    });
    expect(barcodesOf(bench)).toEqual(['EV-0']);
  });
});

describe('what undo deletes', () => {
  test('is not what a service that ignores the case of barcodes has changed', async () => {
    const bench = await pushBench({ recognise: 'barcode-any-case', createStatus: '201' });
    await registerByHand(bench, { barcode: 'AB-1', fields: { first_name: 'Ada', email: 'ada@example.com' } });
    const file = bench.write('new.csv', barcoded('ab-1,Bo,Ek,bo@example.com,', 'C1,Cy,Ek,cy@example.com,'));
    const ended = await bench.push([file, '--match', 'none']);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 1, created: 1 } });
    await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes', '--max-delete', '100%']);
    expect(bench.sandbox.registrations().map(({ fields }) => fields['first_name'])).toEqual(['Ada']);
    // What was learnt ends the question: the service takes both barcodes for one.
    const again = await bench.push([bench.write('one.csv', barcoded('ab-1,Eda,,ada@example.com,')), '--yes']);
    expect(again).toMatchObject({ code: 0, summary: { updated: 1, created: 0 } });
  });

  test('is not what was only updated, whatever the answers said', async () => {
    const bench = await pushBench({ createStatus: '201' });
    await registerByHand(bench, { barcode: 'A1', fields: { first_name: 'Ada', email: 'ada@example.com' } });
    const file = bench.write('new.csv', barcoded('A1,Eda,Ek,ada@example.com,', 'B1,Bo,Ek,bo@example.com,'));
    bench.service.fault = noList;
    const ended = await bench.push([file, '--yes']);
    bench.service.fault = () => undefined;
    expect(ended).toMatchObject({ code: 0, summary: { sent: 2, created: 0, updated: 0 } });
    await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes', '--max-delete', '100%']);
    expect(bench.sandbox.registrations()).toHaveLength(2);
  });

  test('is what is proven to be new', async () => {
    const bench = await pushBench({ createStatus: '200' });
    await registerByHand(bench, { barcode: 'A1', fields: { first_name: 'Ada', email: 'ada@example.com' } });
    const file = bench.write('new.csv', barcoded('A1,Eda,Ek,ada@example.com,', 'B1,Bo,Ek,bo@example.com,'));
    const ended = await bench.push([file, '--overwrite']);
    expect(ended).toMatchObject({ code: 0, summary: { created: 1, updated: 1 } });
    await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes', '--max-delete', '100%']);
    expect(bench.sandbox.registrations().map(({ fields }) => fields['first_name'])).toEqual(['Ada']);
  });
});

describe('a service that shows too little', () => {
  test('of its values changes one registration at most before all stops', async () => {
    const bench = await pushBench({ recognise: 'email', recordShape: 'no-fields' });
    await registerByHand(bench, { barcode: 'S-1', fields: { first_name: 'Sue', email: 'sue@example.com' } });
    await registerByHand(bench, { barcode: 'T-1', fields: { first_name: 'Tom', email: 'tom@example.com' } });
    const file = bench.write(
      'new.csv',
      barcoded('S-2,Sam,Xi,sue@example.com,', 'T-2,Tim,Xi,tom@example.com,', 'U-2,Uwe,Xi,uwe@example.com,'),
    );
    const ended = await bench.push([file, '--concurrency', '1']);
    expect(ended).toMatchObject({ code: 3, summary: { state: 'stopped', conflict: 1, pending: 2 } });
    expect(ended.err).toContain('Nothing tells why, so the rest was not sent.');
    expect(bench.posts()).toHaveLength(3);
  });

  test('of ids and barcodes is not said to take people for one whom it lists beside each other', async () => {
    const bench = await pushBench({ idShown: 'nowhere', createBody: 'empty', recordBarcode: 'hidden' });
    const family = ['Ada', 'Bo', 'Cy'].map((name) => `${name},Ek,ek@example.com,`);
    const ended = await bench.push([bench.write('new.csv', guests(...family))]);
    expect(ended).toMatchObject({ code: 0, summary: { sent: 3, conflict: 0 } });
  });

  test('of its ids is looked at after each row that might have changed a registration', async () => {
    const bench = await pushBench({ recognise: 'email', idShown: 'nowhere', createBody: 'empty' });
    await registerByHand(bench, { barcode: 'S-1', fields: { first_name: 'Sue', email: 'sue@example.com' } });
    const ended = await bench.push([
      bench.write('new.csv', barcoded('S-2,Sam,Xi,sue@example.com,')),
      '--match',
      'none',
    ]);
    expect(ended).toMatchObject({ code: 3, summary: { conflict: 1, created: 0 } });
    expect(ended.summary.problems[0]?.message).toContain('because it knows people by e-mail');
  });
});

describe('who is new', () => {
  const others = async (bench: Bench, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await registerByHand(bench, {
        barcode: `O-${at}`,
        fields: { first_name: 'Other', email: `o${at}@example.com` },
      });
    }
  };

  test('is told by how many there are, where the list is too long for so few rows', async () => {
    const bench = await pushBench({ perPageCap: 1 });
    await others(bench, 8);
    const ended = await bench.push([bench.write('new.csv', barcoded('A1,Ada,Ek,ada@example.com,'))]);
    expect(ended).toMatchObject({ code: 0, summary: { created: 1, not_proven_new: 0 } });
  });

  test('is not proven where more have come in meanwhile, or nobody counts them', async () => {
    const bench = await pushBench({ perPageCap: 1 });
    await others(bench, 8);
    let isFirst = true;
    bench.service.fault = async ({ method }) => {
      if (method !== 'POST' || !isFirst) return undefined;
      isFirst = false;
      await registerByHand(bench, { barcode: 'O-9', fields: { first_name: 'Other' } });
      return undefined;
    };
    const ended = await bench.push([bench.write('new.csv', barcoded('A1,Ada,Ek,ada@example.com,'))]);
    expect(ended).toMatchObject({ code: 0, summary: { sent: 1, created: 0, not_proven_new: 1 } });
    expect(ended.err).toContain('1 sent (1 not proven new)');
    const hidden = await pushBench({ perPageCap: 1, listTotal: 'hidden' });
    await others(hidden, 8);
    const uncounted = await hidden.push([hidden.write('new.csv', barcoded('A1,Ada,Ek,ada@example.com,'))]);
    expect(uncounted).toMatchObject({ code: 0, summary: { created: 0, not_proven_new: 1 } });
  });

  test('holds nothing beyond what was sent but what all new ones got', async () => {
    const bench = await pushBench();
    bench.service.fault = async ({ method, body, path }) => {
      if (method !== 'POST' || path.includes('webhook')) return undefined;
      const asked = JSON.parse(body) as { barcode: string; fields: Record<string, string> };
      const extra = asked.barcode === 'C1' ? { company: 'Somebody' } : {};
      await registerByHand(bench, { ...asked, fields: { ...asked.fields, country: 'ES', ...extra } });
      const { id } = bench.kept().find(({ barcode }) => barcode === asked.barcode) ?? {};
      return {
        answer: { status: 201, body: JSON.stringify({ registratoin_id: id, barcode: asked.barcode }) },
      };
    };
    const ended = await bench.push([
      bench.write(
        'new.csv',
        barcoded('A1,Ada,Ek,ada@example.com,', 'B1,Bo,Ek,bo@example.com,', 'C1,Cy,Ek,cy@example.com,'),
      ),
    ]);
    expect(ended.summary).toMatchObject({ sent: 3, created: 2, not_proven_new: 1 });
    bench.service.fault = () => undefined;
    await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes', '--max-delete', '100%']);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['C1']);
  });
});
