import { describe, expect, test, vi } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Journal } from '../../../src/sync/journal/journal.ts';
import { type ClaimedRun, claimRun } from '../../../src/sync/push/claim-run.ts';
import { purgeRuns, tidyRuns } from '../../../src/sync/journal/forget-runs.ts';
import { inheritKnown } from '../../../src/sync/plan/inherit-fates.ts';
import {
  endRun,
  findRuns,
  listRuns,
  noteDeletion,
  type ProcessFacts,
  type Target,
} from '../../../src/sync/journal/runs.ts';
import {
  openJournal,
  readRun,
  type RowText,
  SELF,
  settle,
  settleRow,
  statesOf,
  TARGET,
} from '../journal-bench.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

interface Claim {
  fresh?: boolean;
  compare?: boolean;
  now?: number;
  self?: ProcessFacts;
  target?: Target;
}

/** Reads rows and claims their run. */
function claim(journal: Journal, rows: readonly RowText[], options: Claim = {}): ClaimedRun {
  const { fresh = false, compare = false, now = 1000, self = SELF, target = TARGET } = options;
  const read = readRun(journal, rows, now, target);
  const claimed = claimRun(journal, target, { read, fresh, compare, now, self });
  inheritKnown(journal, target, claimed.id, { resumed: claimed.resumed, fresh, compare });
  return claimed;
}

/** Claims a run whose rows are then all sent. */
function sent(journal: Journal, rows: readonly RowText[], now: number, fresh = false): string {
  const { id } = claim(journal, rows, { now, fresh });
  settle(journal, id, undefined, 'done', now + 1);
  endRun(journal, id, 'finished', now + 2);
  return id;
}

const A = { barcode: 'A' };
const B = { barcode: 'B' };

