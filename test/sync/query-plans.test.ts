import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../src/sync/journal/journal.ts';
import { openJournalDatabase } from '../../src/sync/journal/journal-schema.ts';
import { DatabaseSync } from '@photostructure/sqlite';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { pushBench, visitors } from './push-bench.ts';

/** Every statement that a push with groups, prune and all prepares. */
async function statementsOfPushes(): Promise<Set<string>> {
  const spies = (['all', 'get', 'insert', 'iterate', 'run'] as const).map((name) =>
    vi.spyOn(Journal.prototype, name),
  );
  const bench = await pushBench();
  bench.write('a.csv', visitors('A', 'B/A', 'C/B', ':No one', 'D'));
  bench.write('b.csv', visitors('A:Eva', 'B/A', 'C/B', 'E'));
  expect((await bench.push(['a.csv'])).code).toBe(0);
  await bench.push(['b.csv', '--match', 'email', '--dry-run', '--diff']);
  await bench.push(['b.csv', '--match', 'email', '--prune', '--yes', '--max-delete', '100%']);
  const [last] = bench.runs();
  await bench.run(['runs', 'why', 'A']);
  await bench.run(['runs', 'undo', last?.id ?? '', '--yes', '--max-delete', '100%']);
  await bench.run(['delete', '--barcode', 'A', '--yes']);
  const calls = spies.flatMap((spy) => spy.mock.calls.map(([sql]) => sql));
  vi.restoreAllMocks();
  return new Set(calls);
}

describe('the statements of the journal', () => {
  test('do not walk through a whole run for each of its rows', async () => {
    const statements = await statementsOfPushes();
    expect(statements.size).toBeGreaterThan(50);
    const directory = temporaryDirectory();
    openJournalDatabase(directory).close();
    const database = new DatabaseSync(join(directory, 'journal.sqlite'));
    onTestFinished(() => database.close());
    const slow = [...statements].flatMap((sql) =>
      correlatedWalks(database, sql).map((step) => `${step}: ${sql}`),
    );
    expect(slow).toEqual([]);
  });
});

interface PlanStep {
  id: number;
  parent: number;
  detail: string;
}

/** Steps below a correlated subquery that look at every row of a run. */
function correlatedWalks(database: InstanceType<typeof DatabaseSync>, sql: string): string[] {
  // Temporary tables are there only while they are used.
  if (/temp\.|PRAGMA|VACUUM/i.test(sql)) return [];
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as PlanStep[];
  const correlated = new Set(steps.filter(({ detail }) => /CORRELATED/.test(detail)).map(({ id }) => id));
  return steps
    .filter(({ parent, detail }) => correlated.has(parent) && detail.endsWith('PRIMARY KEY (run=?)'))
    .map(({ detail }) => detail);
}
