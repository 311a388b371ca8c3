import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { learn, readLearned } from '../../../src/sync/journal/learned.ts';
import { stepsOf } from '../journal-bench.ts';
import type { Fault, PassingRequest } from '../../support/faulty-service.ts';
import { barcodes, type Bench, type Ended, pushBench, visitors } from '../push-bench.ts';

const FINE = {
  missing: 0,
  doubled: 0,
  different: [],
  not_accepted: 0,
  changed: [],
  own_way: [],
  unapplied: 0,
  gone: 0,
  orphaned: 0,
  unexpected: { count: 0, ids: [] },
  unverified: 0,
  skipped: null,
};

const auditOf = ({ out }: Ended): typeof FINE | null =>
  (JSON.parse(out) as { audit: typeof FINE | null }).audit;

const json = (status: number, body: unknown): Fault => ({
  answer: { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
});

const isList = ({ method, path }: PassingRequest): boolean =>
  method === 'GET' && path.includes('/registration');

/** Straight to the service, past what breaks. */
async function post(bench: Bench, body: unknown): Promise<void> {
  await fetch(`${bench.sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.sandbox.token}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const person = (first: string, email = `${first.toLowerCase()}@example.com`): object => ({
  persona: 'visitor',
  fields: { first_name: first, last_name: 'Example', email },
});

/** Answers the POST of one barcode as a service does that takes it, and loses it. */
function loseOnce(bench: Bench, barcode: string): void {
  let lost = false;
  bench.service.fault = ({ method, body }) => {
    if (lost || method !== 'POST' || !body.includes(`"barcode":"${barcode}"`)) return undefined;
    lost = true;
    return json(201, { id: `lost-${barcode}`, ...(JSON.parse(body) as object) });
  };
}

/** As if an update had been seen to work. */
function knowThatItUpdates(bench: Bench): void {
  const service = bench.runs()[0]?.service ?? '';
  bench.journal((journal) => {
    learn({ journal, target: { service }, clock: bench.clock }, 'upsert', 'update');
  });
}

function rowOf(bench: Bench, barcode: string): Record<string, unknown> {
  return bench.journal(
    (journal) =>
      journal.get<Record<string, unknown>>(
        'SELECT seq, run, state, status, listed_no, checked_at FROM row WHERE barcode = $barcode',
        { $barcode: barcode },
      ) ?? {},
  );
}

describe('rows that are there as sent', () => {
  test('are checked, with and without a barcode, and are not read back again', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B/A', ':Cy', ':Di'));
    const ended = await bench.push([file]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 4, ...FINE }]);
    expect(ended.err).toContain('Audit: 4 of 4 are in the service as sent.');
    const checked = bench.journal((journal) => journal.all('SELECT checked_at >= done_at AS ok FROM row'));
    expect(checked).toEqual([{ ok: 1 }, { ok: 1 }, { ok: 1 }, { ok: 1 }]);
    expect(auditOf(await bench.push([file]))).toEqual({ checked: 0, ...FINE });
  });

  test('are done once they are seen, where the service only took them, and their ids are learnt', async () => {
    const bench = await pushBench({ createBody: 'empty' });
    const ended = await bench.push([bench.write('a.csv', visitors('A', ':Ada', ':Ada'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 3, ...FINE }]);
    const rows = bench.journal((journal) =>
      journal.all<{ state: string; remote_id: string }>('SELECT state, remote_id FROM row ORDER BY seq'),
    );
    expect(rows.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(rows.map(({ remote_id }) => remote_id).sort()).toEqual(
      bench
        .kept()
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('are found by their ids where barcodes are hidden', async () => {
    const bench = await pushBench({ recordBarcode: 'hidden' });
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 2, ...FINE }]);
  });

  test('are not verified where no fields are shown', async () => {
    const bench = await pushBench({ recordShape: 'no-fields' });
    const ended = await bench.push([bench.write('a.csv', visitors('A', ':Cy'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 0, ...FINE, unverified: 2 }]);
  });

  test('are not verified where the service shows neither barcodes nor ids', async () => {
    const bench = await pushBench({ recordBarcode: 'hidden', idKey: 'none', recordShape: 'no-fields' });
    const ended = await bench.push([bench.write('a.csv', visitors('A', ':Cy'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 0, ...FINE, unverified: 2 }]);
  });

  test('are found when the list lags behind, after waiting for it', async () => {
    const bench = await pushBench({ readLagMs: 30_000 });
    const before = bench.clock.now();
    const ended = await bench.push([bench.write('a.csv', visitors('A', ':Cy'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 2, ...FINE }]);
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(30_000);
  });
});

describe('a row that the service took and does not list', () => {
  test('is uncertain, and sent once more by the next push when that has looked twice', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    loseOnce(bench, 'B');
    const ended = await bench.push([file]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.uncertain, { checked: 3, ...FINE, missing: 1 }]);
    expect(ended.summary.problems).toMatchObject([
      {
        place: 'a.csv:3',
        message: `the service said that it took it, but does not list it; say what is so with \`eventreg runs decide ${ended.summary.run} a.csv:3 sent\`, or not-sent`,
      },
    ]);
    expect(rowOf(bench, 'B')).toMatchObject({
      state: 'uncertain',
      status: 201,
      listed_no: undefined,
      checked_at: undefined,
    });
    const again = await bench.push([file]);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 1, uncertain: 0 } });
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B', 'C']);
    expect(bench.postedBarcodes()).toEqual(['A', 'C', 'B']);
  });

  test('is done after all when it turns up later', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    loseOnce(bench, 'B');
    expect((await bench.push([file])).code).toBe(EXIT.uncertain);
    await post(bench, { ...person('Ada', 'b@example.com'), barcode: 'B' });
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { uncertain: 0 } });
    expect(bench.posts()).toHaveLength(2);
  });

  test.each([
    ['the list shows nobody', []],
    ['nothing that the service has taken of its kind is seen', ['Z']],
  ])('is told at each push, and not sent again, while %s', async (_name, others) => {
    const bench = await pushBench();
    for (const barcode of others) await post(bench, { ...person('Zoe'), barcode });
    const file = bench.write('a.csv', visitors('A'));
    loseOnce(bench, 'A');
    expect((await bench.push([file])).code).toBe(EXIT.uncertain);
    knowThatItUpdates(bench);
    const again = await bench.push([file]);
    expect(again).toMatchObject({ code: EXIT.uncertain, summary: { sent: 0, uncertain: 1 } });
    expect(again.summary.problems[0]?.message).toMatch(
      /say what is so with `eventreg runs decide \S+ a\.csv:2 sent`, or not-sent$/,
    );
    expect(bench.posts()).toHaveLength(others.length);
  });

  test('is for a person to decide without a barcode', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(':Ada', ':Bob'));
    let lost = 0;
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('Bob') && lost++ === 0
        ? json(201, { id: 'lost-1', ...person('Bob') })
        : undefined;
    const ended = await bench.push([file]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.uncertain, { checked: 2, ...FINE, missing: 1 }]);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.uncertain, summary: { sent: 0 } });
    expect(bench.posts()).toHaveLength(1);
  });
});

