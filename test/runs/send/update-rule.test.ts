import { describe, expect, test } from 'vitest';
import { auditRun } from '../../../src/runs/audit/audit.ts';
import { queuedRows } from '../../../src/sync/journal/queued-rows.ts';
import { forgetUpdateRule, learn, readLearned } from '../../../src/sync/journal/learned.ts';
import { sendRow } from '../../../src/runs/send/send-row.ts';
import { knownUpdateRule, learnUpdateRule } from '../../../src/runs/send/update-rule.ts';
import type { Registration } from '../../../src/registration/model/registration.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { type PlanBench, planBench, type RowSketch } from '../plan-bench.ts';

const OLD = { first_name: 'Ada', email: 'ada@example.com', company: 'Old' };
const named = (barcode: string, company: string): RowSketch => ({ barcode, fields: { ...OLD, company } });

const DAY_MS = 24 * 60 * 60 * 1000;

/** A run of updates of what is there, and one create, planned. */
async function planned(
  switches: Partial<Switches> = {},
  {
    settleMs = 0,
    rows = [named('A', 'New'), named('B', 'New'), named('C', 'New')],
    more = [] as string[],
  } = {},
) {
  const bench = await planBench(switches, { settleMs });
  for (const barcode of ['A', 'B', ...more]) await bench.post(named(barcode, 'Old'));
  // Lists have to show what was there before anything is planned.
  await bench.clock.advance(600_000);
  const run = bench.claim(rows);
  await bench.plan(run);
  bench.asked();
  const rule = () => knownUpdateRule(bench.journal, bench.target.service, bench.clock.now());
  return { bench, run, rule };
}

const posted = (bench: PlanBench): string[] =>
  bench
    .asked()
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => String((JSON.parse(body ?? '{}') as { barcode?: string }).barcode));

const messages = (bench: PlanBench, run: string) => bench.rows(run).map(({ message }) => message);

describe('one update goes first', () => {
  test('and when it is seen to update, the others may follow', async () => {
    const { bench, run, rule } = await planned();
    expect(rule()).toBeUndefined();
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'update', withheld: 0 });
    expect(posted(bench)).toEqual(['A']);
    expect(bench.fates(run)).toEqual(['done update', 'pending update', 'pending create']);
    expect(rule()).toBe('update');
    await learnUpdateRule(bench.context(run));
    expect(posted(bench)).toEqual([]);
  });

  test('and when it makes a second registration, no other is sent', async () => {
    const { bench, run, rule } = await planned({ upsert: 'double' });
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'double', withheld: 1 });
    expect(rule()).toBe('double');
    const ids = bench.sandbox.registrations().flatMap(({ barcode, id }) => (barcode === 'A' ? [id] : []));
    expect(bench.fates(run)).toEqual(['conflict update', 'conflict conflict', 'pending create']);
    expect(messages(bench, run)).toEqual([
      `the service has added a registration instead of changing the one it had: 2 registrations in the service have this barcode: ${ids.join(', ')}`,
      'not sent: this service adds a second registration when it is sent a barcode that it has already (seen with people.csv:2)',
      undefined,
    ]);
    await bench.send(run);
    expect(bench.sandbox.registrations().map(({ barcode }) => barcode)).toEqual(['A', 'B', 'A', 'C']);
  });

  test('and when it is refused, the others are conflicts and creates go on', async () => {
    const { bench, run, rule } = await planned({ upsert: 'refuse' });
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'refuse', withheld: 1 });
    expect(rule()).toBe('refuse');
    expect(bench.fates(run)).toEqual(['conflict update', 'conflict conflict', 'pending create']);
    expect(messages(bench, run)[1]).toBe(
      'not sent: this service refuses a barcode that it has already (seen with people.csv:2)',
    );
  });

  test('and when nothing changes, the others are conflicts, and the row is not known to be held', async () => {
    const { bench, run, rule } = await planned({ upsert: 'ignore' });
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'ignore', withheld: 1 });
    expect(rule()).toBe('ignore');
    expect(messages(bench, run)).toEqual([
      'the service answered that it took the change, and still lists the old values: company',
      'not sent: the updates that were sent first have changed nothing in this service (company of people.csv:2); leave these columns out if it does not store them, or change another field too: that is tried first',
      undefined,
    ]);
    const listed = bench.journal.all('SELECT listed_no FROM row WHERE run = $run AND seq = 0', { $run: run });
    expect(listed).toEqual([{ listed_no: undefined }]);
    const steps = bench.journal.all<{ what: string }>(
      'SELECT what FROM step WHERE run = $run AND seq IN (0, 1) ORDER BY no',
      { $run: run },
    );
    expect(steps.map(({ what }) => what)).toEqual(['sent', 'answered', 'looked', 'planned']);
  });

  test('without a word when the run updates nothing', async () => {
    const { bench, run, rule } = await planned({}, { rows: [named('A', 'Old'), named('C', 'New')] });
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: undefined, withheld: 0 });
    expect(bench.asked()).toEqual([]);
    expect(rule()).toBeUndefined();
  });
});

