import { describe, expect, test } from 'vitest';
import type { PromptTable } from '../../src/prompts/prompt.ts';
import { desk, KEY } from './desk.ts';

const choices = [
  { value: 'first_name', label: 'First name' },
  { value: 'ticket', label: 'Ticket type' },
  { value: '', label: 'left out' },
];
const TABLE: PromptTable = {
  title: '4 columns of form.csv: 2 open',
  settled: '4 columns of form.csv',
  headings: ['', 'e.g.', 'goes to'],
  rows: [
    { label: 'What is your first name?', sample: 'Anna, Bernd', value: 'first_name', choices },
    { label: 'チケット 🎫', sample: 'Standard', value: 'ticket', why: 'values fit', choices },
    { label: 'Timestamp', sample: '2027/02/01', value: undefined, choices },
    { label: 'Notes', sample: '', value: undefined, choices },
  ],
  rest: { value: '', label: 'left out' },
};

const shown = async (columns = 80, table = TABLE) => {
  const here = desk({ columns });
  const answer = here.prompt.table(table);
  const lines = await here.screen.until((text) => text.includes('back'));
  return { ...here, answer, lines };
};

describe('a table', () => {
  test('shows what goes where, aligned', async () => {
    expect((await shown()).lines).toEqual([
      '? 4 columns of form.csv: 2 open',
      '                              e.g.         goes to',
      '  ✓ What is your first name?  Anna, Bernd  First name',
      '  ~ チケット 🎫               Standard     Ticket type (values fit)',
      '  ? Timestamp                 2027/02/01   ?',
      '  ? Notes                                  ?',
      '❯ [decide the 2 open ones]',
      '  [the 2 open ones: left out]',
      '  Enter · ↑↓ change one · ← back',
    ]);
  });

  test('tells each decision, and offers no way back where there is none', async () => {
    const told: string[] = [];
    const onDecided = (row: number, value: string) => told.push(`${row} ${value}`);
    const here = desk({});
    const answer = here.prompt.table({ ...TABLE, back: false, onDecided });
    const lines = await here.screen.until((text) => text.includes('Enter'));
    expect(lines.at(-1)).toBe('  Enter · ↑↓ change one');
    await here.press(KEY.left, KEY.escape, KEY.enter, KEY.down, KEY.enter);
    expect(told).toEqual(['2 ticket']);
    await here.press(KEY.left, KEY.down, KEY.down, KEY.enter, KEY.enter);
    expect(await answer).toEqual(['first_name', 'ticket', 'ticket', '']);
  });

  test('takes all with Enter, after asking for what is open, one after the other', async () => {
    const { answer, press, screen } = await shown();
    await press(KEY.enter);
    expect((await screen.lines())[0]).toBe('? Timestamp · 2027/02/01');
    await press(KEY.down, KEY.down, KEY.enter);
    expect((await screen.lines())[0]).toBe('? Notes');
    await press(KEY.left);
    expect((await screen.lines())[4]).toMatch(/^ {2}· Timestamp .* left out$/);
    await press(KEY.enter, KEY.down, KEY.enter);
    const lines = await screen.lines();
    expect(lines[5]).toMatch(/^. ✓ Notes .* Ticket type$/);
    expect([lines[0], lines[6]]).toEqual(['? 4 columns of form.csv', '❯ [all right]']);
    await press(KEY.enter);
    expect(await answer).toEqual(['first_name', 'ticket', '', 'ticket']);
    expect(await screen.lines()).toEqual(['? 4 columns of form.csv · all right, 1 left out']);
  });

  test('leaves out at once all that are open', async () => {
    const { answer, press, screen } = await shown();
    await press(KEY.down, KEY.enter);
    expect((await screen.lines()).slice(6, 8)).toEqual(['❯ [all right]', '  Enter · ↑↓ change one · ← back']);
    await press(KEY.enter);
    expect(await answer).toEqual(['first_name', 'ticket', '', '']);
  });

  test('is searched in each list by letters, which never lead to what leaves a row open', async () => {
    const { answer, press, screen } = await shown();
    await press('o', KEY.enter);
    expect((await screen.lines())[0]).toBe('? Timestamp · 2027/02/01');
    await press('l', 'e', 'f', KEY.enter);
    expect((await screen.lines()).join('\n')).toContain('nothing has this');
    await press(KEY.escape, 't', KEY.enter);
    expect((await screen.lines())[0]).toBe('? Notes');
    await press('t', 'n', KEY.enter, KEY.backspace, KEY.enter, KEY.enter);
    expect(await answer).toEqual(['first_name', 'ticket', 'ticket', 'ticket']);
  });

  test('changes one that is marked', async () => {
    const { answer, press } = await shown();
    await press(KEY.down, KEY.enter, KEY.down, KEY.down, KEY.right, KEY.up, KEY.enter, KEY.enter);
    expect(await answer).toEqual(['first_name', 'first_name', '', '']);
  });

  test('says the whole of a label that is cut, below the table, while its row is marked', async () => {
    const label = 'Which equipment do you need in the room (several answers)?';
    const { lines, press, screen } = await shown(60, { ...TABLE, rows: [{ ...TABLE.rows[0]!, label }] });
    expect(lines.join('\n')).not.toContain('several');
    await press(KEY.up);
    expect((await screen.lines()).join('\n')).toContain(
      '    Which equipment do you need in the room (several\n    answers)?',
    );
  });

  test.each([KEY.left, KEY.escape])('goes back with %j', async (key) => {
    const { answer, press } = await shown();
    await press(key);
    expect(await answer).toBeUndefined();
  });

  test.each([80, 40, 24])('keeps to %i columns, and scrolls where it is long', async (columns) => {
    const rows = Array.from({ length: 40 }, (_, at) => ({
      label: `Question ${at + 1} with words`,
      sample: 'a sample that is long',
      value: '',
      choices,
    }));
    const { lines, press, screen } = await shown(columns, { ...TABLE, rows });
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(lines).toContain('❯ [all right]');
    expect(lines[0]).toBe('? 4 columns of form.csv'.slice(0, columns - 1).trimEnd());
    await press(KEY.up);
    expect((await screen.lines()).join('\n')).toContain('❯ · Q');
    expect((await screen.lines()).length).toBeLessThanOrEqual(23);
  });
});