describe('a row that is there more than once', () => {
  test('is a conflict with all ids, and nothing is deleted', async () => {
    const bench = await pushBench({ upsert: 'double' });
    bench.service.fault = async ({ method, body }) => {
      if (method === 'POST' && body.includes('"B"')) await post(bench, body);
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.rejected, { checked: 2, ...FINE, doubled: 1 }]);
    const ids = bench.kept().flatMap(({ barcode, id }) => (barcode === 'B' ? [id] : []));
    expect(ended.summary.problems).toMatchObject([
      {
        state: 'conflict',
        message: `2 registrations in the service have this barcode: ${ids.join(', ')}`,
      },
    ]);
    expect(bench.kept()).toHaveLength(3);
  });

  test('because its first request landed late is a conflict', async () => {
    const bench = await pushBench({ upsert: 'double' });
    let late: string | undefined;
    bench.service.fault = async (request) => {
      if (request.method === 'POST' && request.nth === 1) {
        late = request.body;
        return { answer: 'cut' };
      }
      // Once the row has been sent again, the first request comes through.
      if (request.method === 'POST' && late !== undefined) await post(bench, late);
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    expect([ended.code, auditOf(ended)?.doubled]).toEqual([EXIT.rejected, 1]);
  });

  test('without a barcode is said, and stays as it is', async () => {
    const bench = await pushBench();
    await post(bench, person('Cy'));
    bench.service.fault = async ({ method, body }) => {
      if (method === 'POST' && body.includes('Ada')) await post(bench, body);
      return undefined;
    };
    const file = bench.write('a.csv', visitors(':Ada', ':Bob', ':Bob'));
    const ended = await bench.push([file, '--match', 'barcode']);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.rejected, { checked: 3, ...FINE, doubled: 1 }]);
    const ids = bench.kept().flatMap(({ fields, id }) => (fields['first_name'] === 'Ada' ? [id] : []));
    expect(ended.err).toContain(
      `warning: a.csv:2: it may be registered twice: ${ids.join(', ')} have all that was sent.`,
    );
    expect(bench.states()).toEqual(['done', 'done', 'done']);
    expect(ended.summary.problems).toMatchObject([
      {
        place: 'a.csv:2',
        state: 'doubled',
        message: `it may be registered twice: ${ids.join(', ')} have all that was sent`,
      },
    ]);
  });

  test('is told by its barcodes where no ids are shown', async () => {
    const bench = await pushBench({ idShown: 'nowhere' });
    bench.service.fault = async ({ method, body }) => {
      if (method === 'POST' && body.includes('Ada')) await post(bench, body);
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', visitors(':Ada', ':Bob')), '--match', 'barcode']);
    expect([ended.code, auditOf(ended)?.doubled]).toEqual([EXIT.rejected, 1]);
  });

  test('is not one whose values another row has, and more', async () => {
    const bench = await pushBench();
    const head = 'persona,First name,Last name,E-mail,Company';
    const rows = ['Ana,Diaz,a@example.com,Acme', 'Ana,Diaz,a@example.com,', ',,a@example.com,'];
    const text = [head, ...rows.map((row) => `visitor,${row}`), ''].join('\n');
    const ended = await bench.push([bench.write('a.csv', text)]);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 3, ...FINE }]);
    expect(bench.kept()).toHaveLength(3);
  });

  test('is not one that an unchanged row of the same name stands for', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors(':Ada'))]);
    const ended = await bench.push([bench.write('a.csv', visitors(':Ada', ':Ada')), '--match', 'barcode']);
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.done, { checked: 1, ...FINE }]);
    expect(bench.kept()).toHaveLength(2);
  });

  test('is told without those that other rows stand for', async () => {
    const bench = await pushBench();
    bench.service.fault = async ({ method, body }) => {
      if (method === 'POST' && !body.includes('Ana')) await post(bench, body);
      return undefined;
    };
    const text = 'persona,First name,E-mail\nvisitor,Ana,a@example.com\nvisitor,,a@example.com\n';
    const ended = await bench.push([bench.write('a.csv', text)]);
    expect([ended.code, auditOf(ended)?.doubled]).toEqual([EXIT.rejected, 1]);
    const ids = bench.kept().flatMap(({ fields, id }) => (fields['first_name'] === undefined ? [id] : []));
    expect(ended.err).toContain(`a.csv:3: it may be registered twice: ${ids.join(', ')} have all`);
  });
});

