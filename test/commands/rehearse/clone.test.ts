import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDraft } from '../../../src/commands/connect/clone-files.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import { RunLocks } from '../../../src/sqlite/run-locks.ts';
import { type Bench, pushBench } from '../../sync/push-bench.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { guest, listOf, liveEvent, peopledEvent, textBelow, TOKEN } from './rehearsal.ts';
import { listed } from '../../support/tables.ts';

const GUESTS = 120;

/** What a clone holds. */
async function heldBy(
  directory: string,
  name: string,
): Promise<{ token: string; people: SandboxRegistration[] }> {
  const sandbox = await startSandbox({ file: join(directory, 'state', 'clones', name, 'sandbox.sqlite') });
  const { token } = sandbox;
  const people = sandbox.registrations();
  await sandbox.close();
  return { token, people };
}

/** How many of the people have the same value, by its number of people. */
function groupsOf(
  people: readonly SandboxRegistration[],
  of: (one: SandboxRegistration) => unknown,
): number[] {
  const counts = new Map<unknown, number>();
  for (const one of people) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => a - b);
}

/** A bench whose service has many people that another machine has pushed, and a clone of it. */
async function cloneOfMany(guests: number, ...flags: string[]) {
  const live = await peopledEvent({}, guests);
  const before = live.sandbox.requests().length;
  const directory = temporaryDirectory();
  // While the clone is made, its log holds what was written.
  const during: string[] = [];
  const seen = live.service.fault;
  live.service.fault = (request) => {
    if (request.path.includes('webhooks')) during.push(textBelow(join(directory, 'state')));
    return seen(request);
  };
  const paths = { state: join(directory, 'state'), config: join(directory, 'config') };
  const run = (argv: readonly string[]): ReturnType<Bench['run']> =>
    live.run(argv, { paths, cwd: directory });
  const made = await run(['sandbox', 'clone', '--as', 'fair', '--verbose', ...flags]);
  const requests = live.sandbox.requests().slice(before);
  return { live, directory, run, made, requests, during };
}

test('a clone has nothing of anybody, and reads only', async () => {
  const { live, directory, run, made, requests, during } = await cloneOfMany(GUESTS);
  expect([made.code, made.err]).toEqual([0, expect.stringContaining(`${GUESTS + 1} registrations, masked.`)]);
  expect(requests.map(({ method }) => method)).toEqual(requests.map(() => 'GET'));
  expect(requests.length).toBeLessThanOrEqual(GUESTS / 100 + 3);
  writeFileSync(join(directory, 'list.csv'), listOf([guest(1), guest(2)]));
  const masked = await run(['sandbox', 'mask', 'list.csv', '--verbose', '--to', join('state', 'list.csv')]);
  const all = [...during, textBelow(join(directory, 'state')), made.out, made.err, masked.out, masked.err];
  expect(during).toHaveLength(1);
  // What a token is told by is there: otherwise nothing would be found in anything.
  expect(JSON.stringify(live.sandbox.registrations()).match(TOKEN)?.length).toBeGreaterThan(GUESTS);
  expect(all.map((text) => text.match(TOKEN))).toEqual(all.map(() => null));
});

test('a clone has as many duplicates, groups and blanks', async () => {
  const { live, directory } = await cloneOfMany(40);
  const { people } = await heldBy(directory, 'fair');
  const before = live.sandbox.registrations();
  for (const slug of listed(`
    email | phone | first_name | company | country | ticket_type | birth_date | photo | remarks
  `)) {
    const of = ({ fields }: SandboxRegistration): unknown => fields[slug];
    expect([slug, groupsOf(people, of)]).toEqual([slug, groupsOf(before, of)]);
  }
  expect(people.map(({ barcode, parentBarcode, id }) => [barcode, parentBarcode, id])).toEqual(
    before.map(({ barcode, parentBarcode, id }) => [barcode, parentBarcode, id]),
  );
  expect(people.map(({ fields }) => fields['country'])).toEqual(
    before.map(({ fields }) => fields['country']),
  );
});

