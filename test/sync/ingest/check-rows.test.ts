import { describe, expect, test } from 'vitest';
import { checkRows, rejectDuplicates } from '../../../src/sync/ingest/check-rows.ts';
import { checkDomain, type DnsResolver, type DomainVerdict } from '../../../src/sync/ingest/mail-domains.ts';
import { groupRows, type InputRow, isSendable } from '../../../src/sync/ingest/input-row.ts';
import type { PushEvent } from '../../../src/report/views/events.ts';

const COLUMNS = { barcode: 'Badge', parentBarcode: 'Group' };

/** `B/A` is B with the parent A; `B@good.example` has an address there. */
function toRow(person: string, seq: number): InputRow {
  const [text = '', domain] = person.split('@');
  const [barcode, parent] = text.split('/');
  const email = { domain: domain ?? '', column: 'E-mail', field: 'email', value: `a@${domain}` };
  return {
    seq,
    place: { file: 'a.csv', line: seq + 2 },
    part: 0,
    emails: domain === undefined ? [] : [email],
    key: undefined,
    barcode: barcode || undefined,
    parentBarcode: parent,
    depth: undefined,
    reasons: [],
    notes: [],
    source: undefined,
    registration: undefined,
  };
}

/** What stands in the service, and what is done with rows that are wrong. */
interface World {
  there?: readonly string[];
  invalid?: 'stop' | 'skip';
  resolver?: DnsResolver;
  stopping?: AbortSignal;
}

/** Checks rows as reading does; problems by line. */
async function check(people: readonly string[], world: World = {}) {
  const { there = [], invalid = 'stop', resolver, stopping = new AbortController().signal } = world;
  const rows = people.map(toRow);
  const told: PushEvent[] = [];
  const asked: string[] = [];
  const reporter = {
    report: (event: PushEvent) => void told.push(event),
    pause: () => undefined,
    close: () => undefined,
  };
  const registrations = {
    findByBarcode: async (barcodes: readonly string[]) => {
      asked.push(...barcodes);
      return new Map(barcodes.map((barcode) => [barcode, there.includes(barcode) ? [{}] : []])) as never;
    },
  };
  const byBarcode = groupRows(rows, ({ barcode }) => barcode);
  rejectDuplicates(byBarcode, COLUMNS);
  await checkRows({ rows, byBarcode }, COLUMNS, { invalid, resolver }, { registrations, reporter, stopping });
  const wrong = rows.filter((row) => !isSendable(row));
  const problems = Object.fromEntries(
    wrong.map(({ place, reasons }) => [
      place.line,
      reasons.map(({ column, value, problem }) => `${column} ${value} ${problem}`),
    ]),
  );
  return { rows, problems, told, asked };
}

const many = (count: number, toPerson: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => toPerson(index));

describe('rows that share a barcode', () => {
  test('name one another', async () => {
    const { problems } = await check(['A', 'B', 'A', 'C', 'B', 'A', '', '']);
    expect(problems).toEqual({
      2: ['Badge A stands on a.csv:4, a.csv:7 too'],
      3: ['Badge B stands on a.csv:6 too'],
      4: ['Badge A stands on a.csv:2, a.csv:7 too'],
      6: ['Badge B stands on a.csv:3 too'],
      7: ['Badge A stands on a.csv:2, a.csv:4 too'],
    });
  });

  test('name three of many', async () => {
    const { problems } = await check(many(6, () => 'A'));
    expect(problems[2]).toEqual(['Badge A stands on a.csv:3, a.csv:4, a.csv:5 and 2 more rows too']);
    expect(problems[7]).toEqual(['Badge A stands on a.csv:2, a.csv:3, a.csv:4 and 2 more rows too']);
    const four = await check(many(4, () => 'A'));
    expect(four.problems[3]).toEqual(['Badge A stands on a.csv:2, a.csv:4, a.csv:5 too']);
  });
});