describe('a change', () => {
  async function changed(
    fault: (bench: Bench, request: PassingRequest) => Promise<Fault | undefined>,
  ): Promise<{
    bench: Bench;
    ended: Ended & { summary: { problems: { message: string }[] } };
  }> {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
    knowThatItUpdates(bench);
    bench.service.fault = async (request) => await fault(bench, request);
    return { bench, ended: await bench.push([bench.write('a.csv', visitors('A:Eva', 'B:Rob'))]) };
  }

  test('that the service took and did not make is told, and what was learnt of it is forgotten', async () => {
    const { bench, ended } = await changed(async (_bench, { method, body }) =>
      method === 'POST' && body.includes('"B"') ? json(200, JSON.parse(body)) : undefined,
    );
    expect([ended.code, auditOf(ended)]).toEqual([EXIT.rejected, { checked: 2, ...FINE, unapplied: 1 }]);
    expect(ended.summary.problems).toMatchObject([
      {
        place: 'a.csv:3',
        state: 'conflict',
        barcode: 'B',
        message: expect.stringContaining('that it took the change, and lists the old values: first_name'),
        differences: [{ field: 'first_name', kind: 'stored', expected: 'R••', found: 'B••' }],
      },
    ]);
    expect(bench.postedBarcodes().filter((barcode) => barcode === 'B')).toHaveLength(1);
    const service = bench.runs()[0]?.service ?? '';
    bench.journal((journal) => {
      const context = { journal, target: { service }, clock: bench.clock };
      expect(readLearned(context, 'upsert')).toBeUndefined();
    });
    bench.service.fault = () => undefined;
    const file = bench.write('b.csv', visitors('A:Eva', 'B:Rob', 'C'));
    const next = await bench.push([file]);
    expect(next).toMatchObject({ code: EXIT.rejected, summary: { sent: 1, conflict: 1 } });
    expect(await bench.push([file, '--overwrite'])).toMatchObject({ code: EXIT.done, summary: { sent: 1 } });
    expect(
      bench
        .kept()
        .slice(0, 2)
        .map(({ fields }) => fields['first_name']),
    ).toEqual(['Eva', 'Rob']);
  });

  test('that is stored otherwise is named, a conflict of the next plan, and stays done', async () => {
    const { bench, ended } = await changed(async (bench, { method, body }) => {
      if (method !== 'POST' || !body.includes('"B"')) return undefined;
      await post(bench, body.replace('Rob', 'Robert'));
      return json(200, JSON.parse(body));
    });
    expect([ended.code, auditOf(ended)]).toEqual([
      EXIT.rejected,
      { checked: 2, ...FINE, different: [{ field: 'first_name', rows: 1 }] },
    ]);
    expect(ended.err).toContain('  first_name: sent "R••", listed "R•••••"\n');
    const [run] = bench.runs();
    const rows = bench.journal((journal) =>
      journal.all<{ state: string; after?: string }>(
        'SELECT state, after FROM row WHERE run = $run ORDER BY seq',
        { $run: run?.id ?? '' },
      ),
    );
    expect(rows.map(({ state }) => state)).toEqual(['done', 'done']);
    expect([rows[0]?.after, JSON.parse(rows[1]?.after ?? '{}')]).toMatchObject([
      undefined,
      { fields: { first_name: 'Robert' } },
    ]);
    bench.service.fault = () => undefined;
    const again = await bench.push([bench.write('b.csv', visitors('A:Eva', 'B:Rob', 'C'))]);
    expect(again).toMatchObject({ code: EXIT.rejected, summary: { sent: 1, conflict: 1 } });
    const kept = await bench.push([bench.write('b.csv', visitors('A:Eva', 'B:Rob', 'C')), '--keep']);
    expect(kept).toMatchObject({ code: EXIT.done, summary: { sent: 0 } });
    expect((await bench.push([bench.write('b.csv', visitors('A:Eva', 'B:Rob', 'C'))])).code).toBe(EXIT.done);
  });
});

