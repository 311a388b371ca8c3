import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, type Ended, pushBench } from './push-bench.ts';
import { type ByHand, giveId, registerByHand } from './service-hands.ts';
import { listIn } from '../support/documents.ts';

const FULL = {
  first_name: 'Ann',
  last_name: 'Example',
  email: 'ann@example.com',
  phone: '+4930123456',
  company: 'Acme',
};

const names = (...rows: readonly string[]): string => ['persona,barcode,First name', ...rows, ''].join('\n');

async function undoLast(bench: Bench): Promise<Ended> {
  const [run] = bench.runs();
  return await bench.run(['runs', 'undo', run?.id ?? '', '--yes', '--json']);
}

const listed = (bench: Bench): unknown[] =>
  bench
    .kept()
    .map(({ barcode, persona, parentBarcode, fields }) => ({ barcode, persona, parentBarcode, fields }));

/** The service empties what an update sends back, and says nothing of it. */
function emptyOthers(bench: Bench): void {
  bench.service.fault = async ({ method, body }) => {
    if (method !== 'POST') return undefined;
    const sent = JSON.parse(body) as ByHand;
    await registerByHand(bench, { ...sent, fields: { ...sent.fields, phone: '', company: '' } });
    return { answer: { status: 200, body: '', headers: {} } };
  };
}

async function registered(switches: Parameters<typeof pushBench>[0] = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  await registerByHand(bench, { barcode: 'A', fields: FULL });
  await registerByHand(bench, { barcode: 'B', fields: FULL, parent_barcode: 'A' });
  return bench;
}

