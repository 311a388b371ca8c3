import { expect, test } from 'vitest';
import { formatDifference } from '../../../src/report/words/difference-text.ts';

test.each([
  ['x'.repeat(400), 'x'.repeat(200), 'which differs from character 201 on (400 characters, listed 200)'],
  ['Best Ltd', 'Bolt Ltd', 'which differs from character 2 on'],
  ['2027-03-03', '2027-03-02', 'which is 1 day earlier'],
])('values that look alike are told apart: %s, %s', (expected, found, how) => {
  for (const kind of ['stored', 'changed'] as const)
    expect(formatDifference({ field: 'note', kind, expected, found }, false)).toMatch(
      new RegExp(`, ${how.replace(/[()]/g, String.raw`\$&`)}$`),
    );
});