describe('registrations that came in meanwhile', () => {
  test('are named, as long as they are none of the rows', async () => {
    const bench = await pushBench();
    await post(bench, { ...person('Zoe'), barcode: 'Z' });
    bench.service.fault = async ({ method, nth }) => {
      if (method !== 'POST' || nth > 0) return undefined;
      await post(bench, { ...person('Yan'), barcode: 'Y' });
      await post(bench, person('Xi'));
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B', ':Cy'))]);
    const strangers = bench.kept().filter(({ fields }) => /Yan|Xi/.test(String(fields['first_name'])));
    const ids = strangers.map(({ id }) => id).sort();
    expect([ended.code, auditOf(ended)]).toEqual([
      EXIT.done,
      { checked: 3, ...FINE, unexpected: { count: 2, ids } },
    ]);
  });

  test('are not those that another push of this machine has sent, which is still at work or not', async () => {
    const bench = await pushBench();
    await post(bench, { ...person('Zoe'), barcode: 'Z' });
    const told = new EventEmitter();
    const ownEnded = once(told, 'ended');
    let atWork: Promise<unknown> | undefined;
    bench.service.fault = async ({ method, nth, body }) => {
      if (body.includes('"W"')) {
        await post(bench, { ...person('Wes'), barcode: 'W' });
        told.emit('landed');
        await ownEnded;
      }
      if (method !== 'POST' || nth > 0) return undefined;
      await bench.push([bench.write('ended.csv', visitors('Y', 'X'))]);
      const landed = once(told, 'landed');
      atWork = bench.push([bench.write('at-work.csv', visitors('W:Wes'))]);
      await landed;
      await post(bench, { ...person('Yan'), barcode: 'V' });
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    told.emit('ended');
    await atWork;
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A', 'B', 'V', 'W', 'X', 'Y', 'Z']);
    const [stranger] = bench.kept().filter(({ barcode }) => barcode === 'V');
    expect(auditOf(ended)).toMatchObject({ unexpected: { count: 1, ids: [stranger?.id] } });
  });
});

describe('an audit that cannot be done', () => {
  test('is told, also by the exit code, and leaves what was sent as it is', async () => {
    const bench = await pushBench();
    bench.service.fault = (request) =>
      isList(request) && bench.posts().length > 0 ? json(403, { message: 'No lists today.' }) : undefined;
    const file = bench.write('a.csv', visitors('A', 'B'));
    const ended = await bench.push([file]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { state: 'finished', sent: 2 } });
    expect(auditOf(ended)).toMatchObject({ checked: 0, skipped: expect.stringContaining('No lists today') });
    expect(ended.err).toContain('Audit: not done, ');
    bench.service.fault = () => undefined;
    // What was not read back then is compared by the next push.
    expect((await bench.push([file])).summary).toMatchObject({ sent: 0, unchanged: 2 });
  });

  test('ends at once on Ctrl-C, and the next push compares', async () => {
    const bench = await pushBench({ readLagMs: 30_000 });
    const stop = new AbortController();
    let lists = 0;
    bench.service.fault = (request) => {
      if (isList(request) && bench.posts().length > 0) {
        lists += 1;
        if (lists === 1) setImmediate(() => stop.abort(new InterruptedError()));
      }
      return undefined;
    };
    const file = bench.write('a.csv', visitors('A'));
    const ended = await bench.push([file], { stopping: stop.signal });
    expect(auditOf(ended)).toMatchObject({ skipped: 'it was interrupted' });
    expect(bench.states()).toEqual(['done']);
    bench.service.fault = () => undefined;
    await bench.clock.advance(60_000);
    expect((await bench.push([file])).summary).toMatchObject({ sent: 0, unchanged: 1 });
  });
});

describe('the cost of an audit', () => {
  const listsSince = (bench: Bench, from: number): number =>
    bench.service.requests.slice(from).filter(isList).length;

  test('is a page for every hundred rows', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(250)));
    const lastPost = () => bench.service.requests.findLastIndex(({ method }) => method === 'POST');
    expect(auditOf(await bench.push([file]))).toEqual({ checked: 250, ...FINE });
    expect(listsSince(bench, lastPost())).toBeLessThanOrEqual(4);
  });

  test('is no long list for few rows', async () => {
    const bench = await pushBench({ perPageCap: 2 });
    await bench.push([bench.write('a.csv', visitors(...barcodes(60)))]);
    const from = bench.service.requests.length;
    const ended = await bench.push([bench.write('b.csv', visitors('X', 'Y'))]);
    expect(auditOf(ended)).toEqual({ checked: 2, ...FINE });
    const sent = bench.service.requests.findIndex(({ method }, at) => at >= from && method === 'POST');
    expect(listsSince(bench, sent)).toBeLessThanOrEqual(6);
    // A row without a barcode would be worth no more than ten pages: it is left unverified.
    const other = await bench.push([bench.write('c.csv', visitors('Z', ':Cy'))]);
    expect(auditOf(other)).toEqual({ checked: 1, ...FINE, unverified: 1 });
  });
});

