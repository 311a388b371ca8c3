import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createKeyboard } from '../../src/prompts/keyboard.ts';
import { openPrompt } from '../../src/prompts/open-prompt.ts';
import type { Prompt } from '../../src/prompts/prompt.ts';
import { fakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createScreen, type FakeScreen } from '../support/screen.ts';

export const KEY = {
  enter: '\r',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  escape: '\u001B',
  backspace: '\u007F',
  interrupt: '\u0003',
  suspend: '\u001A',
} as const;

/** A terminal in memory, and the prompts of a program at it. */
export interface Desk {
  prompt: Prompt;
  screen: FakeScreen;
  clock: FakeClock;
  keyboard: ReturnType<typeof createKeyboard>;
  /** What the program did with the terminal's mode and with signals, in order. */
  done: string[];
  /** Presses keys; resolves when the program has seen them. */
  press: (...keys: readonly string[]) => Promise<void>;
  stop: () => void;
}

interface DeskOptions {
  columns?: number;
  rows?: number;
  isPlain?: boolean;
  color?: boolean;
}

export function desk({ columns = 80, rows = 24, isPlain = false, color = false }: DeskOptions = {}): Desk {
  const screen = createScreen(columns, rows);
  const clock = fakeClock();
  const done: string[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(raw: boolean) {
      input.isRaw = raw;
      done.push(raw ? 'raw' : 'cooked');
    },
  });
  input.pause();
  const keyboard = createKeyboard({
    input: input as never,
    interrupt: () => done.push('interrupt'),
    suspend: () => done.push('suspend'),
  });
  const stopping = new AbortController();
  const parts = { keyboard, input: input as never, screen, clock, color, stopping: stopping.signal };
  return {
    prompt: openPrompt(parts, { isPlain }),
    screen,
    clock,
    keyboard,
    done,
    async press(...keys) {
      for (const key of keys) {
        const heard = key === KEY.escape ? once(input, 'keypress') : undefined;
        input.write(key);
        // Esc may be the beginning of another key, and is waited for.
        await heard;
        await keyboard.drained();
      }
    },
    stop: () => stopping.abort(new Error('stopped')),
  };
}

/** Nine settings and one more: a list that scrolls. */
export const many = (count: number): { value: string; label: string }[] =>
  Array.from({ length: count }, (_, at) => ({ value: `v${at + 1}`, label: `Choice ${at + 1}` }));
