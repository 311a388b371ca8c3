import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { call, fill, list, post, start } from './support.ts';

const fieldsOf = (sandbox: Sandbox) => sandbox.registrations().map((registration) => registration.fields);
const parentsOf = (sandbox: Sandbox) => sandbox.registrations().map(({ parentBarcode }) => parentBarcode);
const barcodesOf = (sandbox: Sandbox) => sandbox.registrations().map(({ barcode }) => barcode);

describe('what an update leaves out', () => {
  const whole = { first_name: 'Ada', last_name: 'Byron', phone: '+31 20 12345', company: 'Quay Ltd' };
  const short = { first_name: 'Bea', last_name: 'Byron', company: 'Quay Ltd' };

  test.each([
    ['merge', { ...whole, first_name: 'Bea' }, { ...whole, first_name: 'Bea' }],
    ['replace', { first_name: 'Bea' }, { first_name: 'Bea' }],
    ['by-persona', { ...whole, first_name: 'Bea' }, { first_name: 'Bea' }],
    ['by-field', { first_name: 'Bea', last_name: 'Byron' }, { first_name: 'Bea', last_name: 'Byron' }],
  ] as const)('fieldsOnUpdate %s', async (fieldsOnUpdate, visitor, exhibitor) => {
    const sandbox = await start({ fieldsOnUpdate });
    await post(sandbox, { barcode: 'V', fields: whole });
    await post(sandbox, { barcode: 'E', persona: 'exhibitor', fields: whole });
    await post(sandbox, { barcode: 'V', fields: { first_name: 'Bea' } });
    await post(sandbox, { barcode: 'E', persona: 'exhibitor', fields: { first_name: 'Bea' } });
    expect(fieldsOf(sandbox)).toEqual([visitor, exhibitor]);
  });

  test('by-field keeps what is named', async () => {
    const sandbox = await start({ fieldsOnUpdate: 'by-field' });
    await post(sandbox, { barcode: 'V', fields: whole });
    await post(sandbox, { barcode: 'V', fields: short });
    expect(fieldsOf(sandbox)).toEqual([short]);
  });

  test.each([
    ['parentOnUpdate=merge', { parentOnUpdate: 'merge', fieldsOnUpdate: 'replace' }, 'P'],
    ['parentOnUpdate=replace', { parentOnUpdate: 'replace', fieldsOnUpdate: 'merge' }, undefined],
  ] as const)('%s goes for the parent alone', async (_name, switches, parent) => {
    const sandbox = await start(switches);
    await post(sandbox, { barcode: 'P' });
    await post(sandbox, { barcode: 'B', parent_barcode: 'P', fields: short, enable_comms: true });
    await post(sandbox, { barcode: 'B', fields: { first_name: 'Cy' } });
    const [, member] = sandbox.registrations();
    expect([member?.parentBarcode, member?.enableComms]).toEqual([parent, true]);
    expect(Object.keys(member?.fields ?? {})).toHaveLength(switches.fieldsOnUpdate === 'merge' ? 3 : 1);
  });

  test.each([
    ['merge', true],
    ['replace', false],
  ] as const)('commsOnUpdate %s goes for enable_comms alone', async (commsOnUpdate, comms) => {
    const sandbox = await start({ commsOnUpdate });
    await post(sandbox, { barcode: 'P' });
    await post(sandbox, { barcode: 'B', parent_barcode: 'P', enable_comms: true, fields: short });
    await post(sandbox, { barcode: 'B', fields: { first_name: 'Cy' } });
    expect(sandbox.registrations()[1]).toMatchObject({
      enableComms: comms,
      parentBarcode: 'P',
      fields: { last_name: 'Byron' },
    });
  });
});

describe('emptyParent', () => {
  test.each([
    ['refused', 422, 'P'],
    ['cleared', 200, undefined],
    ['ignored', 200, 'P'],
  ] as const)('%s', async (emptyParent, status, parent) => {
    for (const empty of ['', null]) {
      const sandbox = await start({ emptyParent, parentOnUpdate: 'merge' });
      await post(sandbox, { barcode: 'P' });
      await post(sandbox, { barcode: 'B', parent_barcode: 'P' });
      expect((await post(sandbox, { barcode: 'B', parent_barcode: empty })).status).toBe(status);
      expect(parentsOf(sandbox)).toEqual([undefined, parent]);
    }
  });

  test('ignored is as if it had not been sent, cleared goes for new ones, too', async () => {
    const ignoring = await start({ emptyParent: 'ignored', parentOnUpdate: 'replace' });
    await post(ignoring, { barcode: 'P' });
    await post(ignoring, { barcode: 'B', parent_barcode: 'P' });
    await post(ignoring, { barcode: 'B', parent_barcode: '' });
    expect(parentsOf(ignoring)).toEqual([undefined, undefined]);
    const clearing = await start({ emptyParent: 'cleared' });
    await post(clearing, { barcode: 'N', parent_barcode: '' });
    expect(parentsOf(clearing)).toEqual([undefined]);
  });
});