test('what the audit finds is a step of the row', async () => {
  const bench = await pushBench();
  loseOnce(bench, 'B');
  await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
  const { run, seq } = rowOf(bench, 'B') as { run: string; seq: number };
  const steps = bench.journal((journal) => stepsOf(journal, run, seq));
  expect(steps.map(({ what, status }) => [what, status])).toEqual([
    ['sent', undefined],
    ['answered', 201],
    ['audited', 201],
  ]);
});

test('a list that is known to be late shows what else came of an update of a field that it does not show', async () => {
  const bench = await pushBench({ readLagMs: 2000, misstored: 'dropped', fieldsOnUpdate: 'replace' });
  const list = (columns: string): string => bench.write('a.csv', `persona,barcode,first_name,${columns}\n`);
  await bench.push([list('email\nvisitor,A,Ada,ada@example.com')]);
  const [ada] = bench.sandbox.registrations();
  if (ada !== undefined) bench.sandbox.put({ ...ada, fields: { ...ada.fields, company: 'Acme' } });
  await bench.clock.advance(5000);
  const ended = await bench.push([list('email,birth_date\nvisitor,A,Ada,ada@example.com,1990-01-02')]);
  expect(ended.code).toBe(EXIT.rejected);
  expect(ended.err).toContain('company');
});