describe('the same rows, after an interruption', () => {
  test('in another order are the same run, with the places of the new order', () => {
    const journal = openJournal();
    const first = claim(journal, [A, B, { name: 'Cy' }]);
    endRun(journal, first.id, 'interrupted', 1500);
    const again = claim(journal, [{ name: 'Cy' }, B, A], { now: 2000 });
    expect(again).toEqual({ id: first.id, resumed: true, from: [] });
    expect(listRuns(journal)).toMatchObject([{ id: first.id, state: 'sending', endedAt: undefined }]);
    const places = journal.all('SELECT barcode, line FROM row ORDER BY line');
    expect(places).toEqual([
      { barcode: undefined, line: 2 },
      { barcode: 'B', line: 3 },
      { barcode: 'A', line: 4 },
    ]);
  });

  test('for another event or service are another run', () => {
    const journal = openJournal();
    const first = sent(journal, [A], 1000);
    for (const target of [
      { ...TARGET, eventId: '2' },
      { ...TARGET, service: 'https://two.example/' },
    ]) {
      const other = claim(journal, [A], { now: 3000, target });
      expect(other).toMatchObject({ resumed: false });
      expect(other.id).not.toBe(first);
      expect(statesOf(journal, other.id)).toEqual(['A: pending']);
    }
  });

  test('are resumed: what was under way is uncertain, what failed is tried again, conflicts are looked at again', () => {
    const journal = openJournal();
    const states = [
      'done',
      'accepted',
      'sending',
      'uncertain',
      'failed',
      'blocked',
      'postponed',
      'conflict',
      'deleted',
    ];
    const rows = states.map((state) => ({ barcode: state }));
    const { id } = claim(journal, rows);
    for (const state of states) settle(journal, id, state, state, 1100);
    endRun(journal, id, 'interrupted', 1500);
    claim(journal, rows, { now: 2000 });
    expect(statesOf(journal, id)).toEqual([
      'done: done',
      'accepted: accepted',
      'sending: uncertain',
      'uncertain: uncertain',
      'failed: pending',
      'blocked: pending',
      'postponed: pending',
      'conflict: uncertain',
      'deleted: pending',
    ]);
    endRun(journal, id, 'interrupted', 2500);
    settle(journal, id, 'conflict', 'conflict', 2600);
    claim(journal, rows, { now: 3000, compare: true });
    expect(statesOf(journal, id)).toContain('conflict: pending');
  });

  test('without a barcode, that the service held before they were in conflict, are not sent again', () => {
    const journal = openJournal();
    const rows = [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cy' }];
    const { id } = claim(journal, rows);
    settleRow(journal, id, 0, 'done', 1100);
    const conflict = (): number =>
      journal.run(`UPDATE row SET state = 'conflict' WHERE run = $id AND seq < 2`, { $id: id });
    conflict();
    endRun(journal, id, 'stopped', 1500);
    for (const compare of [false, true]) {
      claim(journal, rows, { now: 2000, compare });
      expect(statesOf(journal, id)).toEqual(['Ada: done', 'Bob: pending', 'Cy: pending']);
      conflict();
      endRun(journal, id, 'stopped', 2500);
    }
    settleRow(journal, id, 2, 'done', 2600);
    endRun(journal, id, 'finished', 2700);
    const next = claim(journal, rows, { now: 3000, compare: true });
    expect(next).toMatchObject({ resumed: false, from: [] });
    expect(statesOf(journal, next.id)).toEqual(['Ada: unchanged', 'Bob: pending', 'Cy: unchanged']);
  });

  test('take their rejected rows along anew', () => {
    const journal = openJournal();
    const { id } = claim(journal, [A, { barcode: 'X', state: 'rejected' }]);
    endRun(journal, id, 'stopped', 1500);
    expect(
      claim(journal, [{ barcode: 'Y', state: 'rejected' }, A, { barcode: 'Z', state: 'rejected' }]).id,
    ).toBe(id);
    expect(statesOf(journal, id)).toEqual(['A: pending', 'Y: rejected', 'Z: rejected']);
  });

  test('with --fresh start over, and what was sent counts for nothing', () => {
    const journal = openJournal();
    const first = claim(journal, [A, B]).id;
    settle(journal, first, 'A', 'done', 1100);
    endRun(journal, first, 'interrupted', 1500);
    const fresh = claim(journal, [A, B], { fresh: true, now: 2000 });
    expect(fresh).toMatchObject({ resumed: false, from: [first] });
    expect(statesOf(journal, fresh.id)).toEqual(['A: pending', 'B: pending']);
    expect(findRuns(journal, first)[0]).toMatchObject({ state: 'closed', continuedBy: fresh.id });
    endRun(journal, fresh.id, 'interrupted', 2500);
    // Resumed without the flag, it still sends what it had left.
    expect(claim(journal, [A, B], { now: 3000 })).toMatchObject({ id: fresh.id, resumed: true });
    expect(statesOf(journal, fresh.id)).toEqual(['A: pending', 'B: pending']);
  });

  test('are another run when nothing was left to do', () => {
    const journal = openJournal();
    const first = sent(journal, [A, B], 1000);
    const again = claim(journal, [A, B], { now: 2000 });
    expect(again).toMatchObject({ resumed: false, from: [] });
    expect(statesOf(journal, again.id)).toEqual(['A: unchanged', 'B: unchanged']);
    expect(findRuns(journal, first)[0]).toMatchObject({ state: 'finished', continuedBy: undefined });
  });

  test('are another run when only doubts were left: those stay', () => {
    const journal = openJournal();
    const { id } = claim(journal, [A, B]);
    settle(journal, id, 'A', 'uncertain', 1100);
    settle(journal, id, 'B', 'done', 1100);
    endRun(journal, id, 'finished', 1500);
    const again = claim(journal, [A, B], { now: 2000 });
    expect(again).toMatchObject({ resumed: false, from: [] });
    expect(statesOf(journal, again.id)).toEqual(['A: uncertain', 'B: unchanged']);
  });
});

describe('an interrupted run', () => {
  const interrupted = (journal: Journal, rows: readonly RowText[]): string => {
    const { id } = claim(journal, rows);
    endRun(journal, id, 'interrupted', 1500);
    return id;
  };

  test('of a file that was edited since is closed, and the new run goes on from it', () => {
    const journal = openJournal();
    const first = interrupted(journal, [A, B]);
    const next = claim(journal, [A, { ...B, name: 'Bob' }], { now: 2000 });
    expect(next).toMatchObject({ resumed: false, from: [first] });
    expect(findRuns(journal, first)[0]).toMatchObject({
      state: 'closed',
      continuedBy: next.id,
      counts: { open: 2 },
    });
    endRun(journal, next.id, 'finished', 2500);
    // The file as it was is no interrupted run any more.
    expect(claim(journal, [A, B], { now: 3000 })).toMatchObject({ resumed: false, from: [] });
  });

  test.each<[string, RowText[], boolean]>([
    ['has all its open rows', [B, A, { barcode: 'C' }], true],
    ['has one of them otherwise', [B, { ...A, name: 'Ada B.' }], false],
    ['lacks one of them', [A, { barcode: 'C' }], false],
  ])('of another file is closed only where the new one %s', (_, rows, closes) => {
    const journal = openJournal();
    const first = interrupted(journal, [A, B]);
    journal.run(`UPDATE run SET files = '["other.csv"]'`);
    expect(claim(journal, rows, { now: 2000 }).from).toEqual(closes ? [first] : []);
  });

  test('from standard input is known by its rows only', () => {
    const journal = openJournal();
    const first = interrupted(journal, [A, B]);
    journal.run(`UPDATE run SET files = '["-"]'`);
    const other = readRun(journal, [{ barcode: 'C' }], 2000);
    journal.run(`UPDATE run SET files = '["-"]' WHERE id = $id`, { $id: other });
    const options = { read: other, fresh: false, compare: true, now: 2000, self: SELF };
    expect(claimRun(journal, TARGET, options).from).toEqual([]);
    expect(findRuns(journal, first)[0]?.state).toBe('interrupted');
  });

  test('that was killed before it took over what others know does so when it is gone on with', () => {
    const journal = openJournal();
    sent(journal, [A], 1000);
    const read = readRun(journal, [A, B], 2000);
    claimRun(journal, TARGET, { read, fresh: false, compare: false, now: 2000, self: SELF });
    endRun(journal, read, 'interrupted', 2100);
    expect(statesOf(journal, read)).toEqual(['A: pending', 'B: pending']);
    expect(claim(journal, [A, B], { now: 3000 })).toMatchObject({ id: read, resumed: true });
    expect(statesOf(journal, read)).toEqual(['A: unchanged', 'B: pending']);
  });
});

describe('rows that have changed', () => {
  test('one edited row makes a new run, in which the others are unchanged', () => {
    const journal = openJournal();
    const first = sent(journal, [A, B, { name: 'Cy' }], 1000);
    const next = claim(journal, [A, { ...B, name: 'Bob' }, { name: 'Cy' }], { now: 2000 });
    expect(next.resumed).toBe(false);
    expect(next.id).not.toBe(first);
    expect(statesOf(journal, next.id)).toEqual(['A: unchanged', 'B: pending', 'Cy: unchanged']);
  });

  test('what was not sent, or not as it is now, is sent', () => {
    const journal = openJournal();
    const { id } = claim(journal, [A, B, { barcode: 'C' }]);
    settle(journal, id, 'A', 'done', 1100);
    settle(journal, id, 'B', 'failed', 1100);
    endRun(journal, id, 'interrupted', 1500);
    const next = claim(journal, [A, B, { barcode: 'C' }, { barcode: 'D' }], { now: 2000 });
    expect(statesOf(journal, next.id)).toEqual(['A: unchanged', 'B: pending', 'C: pending', 'D: pending']);
  });

  test('what is in doubt stays in doubt, and a conflict is looked at again', () => {
    const journal = openJournal();
    const { id } = claim(journal, [A, B, { barcode: 'C' }, { name: 'Di' }]);
    settle(journal, id, 'A', 'sending', 1100);
    settle(journal, id, 'B', 'conflict', 1101);
    settle(journal, id, 'C', 'uncertain', 1102);
    settleRow(journal, id, 3, 'uncertain', 1103);
    endRun(journal, id, 'interrupted', 1500);
    const next = claim(journal, [A, B, { barcode: 'C', name: 'Cy' }, { name: 'Di' }], { now: 2000 });
    expect(statesOf(journal, next.id)).toEqual([
      'A: uncertain',
      'B: uncertain',
      'C: pending',
      'Di: uncertain',
    ]);
    expect(journal.all('SELECT sent_at FROM row WHERE run = $run ORDER BY seq', { $run: next.id })).toEqual([
      { sent_at: 1100 },
      { sent_at: 1101 },
      { sent_at: undefined },
      { sent_at: 1103 },
    ]);
  });

  test('changed back: what another run has sent since is sent again, what it settled is not', () => {
    const journal = openJournal();
    const first = claim(journal, [A, B, { barcode: 'C' }], { now: 1000 });
    settle(journal, first.id, 'A', 'done', 1001);
    settle(journal, first.id, 'B', 'failed', 1001);
    settle(journal, first.id, 'C', 'done', 1001);
    endRun(journal, first.id, 'finished', 1002);
    const second = sent(journal, [{ ...A, name: 'Eva' }, B, { barcode: 'C' }], 2000);
    expect(statesOf(journal, second)).toEqual(['A: done', 'B: done', 'C: unchanged']);
    const back = claim(journal, [A, B, { barcode: 'C' }], { now: 3000 });
    expect(back).toMatchObject({ resumed: false });
    expect(statesOf(journal, back.id)).toEqual(['A: pending', 'B: unchanged', 'C: unchanged']);
  });

  test('equal rows without a barcode are as many as they are', () => {
    const journal = openJournal();
    const twin = { name: 'Ada' };
    sent(journal, [twin, twin], 1000);
    const next = claim(journal, [twin, { name: 'Bob' }, twin, twin], { now: 2000 });
    expect(statesOf(journal, next.id)).toEqual([
      'Ada: unchanged',
      'Bob: pending',
      'Ada: unchanged',
      'Ada: pending',
    ]);
  });

  test('deleted registrations are sent again', () => {
    const journal = openJournal();
    const first = sent(journal, [A, B], 1000);
    journal.run(`UPDATE row SET remote_id = 'id-' || barcode`);
    const second = sent(journal, [A, B, { barcode: 'C' }], 2000);
    noteDeletion(journal, 'https://other.example/', { id: 'id-A', barcode: 'A' }, 'deleted');
    expect(statesOf(journal, first)).toEqual(['A: done', 'B: done']);
    noteDeletion(journal, TARGET.service, { id: 'id-A', barcode: undefined }, 'deleted');
    noteDeletion(journal, TARGET.service, { id: 'id-unknown', barcode: 'B' }, 'deleted');
    expect(statesOf(journal, first)).toEqual(['A: deleted', 'B: deleted']);
    // The run that took over what was known of A took its id over too.
    expect(statesOf(journal, second)).toEqual(['A: deleted', 'B: deleted', 'C: done']);
    const third = claim(journal, [A, B, { barcode: 'C' }, { barcode: 'D' }], { now: 3000 });
    expect(statesOf(journal, third.id)).toEqual(['A: pending', 'B: pending', 'C: unchanged', 'D: pending']);
  });
});

describe('the lock', () => {
  /** Two journals in one directory, as two processes have them. */
  const twoProcesses = (): [Journal, Journal] => {
    const directory = temporaryDirectory();
    return [openJournal(directory), openJournal(directory)];
  };
  const other: ProcessFacts = { pid: 200, host: 'here', startedAt: 700 };

  test('refuses while another process has the run, and says which', () => {
    const [theirs, mine] = twoProcesses();
    const { id } = claim(theirs, [A]);
    for (const fresh of [false, true]) {
      expect(() => claim(mine, [A], { self: other, now: 2000, fresh })).toThrow(
        expect.objectContaining({
          exitCode: EXIT.guarded,
          message: `1 row is also being sent by another eventreg: process 100 on here, started 1970-01-01 00:00:00, at it since 1970-01-01 00:00:01 UTC (run ${id}).`,
        }),
      );
    }
    expect(findRuns(mine, id)[0]).toMatchObject({ state: 'sending', holder: { pid: 100 } });
  });

  test('holds for shared rows of other files too, as long as the other process lives', () => {
    const [theirs, mine] = twoProcesses();
    const { id } = claim(theirs, [A, B]);
    const C = { barcode: 'C' };
    expect(() => claim(mine, [B, C], { self: other, now: 2000 })).toThrow(
      expect.objectContaining({
        exitCode: EXIT.guarded,
        message: expect.stringContaining('1 row is also being sent'),
      }),
    );
    expect(claim(mine, [C], { self: other, now: 2000 }).resumed).toBe(false);
    // As the operating system does when a process is killed.
    theirs.locks.release(id);
    expect(claim(mine, [B, C], { self: other, now: 2000 }).resumed).toBe(false);
  });

  test('is taken over from a process that is gone', () => {
    const [theirs, mine] = twoProcesses();
    const { id } = claim(theirs, [A]);
    theirs.locks.release(id);
    expect(claim(mine, [A], { self: other, now: 2000 })).toMatchObject({ id, resumed: true });
    expect(findRuns(mine, id)[0]?.holder).toEqual({ ...other, since: 2000 });
    expect(theirs.locks.take(id)).toBe(false);
  });

  test('ends with the run', () => {
    const [theirs, mine] = twoProcesses();
    const { id } = claim(theirs, [A]);
    endRun(theirs, id, 'interrupted', 1500, undefined);
    expect(findRuns(mine, id)[0]).toMatchObject({
      state: 'interrupted',
      endedAt: 1500,
      holder: undefined,
    });
    expect(claim(mine, [A], { self: other }).id).toBe(id);
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
  const working = claim(journal, [{ barcode: 'C' }], { now: 500 }).id;
  const elsewhere = claim(theirs, [{ barcode: 'D' }], { now: 500 }).id;
  const killed = claim(theirs, [{ barcode: 'E' }], { now: 500 }).id;
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
  const old = claim(journal, [A]).id;
  settle(journal, old, 'A', 'done', 0);
  endRun(journal, old, 'finished', 1000, undefined);
  const doubtful = claim(journal, [B], { now: 1 }).id;
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
  expect(claim(journal, [{ barcode: 'G5000' }], { now: 6000 }).resumed).toBe(false);
  tidyRuns(journal, 5000);
  expect(listRuns(journal).map(({ id }) => id)).not.toContain(old);
  expect(journal.get('SELECT 1 FROM step WHERE run = $run', { $run: old })).toBeUndefined();
});
