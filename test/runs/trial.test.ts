import { describe, expect, test } from 'vitest';
import { BaseStore } from '../../src/sync/journal/base-store.ts';
import { countTakenBack } from '../../src/runs/compare/count-plan.ts';
import { finishTrials } from '../../src/runs/send/left-out.ts';
import { queuedRow } from '../../src/sync/journal/queued-rows.ts';
import { learn, readUnsentRules } from '../../src/sync/journal/learned.ts';
import { sendPending } from '../../src/runs/send/send.ts';
import { sendRow } from '../../src/runs/send/send-row.ts';
import { learnUpdateRule } from '../../src/runs/send/update-rule.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type PlanBench, planBench, type RowSketch } from './plan-bench.ts';

const FULL = {
  first_name: 'Ann',
  last_name: 'Lee',
  phone: '+34600111222',
  country: 'ES',
  remarks: 'vegan',
};
const guest = (barcode: string, more: Partial<RowSketch> = {}): RowSketch => ({
  barcode,
  fields: FULL,
  ...more,
});
const renamed = (barcode: string): RowSketch => ({ barcode, fields: { first_name: 'Bea' } });

/** A run of rows about registrations that are there, planned. */
async function planned(
  switches: Partial<Switches>,
  listed: readonly RowSketch[],
  rows: readonly RowSketch[],
) {
  const bench = await planBench(switches, { settleMs: 0 });
  for (const row of listed) await bench.post(row);
  const run = bench.claim(rows);
  await bench.plan(run);
  bench.asked();
  return { bench, run };
}

async function pushed(switches: Partial<Switches>, listed: readonly RowSketch[], rows: readonly RowSketch[]) {
  const { bench, run } = await planned(switches, listed, rows);
  await sendPending(bench.context(run));
  return { bench, run };
}

type Body = { barcode: string; enable_comms?: boolean; parent_barcode?: string; fields: object };

const posted = (bench: PlanBench): Body[] =>
  bench
    .asked()
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body ?? '{}') as Body);

const rules = (bench: PlanBench): Record<string, string> =>
  Object.fromEntries(readUnsentRules(bench.journal, bench.target.service, bench.clock.now()));

const kept = (bench: PlanBench) =>
  bench.sandbox.registrations().map(({ fields, parentBarcode }) => ({ fields, parentBarcode }));

const twice = <Value>(value: Value): Value[] => [value, value];
const BEA = { ...FULL, first_name: 'Bea' };

/** Members of a group whose files have all their fields but not their group, and guests with but a name. */
const GROUP = [guest('P'), ...['M', 'N'].map((code) => guest(code, { parent: 'P' })), guest('A'), guest('B')];
const GROUP_ROWS = [...['M', 'N'].map((code) => guest(code, { fields: BEA })), renamed('A'), renamed('B')];