test('with --mask-barcodes groups stay together', async () => {
  const { live, directory } = await cloneOfMany(30, '--mask-barcodes');
  const { people } = await heldBy(directory, 'fair');
  const before = live.sandbox.registrations();
  const at = (all: readonly SandboxRegistration[], { parentBarcode }: SandboxRegistration): number =>
    all.findIndex(({ barcode }) => barcode === parentBarcode);
  expect(people.map((one) => at(people, one))).toEqual(before.map((one) => at(before, one)));
  expect(people.filter(({ barcode }, n) => barcode === before[n]?.barcode)).toEqual([]);
});

describe('files of a clone', () => {
  test('are their owner’s own, and its token and its key are its own', async () => {
    const { directory, run } = await cloneOfMany(3);
    await run(['sandbox', 'clone', '--as', 'other']);
    const folder = join(directory, 'state', 'clones', 'fair');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['mask.key', 'sandbox.sqlite']));
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const keyOf = (name: string): string =>
      readFileSync(join(directory, 'state', 'clones', name, 'mask.key'), 'utf8');
    expect(keyOf('fair')).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf('fair')).not.toBe(keyOf('other'));
    const [fair, other] = [await heldBy(directory, 'fair'), await heldBy(directory, 'other')];
    expect(new Set([fair.token, other.token, 'sandbox-token']).size).toBe(3);
    expect(fair.token.length).toBeGreaterThan(40);
  });

  test('nothing is left of a clone that could not be made', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ path }) =>
      path.includes('/registration') ? { answer: { status: 403, body: '{"message": "No."}' } } : undefined;
    const made = await bench.run(['sandbox', 'clone', '--as', 'fair']);
    expect([made.code, made.err]).toEqual([4, expect.stringContaining('403')]);
    expect(readdirSync(join(bench.directory, 'state', 'clones'))).toEqual([]);
  });

  test('what is left of a killed one is told, is no clone, and goes', async () => {
    const { directory, run } = await cloneOfMany(2);
    const state = join(directory, 'state');
    const drafts = (): string[] => readdirSync(join(state, 'clones')).filter((name) => name.startsWith('.'));
    const left = join(state, 'clones', '.draft-killed');
    mkdirSync(left);
    writeFileSync(join(left, 'sandbox.sqlite'), 'people');
    // Another process makes one at this moment.
    const locks = new RunLocks(state);
    const busy = makeDraft(state, locks);
    const doctor = await run(['doctor', '--json']);
    expect(doctor.out).toContain(`unfinished ones are left: ${left}`);
    expect(doctor.out).not.toContain(basename(busy));
    expect((await run(['push', 'x.csv', '--sandbox=nope'])).err).not.toContain('draft');
    expect((await run(['sandbox', 'clones'])).err).toContain('Removed what was left of a clone');
    expect(drafts()).toEqual([basename(busy)]);
    locks.close();
    expect((await run(['sandbox', 'clone', '--as', 'other'])).code).toBe(0);
    expect(drafts()).toEqual([]);
  });

  test('a clone that is made anew keeps its key, and asks', async () => {
    const { directory, run } = await cloneOfMany(3);
    const file = join(directory, 'state', 'clones', 'fair', 'mask.key');
    const key = readFileSync(file, 'utf8');
    expect(await run(['sandbox', 'clone', '--as', 'fair'])).toMatchObject({ code: 7 });
    expect(await run(['sandbox', 'clone', '--as', 'fair', '--yes'])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(key);
  });

  test('are listed, and removed by name', async () => {
    const { directory, run } = await cloneOfMany(3);
    expect((await run(['sandbox', 'clones'])).out).toMatch(
      /^fair\tHarbour Trade Fair 2027\t.*\tmasked\t4\t/m,
    );
    expect(await run(['sandbox', 'reset', 'fair', '--yes'])).toMatchObject({ code: 0 });
    expect(readdirSync(join(directory, 'state', 'clones'))).toEqual([]);
    expect(await run(['list', '--sandbox=fair'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no clone "fair".'),
    });
  });
});

test('none has no registrations, and takes one page to see their shape', async () => {
  const { directory, made, requests } = await cloneOfMany(120, '--registrations', 'none');
  expect(made.err).toContain('0 registrations');
  expect(requests).toHaveLength(3);
  expect((await heldBy(directory, 'fair')).people).toEqual([]);
});

test('--limit takes no more', async () => {
  const { directory, requests } = await cloneOfMany(130, '--limit', '110');
  expect(requests).toHaveLength(4);
  expect((await heldBy(directory, 'fair')).people).toHaveLength(110);
});