describe('an undo', () => {
  test.each([
    ['as it was read back', []],
    ['also where nothing was read back', ['--no-audit']],
  ])('brings back what its push has emptied, which nobody has edited (%s)', async (_, flags) => {
    const bench = await registered();
    await bench.push([bench.write('a.csv', names('visitor,A,Eva', 'visitor,B,Eva')), '--yes']);
    const before = listed(bench);
    emptyOthers(bench);
    const pushed = await bench.push([
      bench.write('b.csv', names('visitor,A,Bea', 'visitor,B,Bea')),
      ...flags,
    ]);
    expect(pushed.code).toBe(EXIT.rejected);
    expect(pushed.err).toContain('(barcode A) different: not sent, and not as before: phone, company');
    bench.service.fault = () => undefined;
    const ended = await undoLast(bench);
    expect([ended.code, listed(bench)]).toEqual([EXIT.done, before]);
  });

  test.each(['merge', 'replace'] as const)(
    'leaves and names what somebody edited before its push had read it back (updates %s)',
    async (fieldsOnUpdate) => {
      const bench = await registered({ fieldsOnUpdate });
      bench.service.fault = async ({ method, body }) => {
        if (method !== 'POST' || !body.includes('"barcode":"B"')) return undefined;
        const sent = JSON.parse(body) as ByHand;
        await registerByHand(bench, sent);
        await registerByHand(bench, { ...sent, fields: { ...FULL, ...sent.fields, company: 'Hand' } });
        return { answer: { status: 200, body: '', headers: {} } };
      };
      const pushed = await bench.push([
        bench.write('a.csv', names('visitor,A,Eva', 'visitor,B,Eva')),
        '--yes',
      ]);
      expect(pushed.code).toBe(EXIT.rejected);
      bench.service.fault = () => undefined;
      const ended = await undoLast(bench);
      expect([ended.code, listIn(ended.out)]).toMatchObject([
        EXIT.rejected,
        [
          { result: 'restored', barcode: 'A' },
          { result: 'kept', barcode: 'B', why: 'edited in the service since: company' },
        ],
      ]);
      expect(bench.kept().map(({ fields }) => [fields['first_name'], fields['company']])).toEqual([
        ['Ann', 'Acme'],
        ['Eva', 'Hand'],
      ]);
    },
  );

  test('waits for a list that is late before it says what it came to', async () => {
    const bench = await registered({ readLagMs: 4000 });
    await bench.clock.advance(5000);
    await bench.push([bench.write('a.csv', names('visitor,A,Eva', 'visitor,B,Eva')), '--yes']);
    const ended = await undoLast(bench);
    expect([ended.code, ended.err]).toEqual([EXIT.done, expect.not.stringContaining('different')]);
    expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Ann', 'Ann']);
  });

  test('takes a change of persona back without the fields of the other one', async () => {
    const bench = await registered();
    const text = 'persona,barcode,First name,Stand number\nexhibitor,A,Ann,7\n';
    await bench.push([bench.write('a.csv', text), '--yes']);
    expect(bench.kept()[0]).toMatchObject({ persona: 'exhibitor', fields: { stand_number: '7' } });
    const ended = await undoLast(bench);
    // What the service keeps of the other persona cannot be taken back, and is told.
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.err).toContain('not sent, and not as before: stand_number');
    const sent = JSON.parse(bench.posts().at(-1)?.body ?? '') as { persona: string; fields: object };
    expect(sent.persona).toBe('visitor');
    expect(Object.keys(sent.fields)).not.toContain('stand_number');
    expect(bench.kept()[0]).toMatchObject({ persona: 'visitor', fields: FULL });
  });

  test('is forgotten by no base: the next push of the file sends it again', async () => {
    const bench = await registered();
    await bench.push([bench.write('a.csv', names('visitor,A,Bea')), '--yes']);
    expect(await undoLast(bench)).toMatchObject({
      code: EXIT.done,
      err: expect.stringContaining(
        'Pushing a.csv again brings back whom it still has: change the list first.',
      ),
    });
    expect(bench.kept()[0]?.fields['first_name']).toBe('Ann');
    const text = names('visitor,A,Bea', 'visitor,B,Ann');
    const again = await bench.push([bench.write('b.csv', text)]);
    expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 1, values_kept: 0 } });
    expect(bench.kept()[0]?.fields['first_name']).toBe('Bea');
  });

  test('says what it left: messages that the push has taken back', async () => {
    const bench = await pushBench({ commsOnUpdate: 'replace' });
    await registerByHand(bench, { barcode: 'A', fields: FULL, enable_comms: true });
    await bench.push([bench.write('a.csv', names('visitor,A,Bea')), '--yes']);
    const ended = await undoLast(bench);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.err).toContain('  enable_comms: was "true" before, is "false" now\n');
    expect(
      bench
        .posts()
        .slice(1)
        .some(({ body }) => body?.includes('enable_comms') === true),
    ).toBe(false);
  });

  test('sends what it had sent of a field that no list shows, and says so', async () => {
    const bench = await pushBench({ recordShape: 'no-phone' });
    const rows = (first: string, phone: string): string =>
      `persona,barcode,First name,Phone\nvisitor,A,${first},${phone}\nvisitor,B,Ben,${phone}\n`;
    await bench.push([bench.write('a.csv', rows('Ann', '+34600111222'))]);
    const before = listed(bench);
    await bench.push([bench.write('b.csv', rows('Bea', '+34600333444')), '--yes']);
    const ended = await undoLast(bench);
    expect([ended.code, listed(bench)]).toEqual([EXIT.done, before]);
    expect(ended.err).toContain('not shown by the service, sent as before: phone (2 rows)');
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect([(await undoLast(bench)).code, listed(bench)]).toEqual([EXIT.done, before]);
  });

  test('names messages that it cannot see to be asked for no more', async () => {
    const bench = await registered({ recordComms: 'hidden' });
    const rows = 'persona,barcode,First name,enable_comms\nvisitor,A,Bea,yes\nvisitor,B,Ben,\n';
    await bench.push([bench.write('a.csv', rows), '--yes']);
    const ended = await undoLast(bench);
    const why =
      'whether enable_comms is as it was before cannot be told: the service does not list what was sent';
    expect([ended.code, listIn(ended.out)]).toMatchObject([
      EXIT.rejected,
      [
        { result: 'restored', barcode: 'A', why },
        { result: 'restored', barcode: 'B', why: '' },
      ],
    ]);
  });

  test('warns of groups that it may take members out of, where none are shown', async () => {
    const bench = await registered({ recordParent: 'hidden' });
    await bench.push([bench.write('a.csv', names('visitor,B,Bea')), '--yes']);
    const ended = await undoLast(bench);
    expect(ended.err).toContain(
      'an update may take members out of groups that this machine does not know of',
    );
  });

  test('says what the service has not taken back', async () => {
    const bench = await registered();
    await bench.push([bench.write('a.csv', 'persona,barcode,Company\nvisitor,A,Other\n'), '--yes']);
    bench.service.fault = async ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const sent = JSON.parse(body) as { barcode: string; fields: Record<string, unknown> };
      await registerByHand(bench, { barcode: sent.barcode, fields: { ...sent.fields, company: 'Ac' } });
      return { answer: { status: 200, body: '', headers: {} } };
    };
    const ended = await undoLast(bench);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.err).toContain('a.csv:2 (barcode A) different: stored otherwise than sent: company');
  });
});

