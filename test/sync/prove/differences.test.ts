import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { deleteByHand, registerByHand } from '../service-hands.ts';
import { listIn } from '../../support/documents.ts';

interface Problem {
  place: string;
  state: string;
  barcode?: string;
  message: string;
  differences?: { field: string; kind: string; expected: unknown; found: unknown }[];
}

const problemsOf = ({ summary }: { summary: { problems: unknown[] } }): Problem[] =>
  summary.problems as Problem[];

/** Visitors with a company: `B:Acme`. */
function companies(...people: readonly string[]): string {
  const lines = people.map((person) => {
    const [barcode = '', company = ''] = person.split(':');
    return `visitor,${barcode},Ada,Example,ada-${barcode.toLowerCase()}@example.com,${company}`;
  });
  return ['persona,barcode,First name,Last name,E-mail,Company', ...lines, ''].join('\n');
}

const companyOf = (bench: Bench, barcode: string): unknown =>
  bench.kept().find((kept) => kept.barcode === barcode)?.fields['company'];

const postsOf = (bench: Bench, barcode: string): number =>
  bench.postedBarcodes().filter((posted) => posted === barcode).length;

async function edit(bench: Bench, barcode: string, fields: Record<string, unknown>): Promise<void> {
  await registerByHand(bench, { barcode, fields });
}

describe('a value that the service stores wrongly', () => {
  const OTHERWISE = {
    place: 'a.csv:2',
    state: 'different',
    barcode: 'A',
    message: 'stored otherwise than sent: company',
    differences: [{ field: 'company', kind: 'stored', expected: 'A•••', found: 'A••' }],
  };

  test('is told, not sent again, and a conflict at the next push until somebody says which one counts', async () => {
    const bench = await pushBench({ misstored: 'once' });
    const ended = await bench.push([bench.write('a.csv', companies('A:Acme'))]);
    expect([ended.code, problemsOf(ended)]).toMatchObject([EXIT.rejected, [OTHERWISE]]);
    expect(ended.err).toContain('  company: sent "A•••", listed "A••"\n');
    expect(postsOf(bench, 'A')).toBe(1);
    const next = await bench.push([bench.write('a.csv', companies('A:Acme'))]);
    expect([next.code, next.summary]).toMatchObject([EXIT.rejected, { sent: 0, conflict: 1 }]);
    expect([postsOf(bench, 'A'), companyOf(bench, 'A')]).toEqual([1, 'Acm']);
    const mended = await bench.push([bench.write('a.csv', companies('A:Acme')), '--overwrite']);
    expect([mended.code, companyOf(bench, 'A')]).toEqual([EXIT.done, 'Acme']);
  });

  test('again, though somebody said that it counts, is not accepted: counted from then on, and sent when it changes', async () => {
    const bench = await pushBench({ misstored: 'always' });
    const all = (a: string, b = 'Ace'): string[] => [bench.write('a.csv', companies(`A:${a}`, `B:${b}`))];
    await bench.push([bench.write('b.csv', companies('B:Ace'))]);
    await bench.push(all('Acme'));
    // Another change comes about, so that updates are known to.
    const again = await bench.push([...all('Acme', 'Abc'), '--overwrite']);
    expect([again.code, problemsOf(again)]).toMatchObject([
      EXIT.rejected,
      [{ barcode: 'A', message: 'not accepted by the service: company' }],
    ]);
    expect(again.err).toContain('  company: sent "A•••", listed "A••", also when sent again\n');
    const next = await bench.push(all('Acme', 'Abc'));
    expect([next.code, problemsOf(next)]).toEqual([EXIT.done, []]);
    expect(next.summary).toMatchObject({ sent: 0, values_not_accepted: 1 });
    expect(next.err).toContain('  1 value not accepted by the service when last sent\n');
    const other = await bench.push(all('Bcm', 'Abc'));
    expect([other.code, companyOf(bench, 'A')]).toEqual([EXIT.done, 'Bcm']);
    expect(other.summary).toMatchObject({ sent: 1, values_not_accepted: 0 });
  });

  test('shows in runs show and runs why, masked', async () => {
    const bench = await pushBench({ misstored: 'always' });
    const { summary } = await bench.push([bench.write('a.csv', companies('A:Acme'))]);
    const shown = await bench.run(['runs', 'show', summary.run ?? '', '--json']);
    expect(listIn(shown.out)).toMatchObject([
      { state: 'done', differences: OTHERWISE.differences, findings: [], mended: [] },
    ]);
    const why = await bench.run(['runs', 'why', 'A', '--show-values']);
    expect(why.out).toContain('stored  company: sent "Acme", listed "Acm"\n');
    expect(why.out).toContain('It is in the service, stored otherwise than it was sent: company.');
    expect((await bench.run(['runs', 'why', 'A'])).out).not.toContain('Acm');
  });

  test('is sent once to a service that doubles', async () => {
    const bench = await pushBench({ misstored: 'always', upsert: 'double' });
    const ended = await bench.push([bench.write('a.csv', companies('A:Acme'))]);
    expect([ended.code, bench.posts().length]).toEqual([EXIT.rejected, 1]);
  });
});

