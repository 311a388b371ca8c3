import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench } from './push-bench.ts';
import { deleteByHand, registerByHand } from './service-hands.ts';

/*
 * What people need and the program does not do yet, each as a test that fails: once it holds, vitest says so, and the
 * test loses its `fails`.
 */

const DAY_MS = 86_400_000;

const firstNames = (bench: Bench): unknown[] => bench.kept().map(({ fields }) => fields['first_name']);

describe('who a registration is', () => {
  const list = (phone: string): string =>
    `persona,barcode,First name,Last name,E-mail,Mobile phone\nvisitor,T1,Ana,Diaz,ana@example.com,${phone}\n`;
  const ben = { first_name: 'Ben', last_name: 'Klein', email: 'ben@example.com' };

  test.fails('values of the guest before do not go onto a substitute', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', list('+34600123456'))]);
    await registerByHand(bench, { barcode: 'T1', fields: ben });
    const ended = await bench.push([bench.write('a.csv', list('+34600999999'))]);
    expect(bench.kept()[0]?.fields).toMatchObject(ben);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.summary.conflict).toBe(1);
  });

  test('nor onto a walk-in who was given the barcode, with another id', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', list('+34600123456'))]);
    await deleteByHand(bench, 'T1');
    await registerByHand(bench, { barcode: 'T1', fields: ben });
    const ended = await bench.push([bench.write('a.csv', list('+34600999999'))]);
    expect(bench.kept()[0]?.fields).toMatchObject(ben);
    expect(ended.code).toBe(EXIT.rejected);
  });

  test.fails('a substitute is told once where the list has not changed', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', list('+34600123456'));
    await bench.push([file]);
    await registerByHand(bench, { barcode: 'T1', fields: ben });
    const ended = await bench.push([file]);
    expect(bench.kept()[0]?.fields).toMatchObject(ben);
    expect(ended.summary.conflict).toBe(1);
    expect((await bench.push([file])).summary.conflict).toBe(0);
  });

  test.fails('barcodes without their zeros make nobody twice', async () => {
    const bench = await pushBench();
    const guests = ['Ana', 'Bob', 'Cy', 'Dee', 'Eva', 'Flo'];
    const csv = (code: (index: number) => string): string =>
      [
        'persona,barcode,First name,Last name',
        ...guests.map((name, at) => `visitor,${code(at)},${name},Poole`),
        '',
      ].join('\n');
    await bench.push([
      bench.write(
        'a.csv',
        csv((at) => `000${at + 1}`),
      ),
    ]);
    const ended = await bench.push([
      bench.write(
        'a.csv',
        csv((at) => `${at + 1}`),
      ),
      '--yes',
    ]);
    expect(firstNames(bench)).toEqual(guests);
    expect(ended.code).not.toBe(EXIT.done);
  });

  test.fails('nor do new barcodes for the same names', async () => {
    const bench = await pushBench();
    const guests = ['Ana', 'Bob', 'Cy', 'Dee', 'Eva', 'Flo'];
    const csv = (series: string): string =>
      [
        'persona,barcode,First name,Last name',
        ...guests.map((name, at) => `visitor,${series}-${at + 1},${name},Poole`),
        '',
      ].join('\n');
    await bench.push([bench.write('a.csv', csv('OLD'))]);
    await bench.push([bench.write('a.csv', csv('NEW')), '--yes']);
    expect(firstNames(bench)).toEqual(guests);
  });

  const plain = (rows: readonly string[], head = ''): string =>
    [`persona,First name,Last name,E-mail${head}`, ...rows, ''].join('\n');
  const three = [
    'visitor,Ana,Diaz,ana@example.com',
    'visitor,Bob,Lane,bob@example.com',
    'visitor,Cy,Reed,cy@example.com',
  ];
  async function cancelBob(bench: Bench): Promise<void> {
    const bob = bench.sandbox.registrations().find(({ fields }) => fields['first_name'] === 'Bob');
    bench.sandbox.remove(bob?.id ?? '');
  }

  test.fails('who was cancelled is not registered again because the row has a column more', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', plain(three))]);
    await cancelBob(bench);
    const ended = await bench.push([
      bench.write(
        'a.csv',
        plain(
          three.map((row) => `${row},Acme`),
          ',Company',
        ),
      ),
    ]);
    expect(bench.sandbox.registrations()).toHaveLength(2);
    expect(ended.summary.conflict).toBe(1);
  });

  test.fails('nor because the run that knew of it is forgotten', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', plain(three));
    await bench.push([file]);
    await cancelBob(bench);
    await bench.clock.advance(40 * DAY_MS);
    const ended = await bench.push([file]);
    expect(bench.sandbox.registrations()).toHaveLength(2);
    expect(ended.summary.conflict).toBe(1);
  });
});