describe('which one goes first', () => {
  test('has no parent and brings no message, if there is such a one', async () => {
    const bench = await planBench();
    const guests: RowSketch[] = [
      { barcode: 'P' },
      { barcode: 'M', parent: 'P' },
      { barcode: 'L', comms: true },
      { barcode: 'Q' },
    ];
    for (const guest of guests) await bench.post(guest);
    const edited = (row: RowSketch) => ({ ...row, fields: { first_name: 'Eda' } });
    const run = bench.claim([{ barcode: 'P' }, ...guests.slice(1).map(edited)]);
    await bench.plan(run);
    bench.asked();
    await learnUpdateRule(bench.context(run));
    expect(posted(bench)).toEqual(['Q']);
  });

  test('shows what becomes of fields that are not sent, if there is such a one', async () => {
    const { bench, run } = await planned(
      {},
      {
        rows: [named('A', 'New'), ...['B', 'D'].map((barcode) => ({ barcode, fields: { company: 'New' } }))],
        more: ['D'],
      },
    );
    await learnUpdateRule(bench.context(run));
    expect(posted(bench)).toEqual(['B']);
    expect(
      readLearned(bench.journal, bench.target.service, 'unsent:visitor:email', bench.clock.now())?.value,
    ).toBe('merge');
  });

  test('is not a member whose parent has yet to be sent', async () => {
    const bench = await planBench();
    await bench.post({ barcode: 'M' });
    const rows = [{ barcode: 'P' }, { barcode: 'M', parent: 'P' }];
    const run = bench.claim(rows);
    await bench.plan(run);
    bench.asked();
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: undefined, withheld: 0 });
    expect(bench.asked()).toEqual([]);
    bench.journal.run(`UPDATE row SET state = 'done' WHERE run = $run AND barcode = 'P'`, { $run: run });
    await bench.post({ barcode: 'P' });
    bench.asked();
    expect(await learnUpdateRule(bench.context(run))).toMatchObject({ rule: 'update' });
    expect(posted(bench)).toEqual(['M']);
  });

  test('is the next one after a row that is refused for what is in it', async () => {
    const rows = [{ barcode: 'A', fields: { ...OLD, email: 'nonsense' } }, named('B', 'New')];
    const { bench, run } = await planned({}, { rows });
    expect(await learnUpdateRule(bench.context(run))).toMatchObject({ rule: 'update' });
    expect(posted(bench)).toEqual(['A', 'B']);
    expect(bench.fates(run)).toEqual(['failed update', 'done update']);
  });

  test('is none any more after twenty refusals', async () => {
    const bench = await planBench();
    const codes = Array.from({ length: 22 }, (_, index) => `B${index}`);
    for (const code of codes) await bench.post(named(code, 'Old'));
    const run = bench.claim(codes.map((barcode) => ({ barcode, fields: { email: 'nonsense' } })));
    await bench.plan(run);
    bench.asked();
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: undefined, withheld: 2 });
    expect(posted(bench)).toHaveLength(20);
    expect(bench.rows(run)[21]).toMatchObject({ state: 'postponed', plan: 'update' });
    expect(messages(bench, run)[21]).toContain('because the first 20 were all refused');
  });
});

