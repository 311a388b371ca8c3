import { describe, expect, it } from 'vitest';
import { formatRejects } from '../../../src/report/progress/format-groups.ts';
import { RejectGroups } from '../../../src/report/views/reject-groups.ts';
import type { Place, Reason, Reject } from '../../../src/registration/model/row.ts';

const SHEET = { file: 'Gäste.xlsx', sheet: 'Gäste 2027' };

function reason(
  column: string | undefined,
  value: string | undefined,
  problem: string,
  more: Partial<Reason> = {},
): Reason {
  return {
    column,
    field: column?.toLowerCase(),
    value,
    code: 'row-empty',
    problem,
    remedy: undefined,
    personal: false,
    ...more,
  };
}

function told(rejects: readonly Reject[], { all = false, showValues = false, rows = 31 } = {}): string {
  const groups = new RejectGroups();
  for (const one of rejects) groups.add(one);
  return [
    ...formatRejects(
      groups.view(rows, () => rejects),
      { all, showValues },
    ),
  ].join('\n');
}

const at = (line: number, place: Omit<Place, 'line'>, ...reasons: Reason[]): Reject => ({
  place: { ...place, line },
  reasons,
});

const MEALS = 'is not one of the allowed values "Meat", "Fish"';
const meal = (value: string, remedy?: string): Reason => reason('Menü', value, MEALS, { remedy });

describe('rejected rows', () => {
  it('are told by column and reason, with counts, first rows and remedy', () => {
    const rejects = [
      ...[7, 10, 11, 15].map((line) => at(line, SHEET, meal('Fleisch'))),
      ...[8, 9].map((line) => at(line, SHEET, meal('Fich', 'write "Fish"'))),
      at(
        19,
        SHEET,
        reason('E-Mail', 'kommt noch', 'has no @', {
          remedy: 'write it as name@example.com',
          personal: true,
        }),
      ),
      at(20, SHEET, reason(undefined, undefined, 'names no persona')),
      at(21, SHEET, reason(undefined, undefined, 'names no persona')),
    ];
    expect(told(rejects)).toBe(
      [
        '✗ 9 of 31 rows of Gäste.xlsx, sheet "Gäste 2027" cannot be sent:',
        `  "Menü" ${MEALS}`,
        '    "Fleisch" (4 rows: 7, 10, 11 …), "Fich" (2 rows: 8, 9: write "Fish")',
        '  names no persona',
        '    2 rows: 20, 21',
        '  "E-Mail" has no @; write it as name@example.com',
        '    "k•••• n•••" (row 19)',
        '  --all-errors lists every row with every reason.',
      ].join('\n'),
    );
    expect(told(rejects, { showValues: true })).toContain('"kommt noch" (row 19)');
  });

  it('are told row by row where they are few, or where all are asked for', () => {
    const rejects = Array.from({ length: 8 }, (_, index) =>
      at(index + 2, { file: 'a.csv' }, meal(index < 3 ? 'x' : `x${index}`)),
    );
    expect(told(rejects).split('\n')).toHaveLength(8);
    expect(told(rejects)).toContain('a.csv:2  column "Menü" (menü): "x" is not one of');
    const more = [...rejects, at(10, { file: 'a.csv' }, meal('x'))];
    expect(told(more)).toContain('"x" (4 rows: lines 2, 3, 4 …)');
    expect(told(more, { all: true }).split('\n')).toHaveLength(9);
  });

  it('are counted where few say the same again and again', () => {
    const rejects = [2, 3, 4, 5].map((line) => at(line, { file: 'a.csv' }, meal('x')));
    expect(told(rejects)).toContain('"x" (4 rows: lines 2, 3, 4 …)');
    expect(told(rejects.slice(1)).split('\n')).toHaveLength(3);
  });

  it('are one kind of error whatever rows and values their reasons name', () => {
    const twice = (line: number): Reason =>
      reason('Barcode', `B${line}`, `stands on a.csv:${line + 1} too`, {
        remedy: 'give each row one of its own',
      });
    const text = told(
      Array.from({ length: 20 }, (_, index) => at(index + 2, { file: 'a.csv' }, twice(index))),
    );
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain('"B0" (line 2), "B1" (line 3)');
    expect(text).toContain(', and 14 more values');
  });

  it('are counted by rows where they have more values than are kept', () => {
    const bad = (at: number): Reason => reason('Mail', `mail ${at}`, 'is no address', { remedy: 'mend it' });
    const text = told(
      Array.from({ length: 1000 }, (_, index) => at(index + 2, { file: 'a.csv' }, bad(index))),
    );
    expect(text).toContain(', and 994 more rows');
  });

  it('name their file where there are several, and are cut where there are many kinds', () => {
    const rejects = Array.from({ length: 20 }, (_, index) =>
      at(index + 2, { file: index % 2 === 0 ? 'a.csv' : 'b.csv' }, reason(`Column ${index}`, 'x', 'is odd')),
    );
    const text = told(rejects);
    expect(text).toContain('✗ 20 of 31 rows cannot be sent:');
    expect(text).toContain('"x" (b.csv:3)');
    expect(text).toContain('  … and 8 more kinds of errors');
  });

  it('have nothing in them that a terminal would obey', () => {
    const rejects = Array.from({ length: 9 }, (_, index) =>
      at(
        index,
        { file: 'a\u001B.csv' },
        reason('C\u001B', 'v\u202E', 'is \u0007odd', { remedy: '\u001B[2J' }),
      ),
    );
    for (const control of ['\u001B', '\u202E', '\u0007']) expect(told(rejects)).not.toContain(control);
  });
});