describe('an undo of what the service does not keep as it was', () => {
  test('goes by barcodes where ids are new with each update', async () => {
    const bench = await registered();
    let renewed = bench.posts().length;
    bench.service.fault = () => {
      for (; renewed < bench.posts().length; renewed += 1)
        giveId(bench, bench.postedBarcodes()[renewed] ?? '', `id-${renewed}`);
      return undefined;
    };
    await bench.push([bench.write('a.csv', names('visitor,A,Bea', 'visitor,B,Bea')), '--yes']);
    await undoLast(bench);
    expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Ann', 'Ann']);
  });

  test('knows under the id of a later update whom a list without barcodes has sent', async () => {
    const bench = await pushBench();
    const list = (company: string): string =>
      bench.write('a.csv', `persona,First name,E-mail,Company\nvisitor,Ada,ada@example.com,${company}\n`);
    await bench.push([list('One')]);
    const [first] = bench.runs();
    await bench.push([list('Two'), '--yes', '--no-audit']);
    bench.journal((journal) => journal.run("UPDATE operation SET remote_id = 'id-2' WHERE plan = 'update'"));
    giveId(bench, bench.kept()[0]?.barcode ?? '', 'id-2');
    const ended = await bench.run(['runs', 'undo', first?.id ?? '', '--yes', '--json']);
    expect(ended.out).toContain(`was sent again by run ${bench.runs()[0]?.id} since`);
    expect(ended.code).toBe(EXIT.rejected);
  });

  test('brings back all but a value that the service refuses, which is named', async () => {
    const bench = await registered();
    const text = 'persona,barcode,First name,Phone\nvisitor,A,Bea,+34600111222\nvisitor,B,Bea,\n';
    await bench.push([bench.write('a.csv', text), '--yes']);
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('+4930123456') && body.includes('"barcode":"A"')
        ? { answer: { status: 422, body: '{"message":"phone is not a number."}' } }
        : undefined;
    const ended = await undoLast(bench);
    const [a, b] = listIn<{ why: string }>(ended.out);
    expect([ended.code, a, b]).toMatchObject([
      EXIT.rejected,
      { result: 'restored', barcode: 'A' },
      { result: 'restored', barcode: 'B', why: '' },
    ]);
    expect(a?.why).toContain('what phone held is refused by the service');
    expect(bench.kept().map(({ fields }) => [fields['first_name'], fields['phone']])).toEqual([
      ['Ann', '+34600111222'],
      ['Ann', '+4930123456'],
    ]);
  });
});

test('What was edited before the push that is undone is not taken for what a file said: the next push keeps it', async () => {
  const bench = await pushBench();
  const file = (phone: string): string =>
    bench.write('m.csv', `persona,barcode,First name,Company,Phone\nvisitor,A,Ann,Acme,${phone}\n`);
  await bench.push([file('+4930123456')]);
  const [there] = bench.kept();
  if (there === undefined) throw new Error('nobody is there');
  bench.sandbox.put({ ...there, fields: { ...there.fields, company: 'Edited by the desk' } });
  expect((await bench.push([file('+4930999999')])).summary).toMatchObject({ sent: 1, values_kept: 1 });
  expect((await undoLast(bench)).code).toBe(EXIT.done);
  expect(bench.kept()[0]?.fields).toMatchObject({ company: 'Edited by the desk', phone: '+4930123456' });
  const again = await bench.push(['m.csv']);
  expect(again).toMatchObject({ code: EXIT.done, summary: { sent: 1, values_kept: 1 } });
  expect(bench.kept()[0]?.fields).toMatchObject({ company: 'Edited by the desk', phone: '+4930999999' });
});

describe('an undo at a service that shifts the dates it is sent', () => {
  const GUESTS = ['A', 'B', 'C'];
  const list = (bench: Bench, phone: string): string =>
    bench.write(
      'a.csv',
      [
        'persona,barcode,First name,Last name,E-mail,Mobile phone,Date of birth',
        ...GUESTS.map((one) => `visitor,${one},Ann,Lane,${one}@example.com,${phone},1990-05-10`),
        '',
      ].join('\n'),
    );
  const held = (bench: Bench): unknown[] =>
    bench.kept().map(({ fields: { phone, birth_date } }) => [phone, birth_date]);

  /** Three guests whose dates came back a day early, and somebody who has taken that. */
  async function shifted(): Promise<Bench> {
    const bench = await pushBench({ storedAs: 'day-early' });
    await bench.push([list(bench, '+4930123456')]);
    await bench.push([list(bench, '+4930123456'), '--keep']);
    return bench;
  }

  test('leaves dates that its push has not changed as they are listed', async () => {
    const bench = await shifted();
    const before = held(bench);
    await bench.push([list(bench, '+4930123457'), '--keep']);
    expect(held(bench)).not.toEqual(before);
    expect((await undoLast(bench)).code).toBe(EXIT.done);
    expect(held(bench)).toEqual(before);
  });

  test('stops after the first that it registers again, and names the field', async () => {
    const bench = await shifted();
    await bench.run(['delete', '--persona', 'visitor', '--yes']);
    const ended = await undoLast(bench);
    expect([ended.code, held(bench)]).toEqual([EXIT.rejected, [['+4930123456', '1990-05-08']]]);
    const why =
      'not sent yet: registration A went first, and came back otherwise than it was sent: birth_date';
    expect(listIn(ended.out)).toMatchObject([{ result: 'restored' }, { why }, { why }]);
  });
});

test('what an undo has brought back is sent again as its file says it, also when the runs are forgotten', async () => {
  const bench = await pushBench();
  const list = (email: string): string =>
    bench.write('a.csv', `persona,barcode,First name,E-mail\nvisitor,A,Ada,${email}\n`);
  await bench.push([list('ada@example.com')]);
  await bench.push([list('lee@example.com')]);
  await bench.run(['runs', 'undo', bench.runs()[0]?.id ?? '', '--yes']);
  await bench.clock.advance(36 * 24 * 60 * 60_000);
  const ended = await bench.push([list('lee@example.com')]);
  expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 1 } });
  expect(bench.kept()[0]?.fields['email']).toBe('lee@example.com');
});
