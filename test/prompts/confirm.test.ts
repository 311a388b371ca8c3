import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { desk, KEY } from './desk.ts';

const asked = (text: string): boolean => text.includes('Send?');
const heard = (text: string): boolean => text.includes('y: yes');

describe('a question that acts', () => {
  const act = async () => {
    const here = desk();
    const answer = here.prompt.confirm('Send?', { acts: true });
    await here.screen.until(asked);
    return { ...here, answer };
  };

  test.each([
    [[KEY.enter], false],
    [['n'], false],
    [['y'], true],
    [['Y'], true],
    [[KEY.left, KEY.enter], true],
    [[KEY.left, KEY.right, KEY.enter], false],
    [[' ', 'l', 'h', 'j', 'k', '\f', KEY.enter], false],
    [[`\u001B[200~y\r\u001B[201~`, KEY.enter], false],
  ])('takes %j for %s', async (keys, expected) => {
    const { answer, clock, screen, press } = await act();
    await clock.advance(400);
    await screen.until(heard);
    await press(...keys);
    expect(await answer).toBe(expected);
    expect(await screen.lines()).toEqual([`? Send? · ${expected ? 'Yes' : 'No'}`]);
  });

  test('is deaf for 400 ms after it is drawn, and says when it hears', async () => {
    const { answer, clock, screen, press } = await act();
    await clock.advance(399);
    expect((await screen.lines()).join('\n')).not.toContain('y: yes');
    await press('y', KEY.left, KEY.enter);
    await clock.advance(200);
    await screen.until(heard);
    await press(KEY.enter);
    expect(await answer).toBe(false);
  });

  test('is not answered by a key that is held down, however long', async () => {
    const { answer, clock, screen, press } = await act();
    for (let times = 0; times < 100; times += 1) {
      await clock.advance(33);
      await press('y');
    }
    expect((await screen.lines()).join('\n')).not.toContain('y: yes');
    await clock.advance(200);
    await screen.until(heard);
    await press('n');
    expect(await answer).toBe(false);
  });
});

describe('a question', () => {
  test('is not answered by keys that were pressed before it was drawn', async () => {
    const here = desk();
    void here.press('y', KEY.enter);
    const answer = here.prompt.confirm('Remember it? Send?');
    await here.screen.until(asked);
    await here.press('n');
    expect(await answer).toBe(false);
  });

  test('nor by those of a time in which nothing was asked', async () => {
    const here = desk();
    const release = here.keyboard.hold();
    await here.press('y', KEY.enter, 'x');
    expect(await here.screen.lines()).toEqual([]);
    await here.press(KEY.interrupt);
    const answer = here.prompt.confirm('Send?');
    await here.screen.until(asked);
    await here.press(KEY.left, KEY.enter);
    expect(await answer).toBe(true);
    expect(here.done).toEqual(['raw', 'interrupt']);
    release();
    expect(here.done).toEqual(['raw', 'interrupt', 'cooked']);
  });

  test.each(['Ctrl-C', 'a signal'])('ends with %s, and leaves the terminal in order', async (how) => {
    const here = desk();
    const answer = here.prompt.confirm('Send?').catch((error: unknown) => error);
    await here.screen.until(heard);
    if (how === 'Ctrl-C') await here.press(KEY.interrupt);
    else here.stop();
    expect(await answer).toBeInstanceOf(InterruptedError);
    expect(here.done).toEqual(['raw', 'cooked']);
    expect(await here.screen.lines()).toEqual(['? Send?']);
  });

  test('stays when the process is stopped, and is drawn again when it goes on', async () => {
    const here = desk();
    const answer = here.prompt.confirm('Send?');
    await here.screen.until(heard);
    await here.press(KEY.suspend);
    here.screen.write('$ fg\n');
    here.keyboard.resume();
    await here.press('y');
    expect(await answer).toBe(true);
    expect(here.done).toEqual(['raw', 'cooked', 'suspend', 'cooked', 'raw', 'cooked']);
    expect((await here.screen.lines()).slice(-2)).toEqual(['$ fg', '? Send? · Yes']);
  });
});