describe('changes that the service takes and does not make', () => {
  test('are told once, and a conflict at the next push', async () => {
    const bench = await pushBench();
    const people = (company: string): string[] =>
      Array.from({ length: 25 }, (_, index) => `P${index + 10}:${company}${index}`);
    await bench.push([bench.write('a.csv', companies(...people('Acme'), 'Z:Old'))]);
    // One change comes about, so that updates are known to.
    await bench.push([bench.write('z.csv', companies(...people('Acme'), 'Z:New'))]);
    let ignored = 0;
    bench.service.fault = ({ method, body }) => {
      if (method !== 'POST') return undefined;
      ignored += 1;
      return { answer: { status: 200, body, headers: { 'content-type': 'application/json' } } };
    };
    const ended = await bench.push([bench.write('b.csv', companies(...people('Bcme'), 'Z:New'))]);
    expect([ended.code, ignored]).toEqual([EXIT.rejected, 25]);
    expect(problemsOf(ended)).toHaveLength(25);
    const next = await bench.push([bench.write('b.csv', companies(...people('Bcme'), 'Z:New'))]);
    expect([next.code, ignored, next.summary]).toMatchObject([EXIT.rejected, 25, { conflict: 25 }]);
  });
});

describe("the service's own way of writing", () => {
  const text = `${companies('A:Acme Ltd').trimEnd()}\n`;

  test.each([['tidied'], ['capitals'], ['zero-time']] as const)('is no difference (%s)', async (storedAs) => {
    const bench = await pushBench({ storedAs });
    const ended = await bench.push([bench.write('a.csv', text)]);
    expect([ended.code, problemsOf(ended), bench.posts().length]).toEqual([EXIT.done, [], 1]);
    const next = await bench.push([bench.write('b.csv', `${text}visitor,B,Bo,Example,b@example.com,\n`)]);
    expect(next).toMatchObject({
      code: EXIT.done,
      summary: { sent: 1, unchanged: 1, values_not_accepted: 0 },
    });
  });

  test('is to drop a column only when nobody has a value in it', async () => {
    const bench = await pushBench({ misstored: 'dropped' });
    const ended = await bench.push([bench.write('a.csv', text)]);
    expect([ended.code, problemsOf(ended), bench.posts().length]).toEqual([EXIT.done, [], 1]);
    expect(ended.err).toContain('not shown by the service: company (1 row)');
    const why = (await bench.run(['runs', 'why', 'A'])).out;
    expect(why).toContain('in the service as it was sent, as far as the service shows it (not company).');
    expect(why).toContain('company: not shown by the service; sent "A••• L••"\n');
    expect(why).not.toMatch(/nothing, |stored otherwise/);
    const diff = await bench.run(['push', 'a.csv', '--only', 'A', '--dry-run', '--diff']);
    expect(diff.out).toMatch(/company: file "A.*", last sent "A.*", not shown by the service\n/);
    const other = await pushBench();
    await registerByHand(other, { barcode: 'Z', fields: { email: 'z@example.com', company: 'Zed' } });
    await drop(other);
    const named = await other.push([other.write('a.csv', text)]);
    expect([named.code, problemsOf(named)]).toMatchObject([
      EXIT.rejected,
      [{ barcode: 'A', message: 'stored otherwise than sent: company' }],
    ]);
  });

  /** The service forgets the company of whatever is posted from now on. */
  async function drop(bench: Bench): Promise<void> {
    bench.service.fault = async ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const sent = JSON.parse(body) as { barcode: string; fields: Record<string, unknown> };
      const { company: _dropped, ...fields } = sent.fields;
      await registerByHand(bench, { barcode: sent.barcode, fields });
      const answer = { status: 201, body: '', headers: {} };
      return { answer };
    };
    await Promise.resolve();
  }
});

