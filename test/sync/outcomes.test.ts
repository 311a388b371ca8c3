import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { Fault } from '../support/faulty-service.ts';
import { barcodes, type Bench, pushBench, visitors } from './push-bench.ts';
import { listIn } from '../support/documents.ts';

const json = (status: number, body: unknown, headers = {}): Fault => ({
  answer: { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
});

/** Breaks the first POST of some rows, known by barcode or else by first name. */
function breakPosts(bench: Bench, faults: Readonly<Record<string, Fault>>): void {
  const left = new Map(Object.entries(faults));
  bench.service.fault = ({ method, body }) => {
    const who = method === 'POST' ? nameOf(body) : '';
    const fault = left.get(who);
    left.delete(who);
    return fault;
  };
}

function nameOf(body: string): string {
  const { barcode, fields } = JSON.parse(body) as { barcode?: string; fields: { first_name: string } };
  return barcode ?? fields.first_name;
}

const arrived = (bench: Bench, method: string): number =>
  bench.service.requests.filter((request) => request.method === method).length;

describe('a row that the service refuses', () => {
  test('fails with the words of the service; the others go through; the same command tries it again', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    breakPosts(bench, {
      B: json(422, { message: 'No.', errors: { 'fields.email': ['is on the black list'] } }),
    });
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { state: 'finished', sent: 2, failed: 1 } });
    expect(ended.summary.problems).toMatchObject([
      { place: 'a.csv:3', state: 'failed', barcode: 'B', message: 'No.; fields.email: is on the black list' },
    ]);
    expect(ended.err).toContain('a.csv:3 (barcode B) failed: No.; fields.email: is on the black list');
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 1, unchanged: 2, failed: 0 },
    });
    expect(bench.sandbox.registrations()).toHaveLength(3);
  });

  test('takes its members along, with the reason, and the members of those', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B/A', 'C/B', 'X'));
    breakPosts(bench, { A: json(422, { message: 'No visitors today.' }) });
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { sent: 1, failed: 1, blocked: 2 } });
    expect(ended.summary.problems.map(({ message }) => message)).toEqual([
      'No visitors today.',
      'its parent (a.csv:2) did not get through: No visitors today.',
      'its parent (a.csv:3) did not get through: its parent (a.csv:2) did not get through: No visitors today.',
    ]);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3, unchanged: 1 } });
  });

  test('20 alike from the start stop the run; one that differs keeps it going', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(60)));
    bench.service.fault = ({ method }) =>
      method === 'POST' ? json(422, { message: 'Event is closed.' }) : undefined;
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain(
      'The first 20 rows were all refused alike, so the rest was not tried: 422: Event is closed.',
    );
    expect(ended.summary).toMatchObject({ state: 'stopped', sent: 0 });
    expect(ended.summary.failed).toBeLessThanOrEqual(27);
    expect(ended.summary.failed + ended.summary.pending).toBe(60);

    const firstPost = arrived(bench, 'POST');
    bench.service.fault = ({ method, nth }) =>
      method === 'POST'
        ? json(422, { message: nth === firstPost + 3 ? 'Name.' : 'Event is closed.' })
        : undefined;
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.rejected,
      summary: { state: 'finished', failed: 60 },
    });
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 60 } });
  });
});

