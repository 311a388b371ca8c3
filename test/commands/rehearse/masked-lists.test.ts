import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import { readDocument } from '../../support/documents.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import type { Bench } from '../../sync/push-bench.ts';
import { guest, listOf, liveEvent } from './rehearsal.ts';

const GUESTS = 8;
const FLAGS = ['--yes', '--overwrite', '--no-check-dns', '--progress', 'none'];

/** A live event with a clone, and a list of its guests, in which one is new, masked for it. */
async function rehearsal(...flags: string[]): Promise<Bench> {
  const live = await liveEvent({}, GUESTS);
  await live.run(['sandbox', 'clone', '--as', 'fair', ...flags]);
  live.write('guests.csv', listOf(Array.from({ length: GUESTS + 1 }, (_, n) => guest(n))));
  await live.run(['sandbox', 'mask', 'guests.csv', '--sandbox=fair']);
  return live;
}

const cloneOf = (live: Bench, name = 'fair'): string =>
  join(live.directory, 'state', 'clones', name, 'sandbox.sqlite');

async function heldBy(file: string): Promise<SandboxRegistration[]> {
  const sandbox = await startSandbox({ file });
  const people = sandbox.registrations();
  await sandbox.close();
  return people;
}

const push = async (live: Bench, ...words: string[]): ReturnType<Bench['run']> =>
  await live.run(['push', ...words, ...FLAGS]);

/** Refused by the guard, and nobody at the live service is as before only because nothing was different. */
async function expectStopped(live: Bench, pushing: () => ReturnType<Bench['run']>): Promise<string> {
  const before = live.sandbox.registrations();
  const posts = live.posts().length;
  const { code, err } = await pushing();
  expect([code, live.posts().length, live.sandbox.registrations()]).toEqual([7, posts, before]);
  expect(err).toContain('masked values');
  return err;
}

describe('a masked list is kept from the live service', () => {
  test('whether it is pushed, planned or shown', async () => {
    const live = await rehearsal();
    const err = await expectStopped(live, () => push(live, 'guests.masked.csv'));
    expect(err).toContain('9 of 9 rows hold masked values');
    expect(err).toContain('push it with --sandbox=fair');
    await expectStopped(live, () => push(live, 'guests.masked.csv', '--dry-run', '--plan-out', 'plan.json'));
    const told = await live.run(['push', 'guests.masked.csv', ...FLAGS, '--json']);
    expect(readDocument(told.out)).toMatchObject({
      exit: 7,
      stopped_by: 'masked',
      error: { code: 'masked' },
    });
    expect((await push(live, 'guests.masked.csv', '--sandbox=fair')).code).toBe(0);
    expect(await push(live, 'guests.masked.csv', '--set', 'accept=masked')).toMatchObject({ code: 0 });
    expect(JSON.stringify(live.sandbox.registrations())).toContain('.example');
  });

  test('on any machine, in a workbook, with one row of it among others', async () => {
    const live = await rehearsal();
    await live.run(['sandbox', 'mask', 'guests.csv', '--to', 'masked.xlsx']);
    const elsewhere = temporaryDirectory();
    const paths = { state: join(elsewhere, 'state'), config: join(elsewhere, 'config') };
    const err = await expectStopped(live, () => live.run(['push', 'masked.xlsx', ...FLAGS], { paths }));
    expect(err).toContain('a clone that is not on this machine any more');
    live.write('one.csv', listOf([guest(2)]));
    await live.run(['sandbox', 'mask', 'one.csv']);
    await expectStopped(live, () => live.run(['push', 'guests.csv', 'one.masked.csv', ...FLAGS], { paths }));
  });

  test('on this machine without its e-mail addresses too, and when the clone is gone', async () => {
    const live = await rehearsal();
    await live.run(['sandbox', 'mask', 'guests.csv', '--to', 'masked.ndjson']);
    const rows = (await live.run(['list', '--sandbox=fair', '--json'])).out;
    expect(rows).toContain('.masked-');
    await live.run(['sandbox', 'reset', 'fair', '--yes']);
    const kept = readFileSync(join(live.directory, 'masked.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
      .map((row) => [row['Persona'], row['Barcode'], Number(row['Mobile phone']?.slice(1)), ''].join(','));
    live.write('some.csv', ['Persona,Barcode,Mobile phone,Remarks', ...kept, ''].join('\n'));
    await expectStopped(live, () => push(live, 'some.csv', '--set', 'phone-country=ES'));
  });

  test('and from a clone with another key, or with none', async () => {
    const live = await rehearsal();
    await live.run(['sandbox', 'reset', 'fair', '--yes']);
    await live.run(['sandbox', 'clone', '--as', 'fair']);
    await live.run(['sandbox', 'clone', '--as', 'plain', '--registrations', 'as-they-are', '--yes']);
    for (const name of ['fair', 'plain']) {
      const before = await heldBy(cloneOf(live, name));
      await expectStopped(live, () => push(live, 'guests.masked.csv', `--sandbox=${name}`));
      expect(await heldBy(cloneOf(live, name))).toEqual(before);
    }
    expect((await push(live, 'guests.csv', '--sandbox=plain')).code).toBe(0);
    expect((await push(live, 'guests.csv')).code).toBe(0);
  });
});

describe('a list that is not masked', () => {
  test('is kept from the people of a masked clone', async () => {
    const live = await rehearsal();
    const before = await heldBy(cloneOf(live));
    const pushed = await push(live, 'guests.csv', '--sandbox=fair');
    expect([pushed.code, pushed.err]).toEqual([
      7,
      expect.stringContaining('rows that would change people of the masked clone fair are not masked'),
    ]);
    expect(pushed.err).toContain('eventreg sandbox mask guests.csv --sandbox=fair');
    expect(pushed.err).toMatch(
      /stopped: would change somebody of the masked clone\n {2}\w+: ".*" in the file, ".*" in the/,
    );
    expect((await push(live, 'guests.csv', '--sandbox=fair', '--dry-run')).code).toBe(7);
    expect(await heldBy(cloneOf(live))).toEqual(before);
    expect((await push(live, 'guests.csv', '--sandbox=fair', '--set', 'accept=masked')).code).toBe(0);
  });

  test('may have new guests, beside masked ones too', async () => {
    const live = await rehearsal();
    live.write('new.csv', listOf([guest(70), guest(71)]));
    expect((await push(live, 'new.csv', '--sandbox=fair')).code).toBe(0);
    expect((await push(live, 'guests.masked.csv', 'new.csv', '--sandbox=fair')).code).toBe(0);
    expect(await heldBy(cloneOf(live))).toHaveLength(live.kept().length + 3);
    // A clone that is served tells whose list it takes.
    const served = await startSandbox({ file: cloneOf(live) });
    const env = { ...live.env, EVENTREG_BASE_URL: served.baseUrl, EVENTREG_TOKEN: served.token };
    const again = await live.run(['push', 'guests.masked.csv', ...FLAGS], { env });
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('9 unchanged')]);
    await served.close();
  });
});