describe('what a trial proves', () => {
  test('of a member whose only unsent thing is its parent is nothing of fields', async () => {
    const { bench } = await pushed({ fieldsOnUpdate: 'replace' }, GROUP, GROUP_ROWS.slice(0, 2));
    expect(rules(bench)).toEqual({ parent: 'merge' });
    const run = bench.claim([renamed('A'), renamed('B')]);
    await bench.plan(run);
    await sendPending(bench.context(run));
    expect(kept(bench).slice(3)).toEqual(twice({ fields: BEA, parentBarcode: undefined }));
  });

  test.each([
    ['fields are kept and the parent goes', { parentOnUpdate: 'replace' }],
    ['fields go and the parent is kept', { fieldsOnUpdate: 'replace' }],
    ['some fields go', { fieldsOnUpdate: 'by-field' }],
    ['all goes', { fieldsOnUpdate: 'replace', parentOnUpdate: 'replace' }],
    ['all is kept', {}],
  ] as const)('loses nothing for anybody where %s', async (_, switches) => {
    const { bench, run } = await pushed(switches, GROUP, GROUP_ROWS);
    expect(bench.fates(run)).toEqual(Array(4).fill('done update'));
    expect(kept(bench)).toEqual([
      { fields: FULL, parentBarcode: undefined },
      ...twice({ fields: BEA, parentBarcode: 'P' }),
      ...twice({ fields: BEA, parentBarcode: undefined }),
    ]);
  });

  test('is each thing for itself', async () => {
    const { bench } = await pushed(
      { fieldsOnUpdate: 'by-field', parentOnUpdate: 'replace' },
      GROUP,
      GROUP_ROWS,
    );
    expect(rules(bench)).toEqual({
      parent: 'reset',
      'visitor:phone': 'reset',
      'visitor:remarks': 'reset',
      'visitor:last_name': 'merge',
      'visitor:country': 'merge',
    });
    expect(bench.told).toContainEqual({
      type: 'note',
      text: 'The service takes away what an update leaves out: phone of visitor, remarks of visitor. It is sent along.',
    });
  });

  test('is used: what is taken away is sent along, what stays is not', async () => {
    const { bench } = await pushed({ fieldsOnUpdate: 'by-field' }, GROUP, GROUP_ROWS);
    const last = posted(bench).filter(({ barcode }) => barcode === 'B');
    expect(last.map(({ fields }) => fields)).toEqual([
      { first_name: 'Bea', phone: FULL.phone, remarks: FULL.remarks },
    ]);
  });

  test('is nothing about what it does not hold, or sends', async () => {
    const rows = ['A', 'B'].map((code) => guest(code, { fields: { first_name: 'Bea', phone: FULL.phone } }));
    const { bench } = await pushed({}, [guest('A'), guest('B')], rows);
    expect(Object.keys(rules(bench)).sort()).toEqual([
      'visitor:country',
      'visitor:last_name',
      'visitor:remarks',
    ]);
  });

  test('is nothing where nobody else would gain: all is sent along', async () => {
    const { bench } = await pushed({ fieldsOnUpdate: 'replace' }, [guest('A')], [renamed('A')]);
    expect(rules(bench)).toEqual({});
    expect(posted(bench)).toHaveLength(1);
    expect(kept(bench)[0]?.fields).toEqual(BEA);
  });

  test('expires after thirty days', async () => {
    const { bench } = await pushed({}, [guest('A'), guest('B')], [renamed('A'), renamed('B')]);
    expect(rules(bench)).not.toEqual({});
    await bench.clock.advance(30 * 24 * 60 * 60 * 1000);
    expect(rules(bench)).toEqual({});
  });
});

