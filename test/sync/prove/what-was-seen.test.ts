import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { type ByHand, registerByHand } from '../service-hands.ts';

interface Listed {
  data: { id: string; persona: string; parent_barcode?: string | null }[];
  meta: object;
}

/** The list shows no registration that `hides` says yes of. */
async function benchHiding(hides: (one: Listed['data'][number]) => boolean): Promise<Bench> {
  const bench = await pushBench();
  bench.service.fault = async ({ method, path }) => {
    if (method !== 'GET' || !path.includes('/registration')) return undefined;
    const headers = { authorization: 'Bearer bench-token-1234' };
    const { data, meta } = (await (await fetch(`${bench.sandbox.url}${path}`, { headers })).json()) as Listed;
    const shown = data.filter((one) => !hides(one));
    const body = JSON.stringify({ data: shown, meta: { ...meta, total: shown.length } });
    return { answer: { status: 200, body } };
  };
  return bench;
}

const isExhibitor = ({ persona }: Listed['data'][number]): boolean => persona === 'exhibitor';
const isMember = ({ parent_barcode: parent }: Listed['data'][number]): boolean =>
  parent !== null && parent !== undefined;

/** Three visitors, and two of another kind, with barcodes or not. */
function list(company: string, { persona, parent = '', bare }: Kind): string {
  const row = (of: string, one: string, barcode: string, under: string): string =>
    `${of},${barcode},${under},${one}na,Example,${one}@example.com,${company}`;
  return [
    'persona,barcode,parent_barcode,First name,Last name,E-mail,Company',
    ...['A', 'B', 'C'].map((one) => row('visitor', one, one, '')),
    ...['X', 'Y'].map((one) => row(persona, one, bare ? '' : one, parent)),
    '',
  ].join('\n');
}

interface Kind {
  persona: string;
  parent?: string;
  bare: boolean;
}

describe('rows of a kind that no list shows', () => {
  test.each<[string, Kind, (one: Listed['data'][number]) => boolean]>([
    ['of a persona, with barcodes', { persona: 'exhibitor', bare: false }, isExhibitor],
    ['of a persona, without', { persona: 'exhibitor', bare: true }, isExhibitor],
    ['members, with barcodes', { persona: 'visitor', parent: 'A', bare: false }, isMember],
    ['members, without', { persona: 'visitor', parent: 'A', bare: true }, isMember],
  ])('are not said to be missing, and not sent again: %s', async (_name, kind, hides) => {
    const bench = await benchHiding(hides);
    const file = bench.write('a.csv', list('Acme', kind));
    const first = await bench.push([file]);
    expect(first).toMatchObject({
      code: EXIT.done,
      summary: { sent: 5, audit: { missing: 0, unverified: 2 } },
    });
    for (let again = 0; again < 2; again += 1) {
      await bench.clock.advance(120_000);
      expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 5 } });
    }
    expect(bench.posts()).toHaveLength(5);
  });

  test('are uncertain where the list shows nobody at all, and no edit of them is called new', async () => {
    const bench = await benchHiding(isExhibitor);
    const push = async (company: string): ReturnType<Bench['push']> => {
      await bench.clock.advance(120_000);
      return await bench.push([
        bench.write('a.csv', `persona,barcode,Company\nexhibitor,X,${company}\n`),
        '--yes',
      ]);
    };
    const missing = { code: EXIT.uncertain, summary: { sent: 0, uncertain: 1, created: 0 } };
    expect(await push('Acme')).toMatchObject(missing);
    expect(await push('Acme')).toMatchObject(missing);
    expect(await push('Best')).toMatchObject({ summary: { created: 0 } });
  });

  test('are missing where the service may have taken them for somebody who is shown', async () => {
    const bench = await pushBench({ recognise: 'email', createStatus: '204' });
    const guest = (persona: string, barcode: string): string =>
      `${persona},${barcode},${barcode},One,a@e.com`;
    const rows = [guest('exhibitor', 'A'), guest('visitor', 'B')];
    const file = bench.write(
      'a.csv',
      ['persona,barcode,First name,Last name,E-mail', ...rows, ''].join('\n'),
    );
    // Nothing can be read any more once both are sent.
    bench.service.fault = ({ method }) =>
      method === 'GET' && bench.posts().length === 2 ? { answer: { status: 401 } } : undefined;
    await bench.push([file, '--yes']);
    bench.service.fault = () => undefined;
    expect(bench.kept()).toHaveLength(1);
    expect(await bench.push([file, '--yes'])).toMatchObject({
      code: EXIT.uncertain,
      summary: { uncertain: 1, problems: [{ place: 'a.csv:2' }] },
    });
  });

  test('are not registered beside themselves where the list changes and they have no barcodes', async () => {
    const kind = { persona: 'exhibitor', bare: true };
    const bench = await benchHiding(isExhibitor);
    await bench.push([bench.write('a.csv', list('Acme', kind))]);
    await bench.clock.advance(120_000);
    await bench.push([bench.write('a.csv', list('Quay', kind)), '--yes']);
    expect(bench.sandbox.registrations()).toHaveLength(5);
  });
});

describe('who the service has registered twice', () => {
  const csv =
    'persona,First name,Last name,E-mail\nvisitor,Ana,Diaz,a@example.com\nvisitor,Bob,Lane,b@example.com\n';

  test('is told at every push while both are there, and not any more then', async () => {
    const bench = await pushBench();
    let copy: SandboxRegistration | undefined;
    bench.service.fault = async ({ method, body }) => {
      if (method !== 'POST' || !body.includes('Ana')) return undefined;
      await registerByHand(bench, JSON.parse(body) as ByHand);
      copy ??= bench.sandbox.registrations()[0];
      return undefined;
    };
    const file = bench.write('a.csv', csv);
    for (let push = 0; push < 3; push += 1) {
      const ended = await bench.push([file]);
      expect(ended).toMatchObject({ code: EXIT.rejected, summary: { audit: { doubled: 1 } } });
      expect(ended.err).toContain('a.csv:2: it may be registered twice');
    }
    bench.sandbox.remove(copy?.id ?? '');
    expect((await bench.push([file])).summary).toMatchObject({ sent: 0, audit: { doubled: 0 } });
    expect(bench.sandbox.registrations()).toHaveLength(2);
  });
});

describe('how long a push waits', () => {
  const csv = (company: string): string =>
    [
      'persona,barcode,First name,Last name,E-mail,Company',
      ...['A', 'B', 'C'].map((one) => `visitor,${one},${one}na,Example,${one}@example.com,${company}`),
      '',
    ].join('\n');

  test.each([
    ['until a list that lags has shown what was sent', { readLagMs: 2500 }],
    ['not at all for a field that is left out of what is new', { misstored: 'dropped' }],
    ['not at all for what the service writes its own way', { storedAs: 'capitals' }],
  ] as const)('%s', async (_name, switches) => {
    const bench = await pushBench(switches);
    const from = bench.clock.now();
    expect((await bench.push([bench.write('a.csv', csv('Acme'))])).code).toBe(EXIT.done);
    expect(bench.clock.now() - from).toBeLessThan(10_000);
  });
});