test('as they are, people are as they are, and there is no key', async () => {
  const { live, directory, run } = await cloneOfMany(12, '--registrations', 'as-they-are', '--yes');
  const { people } = await heldBy(directory, 'fair');
  expect(people.map(({ fields }) => fields)).toEqual(
    live.sandbox.registrations().map(({ fields }) => fields),
  );
  writeFileSync(join(directory, 'list.csv'), listOf([guest(1)]));
  expect((await run(['sandbox', 'mask', 'list.csv'])).err).toContain('there is no key to mask a list with');
});

test('a clone shows the event as it was shown, and webhooks are listed, not copied', async () => {
  const live = await pushBench({ labels: 'languages', valuesShape: 'groups' });
  const url = 'https://example.com/hook/secret';
  await live.run(['webhooks', 'create', '--url', url, '--name', 'ours', '--trigger', 'registration.updated']);
  const made = await live.run(['sandbox', 'clone', '--as', 'fair', '--json']);
  const document = JSON.parse(made.out) as {
    webhooks: unknown[];
    behaviour: { switch: string; known: string }[];
  };
  expect(document.webhooks).toEqual([{ name: 'ours', url, triggers: ['registration.updated'] }]);
  expect(made.err).toContain('Not copied: webhook ours to example.com.');
  const sandbox = await startSandbox({
    file: join(live.directory, 'state', 'clones', 'fair', 'sandbox.sqlite'),
  });
  const read = async (at: { baseUrl: string; token: string }): Promise<unknown> =>
    await (await fetch(`${at.baseUrl}/event`, { headers: { authorization: `Bearer ${at.token}` } })).json();
  expect(await read(sandbox)).toEqual(await read(live.sandbox));
  expect(sandbox.counts().webhooks).toBe(0);
  await sandbox.close();
});

test('what earlier requests have shown is seen, and the rest is assumed', async () => {
  const live = await liveEvent({
    createStatus: '200',
    idKey: 'uuid',
    recordShape: 'entries',
    listOrder: 'newest',
  });
  const made = await live.run(['sandbox', 'clone', '--json']);
  const { behaviour, name } = JSON.parse(made.out) as {
    name: string;
    behaviour: { switch: string; value: unknown; known: string }[];
  };
  expect(name).toBe('harbour-trade-fair-2027');
  const known = Object.fromEntries(behaviour.map((line) => [line.switch, [line.value, line.known]]));
  expect(known).toMatchObject({
    createStatus: ['200', 'seen'],
    idKey: ['uuid', 'seen'],
    recordShape: ['entries', 'seen'],
    filterSpelling: ['both', 'assumed'],
    pastLimit: ['429', 'assumed'],
  });
});

test.each(['429', '429-retry-after', '429-retry-after-date'] as const)(
  'the answer past the limit is seen where the limit was met: %s',
  async (pastLimit) => {
    const live = await peopledEvent({ limit: 2, windowMs: 60_000, pastLimit, rateHeaders: 'never' }, 250);
    const made = await live.run(['sandbox', 'clone', '--json']);
    const { behaviour } = JSON.parse(made.out) as { behaviour: { switch: string }[] };
    expect(behaviour.find((line) => line.switch === 'pastLimit')).toMatchObject({
      value: pastLimit,
      known: 'seen',
    });
  },
);

test('a push to a clone updates by its barcodes, and new ones get numbers of their own', async () => {
  const live = await liveEvent({ idForm: 'number' }, 12);
  await live.run(['sandbox', 'clone', '--as', 'fair']);
  live.write('more.csv', listOf([guest(3, { company: 'moved' }), guest(50), guest(51)]));
  await live.run(['sandbox', 'mask', 'more.csv']);
  const before = (await heldBy(live.directory, 'fair')).people;
  const posts = live.posts().length;
  const pushed = await live.run(
    listed('push | more.masked.csv | --sandbox=fair | --yes | --overwrite | --progress | none'),
  );
  expect([pushed.code, pushed.err]).toEqual([0, expect.stringContaining('3 sent (2 new, 1 updated)')]);
  expect(live.posts()).toHaveLength(posts);
  const { people } = await heldBy(live.directory, 'fair');
  expect(people).toHaveLength(before.length + 2);
  expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
});
