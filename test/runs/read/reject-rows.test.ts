import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Journal } from '../../../src/sync/journal/journal.ts';
import {
  layerRows,
  parentsOutsideFile,
  rejectDuplicates,
  rejectExample,
  rejectMembersOfRejected,
  rejectOrphans,
} from '../../../src/runs/read/reject-rows.ts';
import { rejectedRows } from '../../../src/runs/read/rejected-rows.ts';
import { openJournal, readRun, type RowText, statesOf } from '../journal-bench.ts';
import { pushBench, visitors } from '../push-bench.ts';

const COLUMNS = { barcode: 'Badge', parentBarcode: 'Group' };

/** Reads rows, `B/A` being B with the parent A, and lets a check look at them. */
function check(
  people: readonly string[],
  work: (journal: Journal, run: string) => void,
): { journal: Journal; run: string; problems: Record<number, string[]> } {
  const journal = openJournal();
  const run = readRun(journal, people.map(toRow));
  journal.run('UPDATE row SET depth = NULL WHERE parent_barcode IS NOT NULL');
  journal.transaction(() => work(journal, run));
  const problems = Object.fromEntries(
    [...rejectedRows(journal, run)].map(({ place, reasons }) => [
      place.line,
      reasons.map(({ column, value, problem }) => `${column} ${value} ${problem}`),
    ]),
  );
  return { journal, run, problems };
}

function toRow(person: string): RowText {
  const [barcode, parent] = person.split('/');
  return { barcode: barcode || undefined, parent };
}

const depths = (journal: Journal): (number | undefined)[] =>
  journal.all<{ depth?: number }>('SELECT depth FROM row ORDER BY seq').map(({ depth }) => depth);

test('what is left of the example of a template is never sent', () => {
  const { problems } = check(['A', 'EXAMPLE-1', ''], (journal, run) =>
    rejectExample(journal, run, [1], COLUMNS),
  );
  expect(problems).toEqual({ 3: ['Badge EXAMPLE-1 is of the example of a template, and no guest’s'] });
});

describe('rows that share a barcode', () => {
  test('name one another', () => {
    const { problems } = check(['A', 'B', 'A', 'C', 'B', 'A', '', ''], (journal, run) =>
      rejectDuplicates(journal, run, COLUMNS),
    );
    expect(problems).toEqual({
      2: ['Badge A stands on a.csv:4, a.csv:7 too'],
      3: ['Badge B stands on a.csv:6 too'],
      4: ['Badge A stands on a.csv:2, a.csv:7 too'],
      6: ['Badge B stands on a.csv:3 too'],
      7: ['Badge A stands on a.csv:2, a.csv:4 too'],
    });
  });

  test('name three of many', () => {
    const { problems } = check(Array<string>(6).fill('A'), (journal, run) =>
      rejectDuplicates(journal, run, COLUMNS),
    );
    expect(problems[2]).toEqual(['Badge A stands on a.csv:3, a.csv:4, a.csv:5 and 2 more rows too']);
    expect(problems[7]).toEqual(['Badge A stands on a.csv:2, a.csv:3, a.csv:4 and 2 more rows too']);
    const four = check(Array<string>(4).fill('A'), (journal, run) => rejectDuplicates(journal, run, COLUMNS));
    expect(four.problems[3]).toEqual(['Badge A stands on a.csv:2, a.csv:4, a.csv:5 too']);
  });
});