describe('a service that lists late', () => {
  test.each([
    ['update', 'update'],
    ['double', 'double'],
    ['ignore', 'ignore'],
  ] as const)('is watched until it shows that it does %s', async (upsert, expected) => {
    const { bench, run } = await planned({ upsert, readLagMs: 20_000 }, { settleMs: 60_000 });
    expect(await learnUpdateRule(bench.context(run))).toMatchObject({ rule: expected });
    const reads = bench.asked().filter(({ method }) => method === 'GET').length;
    expect(reads).toBeLessThan(10);
  });

  test('is not watched for longer than anything can land', async () => {
    const { bench, run } = await planned({ readLagMs: 500_000, upsert: 'double' }, { settleMs: 60_000 });
    const from = bench.clock.now();
    // The id in the answer is another one, although the list shows nothing of it yet.
    expect(await learnUpdateRule(bench.context(run))).toMatchObject({ rule: 'double', withheld: 1 });
    expect(bench.clock.now() - from).toBe(60_000);
    expect(messages(bench, run)[0]).toContain('instead of changing the one it had: another one is reg-');
  });
});

describe('what is not shown', () => {
  test('leaves the rule unknown, and the others go on', async () => {
    const { bench, run, rule } = await planned({ recordShape: 'no-fields' });
    expect(bench.fates(run)).toEqual(['pending unknown', 'pending unknown', 'pending create']);
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: undefined, withheld: 0 });
    expect(posted(bench)).toEqual(['A']);
    expect(bench.fates(run)).toEqual(['done unknown', 'pending unknown', 'pending create']);
    expect(rule()).toBeUndefined();
  });

  test('still shows what doubles', async () => {
    const { bench, run } = await planned({ recordShape: 'no-fields', upsert: 'double', createBody: 'empty' });
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'double', withheld: 1 });
    expect(bench.fates(run)).toEqual(['conflict unknown', 'conflict conflict', 'pending create']);
  });

  test('is not waited for when the answer names the registration', async () => {
    const { bench, run } = await planned({ recordShape: 'no-fields' }, { settleMs: 60_000 });
    const from = bench.clock.now();
    await learnUpdateRule(bench.context(run));
    expect(bench.clock.now()).toBe(from);
  });
});

describe('an update without an answer', () => {
  /** Cuts the connection after the service has done its work, or before. */
  async function cut(switches: Partial<Switches>, lands: boolean) {
    const { bench, run, rule } = await planned(switches, { settleMs: 60_000 });
    const context = bench.context(run);
    const { registrations } = bench.client;
    const send: typeof registrations.send = async (registration, onSending) => {
      if (lands) await registrations.send(registration, onSending);
      else await onSending('lost-1');
      return {
        kind: 'uncertain',
        status: undefined,
        message: 'no answer',
        stop: undefined,
        requestId: 'lost-1',
      };
    };
    const found = await learnUpdateRule({ ...context, registrations: { ...registrations, send } });
    return { bench, run, rule, found };
  }

  test('that landed shows the rule all the same, and is done', async () => {
    const { bench, run, found } = await cut({}, true);
    expect(found).toEqual({ rule: 'update', withheld: 0 });
    expect(bench.rows(run)[0]).toMatchObject({ state: 'done', message: 'found in the service as sent' });
  });

  test('that doubled is seen', async () => {
    const { bench, run, found } = await cut({ upsert: 'double' }, true);
    expect(found).toEqual({ rule: 'double', withheld: 1 });
    expect(bench.fates(run)).toEqual(['conflict update', 'conflict conflict', 'pending create']);
  });

  test('that shows nothing stays uncertain, teaches nothing and keeps the other updates back', async () => {
    const { bench, run, rule, found } = await cut({}, false);
    expect(found).toEqual({ rule: undefined, withheld: 1 });
    expect(rule()).toBeUndefined();
    expect(bench.fates(run)).toEqual(['uncertain update', 'postponed update', 'pending create']);
    expect(messages(bench, run)[1]).toBe(
      'not sent yet: what this service does with a barcode that it has already is not known, because people.csv:2 got no certain answer',
    );
  });

  test('that stops the run throws', async () => {
    const { bench, run } = await planned();
    const context = bench.context(run);
    const stop = new Error('not authorised');
    const registrations = {
      ...context.registrations,
      send: () => Promise.resolve({ kind: 'stopped', error: stop, requestId: undefined } as const),
    };
    await expect(learnUpdateRule({ ...context, registrations })).rejects.toBe(stop);
    expect(bench.fates(run)[1]).toBe('pending update');
  });
});