describe('a trial', () => {
  const pair = [guest('A'), guest('B')];
  const both = [renamed('A'), renamed('B')];

  test('is sent alone, and once more at once with what is gone', async () => {
    const { bench, run } = await planned({ fieldsOnUpdate: 'replace' }, pair, both);
    await learnUpdateRule(bench.context(run));
    expect(posted(bench)).toMatchObject([
      { barcode: 'A', fields: { first_name: 'Bea' } },
      { barcode: 'A', fields: BEA },
    ]);
    expect(bench.fates(run)).toEqual(['done update', 'pending update']);
    expect(bench.rows(run)[0]?.before?.fields).toEqual(FULL);
  });

  test('is no more than three to a depth', async () => {
    const slugs = ['last_name', 'phone', 'country', 'remarks', 'company'];
    const listed = slugs.flatMap((slug) =>
      ['1', '2'].map((code) => ({
        barcode: slug + code,
        fields: { first_name: 'Ann', [slug]: slug === 'country' ? 'ES' : '+34600111222' },
      })),
    );
    const { bench } = await pushed(
      { fieldsOnUpdate: 'replace' },
      listed,
      listed.map(({ barcode }) => renamed(barcode)),
    );
    expect(Object.values(rules(bench))).toEqual(['reset', 'reset', 'reset']);
    expect(kept(bench).map(({ fields }) => Object.keys(fields).length)).toEqual(Array(10).fill(2));
  });

  test('tells nothing of what somebody has edited since the plan', async () => {
    const { bench, run } = await planned({ fieldsOnUpdate: 'replace' }, pair, both);
    await bench.post(guest('A', { fields: { ...FULL, remarks: '' } }));
    await sendPending(bench.context(run));
    expect(kept(bench).map(({ fields }) => fields['remarks'])).toEqual([undefined, 'vegan']);
  });

  test('gives back what the service has put another value for, and learns nothing of it', async () => {
    const { bench, run } = await planned({}, pair, both);
    const { registrations } = bench.client;
    const context = bench.context(run);
    const send: typeof registrations.send = (registration, onSending) =>
      registrations.send(
        { ...registration, fields: { remarks: 'default', ...registration.fields } },
        onSending,
      );
    await learnUpdateRule({ ...context, registrations: { ...registrations, send } });
    expect(kept(bench)[0]?.fields).toEqual(BEA);
    expect(rules(bench)).not.toHaveProperty('visitor:remarks');
  });

  /** Sends the first row as a trial, and dies before anything is read back. */
  async function killed(switches: Partial<Switches>) {
    const { bench, run } = await planned(switches, pair, both);
    const row = queuedRow(bench.journal, run, 0);
    if (row === undefined) throw new Error('there is no row');
    await sendRow(bench.context(run), row, new Set(['visitor:phone', 'visitor:remarks']));
    return { bench, run };
  }

  test('that was killed before it was read back is finished, though nothing else is left to send', async () => {
    const { bench, run } = await killed({ fieldsOnUpdate: 'replace' });
    bench.journal.run(`UPDATE row SET state = 'unchanged' WHERE run = $run AND seq = 1`, { $run: run });
    expect(kept(bench)[0]?.fields).not.toHaveProperty('phone');
    await bench.plan(run);
    await sendPending(bench.context(run));
    expect(kept(bench)[0]?.fields).toEqual(BEA);
    bench.asked();
    await finishTrials(bench.context(run));
    expect(bench.asked()).toEqual([]);
  });

  test('that was killed is finished by the next run of another file, too', async () => {
    const { bench, run } = await killed({ fieldsOnUpdate: 'replace' });
    bench.journal.locks.release(run);
    const next = bench.claim([renamed('B')]);
    await bench.plan(next);
    await sendPending(bench.context(next));
    expect(kept(bench).map(({ fields }) => fields)).toEqual([BEA, BEA]);
  });

  test('that was killed and lost nothing is not sent again', async () => {
    const { bench, run } = await killed({});
    bench.asked();
    await finishTrials(bench.context(run));
    expect(posted(bench)).toEqual([]);
    expect(rules(bench)).toEqual({ 'visitor:phone': 'merge', 'visitor:remarks': 'merge' });
  });

  test('that cannot give back what is gone says so', async () => {
    const { bench, run } = await planned({ fieldsOnUpdate: 'replace' }, pair, both);
    const { registrations } = bench.client;
    const send: typeof registrations.send = async (registration, onSending) => {
      if (!Object.hasOwn(registration.fields, 'remarks')) return registrations.send(registration, onSending);
      await onSending('r-2');
      return { kind: 'failed', status: 422, message: 'remarks is too long', requestId: 'r-2' };
    };
    await learnUpdateRule({ ...bench.context(run), registrations: { ...registrations, send } });
    expect(bench.rows(run)[0]).toMatchObject({
      state: 'conflict',
      before: { fields: FULL },
      message: expect.stringMatching(
        /^the service has taken away what the row does not send, and does not take it back: .*remarks/,
      ),
    });
  });
});