describe('parents', () => {
  const layer = (journal: Journal, run: string): void => layerRows(journal, run, COLUMNS);

  test('are one layer before their members', () => {
    const { journal, problems } = check(['E/D', 'D/C', 'C/B', 'B/A', 'A', 'X', 'Y/elsewhere', '/C'], layer);
    expect(depths(journal)).toEqual([4, 3, 2, 1, 0, 0, 0, 3]);
    expect(problems).toEqual({});
  });

  test('in a circle are rejected, each told the whole circle from its own row on', () => {
    const { journal, run, problems } = check(['A/A', 'B/C', 'C/B', 'X/Z', 'Y/X', 'Z/Y', 'ok'], layer);
    expect(problems).toEqual({
      2: ['Group A makes a circle of parents: a.csv:2 → a.csv:2'],
      3: ['Group C makes a circle of parents: a.csv:3 → a.csv:4 → a.csv:3'],
      4: ['Group B makes a circle of parents: a.csv:4 → a.csv:3 → a.csv:4'],
      5: ['Group Z makes a circle of parents: a.csv:5 → a.csv:7 → a.csv:6 → a.csv:5'],
      6: ['Group X makes a circle of parents: a.csv:6 → a.csv:5 → a.csv:7 → a.csv:6'],
      7: ['Group Y makes a circle of parents: a.csv:7 → a.csv:6 → a.csv:5 → a.csv:7'],
    });
    expect(statesOf(journal, run).filter((state) => state.includes('pending'))).toEqual(['ok: pending']);
  });

  test('that hang on a circle are told the circle', () => {
    const { problems } = check(['A/B', 'B/A', 'C/A', 'D/C', '/D'], layer);
    for (const line of [4, 5, 6]) {
      expect(problems[line]?.[0]).toMatch(/leads to a circle of parents: a\.csv:\d → a\.csv:\d → a\.csv:\d$/);
    }
  });

  test('in a long circle are named in part', () => {
    const people = Array.from({ length: 300 }, (_, index) => `B${index}/B${(index + 1) % 300}`);
    const { problems } = check(people, layer);
    expect(problems[2]).toEqual([
      'Group B1 makes a circle of parents: a.csv:2 → a.csv:3 → a.csv:4 → a.csv:5 → a.csv:6 → a.csv:7 → 294 more rows → a.csv:2',
    ]);
  });

  test('in a chain of 3,000 are all found', () => {
    const people = Array.from({ length: 3000 }, (_, index) =>
      index === 0 ? 'B0' : `B${index}/B${index - 1}`,
    );
    const { journal } = check(people.reverse(), layer);
    expect(depths(journal)).toEqual(people.map((_, index) => 2999 - index));
  });

  test('that no row has are asked for once each, and their members rejected when they are nowhere', () => {
    const { journal, run, problems } = check(['A/P', 'B/P', 'C/Q', 'D/A', 'E'], (journal, run) => {
      expect(parentsOutsideFile(journal, run).sort()).toEqual(['P', 'Q']);
      rejectOrphans(journal, run, ['P'], COLUMNS);
    });
    const words = 'Group P is the barcode of no row in the file and of no registration in the service';
    expect(problems).toEqual({ 2: [words], 3: [words] });
    expect(statesOf(journal, run).slice(2)).toEqual(['C: pending', 'D: pending', 'E: pending']);
  });

  test('that are rejected take their members along, and the members of those', () => {
    const { problems } = check(['A', 'B/A', 'C/B', 'D/C', 'A', 'X'], (journal, run) => {
      rejectDuplicates(journal, run, COLUMNS);
      rejectMembersOfRejected(journal, run, COLUMNS);
    });
    expect(Object.keys(problems)).toEqual(['2', '3', '4', '5', '6']);
    expect(problems[4]).toEqual(['Group B is the barcode of a row that is rejected itself (a.csv:3)']);
    expect(problems[3]?.[0]).toMatch(
      /^Group A is the barcode of a row that is rejected itself \(a\.csv:[26]\)$/,
    );
  });
});

describe('push', () => {
  test('asks the service for parents that are not in the file, and takes those that are there', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('parents.csv', visitors('P', 'Q'))]);
    const file = bench.write('a.csv', visitors('A/P', 'B/P', 'C/Q'));
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });

    const orphans = bench.write('b.csv', visitors('D/P', 'E/nowhere'));
    const ended = await bench.push([orphans]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { state: 'refused', rejected: 1 } });
    expect(ended.err).toContain(
      'b.csv:3  column "parent_barcode": "nowhere" is the barcode of no row in the file',
    );
  });

  test('does not call a rejected parent missing, nor its members wrong', async () => {
    const bench = await pushBench();
    const file = bench.write(
      'a.csv',
      visitors('A', 'B/A', 'C/B').replace('visitor,A,,Ada,Example,a@', 'visitor,A,,Ada,Example,a at '),
    );
    const ended = await bench.push([file]);
    expect(ended.summary).toMatchObject({ state: 'refused', rejected: 1 });
    expect(ended.err).not.toContain('a.csv:3');
    const skipped = await bench.push([file, '--invalid', 'skip']);
    expect(skipped.summary).toMatchObject({ rejected: 3, sent: 0 });
    expect(skipped.err).toContain(
      'a.csv:3  column "parent_barcode": "A" is the barcode of a row that is rejected itself (a.csv:2)',
    );
    expect(bench.service.requests.filter(({ path }) => path.includes('barcode='))).toEqual([]);
  });

  test('counts a rejected row among those that share a barcode, unless it is the barcode that is wrong', async () => {
    const bench = await pushBench();
    const rows = [
      'persona,barcode,E-mail',
      'visitor,A,nonsense',
      'visitor,A,a@example.com',
      'visitor,5.9E+12,b',
      'visitor,5.9E+12,c',
    ];
    const ended = await bench.push([bench.write('a.csv', rows.join('\n'))]);
    expect(ended.summary.rejected).toBe(4);
    expect(ended.err).toContain('a.csv:2  column "barcode": "A" stands on a.csv:3 too');
    expect(ended.err).toContain('a.csv:3  column "barcode": "A" stands on a.csv:2 too');
    expect(ended.err).not.toContain('stands on a.csv:5');
  });

  test('tells a row that is its own parent so once', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', visitors('A/A', 'B/A'))]);
    expect(ended.summary.rejected).toBe(1);
    expect(ended.err.match(/a\.csv:2 /g)).toHaveLength(1);
  });
});
