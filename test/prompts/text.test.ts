import { describe, expect, test } from 'vitest';
import { desk, KEY } from './desk.ts';

const typed = async (keys: readonly string[], initial?: string): Promise<string> => {
  const here = desk();
  const answer = here.prompt.text('Name?', initial);
  await here.screen.until((text) => text.includes('Name?'));
  await here.press(...keys, KEY.enter);
  return await answer;
};

describe('a line of text', () => {
  test.each<[readonly string[], string]>([
    [['h', 'j', 'k', 'l'], 'hjkl'],
    [['🇩', '🇪', '!', KEY.left, KEY.backspace], '!'],
    [['ab', KEY.left, 'x', KEY.left, KEY.left, 'y'], 'yaxb'],
    [['ab', '\u0001', 'x', '\u0005', 'y'], 'xaby'],
    [['ab', '\u0001', '\u001B[3~'], 'b'],
    [['one two', '\u0017', 'three'], 'one three'],
    [['one', '\u0015', 'two'], 'two'],
    [['\t', '\f', KEY.up, 'a'], 'a'],
    [['参加者'], '参加者'],
    [['\u001B[200~ https://a.example/api\r\nsecond \u001B[201~'], 'https://a.example/api second'],
  ])('takes %j for %j', async (keys, expected) => {
    expect(await typed(keys)).toBe(expected);
  });

  test('begins with what is there', async () => {
    expect(await typed([KEY.backspace, 'Z'], 'abc')).toBe('abZ');
  });

  test('may be longer than the terminal is wide', async () => {
    const here = desk({ columns: 30 });
    const answer = here.prompt.text('Name?');
    await here.screen.until((text) => text.includes('Name?'));
    await here.press('参加者'.repeat(10));
    expect(await here.screen.lines()).toEqual([
      '? Name?',
      `  ${'参加者'.repeat(4)}参`,
      `  ${'加者参'.repeat(4)}加`,
      '  者参加者',
    ]);
    await here.press(KEY.enter);
    expect(await answer).toBe('参加者'.repeat(10));
  });
});

test('a secret is shown as dots, and nowhere afterwards', async () => {
  const here = desk();
  const answer = here.prompt.secret('Token?');
  await here.screen.until((text) => text.includes('Token?'));
  await here.press('tok-1234');
  expect(await here.screen.lines()).toEqual(['? Token?', '  ••••••••']);
  await here.press(KEY.enter);
  expect(await answer).toBe('tok-1234');
  expect(await here.screen.lines()).toEqual(['? Token? · ••••••••']);
});