describe('an answer that proves nothing', () => {
  test('about another registration is looked up', async () => {
    const bench = await pushBench({ upsert: 'double' });
    const file = bench.write('a.csv', visitors('A', 'B'));
    breakPosts(bench, {
      A: json(201, { id: 'x', persona: 'visitor', barcode: 'Z', fields: {} }),
      B: { passOn: true, ...json(201, { id: 'y', persona: 'visitor', barcode: 'Z', fields: {} }) },
    });
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 1, uncertain: 1 },
    });
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { unchanged: 2 } });
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B']);
  });

  test.each(['Service is under maintenance', 'false', '{"ok":false}', '{"status":"error"}', '{"errors":1}'])(
    '200 %s is not taken for a success',
    async (body) => {
      const bench = await pushBench();
      const file = bench.write('a.csv', visitors(':Ada'));
      bench.service.fault = ({ method }) =>
        method === 'POST' ? { answer: { status: 200, body } } : undefined;
      expect(await bench.push([file])).toMatchObject({
        code: EXIT.uncertain,
        summary: { sent: 0, uncertain: 1 },
      });
    },
  );

  test('however deep its JSON goes', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(':Ada'));
    const body = `{"errors":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: { status: 500, body } } : undefined);
    const ended = await bench.push([file]);
    expect(ended.summary).toMatchObject({ sent: 0, uncertain: 1, pending: 0 });
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 0, uncertain: 1 },
    });
  });

  test('twenty times in a row stops the run before the list is used up', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(100)));
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: { status: 503 } } : undefined);
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('20 rows one after the other got no certain answer');
    expect(arrived(bench, 'POST')).toBeLessThan(40);
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { pending: 0 } });
    expect(bench.kept()).toHaveLength(100);
  });

  test('of a killed push cannot land over what an edited file says', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: { status: 503 } } : undefined);
    await bench.push([bench.write('a.csv', visitors('A:Ada'))]);
    bench.service.fault = () => undefined;
    bench.journal((journal) =>
      journal.run(`UPDATE operation SET state = 'sending', sent_at = $now`, { $now: bench.clock.now() }),
    );
    const sentAt = bench.clock.now();
    const ended = await bench.push([bench.write('a.csv', visitors('A:Eva'))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect((bench.posts().at(-1)?.at ?? 0) - sentAt).toBeGreaterThanOrEqual(60_000);
  });

  test('an update that only moves a member is not settled by its fields alone', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B', 'C/A'))]);
    breakPosts(bench, { C: { answer: 'cut' } });
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B', 'C/B'))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1, unchanged: 2, uncertain: 0 } });
    expect(bench.kept().map(({ parentBarcode }) => parentBarcode)).toEqual([undefined, undefined, 'B']);
    expect(bench.posts()).toHaveLength(4);
  });

  test('a list that lacks what was taken for certain does not show that a row is absent', async () => {
    const bench = await pushBench({ upsert: 'double' });
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    bench.service.fault = ({ method, path, body }) => {
      if (method === 'GET' && path.includes('/registration')) return json(200, []);
      return method === 'POST' && nameOf(body) === 'B' ? { passOn: true, answer: 'cut' } : undefined;
    };
    const ended = await bench.push([file]);
    // Nor that what the service took for certain is there.
    expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 0, uncertain: 3 } });
    expect(ended.summary.problems[1]?.message).toContain('that proves nothing');
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { uncertain: 0 } });
    expect(bench.posts()).toHaveLength(3);
  });

  test('a list that says it failed is no empty list', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('/registration')
        ? json(200, { success: false, data: [] })
        : undefined;
    const listed = await bench.run(['list', '--all', '--json']);
    expect([listed.code, listIn(listed.out)]).toEqual([EXIT.failed, []]);
  });
});

describe('a service that does not show barcodes', () => {
  test('leaves an unanswered row uncertain: neither found nor sent again', async () => {
    const bench = await pushBench({ recordBarcode: 'hidden' });
    const file = bench.write('a.csv', visitors('A', 'B'));
    breakPosts(bench, { B: json(500, {}) });
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, uncertain: 1 } });
    expect(ended.err).toContain('warning: The service does not show the barcodes of its registrations');
    expect(bench.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test('takes rows whose parent is not in the file, with a warning', async () => {
    const bench = await pushBench({ recordBarcode: 'hidden' });
    await bench.push([bench.write('a.csv', visitors('A'))]);
    const ended = await bench.push([bench.write('b.csv', visitors('B/A'))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(ended.err).toContain('warning: 1 parent outside the file not checked.');
  });
});

describe('what stops the run', () => {
  test('401 in the middle: the rows stay pending, and the same command goes on', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(25)));
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth >= 10 && nth < 40 ? json(401, { message: 'Unauthenticated.' }) : undefined;
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({
      code: EXIT.unauthorised,
      summary: { state: 'stopped', sent: 10, failed: 0, uncertain: 0, pending: 15 },
    });
    expect(ended.err).toContain('the service did not accept the token (401: Unauthenticated.)');
    expect(bench.runs()[0]).toMatchObject({ state: 'stopped', message: expect.stringContaining('401') });
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 15, unchanged: 10 } });
    expect(bench.postedBarcodes().sort()).toEqual(barcodes(25));
  });

  test('a redirect of a POST is never followed: the row is uncertain, the rest pending', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(30)));
    breakPosts(bench, {
      B001: json(307, {}, { location: 'https://elsewhere.example.com/api/registration' }),
    });
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('redirects to https://elsewhere.example.com/api/registration (307)');
    expect(ended.summary).toMatchObject({ state: 'stopped', uncertain: 1 });
    expect(ended.summary.pending).toBeGreaterThan(0);
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.done,
      summary: { uncertain: 0, pending: 0 },
    });
    expect(bench.postedBarcodes().sort()).toEqual(barcodes(30));
  });

  test('web pages in answer to POSTs stop it too, and the rows are settled by the next push', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    const page = {
      status: 200,
      body: '<!doctype html><title>Log in</title>',
      headers: { 'content-type': 'text/html' },
    };
    breakPosts(bench, { A: { answer: page, passOn: true }, B: { answer: page } });
    const ended = await bench.push([file, '--concurrency', '1']);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('a web page titled "Log in"');
    expect(ended.summary).toMatchObject({ uncertain: 2, pending: 1 });
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { uncertain: 0 } });
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B', 'C']);
  });

  test('a service that is gone: the row stays pending, nothing is uncertain', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    const gone = await bench.push([file], { env: { ...ENV, EVENTREG_BASE_URL: 'http://127.0.0.1:9/api' } });
    expect(gone.code).toBe(EXIT.failed);
    expect(gone.err).toContain('connection refused');
    expect(bench.runs()).toEqual([]);
  });
});

const ENV = { EVENTREG_TOKEN: 'bench-token-1234', EVENTREG_KEYCHAIN: 'off' };

describe('a row whose answer got lost', () => {
  const lost: readonly [string, Fault['answer']][] = [
    ['the connection is cut', 'cut'],
    ['the service answers 500', { status: 500, body: '{"message":"Oops."}' }],
    ['the service answers 502 with a page', { status: 502, body: '<html></html>' }],
    ['the answer is cut off', { status: 201, body: '{"id": "reg' }],
  ];

  test.each(lost)('is found and done when it arrived (%s)', async (_name, answer) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    breakPosts(bench, { A: { answer, passOn: true } });
    const ended = await bench.push([file]);
    // An unreadable success stops the run, so that the next push settles it.
    const last = ended.code === EXIT.done ? ended : await bench.push([file]);
    expect(last).toMatchObject({ code: EXIT.done, summary: { uncertain: 0, pending: 0 } });
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B']);
  });

  test.each(lost.slice(0, 3))('is sent once more when it is absent twice (%s)', async (_name, answer) => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    breakPosts(bench, { A: { answer } });
    const before = bench.clock.now();
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3, uncertain: 0 } });
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(60_000);
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B', 'C']);
    const attempts = bench.journal((journal) =>
      journal.all('SELECT barcode, attempts FROM row ORDER BY seq'),
    );
    expect(attempts).toEqual([
      { barcode: 'A', attempts: 2 },
      { barcode: 'B', attempts: 1 },
      { barcode: 'C', attempts: 1 },
    ]);
  });

  test('is found at the second look when it arrives late', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    let late: string | undefined;
    bench.service.fault = async ({ method, body, path }) => {
      if (method === 'POST' && nameOf(body) === 'A' && late === undefined) {
        late = body;
        return { answer: 'cut' };
      }
      // After the first look has missed it, before the second.
      if (method === 'GET' && path.includes('barcode=A') && late !== undefined) {
        await post(bench, late);
        late = undefined;
        return json(200, { data: [], meta: { total: 0, last_page: 1 } });
      }
      return undefined;
    };
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
    expect(bench.postedBarcodes().sort()).toEqual(['A', 'B']);
  });

  test('is a conflict when something else is there, until the next push compares anew', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A:Ada', 'B'));
    let broken = false;
    bench.service.fault = async ({ method, body }) => {
      if (broken || method !== 'POST' || nameOf(body) !== 'A') return undefined;
      broken = true;
      await post(bench, body.replace('Ada', 'Eva'));
      return { answer: { status: 500 } };
    };
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { sent: 1, conflict: 1 } });
    expect(ended.summary.problems).toMatchObject([
      { place: 'a.csv:2', state: 'conflict', message: 'the service holds other values in: first_name' },
    ]);
    expect(bench.posts()).toHaveLength(2);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.guarded });
    expect(await bench.push([file, '--yes'])).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(bench.kept()[0]?.fields['first_name']).toBe('Ada');
  });

  test('is a conflict with all ids when it is there twice', async () => {
    const bench = await pushBench({ upsert: 'double' });
    const file = bench.write('a.csv', visitors('A'));
    bench.service.fault = async ({ method, nth, body }) => {
      if (method !== 'POST' || nth > 0) return undefined;
      await post(bench, body);
      return { answer: 'cut', passOn: true };
    };
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.rejected);
    const ids = bench.kept().map(({ id }) => id);
    expect(ended.summary.problems[0]?.message).toBe(
      `2 registrations in the service have this barcode: ${ids.join(', ')}`,
    );
  });

  test('stays uncertain without a barcode, is never sent again, and the exit code says so', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', 'persona,First name\nvisitor,Ada\nvisitor,Bob\n');
    breakPosts(bench, { Ada: { answer: 'cut' } });
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 1, uncertain: 1 } });
    expect(ended.summary.problems).toMatchObject([{ place: 'a.csv:2', state: 'uncertain' }]);
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 0, uncertain: 1 },
    });
    bench.write('a.csv', 'persona,First name\nvisitor,Ada\nvisitor,Bob\nvisitor,Cy\n');
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.uncertain,
      summary: { sent: 1, unchanged: 1, uncertain: 1 },
    });
    expect(bench.sandbox.registrations().map(({ fields }) => fields['first_name'])).toEqual(['Bob', 'Cy']);
  });

  test('lets its members go once it is settled', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B/A', 'C/B'));
    breakPosts(bench, { A: { answer: 'cut', passOn: true } });
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3, blocked: 0 } });
    expect(bench.postedBarcodes()).toEqual(['A', 'B', 'C']);
  });

  test('is settled at once where nothing can land late, as in the embedded sandbox', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    expect((await bench.push([file, '--sandbox'])).code).toBe(EXIT.done);
    bench.journal((journal) => journal.run(`UPDATE operation SET state = 'sending' WHERE barcode = 'B'`));
    const before = bench.clock.now();
    expect(await bench.push([file, '--sandbox'])).toMatchObject({
      code: EXIT.done,
      summary: { sent: 0, unchanged: 2 },
    });
    expect(bench.clock.now() - before).toBeLessThan(10_000);
  });
});

/** Straight to the service, past what breaks. */
async function post(bench: Bench, body: string): Promise<void> {
  await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.sandbox.token}`, 'content-type': 'application/json' },
    body,
  });
}