describe('when something was seen', () => {
  const csv = (company: string): string =>
    [
      'persona,barcode,First name,Last name,E-mail,Company',
      ...['A', 'B', 'C'].map((one) => `visitor,${one},${one}na,Example,${one}@example.com,${company}`),
      '',
    ].join('\n');

  test('an edit between the reading of the list and the update stays', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', csv('Acme'))]);
    await bench.clock.advance(DAY_MS);
    let isFirst = true;
    bench.service.fault = ({ method }) => {
      if (method === 'POST' && isFirst) {
        isFirst = false;
        const last = bench.kept()[2];
        if (last !== undefined)
          bench.sandbox.put({ ...last, fields: { ...last.fields, company: 'Staff Ltd' } });
      }
      return undefined;
    };
    const ended = await bench.push([bench.write('a.csv', csv('Other'))]);
    expect(bench.kept()[2]?.fields['company']).toBe('Staff Ltd');
    expect(ended.code).toBe(EXIT.rejected);
  });

  test.fails('a list that shows an update late does not make the next list wrong', async () => {
    const bench = await pushBench({ readLagMs: 4000 });
    await bench.push([bench.write('a.csv', csv('Acme'))]);
    await bench.clock.advance(60_000);
    await bench.push([bench.write('a.csv', csv('Wrong')), '--no-audit']);
    const ended = await bench.push([bench.write('a.csv', csv('Acme'))]);
    await bench.clock.advance(60_000);
    expect(bench.kept().map(({ fields }) => fields['company'])).toEqual(['Acme', 'Acme', 'Acme']);
    expect(ended.summary.unchanged).toBe(0);
  });
});

describe('what was proven', () => {
  test('a first update takes nothing from its guest, also when everything is lost right after it', async () => {
    const bench = await pushBench({ fieldsOnUpdate: 'replace' });
    const whole =
      'persona,barcode,First name,Last name,E-mail,Mobile phone\nvisitor,A,Ana,Diaz,ana@example.com,+34600123456\nvisitor,B,Bob,Lane,bob@example.com,+34600123457\n';
    await bench.push([bench.write('a.csv', whole)]);
    let posts = 0;
    bench.service.fault = ({ method }) => {
      if (method === 'POST') posts += 1;
      return posts > 1 ? { answer: { status: 401 } } : undefined;
    };
    await bench.push([
      bench.write('b.csv', 'persona,barcode,Mobile phone\nvisitor,A,+34600999999\nvisitor,B,+34600999998\n'),
      '--yes',
    ]);
    expect(bench.kept().every(({ fields }) => fields['email'] !== undefined)).toBe(true);
  });

  test.fails('a push that a guard refuses leaves no run', async () => {
    const bench = await pushBench();
    const many = Array.from({ length: 9 }, (_, at) => `visitor,P${at},Ana,Diaz${at},p${at}@example.com`);
    const head = 'persona,barcode,First name,Last name,E-mail';
    await bench.push([bench.write('a.csv', [head, ...many, ''].join('\n'))]);
    const before = bench.runs().length;
    const ended = await bench.push([
      bench.write('b.csv', [head, 'visitor,N1,Zoe,Klein,zoe@example.com', ''].join('\n')),
      '--prune',
      '--max-delete',
      '3',
      '--yes',
    ]);
    expect(ended.code).toBe(EXIT.guarded);
    expect(bench.runs()).toHaveLength(before);
  });
});
