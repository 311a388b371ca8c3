import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench, visitors } from '../../sync/push-bench.ts';

type Rows = { registration_id: unknown }[];

/** The ids in what a command tells programs. */
async function idsOf(
  bench: Awaited<ReturnType<typeof pushBench>>,
  argv: string[],
  key: string,
): Promise<unknown[]> {
  const { out } = await bench.run([...argv, '--json']);
  return (JSON.parse(out) as Record<string, Rows>)[key]?.map((row) => row.registration_id) ?? [];
}

test.each([
  ['number', 'number'],
  ['text', 'string'],
] as const)(
  'ids of a service that has them as %s are that in every document and event',
  async (idForm, type) => {
    const bench = await pushBench({ idForm });
    const events = join(bench.directory, 'events.ndjson');
    const { summary } = await bench.push([bench.write('a.csv', visitors('A', 'B')), '--events', events]);
    const run = summary.run ?? '';
    expect((await idsOf(bench, ['runs', 'show', run], 'rows')).map((id) => typeof id)).toEqual([type, type]);
    expect((await idsOf(bench, ['runs', 'why', 'A', '--offline'], 'stories')).map((id) => typeof id)).toEqual(
      [type],
    );
    const told = readFileSync(events, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { registration_id?: unknown });
    expect(
      new Set(
        told.flatMap(({ registration_id: id }) => (id === undefined || id === null ? [] : [typeof id])),
      ),
    ).toEqual(new Set([type]));
    expect(existsSync(join(bench.directory, 'state', 'integer-ids.json'))).toBe(idForm === 'number');
  },
);