describe('a barcode that is there already', () => {
  const first = visitors('A:Ada', 'B');
  const second = visitors('A:Eva', 'B');

  test.each([
    ['update', { code: EXIT.done, summary: { sent: 1, unchanged: 1, conflict: 0 } }, ['A Eva', 'B Ada']],
    [
      'double',
      { code: EXIT.rejected, summary: { sent: 0, unchanged: 1, conflict: 1 } },
      ['A Ada', 'A Eva', 'B Ada'],
    ],
    ['refuse', { code: EXIT.rejected, summary: { sent: 0, unchanged: 1, conflict: 1 } }, ['A Ada', 'B Ada']],
    ['ignore', { code: EXIT.rejected, summary: { sent: 0, unchanged: 1, conflict: 1 } }, ['A Ada', 'B Ada']],
  ] as const)('upsert=%s', async (upsert, expected, names) => {
    const bench = await pushBench({ upsert });
    await bench.push([bench.write('a.csv', first)]);
    const ended = await bench.push([bench.write('a.csv', second)]);
    expect(ended).toMatchObject(expected);
    expect(bench.kept().map(({ barcode, fields }) => `${barcode} ${String(fields['first_name'])}`)).toEqual(
      names,
    );
  });

  test('refused but equal to what is there counts as done', async () => {
    const bench = await pushBench({ upsert: 'refuse' });
    const file = bench.write('a.csv', first);
    await bench.push([file]);
    const ended = await bench.push([file, '--only', 'A', '--only', 'B', '--again']);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { conflict: 0 } });
    expect(bench.posts()).toHaveLength(4);
    expect(bench.sandbox.registrations()).toHaveLength(2);
  });
});

