import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { desk, KEY } from './desk.ts';

const plain = () => desk({ isPlain: true });
const CHOICES = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B', hint: 'better' },
];

describe('a terminal that only has lines', () => {
  test.each([
    ['y\n', true],
    ['yes\n', true],
    ['\n', false],
    ['yo\n', false],
  ])('takes %j for %s', async (keys, expected) => {
    const here = plain();
    const answer = here.prompt.confirm('Send?', { acts: true });
    await here.screen.until((text) => text.includes('Send?'));
    await here.press('y\n');
    expect((await here.screen.lines()).join('')).not.toContain('(y/N)');
    await here.clock.advance(400);
    await here.screen.until((text) => text.includes('(y/N)'));
    await here.press(keys);
    expect(await answer).toBe(expected);
    expect(here.done).toEqual(['cooked', 'cooked']);
  });

  test('gives choices numbers, and asks again for what is none', async () => {
    const here = plain();
    const answer = here.prompt.select('Which?', CHOICES, { back: true });
    const lines = await here.screen.until((text) => text.includes('number'));
    expect(lines).toEqual(['? Which?', '  1) A', '  2) B (better)', '  0) back', '  number:']);
    for (const [at, key] of ['x\n', '\n', '3\n', 'Z\u007F2\n'].entries()) {
      await here.screen.until((text) => text.split('number:').length === at + 2);
      await here.press(key);
    }
    expect(await answer).toBe('b');
    const again = here.prompt.select('Which?', CHOICES, { back: true });
    await here.screen.until((text) => text.split('number:').length === 6);
    await here.press('0\n');
    expect(await again).toBeUndefined();
  });

  test('of a choice that acts a bare Enter is the first', async () => {
    const here = plain();
    const answer = here.prompt.select('Which?', CHOICES, { acts: true });
    await here.screen.until((text) => text.includes('2) B'));
    await here.clock.advance(400);
    await here.screen.until((text) => text.includes('number'));
    await here.press('\n');
    expect(await answer).toBe('a');
  });

  test('reads text and secrets', async () => {
    const here = plain();
    const text = here.prompt.text('Name?', 'Ann');
    await here.screen.until((shown) => shown.includes('Name?'));
    await here.press('\n');
    expect(await text).toBe('Ann');
    const secret = here.prompt.secret('Token?');
    await here.screen.until((shown) => shown.includes('Token?'));
    await here.press('äbc\r');
    expect(await secret).toBe('äbc');
    expect(here.done).toEqual(['cooked', 'cooked', 'raw', 'cooked']);
    expect((await here.screen.lines()).join('\n')).not.toContain('äbc');
  });

  test('shows a table as choices', async () => {
    const here = plain();
    const answer = here.prompt.table({
      title: '2 columns',
      headings: ['', 'e.g.', 'goes to'],
      rows: [
        { label: 'One', sample: '1', value: 'a', choices: CHOICES },
        { label: 'Two', sample: '2', value: undefined, choices: CHOICES },
      ],
      rest: { value: '', label: 'left out' },
    });
    const lines = await here.screen.until((text) => text.includes('number'));
    expect(lines.slice(0, 5)).toEqual([
      '? 2 columns',
      '  1) One (1): A',
      '  2) Two (2): ?',
      '  3) decide the open ones',
      '  4) left out: all that are open',
    ]);
    for (const [at, key] of ['3\n', '3\n', '1\n', '2\n', '3\n'].entries()) {
      await here.screen.until((text) => text.split('number:').length === at + 2);
      await here.press(key);
    }
    expect(await answer).toEqual(['b', '']);
  });

  test('ends with Ctrl-C', async () => {
    const here = plain();
    const answer = here.prompt.secret('Token?').catch((error: unknown) => error);
    await here.screen.until((text) => text.includes('Token?'));
    await here.press(KEY.interrupt);
    expect(await answer).toBeInstanceOf(InterruptedError);
  });
});
