import { describe, expect, test } from 'vitest';
import { findRows } from '../../../src/sync/journal/find-rows.ts';
import { tellStory } from '../../../src/sync/tell/advice.ts';
import { readStories, type Story } from '../../../src/sync/tell/story.ts';
import { writeIntent, writeOutcome } from '../../../src/sync/journal/queued-rows.ts';
import { formatStory } from '../../../src/report/story/story-text.ts';
import type { ChapterView, LookView } from '../../../src/report/views/story-view.ts';
import { openJournal, readRun, settle } from '../journal-bench.ts';

const CHAPTER: ChapterView = {
  run: '20270301-4f9a2c',
  kind: 'push',
  runState: 'finished',
  startedAt: 0,
  files: ['guests.csv'],
  event: 'Fair',
  service: 'https://one.example/api',
  place: 'guests.csv:17',
  op: 'send',
  state: 'done',
  persona: 'visitor',
  barcode: 'A',
  parentBarcode: undefined,
  registrationId: 'reg-1',
  enableComms: false,
  askedToWriteAt: undefined,
  plan: 'create',
  changes: [],
  storedOtherwise: [],
  differences: [],
  findings: [],
  notes: [],
  reasons: [],
  message: undefined,
  because: [],
  attempts: 1,
  steps: [],
  checkedAt: undefined,
};

/** Nobody has asked the service. */
const OFFLINE: LookView = { kind: 'not-asked', why: undefined, at: 0, knownAt: undefined };

const chapter = (facts: Partial<ChapterView>): ChapterView => ({ ...CHAPTER, ...facts });

const runsOf = (story: Story | undefined): (string | undefined)[] => story?.map(({ view }) => view.run) ?? [];

describe('a story', () => {
  test('is that of the run which did something last, whichever began last', () => {
    const journal = openJournal();
    const first = readRun(journal, [{ barcode: 'A' }], 1000);
    const second = readRun(journal, [{ barcode: 'A' }], 2000);
    journal.run(`UPDATE run SET state = 'finished'`);
    settle(journal, second, 'A', 'failed', 2100);
    settle(journal, first, 'A', 'done', 3000);
    const rows = findRows(journal, 'A');
    expect(rows.map(({ run }) => run)).toEqual([second, first]);
    const { stories } = readStories(journal, rows, { run: undefined, limit: 5 });
    expect(stories.map((story) => tellStory(story, OFFLINE, String).now)).toEqual(['The service took it.']);
    expect(runsOf(stories[0])).toEqual([first, second]);
  });

  test('is in the order of its steps also when the clock was put back', () => {
    const journal = openJournal();
    const first = readRun(journal, [{ barcode: 'A' }], 5000);
    settle(journal, first, 'A', 'done', 5100);
    const second = readRun(journal, [{ barcode: 'A', state: 'rejected' }], 1000);
    const third = readRun(journal, [{ barcode: 'A' }], 2000);
    journal.run(`UPDATE run SET state = 'finished'`);
    settle(journal, third, 'A', 'done', 2100);
    const { stories } = readStories(journal, findRows(journal, 'A'), {
      run: undefined,
      limit: 5,
    });
    expect(runsOf(stories[0])).toEqual([third, second, first]);
  });

  test('goes over the runs of one event and service only', () => {
    const journal = openJournal();
    const mine = readRun(journal, [{ barcode: 'A' }], 1000);
    readRun(journal, [{ barcode: 'A' }], 2000, {
      service: 'https://two.example/',
      eventId: '1',
      eventName: 'Fair',
    });
    journal.run(`UPDATE run SET state = 'finished'`);
    const rows = findRows(journal, 'A');
    expect(rows).toHaveLength(2);
    const { stories } = readStories(journal, rows, { run: undefined, limit: 5 });
    expect(stories.map((story) => story.length)).toEqual([1, 1]);
    expect(runsOf(stories[1])).toEqual([mine]);
  });

  test('finds rows without a barcode again by the id that they were given', () => {
    const journal = openJournal();
    const first = readRun(journal, [{ name: 'Ada' }], 1000);
    const second = readRun(journal, [{ name: 'Eva' }], 2000);
    journal.run(`UPDATE run SET state = 'finished'`);
    for (const run of [first, second]) {
      writeIntent(journal, run, 0, { at: 3000, requestId: 'q' });
      writeOutcome(journal, run, 0, { state: 'done', remoteId: 'reg-7' }, 3000);
    }
    const { stories } = readStories(journal, [{ run: first, seq: 0 }], { run: undefined, limit: 1 });
    expect(runsOf(stories[0])).toEqual([second, first]);
  });

  test('shows what the service has stored otherwise, and who was a member of whom', () => {
    const text = formatStory(
      {
        chapters: [
          chapter({
            parentBarcode: 'P',
            checkedAt: 0,
            storedOtherwise: [{ field: 'phone', before: ['a', 'b'], after: undefined }],
          }),
        ],
        look: OFFLINE,
        now: 'So.',
        next: 'Then.',
      },
      { showValues: true, color: false },
    );
    expect(text).toContain('guests.csv:17, visitor, barcode A, registration reg-1, member of P');
    expect(text).toContain('stored  phone: sent nothing, listed "a", "b"');
    expect(text).toContain('1970-01-01 00:00:00.000  read back');
  });
});

test('A place is the name of the file, its path, or either with the sheet, in the newest run that has it', () => {
  const journal = openJournal();
  const run = readRun(journal, [{ barcode: 'A' }, { barcode: 'B' }], 1000);
  journal.run(`UPDATE run SET state = 'finished'`);
  journal.run(`UPDATE source SET file = 'C:\\lists\\guests.xlsx', sheet = 'Day 1' WHERE seq = 0`);
  journal.run(`UPDATE source SET file = 'lists/guests.xlsx', sheet = 'Day 2' WHERE seq = 1`);
  const seqs = (text: string): number[] => findRows(journal, text).map(({ seq }) => seq);
  for (const name of [
    'C:\\lists\\guests.xlsx:Day 1',
    'guests.xlsx:Day 1',
    'C:\\lists\\guests.xlsx',
    'guests.xlsx',
    '',
  ]) {
    expect([name, seqs(name === '' ? '2' : `${name}:2`)]).toEqual([name, [0]]);
  }
  for (const name of ['lists/guests.xlsx:Day 2', 'guests.xlsx:Day 2', 'lists/guests.xlsx', 'guests.xlsx']) {
    expect([name, seqs(`${name}:3`)]).toEqual([name, [1]]);
  }
  for (const name of ['uests.xlsx', 'guests.xls', 'Day 1', 'guests.xlsx:Day 2', '%', 'guests.xlsx:']) {
    expect([name, seqs(`${name}:2`)]).toEqual([name, []]);
  }
  expect(findRows(journal, 'guests.xlsx:2', { run: 'other' })).toEqual([]);
  expect(findRows(journal, 'guests.xlsx:2', { run })).toHaveLength(1);
});