describe('recognise', () => {
  const mail = (email: string) => ({ first_name: 'Ada', email });
  /** What is there after the second create: how many, and the barcode of the first. */
  test.each([
    ['barcode', { barcode: 'B1' }, 1],
    ['barcode', { barcode: 'b1' }, 2],
    ['barcode', { barcode: 'B2', fields: mail('a@example.com') }, 2],
    ['barcode-any-case', { barcode: 'b1' }, 1],
    ['barcode-any-case', { barcode: 'B2', fields: mail('a@example.com') }, 2],
    ['email', { barcode: 'B1', fields: mail('b@example.com') }, 2],
    ['email', { barcode: 'B2', fields: mail('A@Example.com') }, 1],
    ['email', { fields: mail('a@example.com') }, 1],
    ['email', { fields: { first_name: 'Ada' } }, 2],
    ['email', { persona: 'speaker', fields: mail('a@example.com') }, 1],
    ['email-in-persona', { fields: mail('a@example.com') }, 1],
    ['email-in-persona', { persona: 'speaker', fields: mail('a@example.com') }, 2],
    ['barcode-or-email', { barcode: 'B1', fields: mail('b@example.com') }, 1],
    ['barcode-or-email', { barcode: 'B2', fields: mail('a@example.com') }, 1],
    ['barcode-or-email', { barcode: 'b1', fields: mail('b@example.com') }, 2],
  ] as const)('%s and %j', async (recognise, second, count) => {
    const sandbox = await start({ recognise });
    await post(sandbox, { barcode: 'B1', fields: mail('a@example.com') });
    const reply = await post(sandbox, second);
    expect([reply.status, sandbox.counts().registrations]).toEqual([count === 1 ? 200 : 201, count]);
  });

  test('known by its barcode it keeps the spelling, known by its e-mail it gets the barcode sent', async () => {
    const anyCase = await start({ recognise: 'barcode-any-case' });
    await post(anyCase, { barcode: 'B1' });
    await post(anyCase, { barcode: 'b1' });
    expect(barcodesOf(anyCase)).toEqual(['B1']);
    const byEmail = await start({ recognise: 'email' });
    await post(byEmail, { barcode: 'B1', fields: mail('a@example.com') });
    await post(byEmail, { barcode: 'B2', fields: mail('a@example.com') });
    expect(barcodesOf(byEmail)).toEqual(['B2']);
  });

  test('a barcode that another has is refused', async () => {
    const sandbox = await start({ recognise: 'email' });
    await post(sandbox, { barcode: 'B1', fields: mail('a@example.com') });
    await post(sandbox, { barcode: 'B2', fields: mail('b@example.com') });
    expect((await post(sandbox, { barcode: 'B1', fields: mail('b@example.com') })).status).toBe(409);
    expect(barcodesOf(sandbox)).toEqual(['B1', 'B2']);
  });

  test('upsert says what becomes of it, however it is known', async () => {
    for (const [upsert, count] of [
      ['refuse', 1],
      ['double', 2],
    ] as const) {
      const sandbox = await start({ recognise: 'email', upsert });
      await post(sandbox, { fields: mail('a@example.com') });
      await post(sandbox, { fields: mail('a@example.com') });
      expect(sandbox.counts().registrations).toBe(count);
    }
  });
});

test.each([
  ['kept', true],
  ['reissued', false],
] as const)('ownBarcodes: %s', async (ownBarcodes, same) => {
  const sandbox = await start({ ownBarcodes });
  await post(sandbox);
  await post(sandbox, { barcode: 'B1' });
  const [own = ''] = barcodesOf(sandbox);
  await post(sandbox, { barcode: own, fields: { first_name: 'Bea' } });
  await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
  const after = sandbox.registrations();
  expect([after[0]?.barcode === own, after[1]?.barcode, after[0]?.fields]).toEqual([
    same,
    'B1',
    { first_name: 'Bea' },
  ]);
  expect(after[0]?.barcodeGenerated).toBe(true);
});

describe('parentDelete', () => {
  test.each([
    ['kept', 200, ['C', 'M', 'O'], ['M', 'P', undefined]],
    ['orphaned', 200, ['C', 'M', 'O'], ['M', undefined, undefined]],
    ['cascade', 200, ['O'], [undefined]],
    ['refused', 409, ['C', 'M', 'O', 'P'], ['M', 'P', undefined, undefined]],
  ] as const)('%s', async (parentDelete, status, left, parents) => {
    const sandbox = await start({ parentDelete });
    await post(sandbox, { barcode: 'P' });
    await post(sandbox, { barcode: 'M', parent_barcode: 'P' });
    await post(sandbox, { barcode: 'C', parent_barcode: 'M' });
    await post(sandbox, { barcode: 'O' });
    const reply = await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`);
    const after = sandbox.registrations().sort((one, other) => (one.barcode < other.barcode ? -1 : 1));
    expect(reply.status).toBe(status);
    expect(after.map(({ barcode }) => barcode)).toEqual(left);
    expect(after.map(({ parentBarcode }) => parentBarcode)).toEqual(parents);
  });

  test('cascade ends where parents run in a circle', async () => {
    const sandbox = await start({ parentDelete: 'cascade' });
    await fill(sandbox, 1);
    await post(sandbox, { barcode: 'B2', parent_barcode: 'B1' });
    await post(sandbox, { barcode: 'B1', parent_barcode: 'B2' });
    expect(
      (await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`)).status,
    ).toBe(200);
    expect(sandbox.counts().registrations).toBe(0);
  });

  test('lists show the members where they were, for as long as they lag', async () => {
    let nowMs = 1_000_000;
    const sandbox = await start({ parentDelete: 'cascade', readLagMs: 1000 }, { now: () => nowMs });
    await post(sandbox, { barcode: 'P' });
    await post(sandbox, { barcode: 'M', parent_barcode: 'P' });
    nowMs += 5000;
    await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`);
    const total = async () => ((await list(sandbox)).json as { meta: { total: number } }).meta.total;
    expect(await total()).toBe(2);
    nowMs += 1000;
    expect(await total()).toBe(0);
  });
});
