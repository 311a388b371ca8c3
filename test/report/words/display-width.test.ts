import xterm from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { displayWidth, fitWidth } from '../../../src/report/words/display-width.ts';

async function columnsAtTerminal(text: string): Promise<number> {
  const terminal = new xterm.Terminal({ cols: 80, rows: 2, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  return terminal.buffer.active.cursorX;
}

describe('the columns of a text', () => {
  test.each([
    'Ada Lane',
    'Đặng Thị',
    'e\u0301e\u0301',
    'अनिता शर्मा',
    'नमस्ते',
    'தமிழ்',
    'বাংলা',
    'మల్లిక',
    'ශ්\u200Dරී',
    'กำลัง',
    'ລາວຳ',
    'ខ្មែរ',
    'שָׁלוֹם',
    'عَرَبِيّ',
    '山田太郎',
    '한국',
    'か\u3099',
    'ｶﾞ',
    '👩‍🚀',
    '🇩🇪',
  ])('are those that a terminal gives it: %s', async (text) => {
    expect(displayWidth(text)).toBe(await columnsAtTerminal(text));
  });
});

test('a text is cut between letters, never before a mark', () => {
  expect(fitWidth('अनिता शर्मा', 6)).toBe('अनिता…');
  expect(displayWidth(fitWidth('मल्लिका', 4))).toBeLessThanOrEqual(4);
});