describe('what was not sent', () => {
  test('and is not as before is named neutrally', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', companies('A:Acme', 'B:Ace'))]);
    let edited = false;
    bench.service.fault = async ({ method }) => {
      if (method === 'POST' && !edited) {
        edited = true;
        await edit(bench, 'A', { phone: '+4915112345' });
      }
      return undefined;
    };
    const ended = await bench.push([bench.write('b.csv', companies('A:Other', 'B:Ace'))]);
    expect([ended.code, problemsOf(ended)]).toMatchObject([
      EXIT.rejected,
      [{ place: 'b.csv:2', barcode: 'A', message: 'not sent, and not as before: phone' }],
    ]);
    expect(ended.err).toMatch(/ {2}phone: was nothing before, is "[^"]+" now\n/);
    expect(ended.err).toContain('  not sent, and not as before: phone (1 row)\n');
  });

  test('of a row that was overwritten by another is named', async () => {
    const bench = await pushBench({ recognise: 'barcode-any-case' });
    const ended = await bench.push([bench.write('a.csv', companies('a1:Acme', 'A1:Ace')), '--overwrite']);
    expect(ended.code).toBe(EXIT.rejected);
    const unsure = problemsOf(ended).map(({ barcode }) => barcode);
    expect(unsure.length).toBeGreaterThan(0);
    // Whichever came last: what is not told of is as it was sent.
    if (!unsure.includes('a1')) expect(companyOf(bench, 'a1')).toBe('Acme');
  });
});

