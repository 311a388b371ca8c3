import { describe, expect, test } from 'vitest';
import { HeldTables } from '../../../src/runs/journal/held-tables.ts';
import { openJournal } from '../journal-bench.ts';

const TABLES = ['CREATE TEMP TABLE IF NOT EXISTS seat (no INTEGER PRIMARY KEY)', 'DELETE FROM temp.seat'];
const ALL = 'SELECT no FROM temp.seat WHERE no > $after ORDER BY no';
const TAKEN = /taken by another while they were in use/;

describe('temporary tables', () => {
  test('are read and written by who holds them', () => {
    const seats = new HeldTables(openJournal(), 'seats', TABLES);
    expect(seats.journal.run('INSERT INTO temp.seat VALUES (1), (2)')).toBe(2);
    expect(seats.journal.get('SELECT count(*) AS n FROM temp.seat')).toEqual({ n: 2 });
    expect([...seats.pages<{ no: number }>(ALL, {}, 'no')]).toEqual([[{ no: 1 }, { no: 2 }]]);
  });

  test.each<[string, (seats: HeldTables) => unknown]>([
    ['get', (seats) => seats.journal.get('SELECT 1 FROM temp.seat')],
    ['all', (seats) => seats.journal.all('SELECT no FROM temp.seat')],
    ['run', (seats) => seats.journal.run('INSERT INTO temp.seat VALUES (7)')],
    ['pages', (seats) => [...seats.pages<{ no: number }>(ALL, {}, 'no')]],
    ['check', (seats) => seats.check()],
  ])('that another has taken since are refused to who had them: %s', (_name, use) => {
    const journal = openJournal();
    const seats = new HeldTables(journal, 'seats', TABLES);
    const other = new HeldTables(journal, 'seats', TABLES);
    other.journal.run('INSERT INTO temp.seat VALUES (1)');
    expect(() => use(seats)).toThrow(TAKEN);
    expect(other.journal.all('SELECT no FROM temp.seat')).toEqual([{ no: 1 }]);
  });

  test('are refused also between two pages', () => {
    const journal = openJournal();
    const seats = new HeldTables(journal, 'seats', TABLES);
    seats.journal.run('INSERT INTO temp.seat SELECT value FROM json_each($all)', {
      all: JSON.stringify(Array.from({ length: 501 }, (_, no) => no)),
    });
    const pages = seats.pages<{ no: number }>(ALL, {}, 'no');
    expect(pages.next().value).toHaveLength(500);
    const other = new HeldTables(journal, 'seats', TABLES);
    expect(() => pages.next()).toThrow(TAKEN);
    expect(other.journal.all('SELECT no FROM temp.seat')).toEqual([]);
  });

  test('of another name are nobody else’s', () => {
    const journal = openJournal();
    const seats = new HeldTables(journal, 'seats', TABLES);
    const tables = new HeldTables(journal, 'tables', []);
    expect(() => tables.check()).not.toThrow();
    expect(() => seats.check()).not.toThrow();
  });
});