describe('a service that asks to wait', () => {
  test('429 with Retry-After: waits as told, sends each row once, and nothing fails', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(5)));
    breakPosts(bench, { B003: json(429, { message: 'Too many.' }, { 'retry-after': '30' }) });
    const before = bench.clock.now();
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 5 } });
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(30_000);
    expect(bench.postedBarcodes().sort()).toEqual(barcodes(5));
  });

  test('429 for ever: gives up with exit 6, everything stays pending', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    bench.service.fault = ({ method }) =>
      method === 'POST' ? json(429, {}, { 'retry-after': '600' }) : undefined;
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({
      code: EXIT.gaveUp,
      summary: { state: 'stopped', sent: 0, uncertain: 0, pending: 2 },
    });
    bench.service.fault = () => undefined;
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
  });
});

describe('a file that changes and changes back', () => {
  test('is sent each time that the service holds something else', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B'))]);
    await bench.push([bench.write('a.csv', visitors('A:Eva', 'B'))]);
    const back = await bench.push([bench.write('a.csv', visitors('A:Ada', 'B'))]);
    expect(back).toMatchObject({ code: EXIT.done, summary: { sent: 1, unchanged: 1 } });
    expect(bench.kept()[0]?.fields['first_name']).toBe('Ada');
    expect((await bench.push(['a.csv'])).summary).toMatchObject({ sent: 0, unchanged: 2 });
  });
});

test('a service that gives every row the same id and holds none of them: each row is told', async () => {
  const bench = await pushBench();
  bench.service.fault = ({ method }) =>
    method === 'POST' ? { answer: { status: 201, body: '{"id":999}' } } : undefined;
  const file = bench.write('a.csv', visitors(...barcodes(3)));
  const { code, summary } = await bench.push([file]);
  expect(code).not.toBe(EXIT.done);
  expect(summary.problems.map(({ place }) => place)).toEqual(['a.csv:2', 'a.csv:3', 'a.csv:4']);
  bench.service.fault = () => undefined;
  await bench.push([file]);
  const again = await bench.push([file]);
  expect([again.code, bench.kept().map(({ barcode }) => barcode)]).toEqual([EXIT.done, barcodes(3)]);
});
