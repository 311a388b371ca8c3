import { describe, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Journal } from '../../../src/sync/journal/journal.ts';
import { refuseIfShared } from '../../../src/sync/push/begin-push.ts';
import { purgeRuns, tidyRuns } from '../../../src/sync/journal/forget-runs.ts';
import { endRun, findRuns, listRuns } from '../../../src/sync/journal/runs.ts';
import { openJournal, readRun, type RowText, settle, TARGET } from '../journal-bench.ts';
import { toPlan } from '../plan-bench.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** A run that has begun. */
function begun(journal: Journal, rows: readonly RowText[], now = 1000): string {
  const run = readRun(journal, rows, now);
  journal.run(`UPDATE run SET state = 'sending' WHERE id = $run`, { run });
  return run;
}

/** A run whose rows are all sent. */
function sent(journal: Journal, rows: readonly RowText[], now: number): string {
  const run = begun(journal, rows, now);
  settle(journal, run, undefined, 'done', now + 1);
  endRun(journal, run, 'finished', now + 2);
  return run;
}

const A = { barcode: 'A' };
const B = { barcode: 'B' };

describe('rows that another process is about to send', () => {
  /** Two journals in one directory, as two processes have them. */
  const twoProcesses = (): [Journal, Journal] => {
    const directory = temporaryDirectory();
    return [openJournal(directory), openJournal(directory)];
  };
  const refuse = (journal: Journal, ...barcodes: string[]): void =>
    refuseIfShared(journal, TARGET, toPlan(barcodes.map((barcode) => ({ barcode }))));

  test('are refused as long as it lives, and it is named', () => {
    const [theirs, mine] = twoProcesses();
    const run = begun(theirs, [A, B]);
    expect(() => refuse(mine, 'B', 'C')).toThrow(
      expect.objectContaining({
        exitCode: EXIT.guarded,
        message: `1 row is also being sent by another eventreg: process 100 on here, started 1970-01-01 00:00:00, at it since 1970-01-01 00:00:01 UTC (run ${run}).`,
      }),
    );
    refuse(mine, 'C');
    // As the operating system does when a process is killed.
    theirs.locks.release(run);
    refuse(mine, 'B', 'C');
  });

  test('are free with the end of its run', () => {
    const [theirs, mine] = twoProcesses();
    const run = begun(theirs, [A]);
    endRun(theirs, run, 'interrupted', 1500, undefined);
    expect(findRuns(mine, run)[0]).toMatchObject({ state: 'interrupted', endedAt: 1500, holder: undefined });
    refuse(mine, 'A');
  });
});

test('a run is found by its id or by the beginning of one only', () => {
  const journal = openJournal();
  const ids = [readRun(journal, []), readRun(journal, [])];
  expect(findRuns(journal, ids[0] ?? '').map(({ id }) => id)).toEqual([ids[0]]);
  expect(findRuns(journal, (ids[1] ?? '').slice(0, -1)).map(({ id }) => id)).toEqual([ids[1]]);
  expect(findRuns(journal, '1970')).toHaveLength(ids.length);
  expect(findRuns(journal, '%')).toEqual([]);
  expect(findRuns(journal, 'x')).toEqual([]);
});

test('purging forgets what ended before a time, rows included, but no run at work', () => {
  const directory = temporaryDirectory();
  const journal = openJournal(directory);
  const theirs = openJournal(directory);
  const old = sent(journal, [A], 1000);
  const recent = sent(journal, [B], 9000);
  const working = begun(journal, [{ barcode: 'C' }], 500);
  const elsewhere = begun(theirs, [{ barcode: 'D' }], 500);
  const killed = begun(theirs, [{ barcode: 'E' }], 500);
  theirs.locks.release(killed);
  expect(purgeRuns(journal, 5000)).toBe(2);
  expect(
    listRuns(journal)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([recent, working, elsewhere].sort());
  expect(journal.all('SELECT 1 FROM row WHERE run = $run', { $run: old })).toEqual([]);
  expect(purgeRuns(journal, 5000)).toBe(0);
});

test('every push tidies up: old runs without doubt, and what was left by kills while reading', () => {
  const directory = temporaryDirectory();
  const journal = openJournal(directory);
  const theirs = openJournal(directory);
  const old = begun(journal, [A]);
  settle(journal, old, 'A', 'done', 0);
  endRun(journal, old, 'finished', 1000, undefined);
  const doubtful = begun(journal, [B], 1);
  settle(journal, doubtful, 'B', 'uncertain', 1);
  endRun(journal, doubtful, 'finished', 1000, undefined);
  const reading = readRun(theirs, [{ barcode: 'C' }], 5000);
  tidyRuns(journal, 2000);
  expect(
    listRuns(journal)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([doubtful, reading].sort());
  theirs.locks.release(reading);
  tidyRuns(journal, 2000);
  expect(listRuns(journal).map(({ id }) => id)).toEqual([doubtful]);
});

test('old runs go a few thousand rows at a time, and what a kill leaves of one counts for nothing', () => {
  const journal = openJournal();
  const rows = Array.from({ length: 5001 }, (_, at) => ({ barcode: `G${at}` }));
  const old = readRun(journal, rows, 1000);
  endRun(journal, old, 'finished', 1000);
  let deletions = 0;
  const write = journal.run.bind(journal);
  vi.spyOn(journal, 'run').mockImplementation((sql, values) => {
    if (sql.startsWith('DELETE') && (deletions += 1) === 2) throw new Error('killed');
    const changes = write(sql, values);
    expect(sql.startsWith('DELETE') ? changes : 0).toBeLessThanOrEqual(5000);
    return changes;
  });
  expect(() => tidyRuns(journal, 5000)).toThrow('killed');
  journal.locks.release(old);
  expect(journal.get('SELECT count(*) AS n FROM row')).toEqual({ n: 1 });
  expect(listRuns(journal)).toMatchObject([{ id: old, state: 'reading' }]);
  tidyRuns(journal, 5000);
  expect(listRuns(journal).map(({ id }) => id)).not.toContain(old);
  expect(journal.get('SELECT 1 FROM step WHERE run = $run', { $run: old })).toBeUndefined();
});