describe('what was learnt', () => {
  const teach = (bench: PlanBench, rule: 'update' | 'double' | 'refuse' | 'ignore'): void =>
    learn(bench.journal, bench.target.service, 'upsert', rule, bench.clock.now());

  test('is believed for thirty days', async () => {
    const { bench, run, rule } = await planned();
    teach(bench, 'double');
    expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'double', withheld: 2 });
    const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
    expect(messages(bench, run)[0]).toContain(`(seen on ${day})`);
    await bench.clock.advance(30 * DAY_MS - 1);
    expect(rule()).toBe('double');
    await bench.clock.advance(1);
    expect(rule()).toBeUndefined();
    expect(bench.asked()).toEqual([]);
  });

  test.each(['refuse', 'ignore'] as const)(
    'that a service does %s is tried again, which does no harm',
    async (known) => {
      const { bench, run, rule } = await planned();
      teach(bench, known);
      expect(await learnUpdateRule(bench.context(run))).toEqual({ rule: 'update', withheld: 0 });
      expect(rule()).toBe('update');
    },
  );

  test('is of one service', async () => {
    const { bench, rule } = await planned();
    learn(bench.journal, 'https://other.example/', 'upsert', 'double', bench.clock.now());
    expect(rule()).toBeUndefined();
  });

  test('can be forgotten', async () => {
    const { bench, rule } = await planned();
    teach(bench, 'update');
    learn(bench.journal, bench.target.service, 'unsent:visitor:email', 'merge', bench.clock.now());
    forgetUpdateRule(bench.journal, bench.target.service);
    expect(rule()).toBeUndefined();
    expect(
      readLearned(bench.journal, bench.target.service, 'unsent:visitor:email', bench.clock.now()),
    ).toBeUndefined();
  });
});