describe('parents', () => {
  test('are one layer before their members', async () => {
    const { rows, problems } = await check(['E/D', 'D/C', 'C/B', 'B/A', 'A', 'X', 'Y/elsewhere', '/C'], {
      there: ['elsewhere'],
    });
    expect(rows.map(({ depth }) => depth)).toEqual([4, 3, 2, 1, 0, 0, 0, 3]);
    expect(problems).toEqual({});
  });

  test('in a circle, or on one, are rejected', async () => {
    const { problems } = await check(['A/A', 'B/C', 'C/B', 'X/Z', 'Y/X', 'Z/Y', 'ok', 'D/X', '/D', 'P/ok']);
    expect(Object.keys(problems)).toEqual(['2', '3', '4', '5', '6', '7', '9', '10']);
    expect(problems[4]).toEqual(['Group B hangs on a circle of parents']);
  });

  test('in a chain of 3,000 are all found', async () => {
    const { rows } = await check(
      many(3000, (index) => `B${2999 - index}/B${2998 - index}`),
      {
        there: ['B-1'],
      },
    );
    expect(rows.map(({ depth }) => depth)).toEqual(rows.map((_, index) => 2999 - index));
  });

  test('that no row has are asked for once each, and their members rejected when they are nowhere', async () => {
    const { problems, asked } = await check(['A/P', 'B/P', 'C/Q', 'D/A', 'E'], { there: ['Q'] });
    expect(asked).toEqual(['P', 'Q']);
    const words = 'Group P is the barcode of no row in the file and of no registration in the service';
    expect(problems).toEqual({ 2: [words], 3: [words] });
  });

  test('that are rejected take their members along, and the members of those', async () => {
    const { problems } = await check(['A', 'B/A', 'C/B', 'D/C', 'A', 'X'], { invalid: 'skip' });
    expect(Object.keys(problems)).toEqual(['2', '3', '4', '5', '6']);
    expect(problems[4]).toEqual(['Group B is the barcode of a row that is rejected itself (a.csv:3)']);
    expect(problems[3]?.[0]).toMatch(
      /^Group A is the barcode of a row that is rejected itself \(a\.csv:[26]\)$/,
    );
  });
});

type Answer<T> = T | string;

/** Answers with what is given; a string is the code of an error. */
function resolver(answers: {
  mx?: Answer<{ exchange: string; priority: number }[]>;
  a?: Answer<string[]>;
  aaaa?: Answer<string[]>;
}): DnsResolver & { asked: string[] } {
  const asked: string[] = [];
  const answer = async <T>(kind: string, domain: string, given: Answer<T> = 'ENODATA'): Promise<T> => {
    asked.push(`${kind} ${domain}`);
    if (typeof given === 'string') throw Object.assign(new Error(`query ${given}`), { code: given });
    return given;
  };
  return {
    asked,
    resolveMx: (domain) => answer('mx', domain, answers.mx),
    resolve4: (domain) => answer('a', domain, answers.a),
    resolve6: (domain) => answer('aaaa', domain, answers.aaaa),
  };
}

const mail = [{ exchange: 'mx.example.com', priority: 10 }];