describe('what cannot be sent back', () => {
  const photo = 'https://example.com/a.jpg';
  const withPhoto = ['A', 'B'].map((code) => guest(code, { fields: { ...FULL, photo } }));

  test('is a conflict that names the field, and nothing leaves', async () => {
    const { bench, run } = await planned({ uploads: 'signed-taken' }, withPhoto, [
      renamed('A'),
      renamed('B'),
    ]);
    expect(bench.fates(run)).toEqual(Array(2).fill('conflict conflict'));
    expect(bench.rows(run)[0]?.message).toBe(
      'not sent: its registration holds what the file does not have and what cannot be sent back exactly as it is listed: photo; give the file such a column, or change it in the service',
    );
  });

  test('is a conflict also where it came after the plan', async () => {
    const { bench, run } = await planned({ uploads: 'signed-taken' }, [guest('A')], [renamed('A')]);
    const before = JSON.stringify({
      ...bench.rows(run)[0]?.before,
      fields: { photo: `${photo}?signature=1` },
    });
    bench.journal.run('UPDATE row SET before = $before WHERE run = $run', { $run: run, $before: before });
    await sendPending(bench.context(run));
    expect(posted(bench)).toEqual([]);
    expect(bench.fates(run)).toEqual(['conflict conflict']);
    expect(bench.rows(run)[0]?.message).toContain('cannot be sent back exactly as it is listed: photo');
  });

  test('is sent back as the file once sent it, without the signature behind it', async () => {
    const bench = await planBench({ uploads: 'signed-taken' });
    for (const row of withPhoto) await bench.post(row);
    const bases = new BaseStore(bench.journal, bench.target, bench.event.endDate);
    const pairs = new Map([['photo', { said: bases.digest(photo), seen: undefined }]]);
    bases.write({ barcode: 'A', id: undefined }, { pairs, gone: false }, bench.clock.now());
    const run = bench.claim([renamed('A'), renamed('B')]);
    await bench.plan(run);
    await sendPending(bench.context(run));
    expect(bench.fates(run)).toEqual(['done update', 'conflict conflict']);
    expect(kept(bench)[0]?.fields).toEqual({ ...BEA, photo });
  });

  test('is sent all the same where that field is proven to stay', async () => {
    const bench = await planBench({ uploads: 'signed-taken' });
    for (const row of withPhoto) await bench.post(row);
    learn(bench.journal, bench.target.service, 'unsent:visitor:photo', 'merge', bench.clock.now());
    const run = bench.claim([renamed('A')]);
    await bench.plan(run);
    await sendPending(bench.context(run));
    expect(kept(bench)[0]?.fields).toEqual({ ...BEA, photo });
  });

  test('is a conflict that names what the service refuses', async () => {
    const rows = [renamed('A')];
    const { bench, run } = await planned({}, [guest('A')], rows);
    const { registrations } = bench.client;
    const send: typeof registrations.send = async (_, onSending) => {
      await onSending('r-1');
      return { kind: 'failed', status: 422, message: 'fields.phone: is not allowed', requestId: 'r-1' };
    };
    await sendPending({ ...bench.context(run), registrations: { ...registrations, send } });
    expect(bench.rows(run)[0]).toMatchObject({
      state: 'conflict',
      message:
        'fields.phone: is not allowed; what its registration holds and the file does not have cannot be sent back: phone; give the file such a column, or change it in the service',
    });
  });

  test('is no label that stands for one option', async () => {
    const listed = ['A', 'B'].map((code) => guest(code, { fields: { ...FULL, meal: 'fish' } }));
    const { bench } = await pushed(
      { choicesListed: 'labels', valuesShape: 'objects-slug-label', fieldsOnUpdate: 'replace' },
      listed,
      [renamed('A'), renamed('B')],
    );
    expect(kept(bench).map(({ fields }) => fields)).toEqual(twice({ ...BEA, meal: 'fish' }));
  });
});

describe('messages to people', () => {
  const asked = ['A', 'B'].map((code) => guest(code, { comms: true }));

  test.each(['merge', 'replace'] as const)(
    'are never asked for again, where they %s',
    async (commsOnUpdate) => {
      const { bench } = await pushed({ commsOnUpdate }, asked, [renamed('A'), renamed('B')]);
      expect(posted(bench).every((body) => body.enable_comms === undefined)).toBe(true);
      expect(rules(bench)['comms']).toBe(commsOnUpdate === 'merge' ? 'merge' : 'reset');
    },
  );

  test('are asked for once, in no trial that may have to be sent again', async () => {
    const rows = [
      { ...renamed('A'), comms: true },
      { ...renamed('B'), comms: true },
    ];
    const { bench } = await pushed({ fieldsOnUpdate: 'replace' }, [guest('A'), guest('B')], rows);
    expect(posted(bench).map(({ enable_comms }) => enable_comms)).toEqual([true, true]);
    expect(kept(bench).map(({ fields }) => fields)).toEqual([BEA, BEA]);
  });

  test('are counted by what was sent last where the list does not show them', async () => {
    const { bench, run } = await pushed({ recordComms: 'hidden' }, [], asked);
    bench.journal.locks.release(run);
    const next = bench.claim([renamed('A'), renamed('B')]);
    await bench.plan(next);
    expect(countTakenBack(bench.context(next), next, ['pending'])).toBe(2);
  });

  test('are counted before they are taken back, until they are proven to stay', async () => {
    const rows = [renamed('A'), renamed('B'), guest('C', { comms: true, fields: BEA })];
    const { bench, run } = await planned({}, [...asked, guest('C', { comms: true })], rows);
    expect(bench.told).toContainEqual({
      type: 'warning',
      text: 'May take back messages of 2 guests: the file does not ask for them (enable_comms), and this service is not known to keep what an update leaves out.',
    });
    expect(countTakenBack(bench.context(run), run, ['pending'])).toBe(2);
    await sendPending(bench.context(run));
    expect(countTakenBack(bench.context(run), run, ['done'])).toBe(0);
  });
});
