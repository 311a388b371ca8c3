import { describe, expect, test } from 'vitest';
import { desk, KEY, many } from './desk.ts';

const SHEETS = [
  { value: 'stop', label: 'Stop' },
  { value: 'a', label: 'Gäste 2027 (31 rows: Nr., Anrede, Vorname, Nachname, Firma, Handy)' },
  { value: 'b', label: '参加者 🎉', hint: 'hidden' },
];

describe('one of several', () => {
  test('wraps at words, and keeps one line', async () => {
    const here = desk({ columns: 40 });
    const answer = here.prompt.select('Which sheet of this very long workbook is to be read?', SHEETS);
    const lines = await here.screen.until((text) => text.includes('Enter'));
    expect(lines).toEqual([
      '? Which sheet of this very long',
      '  workbook is to be read?',
      '  ● Stop',
      '  ○ Gäste 2027 (31 rows: Nr., Anrede,',
      '    Vorname, Nachname, Firma, Handy)',
      '  ○ 参加者 🎉',
      '  ↑↓ and Enter',
    ]);
    await here.press(KEY.down, KEY.down);
    expect((await here.screen.lines())[5]).toBe('  ● 参加者 🎉 (hidden)');
    await here.press(KEY.down, KEY.up, KEY.enter);
    expect(await answer).toBe('b');
    expect(await here.screen.lines()).toEqual([
      '? Which sheet of this very long',
      '  workbook is to be read? · 参加者 🎉',
    ]);
  });

  test.each(['h', 'j', 'k', 'l', 'y', 'n', ' ', '\f', KEY.escape, KEY.left])(
    'takes %j for nothing where it acts',
    async (key) => {
      const here = desk();
      const answer = here.prompt.select('Which?', SHEETS, { acts: true });
      await here.screen.until((text) => text.includes('Stop'));
      await here.clock.advance(600);
      await here.screen.until((text) => text.includes('Enter'));
      await here.press(KEY.down, key, KEY.enter);
      expect(await answer).toBe('a');
    },
  );

  test.each([KEY.left, KEY.escape])('goes back with %j where that is said', async (key) => {
    const here = desk();
    const answer = here.prompt.select('Which?', SHEETS, { back: true });
    await here.screen.until((text) => text.includes('← back'));
    await here.press(key);
    expect(await answer).toBeUndefined();
  });

  test('that acts starts on the first, and is deaf at first', async () => {
    const here = desk();
    const answer = here.prompt.select('What now?', SHEETS, { acts: true });
    await here.screen.until((text) => text.includes('Stop'));
    await here.press(KEY.down, KEY.enter);
    await here.clock.advance(600);
    await here.screen.until((text) => text.includes('Enter'));
    await here.press(KEY.enter);
    expect(await answer).toBe('stop');
  });

  test('goes back to where it began when what was typed is taken back', async () => {
    const { selectFace } = await import('../../src/prompts/select-face.ts');
    const face = selectFace('Which?', SHEETS, { at: 1 });
    const key = (name: string, text = '') => face.press({ name, text });
    key('x', '🎉');
    key('backspace');
    expect(key('return')).toEqual({ answer: 'a', said: SHEETS[1]?.label });
  });

  test('scrolls where it is long, and is searched by typing letters, also h, j, k and l', async () => {
    const here = desk();
    const fields = [...many(100), { value: 'hjkl', label: 'Hjkl' }];
    const answer = here.prompt.select('Which?', fields);
    expect(await here.screen.until((text) => text.includes('1 of 101'))).toHaveLength(11);
    await here.press('\u001B[6~', KEY.up);
    const scrolled = (await here.screen.lines()).join('\n');
    expect(scrolled).toContain('● Choice 9');
    expect(scrolled).not.toContain('Choice 3\n');
    await here.press('h', 'j', 'k', 'l');
    expect((await here.screen.lines()).slice(1)).toEqual([
      '  search: hjkl',
      '  ● Hjkl',
      '  ↑↓ and Enter · type to search',
    ]);
    await here.press('x');
    expect((await here.screen.lines()).join('\n')).toContain('nothing has this');
    await here.press(KEY.enter, KEY.backspace, KEY.enter);
    expect(await answer).toBe('hjkl');
  });

  test('shows first what begins so, then words that do', async () => {
    const here = desk();
    const labels = ['stop: one', 'Gold', 'all one', 'Onyx', 'Iron'];
    const answer = here.prompt.select(
      'Which?',
      labels.map((label) => ({ value: label, label })),
    );
    await here.screen.until((text) => text.includes('type to search'));
    await here.press('o', 'n');
    expect((await here.screen.lines()).slice(2, 6)).toEqual([
      '  ● Onyx',
      '  ○ stop: one',
      '  ○ all one',
      '  ○ Iron',
    ]);
    await here.press(KEY.enter);
    expect(await answer).toBe('Onyx');
  });

  test('is drawn again without residue when the terminal becomes narrower or wider', async () => {
    const here = desk({ columns: 80 });
    here.screen.write('before\n');
    const answer = here.prompt.select('Which?', SHEETS);
    await here.screen.until((text) => text.includes('Enter'));
    for (const columns of [50, 30, 25, 60, 120]) {
      here.screen.resize(columns, 24);
      const lines = await here.screen.lines();
      expect(lines[0]).toBe('before');
      expect(lines.filter((line) => line.startsWith('? Which?'))).toHaveLength(1);
      expect(lines.filter((line) => line.includes('Enter'))).toHaveLength(1);
    }
    await here.press(KEY.enter);
    expect(await answer).toBe('stop');
    expect(await here.screen.lines()).toEqual(['before', '? Which? · Stop']);
  });

  test('has colours only where they are wanted', async () => {
    for (const color of [true, false]) {
      const here = desk({ color });
      const written: string[] = [];
      const { write } = here.screen;
      here.screen.write = (text) => {
        written.push(text);
        write(text);
      };
      void here.prompt.select('Which?', SHEETS);
      await here.screen.until((text) => text.includes('Enter'));
      // eslint-disable-next-line no-control-regex
      expect(/\u001B\[\d+m/.test(written.join(''))).toBe(color);
    }
  });
});
