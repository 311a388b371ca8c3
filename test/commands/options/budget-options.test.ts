import { describe, expect, test } from 'vitest';
import { leavesNothing, timeSpan } from '../../../src/commands/options/budget-options.ts';
import { defineDelete } from '../../../src/commands/delete/delete-command.ts';
import { defineList } from '../../../src/commands/list/list.ts';
import { definePush } from '../../../src/commands/push/define-push.ts';
import { defineRuns } from '../../../src/commands/runs/runs-options.ts';
import { parseArgv } from '../parse-argv.ts';

describe('a length of time', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1H 30M 5S', 5_405_000],
    ['0', 0],
    ['0s', 0],
    // As an earlier parsing left it.
    [1_500, 1_500],
  ])('%s', (text, ms) => {
    expect(timeSpan.parse(text)).toBe(ms);
  });

  test.each([
    ['90', '90 what? Add a unit, for example 90s, 15m, 2h or 1h30m'],
    ...['', 'soon', '30m1h', '1.5h', '-5m', '1d', '5m5m', '1234567s'].map((text) => [
      text,
      'takes hours, minutes and seconds, for example 90s, 15m, 2h or 1h30m; 0 for no waiting at all',
    ]),
  ])('refuses "%s"', (text, why) => {
    expect(timeSpan.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([why]);
  });
});

describe('--leave and --max-wait', () => {
  const flags = ['--leave', '10', '--max-wait', '1h30m'];
  test('are flags of every command that may wait long', async () => {
    const parsed = [
      await parseArgv(definePush, 'push', ['a.csv', ...flags]),
      await parseArgv(definePush, 'push', ['--plan', 'friday.plan', ...flags]),
      await parseArgv(defineDelete, 'delete', ['id', ...flags]),
      await parseArgv(defineRuns, 'runs', ['undo', '2027', ...flags]),
      await parseArgv(defineList, 'list', ['--all', ...flags]),
    ];
    for (const options of parsed) expect(options).toMatchObject({ leave: 10, maxWait: 5_400_000 });
  });

  test.each([
    [['--leave', '-1'], '--leave: takes a whole number of at least 0'],
    [['--leave', '10%'], '--leave: takes a whole number of at least 0'],
    [['--max-wait', '15'], '--max-wait: 15 what? Add a unit'],
  ])('refuse %j', async (argv, why) => {
    await expect(parseArgv(definePush, 'push', ['a.csv', ...argv])).rejects.toThrow(why);
  });
});

test('everything is kept back as soon as nothing is left', () => {
  expect(leavesNothing({ leave: 30 }, 30)).toMatchObject({
    message: '--leave 30 keeps back every request: the service allows 30 requests a window.',
    hint: 'Leave at most 29. Nothing is lost: with a smaller --leave it goes on.',
  });
  expect(leavesNothing({ leave: 29 }, 30)).toBeUndefined();
  expect(leavesNothing({ leave: 30 }, undefined)).toBeUndefined();
  expect(leavesNothing({ leave: 0 }, 0)).toBeUndefined();
});