describe('a service that stores values its own way', () => {
  type Way = (fields: Registration['fields']) => Registration['fields'];
  const upper: Way = (fields) =>
    Object.fromEntries(Object.entries(fields).map(([slug, value]) => [slug, String(value).toUpperCase()]));
  const without =
    (...dropped: string[]): Way =>
    (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([slug]) => !dropped.includes(slug)));

  /** Updates of what is there, sent through a service that stores fields in its way. */
  async function stored(way: Way, listed: readonly RowSketch[], rows: readonly RowSketch[]) {
    const bench = await planBench();
    for (const row of listed)
      await bench.post({ ...row, fields: { ...way(row.fields as Registration['fields']) } });
    const run = bench.claim(rows);
    await bench.plan(run);
    bench.asked();
    const { registrations } = bench.client;
    const send: typeof registrations.send = (registration, onSending) =>
      registrations.send({ ...registration, fields: way(registration.fields) }, onSending);
    const context = (id: string) => ({ ...bench.context(id), registrations: { ...registrations, send } });
    return { bench, run, context };
  }

  const warnings = (bench: PlanBench) =>
    bench.told.flatMap((entry) =>
      entry.type === 'warning' && entry.text.startsWith('people') ? [entry.text] : [],
    );

  test('is tried first with what it cannot just have spelt its own way', async () => {
    const rows = [named('A', 'Old'), named('B', 'Other')];
    const { bench, run, context } = await stored(upper, [named('A', 'Old'), named('B', 'Old')], rows);
    expect(bench.fates(run)).toEqual(['pending update', 'pending update']);
    expect(await learnUpdateRule(context(run))).toEqual({ rule: 'update', withheld: 0 });
    expect(posted(bench)).toEqual(['B']);
  });

  test('is not taken for one that ignores updates when only spellings differ, and is sent them once', async () => {
    const rows = [named('A', 'Old'), named('B', 'Old')];
    const { bench, run, context } = await stored(upper, rows, rows);
    expect(await learnUpdateRule(context(run))).toEqual({ rule: undefined, withheld: 0 });
    expect(bench.fates(run)).toEqual(['done update', 'pending update']);
    expect(bench.rows(run)[0]).toMatchObject({
      message: 'the service took it, and keeps its own values: first_name, company',
      after: { fields: { company: 'OLD' } },
    });
    expect(warnings(bench)).toEqual([
      'people.csv:2: the service took it, and keeps its own values: first_name, company.',
    ]);
    for (const row of queuedRows(bench.journal, run, 'pending', { depth: 0, limit: 9 })) {
      await sendRow(context(run), row);
    }
    const { different, spelling } = await auditRun(context(run), { before: undefined });
    expect(different).toEqual([]);
    expect(spelling).toEqual([
      { field: 'first_name', rows: 2 },
      { field: 'company', rows: 2 },
    ]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['done update', 'done update']);
    const next = bench.claim([...rows, named('C', 'New')]);
    await bench.plan(next);
    expect(bench.fates(next)).toEqual(['unchanged unchanged', 'unchanged unchanged', 'pending create']);
  });

  test('is tried with other fields when it seems to ignore one, which is its own way then', async () => {
    const keepsCompany: Way = (fields) =>
      Object.hasOwn(fields, 'company') ? { ...fields, company: 'Old' } : fields;
    const rows = [
      named('A', 'New'),
      named('B', 'New'),
      { barcode: 'C', fields: { ...OLD, first_name: 'Eda' } },
    ];
    const listed = ['A', 'B', 'C'].map((code) => named(code, 'Old'));
    const { bench, run, context } = await stored(keepsCompany, listed, rows);
    expect(await learnUpdateRule(context(run))).toEqual({ rule: 'update', withheld: 0 });
    expect(posted(bench)).toEqual(['A', 'C']);
    expect(bench.fates(run)).toEqual(['done update', 'pending update', 'done update']);
    expect(bench.rows(run)[0]?.after).toMatchObject({ fields: { company: 'Old' } });
  });

  test('is believed to ignore updates after three that change nothing, each in other fields', async () => {
    const listed = ['A', 'B', 'C', 'D', 'E'].map((barcode) => ({ barcode, fields: { first_name: 'Ada' } }));
    const added = ['phone', 'phone', 'company', 'job_title', 'address'];
    const rows = listed.map(({ barcode }, index) => ({
      barcode,
      fields: { first_name: 'Ada', [added[index] ?? '']: '+34600111222' },
    }));
    const { bench, run, context } = await stored(without(...added), listed, rows);
    expect(await learnUpdateRule(context(run))).toEqual({ rule: 'ignore', withheld: 2 });
    expect(posted(bench)).toEqual(['A', 'C', 'D']);
    expect(messages(bench, run)[1]).toBe(
      'not sent: the updates that were sent first have changed nothing in this service (phone of people.csv:2; company of people.csv:4; job_title of people.csv:5); leave these columns out if it does not store them, or change another field too: that is tried first',
    );
    expect(bench.fates(run)[0]).toBe('conflict update');
  });

  test('may drop a field when it is known to take updates', async () => {
    const rows = ['A', 'B'].map((barcode) => ({ barcode, fields: { first_name: 'Ada', company: 'New' } }));
    const listed = rows.map(({ barcode }) => ({
      barcode,
      fields: { first_name: 'Ada', email: 'ada@example.com' },
    }));
    const { bench, run, context } = await stored(without('company'), listed, rows);
    learn(bench.journal, bench.target.service, 'upsert', 'update', bench.clock.now());
    expect(await learnUpdateRule(context(run))).toEqual({ rule: 'update', withheld: 0 });
    expect(bench.fates(run)).toEqual(['done update', 'pending update']);
  });
});
