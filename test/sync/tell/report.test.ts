import { describe, expect, test } from 'vitest';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { beginRun } from '../../../src/sync/journal/runs.ts';
import { readShares } from '../../../src/sync/journal/count-run.ts';
import { writeIntent, writeOutcome } from '../../../src/sync/journal/queued-rows.ts';
import { addRow } from '../../../src/sync/journal/row-tables.ts';
import { addStep, RUN_ITSELF } from '../../../src/sync/journal/steps.ts';
import { listedRows, readPace, readReport, reportRows } from '../../../src/sync/tell/report.ts';
import type { RunReport } from '../../../src/report/views/run-report.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { pushBench, visitors } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';

describe('the facts of a report', () => {
  test('name what became of each row, value by value, and what the audit has found', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A:Ann', 'B:Bob', 'C:Cay'))]);
    await registerByHand(bench, { barcode: 'B', fields: { first_name: 'Bert' } });
    await bench.push([bench.write('b.csv', visitors('A:Amy', 'B:Bill', 'C:Cay', 'N:New'))]);
    bench.journal((journal) => {
      const [run] = bench.runs();
      const report = readReport(journal, run ?? (undefined as never));
      expect(report).toMatchObject({
        kind: 'push',
        state: 'at its end, but not all is done: 1 in conflict',
        files: ['b.csv'],
        dry: false,
        listed: 4,
      });
      expect(report.results).toEqual([
        { name: 'new', tone: 'good', rows: 1 },
        { name: 'changed', tone: 'good', rows: 1 },
        { name: 'the same', tone: 'same', rows: 1 },
        { name: 'in conflict', tone: 'bad', rows: 1 },
      ]);
      const rows = [...report.each()];
      expect(
        rows.map(({ place, barcode, result }) => [place, barcode, report.results[result]?.name]),
      ).toEqual([
        ['b.csv:2', 'A', 'changed'],
        ['b.csv:3', 'B', 'in conflict'],
        ['b.csv:4', 'C', 'the same'],
        ['b.csv:5', 'N', 'new'],
      ]);
      expect(rows[0]?.changes).toMatchObject([{ field: 'first_name', before: 'Ann', after: 'Amy' }]);
      expect(rows[3]?.values).toContainEqual({ field: 'first_name', before: undefined, after: 'New' });
      expect(report.problems.map(({ place, state }) => [place, state])).toEqual([['b.csv:3', 'conflict']]);
      expect(report.audit?.checked).toBe(2);
      expect(report.pace?.requests).toBe(2);
    });
  });

  test('stay what they were when registrations are deleted later, and say that beside it', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B', 'C'))]);
    const { summary } = await bench.push([bench.write('b.csv', visitors('A', 'B', 'C:New'))]);
    const read = (): Pick<RunReport, 'results'> & { told: unknown[] } =>
      bench.journal((journal) => {
        const run = bench.runs().find(({ id }) => id === summary.run);
        const { results, each } = readReport(journal, run ?? (undefined as never));
        return { results, told: [...each()].map(({ result, message }) => [results[result]?.name, message]) };
      });
    const before = read();
    expect((await bench.run(['delete', '--barcode', 'A', '--barcode', 'C', '--yes'])).code).toBe(0);
    const after = read();
    expect(after.results).toEqual(before.results);
    expect(after.told).toEqual([
      ['the same', 'deleted with eventreg since'],
      ['the same', undefined],
      ['changed', 'deleted with eventreg since'],
    ]);
    const story = (await bench.run(['runs', 'why', 'A'])).out;
    expect(story).toContain('row     b.csv:2, unchanged: deleted with eventreg since');
    expect(story).toContain('row     a.csv:2, done: deleted with eventreg since');
  });

  test('of very many rows are those of which there is something to say, and of these not too many', async () => {
    const bench = await pushBench();
    const people = visitors('A', 'B', 'C', 'W', 'X').replaceAll(/([wx])@example/g, '$1.example');
    await bench.push([bench.write('a.csv', people), '--invalid', 'skip']);
    const [run] = bench.runs();
    const listed = (most: number): string[] =>
      bench.journal((journal) => {
        const which = listedRows(readShares(journal, run?.id ?? ''), most);
        const telling = { ...which, results: [], isDry: false, bare: <T>(told: T): T => told };
        const each = [...reportRows(journal, run ?? (undefined as never), telling)];
        expect(each).toHaveLength(which.count);
        return each.map(({ barcode = '' }) => barcode);
      });
    expect(listed(5)).toEqual(['A', 'B', 'C', 'W', 'X']);
    expect(listed(4)).toEqual(['W', 'X']);
    expect(listed(1)).toEqual(['W']);
  });
});

describe('the pace of a run', () => {
  /** A run that sent at these seconds. */
  function paceOf(seconds: readonly number[], limit?: object): ReturnType<typeof readPace> {
    const journal = new Journal(temporaryDirectory());
    try {
      const target = { service: 's', eventId: 'e', eventName: 'E' };
      const self = { pid: 1, host: 'h', startedAt: 0 };
      const run = beginRun(journal, { kind: 'push', target, files: [] }, 0, self);
      for (const [seq, at] of seconds.entries()) {
        addRow(journal, { run, seq, file: 'a.csv', line: seq, state: 'pending' });
        writeIntent(journal, run, seq, { at: at * 1000, requestId: 'q' });
        writeOutcome(journal, run, seq, { state: 'done' }, 90_000);
      }
      if (limit !== undefined) {
        const detail = JSON.stringify(limit);
        addStep(journal, run, RUN_ITSELF, { at: 90_000, what: 'paced', detail });
      }
      return readPace(journal, run);
    } finally {
      journal.close();
    }
  }

  test('is none where nothing was sent', () => {
    expect(paceOf([])).toBeUndefined();
  });

  test('is a line of what was sent by when, with the times in which nothing was', () => {
    expect(paceOf([10, 11, 12, 40, 41], { limit: 3, windowMs: 30_000 })).toEqual({
      requests: 5,
      from: 10_000,
      to: 41_000,
      line: [
        { at: 10_000, sent: 1 },
        { at: 11_000, sent: 2 },
        { at: 12_000, sent: 3 },
        { at: 40_000, sent: 4 },
        { at: 41_000, sent: 5 },
      ],
      waits: [{ from: 12_000, to: 40_000 }],
      limit: { limit: 3, windowMs: 30_000 },
    });
  });

  test('has a few hundred points at most', () => {
    const pace = paceOf(Array.from({ length: 1000 }, (_, n) => n));
    expect(pace?.line.length).toBeLessThanOrEqual(241);
    expect(pace?.line.at(-1)).toEqual({ at: 999_000, sent: 1000 });
  });
});