describe('registrations that nobody asked to delete', () => {
  const group = 'persona,barcode,parent_barcode,First name,Last name,E-mail\n';
  const member = (barcode: string, parent = ''): string =>
    `visitor,${barcode},${parent},Ada,Example,${barcode.toLowerCase()}@example.com\n`;

  async function family(switches: Parameters<typeof pushBench>[0]): Promise<Bench> {
    const bench = await pushBench(switches);
    const text = group + member('P') + member('M', 'P') + member('X');
    const ended = await bench.push([bench.write('family.csv', text)]);
    if (ended.code !== EXIT.done) throw new Error(ended.err);
    return bench;
  }

  test.each([
    ['cascade', 'gone', 'was listed before and is not listed any more, though nothing asked for that'],
    [
      'orphaned',
      'orphaned',
      'was a member of P before, and is a member of nothing now, though nothing asked for that',
    ],
  ] as const)(
    'and are %s with a deleted parent are named after delete',
    async (parentDelete, state, message) => {
      const bench = await family({ parentDelete });
      const ended = await bench.run(['delete', '--barcode', 'P', '--yes']);
      expect(ended.code).toBe(EXIT.rejected);
      expect(ended.err).toContain(`(barcode M) ${state}: ${message}`);
      const [run] = bench.runs();
      const shown = await bench.run(['runs', 'show', run?.id ?? '', '--json']);
      expect(listIn(shown.out)).toContainEqual(expect.objectContaining({ barcode: 'M', state, message }));
    },
  );

  test('and are gone after a prune that sent nothing are named', async () => {
    const bench = await family({});
    bench.service.fault = async ({ method }) => {
      if (method === 'DELETE') await deleteByHand(bench, 'M');
      return undefined;
    };
    const text = group + member('P') + member('M', 'P');
    const ended = await bench.push([bench.write('less.csv', text), '--prune', '--max-delete', '5', '--yes']);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['P']);
    expect([
      ended.code,
      problemsOf(ended).map(({ place, state, barcode }) => [place, state, barcode]),
    ]).toEqual([EXIT.rejected, [['less.csv:3', 'gone', 'M']]]);
  });

  test('and are gone after an undo are named', async () => {
    const bench = await family({});
    await registerByHand(bench, { barcode: 'Z', fields: { email: 'z@example.com', first_name: 'Zoe' } });
    const [run] = bench.runs();
    // The first deletion goes alone, and whoever is gone beside it stops the others.
    bench.service.fault = async ({ method, nth }) => {
      if (method === 'DELETE' && nth === 1) await deleteByHand(bench, 'Z');
      return undefined;
    };
    const ended = await bench.run(['runs', 'undo', run?.id ?? '', '--yes']);
    expect([ended.code, bench.kept()]).toEqual([EXIT.rejected, []]);
    expect(ended.err).toContain('(barcode Z) gone: was listed before and is not listed any more');
  });

  test('and are gone after a push are named, with their place where a row stands for them', async () => {
    const bench = await family({});
    let gone = false;
    bench.service.fault = async ({ method }) => {
      if (method === 'POST' && !gone) {
        gone = true;
        await deleteByHand(bench, 'X');
        await deleteByHand(bench, 'Z');
      }
      return undefined;
    };
    await registerByHand(bench, { barcode: 'Z', fields: { email: 'z@example.com', first_name: 'Zoe' } });
    const text = group + member('P') + member('M', 'P') + member('X') + member('N');
    const ended = await bench.push([bench.write('more.csv', text)]);
    expect([
      ended.code,
      problemsOf(ended).map(({ place, state, barcode }) => [place, state, barcode]),
    ]).toEqual([
      EXIT.rejected,
      [
        ['more.csv:4', 'gone', 'X'],
        [expect.stringMatching(/^registration /), 'gone', 'Z'],
      ],
    ]);
    expect(ended.err).toContain('  2 not listed any more that nothing asked to delete, named above\n');
    const why = await bench.run(['runs', 'why', 'Z']);
    expect(why.err).toContain('it was listed before and is not listed any more');
  });
});

test('a link that the service signs anew at each reading is no difference, and stays the same', async () => {
  const bench = await pushBench({ uploads: 'signed' });
  const rows = (photo: string, ...more: readonly string[]): string =>
    ['persona,barcode,First name,Photo', `visitor,A,Ada,${photo}`, ...more, ''].join('\n');
  const link = 'https://files.example.com/ada.jpg?id=5';
  const ended = await bench.push([bench.write('a.csv', rows(link))]);
  expect([ended.code, problemsOf(ended)]).toEqual([EXIT.done, []]);
  const next = await bench.push([bench.write('b.csv', rows(link, 'visitor,B,Bo,'))]);
  expect(next).toMatchObject({ code: EXIT.done, summary: { sent: 1, unchanged: 1 } });
  const other = await bench.push([bench.write('c.csv', rows(link.replace('5', '6'), 'visitor,B,Bo,'))]);
  expect(other).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
});

test('nothing is said of what is as it should be', async () => {
  const bench = await pushBench();
  const ended = await bench.push([bench.write('a.csv', companies('A:Acme'))]);
  expect([ended.code, ended.summary]).toMatchObject([
    EXIT.done,
    { problems: [], audit: { gone: 0, orphaned: 0, changed: [], not_accepted: 0 } },
  ]);
});
