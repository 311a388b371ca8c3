import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { PassingRequest } from '../../support/faulty-service.ts';
import { type Bench, pushBench, visitors } from '../push-bench.ts';

const NO_LIST = { status: 422, body: '{"errors":{"fields":["The fields field must be an array."]}}' };
const NO_OBJECT = { status: 422, body: '{"errors":{"fields":["must be an object."]}}' };

type Entries = { slug: string; value: unknown }[];

/** Lets the service want a list; what `store` makes of it is what it keeps. */
function wantEntries(bench: Bench, store: (entries: Entries) => Entries = (all) => all): void {
  bench.service.fault = (request) => {
    if (request.method !== 'POST') return undefined;
    const body = JSON.parse(request.body) as { fields: Entries };
    if (!Array.isArray(body.fields)) return { answer: NO_LIST };
    const fields = store(body.fields).map(({ slug, value }) => [slug, value] as const);
    request.body = JSON.stringify({ ...body, fields: Object.fromEntries(fields) });
    return undefined;
  };
}

/** `GET`, or `POST` with what came of fields, in the order in which they came. */
function watch(bench: Bench): string[] {
  const seen: string[] = [];
  const { fault } = bench.service;
  bench.service.fault = (request: PassingRequest) => {
    const list = request.method === 'POST' && request.body.includes('"fields":[');
    seen.push(request.method === 'POST' ? (list ? 'list' : 'object') : 'GET');
    return fault(request);
  };
  return seen;
}

describe('a service that wants fields as a list', () => {
  test('gets them so once it has refused an object, and the first row is read back before any other goes', async () => {
    const bench = await pushBench();
    wantEntries(bench);
    const seen = watch(bench);
    const { code, err, summary } = await bench.push([bench.write('a.csv', visitors('A', 'B', 'C', 'D'))]);
    expect([code, summary.sent]).toEqual([EXIT.done, 4]);
    expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Ada', 'Ada', 'Ada', 'Ada']);
    const first = seen.indexOf('object');
    expect(seen.slice(first, first + 3)).toEqual(['object', 'list', 'GET']);
    expect(seen.filter((one) => one !== 'GET')).toEqual(['object', 'list', 'list', 'list', 'list']);
    expect(err).toContain('The service takes fields as a list of slug and value');
  });

  test('is known by later pushes, also of guests without a barcode', async () => {
    const bench = await pushBench();
    wantEntries(bench);
    await bench.push([bench.write('a.csv', visitors(':Ada', ':Eva'))]);
    const seen = watch(bench);
    const { code } = await bench.push([bench.write('b.csv', visitors('X', 'Y'))]);
    expect([code, bench.kept().length]).toEqual([EXIT.done, 4]);
    expect(seen.filter((one) => one !== 'GET')).toEqual(['list', 'list']);
  });

  test('is relearnt once it wants an object again', async () => {
    const bench = await pushBench();
    wantEntries(bench);
    await bench.push([bench.write('a.csv', visitors('A'))]);
    bench.service.fault = ({ body }) => (body.includes('"fields":[') ? { answer: NO_OBJECT } : undefined);
    const seen = watch(bench);
    expect((await bench.push([bench.write('b.csv', visitors('B'))])).code).toBe(EXIT.done);
    expect((await bench.push([bench.write('c.csv', visitors('C'))])).code).toBe(EXIT.done);
    expect(seen.filter((one) => one !== 'GET')).toEqual(['list', 'object', 'object']);
  });

  test('gets no second row where the first is not stored as it was sent', async () => {
    const bench = await pushBench();
    wantEntries(bench, (entries) => entries.filter(({ slug }) => slug !== 'last_name'));
    const { code, err, summary } = await bench.push([bench.write('a.csv', visitors('A', 'B', 'C'))]);
    expect([code, summary.state, bench.kept().length]).toEqual([EXIT.failed, 'stopped', 1]);
    expect([summary.uncertain, summary.pending]).toEqual([1, 2]);
    expect(err).toMatch(/does not list it as sent: [a-z_, ]+/);
    expect(err).toContain('put "fields": "entries" into the profile');
    // Nor does the same command try it again.
    await bench.push(['a.csv']);
    expect(bench.kept()).toHaveLength(1);
  });

  test('is asked no twice a row where it refuses both', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer: NO_LIST } : undefined);
    const seen = watch(bench);
    const { code, summary } = await bench.push([bench.write('a.csv', visitors('A', 'B', 'C'))]);
    expect([code, summary.failed]).toEqual([EXIT.rejected, 3]);
    expect(seen.filter((one) => one !== 'GET')).toEqual(['object', 'list', 'object', 'object']);
  });

  test('is not what a field that is refused means', async () => {
    const bench = await pushBench();
    const answer = { status: 422, body: '{"errors":{"fields.email":["must be an array"]}}' };
    bench.service.fault = ({ method }) => (method === 'POST' ? { answer } : undefined);
    const seen = watch(bench);
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    expect(seen.filter((one) => one !== 'GET')).toEqual(['object', 'object']);
  });
});

test('the profile says it, and nothing is tried', async () => {
  const bench = await pushBench();
  wantEntries(bench);
  const config = join(bench.directory, 'config');
  mkdirSync(config, { recursive: true });
  const profiles = { profiles: { default: { fields: 'entries' } } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify(profiles));
  const seen = watch(bench);
  expect((await bench.push([bench.write('a.csv', visitors('A', 'B'))])).code).toBe(EXIT.done);
  expect(seen.filter((one) => one !== 'GET')).toEqual(['list', 'list']);
});
