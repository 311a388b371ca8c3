import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bench, pushBench } from './push-bench.ts';
import { deleteByHand, registerByHand } from './service-hands.ts';

interface Jobs extends Pick<Bench, 'sandbox' | 'service'> {
  bench: Bench;
  /** Keeps a state directory as a cache does: under another path, whatever is going on. */
  keep: (from: string, to: string) => void;
  /** Pushes a list as a job that begins with one of the kept directories. */
  push: (state: string, list: string, more?: { stopping: AbortSignal }) => ReturnType<Bench['push']>;
  /** Barcode, given name and company of all that the service holds; without a barcode of the list `-`. */
  held: () => string[];
}

async function jobs(): Promise<Jobs> {
  const bench = await pushBench();
  const { directory, clock, sandbox } = bench;
  return {
    ...bench,
    bench,
    keep(from, to) {
      rmSync(join(directory, to), { recursive: true, force: true });
      cpSync(join(directory, from), join(directory, to), { recursive: true });
    },
    push: (state, list, more?) =>
      bench.push([bench.write('guests.csv', list)], {
        paths: { config: join(directory, 'config'), state: join(directory, state) },
        self: { pid: 7, host: `runner-${state}`, startedAt: clock.now() },
        ...more,
      }),
    held: () =>
      sandbox
        .registrations()
        .map(({ barcode, fields }) => {
          const code = barcode.startsWith('QR-') ? '-' : barcode;
          return `${code} ${String(fields['first_name'])} ${String(fields['company'])}`;
        })
        .sort(),
  };
}

/** Guests as `B1 Ada Acme`; `-` for no barcode. */
function list(...guests: readonly string[]): string {
  const lines = guests.map((guest) => {
    const [code = '', name = '', company = ''] = guest.split(' ');
    return `visitor,${code === '-' ? '' : code},${name},Example,${name.toLowerCase()}@example.com,${company}`;
  });
  return ['persona,barcode,First name,Last name,E-mail,Company', ...lines, ''].join('\n');
}

const FIRST = ['B1 Ada Acme', 'B2 Bob Bolt', '- Dan Dune'];
const SECOND = ['B1 Ada New', 'B2 Bob Bolt', '- Dan Dew', 'B4 Eve Ease', '- Fay Fern'];
/** Sorted as what is held. */
const SECOND_HELD = ['- Dan Dew', '- Fay Fern', 'B1 Ada New', 'B2 Bob Bolt', 'B4 Eve Ease'];

/** Two jobs have pushed; `old` is what the first of them has kept, `s` what the second has. */
async function afterTwo(): Promise<Jobs> {
  const two = await jobs();
  await two.push('s', list(...FIRST));
  two.keep('s', 'old');
  await two.push('s', list(...SECOND));
  expect(two.held()).toEqual(SECOND_HELD);
  return two;
}

const ELSEWHERE = 'changed rows are in the service already, though not sent from here';

describe('a state directory in a fresh place', () => {
  test('sends nothing of an unchanged list, with barcodes or without', async () => {
    const { keep, push, held, bench } = await afterTwo();
    keep('s', 'fresh');
    rmSync(join(bench.directory, 's'), { recursive: true });
    const posts = bench.posts().length;
    const { code, summary, err } = await push('fresh', list(...SECOND));
    expect([code, summary.sent, summary.unchanged]).toEqual([0, 0, 5]);
    expect([bench.posts().length, held()]).toEqual([posts, SECOND_HELD]);
    expect(err).not.toContain('warning');
  });

  test('goes on with a push that ended in the middle', async () => {
    const { keep, push, held, bench, service } = await jobs();
    const many = Array.from({ length: 20 }, (_, at) => `${at % 2 === 0 ? `K${at}` : '-'} G${at} Co`);
    let dead = false;
    // Kept at this moment, and then nothing more arrives: as of a job that is killed.
    service.fault = ({ method, nth }) => {
      if (method === 'POST' && nth === 8) {
        keep('s', 'middle');
        dead = true;
      }
      return dead ? { answer: 'cut' } : undefined;
    };
    await push('s', list(...many));
    service.fault = () => undefined;
    const before = held().length;
    expect(before).toBeGreaterThan(4);
    expect(before).toBeLessThan(20);
    const { summary } = await push('middle', list(...many));
    expect(summary.sent + summary.uncertain).toBeGreaterThan(0);
    // What was under way without a barcode may be there, and is for people to decide; all else is there, once.
    expect(held().length).toBeGreaterThanOrEqual(20 - summary.uncertain);
    expect(new Set(held()).size).toBe(held().length);
    expect(bench.kept().filter(({ barcode }) => barcode.startsWith('K'))).toHaveLength(10);
  });
});

describe('a state directory that is a run old', () => {
  test('is said to be, and sends nothing of the same list', async () => {
    const { push, held, bench } = await afterTwo();
    const posts = bench.posts().length;
    const { code, summary, err } = await push('old', list(...SECOND));
    expect([code, summary.sent, bench.posts().length]).toEqual([0, 0, posts]);
    expect(held()).toEqual(SECOND_HELD);
    expect(err).toContain(`warning: 2 ${ELSEWHERE}`);
    // It knows by now.
    expect((await push('old', list(...SECOND))).err).not.toContain(ELSEWHERE);
  });

  test('puts nothing back with the list of then', async () => {
    const { push, held } = await afterTwo();
    const { summary } = await push('old', list(...FIRST));
    expect([summary.sent, summary.conflict]).toEqual([0, 0]);
    expect(held()).toEqual(SECOND_HELD);
  });

  test('leaves what the next list changes again to people', async () => {
    const { push, held } = await afterTwo();
    const { code, summary } = await push('old', list('B1 Ada Newer', 'B2 Bob Bolt', '- Dan Dewy'));
    expect([code, summary.sent, summary.conflict]).toEqual([3, 0, 2]);
    expect(held()).toEqual(SECOND_HELD);
  });

  test('leaves what people have edited and deleted since', async () => {
    const { push, held, bench } = await afterTwo();
    const fields = { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com', company: 'Staff' };
    await registerByHand(bench, { barcode: 'B1', fields });
    await deleteByHand(bench, 'B2');
    const { summary } = await push('old', list(...SECOND));
    expect([summary.sent, summary.conflict]).toEqual([0, 2]);
    expect(held()).toEqual(['- Dan Dew', '- Fay Fern', 'B1 Ada Staff', 'B4 Eve Ease']);
  });

  test('and was kept in the middle of that run doubles nobody whom the rest of it has brought', async () => {
    const { keep, push, held, bench, sandbox } = await jobs();
    const many = Array.from({ length: 12 }, (_, at) => `${at % 2 === 0 ? `K${at}` : '-'} G${at} Co`);
    const stop = new AbortController();
    bench.service.fault = ({ method, nth }) => {
      if (method === 'POST' && nth === 5) {
        keep('s', 'middle');
        stop.abort(new Error('stopped'));
      }
      return undefined;
    };
    await push('s', list(...many), { stopping: stop.signal });
    await push('s', list(...many));
    expect(sandbox.counts().registrations).toBe(12);
    const all = held();
    await push('middle', list(...many));
    expect(held()).toEqual(all);
  });
});
