import { expect, test } from 'vitest';
import { firstLines } from '../../../src/input/source/question-error.ts';

test('The first lines are shown, and the others counted', () => {
  expect(firstLines(['a', 'b', 'c'], 3, 'columns')).toEqual(['a', 'b', 'c']);
  expect(firstLines(['a', 'b', 'c', 'd'], 2, 'columns')).toEqual(['a', 'b', '… and 2 more columns']);
  expect(firstLines([], 2, 'columns')).toEqual([]);
});
