import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepSummary } from '../../../src/report/ci/github.ts';
import { visible } from '../../../src/report/words/escape.ts';
import { anyText } from '../arbitrary-text.ts';
import { refused, rejected, reportOf, VIEW } from './run-report-fixture.ts';

/** Cells of a table row as GitHub reads them: ended by bars, with escaped marks as themselves. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\| | \|$/g, '')
    .split(/(?<!\\)(?:\\\\)* \| /)
    .map((cell) => cell.replaceAll('<br>', '\n').replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}

const problemRows = (summary: string): string[][] =>
  summary
    .split('\n')
    .filter((line) => line.startsWith('| guests'))
    .map(cellsOf);

describe('the summary of a step', () => {
  test('counts, and names what is wrong', () => {
    expect(
      stepSummary(reportOf([rejected(12)], { remarks: ['goes on from run 1'] }), VIEW),
    ).toBe(`### eventreg: push of guests.csv\\: done

Summer party at https\\://events.example.com/api, run 20270301-4f9a2c

goes on from run 1

| rows | |
| --: | :-- |
| 1,240 | new |

1,240 registrations were read back.

| where | what | why |
| :-- | :-- | :-- |
| guests.csv\\:12 | rejected | column "E\\-mail" (email)\\: "a••.e••••••" is not a valid e\\-mail address; write it as name\\@example.com |

`);
  });

  test('has the first hundred', () => {
    const problems = Array.from({ length: 1000 }, (_, at) => rejected(at + 2));
    const summary = stepSummary(reportOf(problems), VIEW);
    expect(problemRows(summary)).toHaveLength(100);
    expect(summary).toContain('… and 900 more.');
    const more = stepSummary(reportOf(problems, { problemsUnlisted: 2000 }), VIEW);
    expect(more).toContain('… and 2,900 more.');
  });

  test('shows text of every kind as text', () => {
    const marks = fc.constantFrom(
      '|',
      '\\',
      '`',
      '<img src=x>',
      '[a](b)',
      '**',
      '&amp;',
      '\n',
      '~~',
      '# ',
      '$',
      '<!--',
    );
    const hostile = fc.array(fc.oneof(anyText(), marks)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, (message) => {
        const summary = stepSummary(reportOf([refused(message)]), VIEW);
        expect(problemRows(summary)).toEqual([['guests.csv:7 (barcode T-7)', 'failed', visible(message)]]);
        // Whatever opens something is behind a backslash.
        const cell = summary.split('\n').find((line) => line.startsWith('| guests')) ?? '';
        expect(cell.slice(2, -2).replaceAll(' | ', '').replaceAll(/\\./gs, '')).not.toMatch(
          /[|`<>[\]*&~#$_]/,
        );
      }),
    );
  });

  test('ends with a whole line where there is no more room, with what stands there already', () => {
    const long = Array.from({ length: 100 }, () => refused('é'.repeat(20_000)));
    const whole = stepSummary(reportOf(long), VIEW);
    expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(900_000);
    expect(Buffer.byteLength(whole)).toBeGreaterThan(850_000);
    expect(whole.endsWith(' |\n')).toBe(true);
    const second = stepSummary(reportOf(long), VIEW, 500_000);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(400_000);
    expect(stepSummary(reportOf(long), VIEW, 900_000)).toBe('');
    expect(stepSummary(reportOf(long), VIEW, 2_000_000)).toBe('');
  });
});