describe('a domain', () => {
  test.each<[string, Parameters<typeof resolver>[0], DomainVerdict]>([
    ['with an MX record takes mail', { mx: mail }, { kind: 'ok' }],
    [
      'with a null MX takes none (Node 20 and 22 give an empty name)',
      { mx: [{ exchange: '', priority: 0 }], a: ['192.0.2.1'] },
      { kind: 'invalid', problem: 'is at d.example, which takes no mail (null MX)' },
    ],
    [
      'with a null MX takes none (Node 24 and 26 give a dot)',
      { mx: [{ exchange: '.', priority: 0 }], a: ['192.0.2.1'] },
      { kind: 'invalid', problem: 'is at d.example, which takes no mail (null MX)' },
    ],
    [
      'with a null MX beside a real one takes mail',
      { mx: [{ exchange: '', priority: 0 }, ...mail] },
      { kind: 'ok' },
    ],
    [
      'that does not exist',
      { mx: 'ENOTFOUND' },
      { kind: 'invalid', problem: 'is at d.example, a domain that does not exist' },
    ],
    [
      'that is no name',
      { mx: 'EBADNAME' },
      { kind: 'invalid', problem: 'is at d.example, which is no valid domain' },
    ],
    ['without MX but with an IPv4 address takes mail', { mx: 'ENODATA', a: ['192.0.2.1'] }, { kind: 'ok' }],
    ['without MX but with an IPv6 address takes mail', { mx: [], aaaa: ['2001:db8::1'] }, { kind: 'ok' }],
    [
      'with neither takes none',
      { mx: 'ENODATA' },
      { kind: 'invalid', problem: 'is at d.example, which has no mail server' },
    ],
    ['whose server fails is not judged', { mx: 'ESERVFAIL' }, { kind: 'unknown', why: 'ESERVFAIL' }],
    ['whose server is silent is not judged', { mx: 'ETIMEOUT' }, { kind: 'unknown', why: 'ETIMEOUT' }],
    [
      'whose addresses cannot be looked up is not judged',
      { mx: 'ENODATA', a: 'ESERVFAIL' },
      { kind: 'unknown', why: 'ESERVFAIL' },
    ],
  ])('%s', async (_name, answers, verdict) => {
    expect(await checkDomain('d.example', resolver(answers))).toEqual(verdict);
  });

  test('that exists is asked for addresses only when it has no MX', async () => {
    const quick = resolver({ mx: mail });
    await checkDomain('d.example', quick);
    expect(quick.asked).toEqual(['mx d.example']);
    const long = resolver({});
    await checkDomain('d.example', long);
    expect(long.asked).toEqual(['mx d.example', 'a d.example', 'aaaa d.example']);
  });
});

describe('many domains', () => {
  const people = many(60, (index) => `@d${index % 55}.example`);
  /** Takes a moment for each, and may stop all at the twentieth. */
  function slow(stop?: AbortController): DnsResolver & { asked: string[]; most: () => number } {
    const asked: string[] = [];
    let [now, most] = [0, 0];
    return {
      ...resolver({}),
      asked,
      most: () => most,
      async resolveMx(domain) {
        asked.push(domain);
        if (asked.length === 20) stop?.abort(new Error('stopped'));
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return domain === 'd1.example' ? [{ exchange: '', priority: 0 }] : mail;
      },
    };
  }

  test('are looked up once each, at most 20 at a time, and every row of one that takes no mail is told', async () => {
    const looks = slow();
    const { told, problems } = await check(people, { resolver: looks });
    expect([looks.asked.length, new Set(looks.asked).size, looks.most()]).toEqual([55, 55, 20]);
    expect(told).toHaveLength(55);
    expect(told.at(-1)).toMatchObject({ what: 'e-mail domains', done: 55, total: 55 });
    const words = ['E-mail a@d1.example is at d1.example, which takes no mail (null MX)'];
    expect(problems).toEqual({ 3: words, 58: words });
  });

  test('that say nothing are named, and their addresses taken', async () => {
    const { told, problems } = await check(people, { resolver: resolver({ mx: 'ETIMEOUT' }) });
    expect(problems).toEqual({});
    expect(told.at(-1)).toMatchObject({
      text: 'DNS gave no answer for 55 e-mail domains (d0.example, d1.example, d2.example, …); their addresses are taken as they are.',
    });
  });

  test('end with the reason of the stop signal, and nothing further is asked', async () => {
    const stop = new AbortController();
    const looks = slow(stop);
    await expect(check(people, { resolver: looks, stopping: stop.signal })).rejects.toThrow('stopped');
    expect(looks.asked).toHaveLength(20);
  });
});
