import { InterruptedError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import { painter } from '../report/words/paint.ts';
import { type Face, hanging } from './face.ts';
import type { Keyboard } from './keyboard.ts';
import { withResolvers } from './with-resolvers.ts';
import { displayWidth } from '../report/words/display-width.ts';
import { FRAME_OFF } from './frame-off.ts';

/** What questions need of the terminal and the process. */
export interface Terminal {
  keyboard: Keyboard;
  screen: Screen;
  clock: Clock;
  color: boolean;
  /** Aborts when the process is asked to stop. */
  stopping: AbortSignal;
}

/** For so long nobody can have read a question that acts. */
export const DEAF_MS = 400;
/** A key that comes so soon after one that was not heard is held down, or belongs to it. */
const HELD_MS = 200;

/**
 * Draws a question, and resolves to what the person answers; one line of it stays. Keys that were pressed before it is
 * drawn are dropped; with `acts` also those of the first moment, however long they go on. Throws InterruptedError.
 */
export async function ask<Answer>(
  face: Face<Answer>,
  question: string,
  { keyboard, screen, clock, color, stopping }: Terminal,
  { acts = false }: { acts?: boolean | undefined } = {},
): Promise<Answer> {
  const paint = painter(color);
  const frame = new Frame(screen);
  const ended = new AbortController();
  let deafUntilMs = 0;
  let listens = false;
  let isDrawn = false;

  const draw = (): void =>
    frame.draw(face.draw({ width: frame.width, height: frame.height, paint, listens }));
  const stay = (said: string): void => {
    const lines = hanging('? ', said === '' ? question : `${question} · ${said}`, frame.width);
    frame.end(`${lines.join('\n')}\n`);
  };
  const { promise, resolve, reject } = withResolvers<Answer>();
  const interrupt = (): void => reject(new InterruptedError());
  const release = keyboard.hold({
    press(key) {
      if (!isDrawn) return;
      if (!listens) {
        deafUntilMs = Math.max(deafUntilMs, clock.now() + HELD_MS);
        return;
      }
      const answered = face.press(key);
      if (answered === undefined) return draw();
      listens = false;
      stay(answered.said);
      isDrawn = false;
      resolve(answered.answer);
    },
    interrupted: interrupt,
    suspended: () => {
      if (isDrawn) frame.leave();
    },
    resumed: redraw,
  });
  stopping.addEventListener('abort', interrupt, { once: true });
  screen.on('resize', redraw);
  function redraw(): void {
    if (isDrawn) draw();
  }
  try {
    stopping.throwIfAborted();
    await keyboard.drained();
    deafUntilMs = acts ? clock.now() + DEAF_MS : 0;
    listens = !acts;
    isDrawn = true;
    draw();
    if (acts) void listenLater();
    return await promise;
  } catch (error) {
    if (isDrawn) stay('');
    throw error;
  } finally {
    isDrawn = false;
    ended.abort();
    screen.off('resize', redraw);
    stopping.removeEventListener('abort', interrupt);
    release();
  }

  /** Also keys that wait to be read while time has passed were not meant for this question. */
  async function listenLater(): Promise<void> {
    try {
      for (;;) {
        const left = deafUntilMs - clock.now();
        if (left <= 0) break;
        await clock.sleep(left, ended.signal);
        await keyboard.drained();
      }
    } catch {
      return;
    }
    if (!isDrawn) return;
    listens = true;
    draw();
  }
}

/** What a frame is drawn on. */
interface Screen {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
  on(event: 'resize', redraw: () => void): unknown;
  off(event: 'resize', redraw: () => void): unknown;
}

const HIDE_CURSOR = '\u001B[?25l';
/** What is pasted comes between marks, so that a line break in it answers nothing. */
const MARK_PASTES = '\u001B[?2004h';
const ERASE_BELOW = '\u001B[J';

/** Lines at the end of the screen that are drawn over and over in their place. */
class Frame {
  readonly #screen: Screen;
  #widths: readonly number[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Columns that a line may have: in the last one some terminals begin the next line, some do not. */
  get width(): number {
    return Math.max(20, (this.#screen.columns || 80) - 1);
  }

  get height(): number {
    return Math.max(6, (this.#screen.rows || 24) - 1);
  }

  /** Draws lines in place of those before. Of what is higher than the screen the end is seen. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(-this.height);
    const isFirst = this.#widths.length === 0;
    this.#screen.write(
      `${isFirst ? `${HIDE_CURSOR}${MARK_PASTES}` : this.#back()}${ERASE_BELOW}${shown.join('\n')}`,
    );
    this.#widths = shown.map((line) => displayWidth(line));
  }

  /** Takes the frame away, and gives the terminal back with some text in its place. */
  end(text: string): void {
    this.#screen.write(`${this.#back()}${ERASE_BELOW}${FRAME_OFF}${text}`);
    this.#widths = [];
  }

  /** Leaves the frame on the screen as it is; the next is drawn below. */
  leave(): void {
    this.#screen.write(`${FRAME_OFF}\n`);
    this.#widths = [];
  }

  /** To the first column of the first line. A terminal that became narrower has wrapped the lines. */
  #back(): string {
    const columns = this.#screen.columns || 80;
    const rows = this.#widths.map((width) => Math.max(1, Math.ceil(width / columns)));
    const up = rows.reduce((sum, row) => sum + row, 0) - 1;
    return up > 0 ? `\r\u001B[${up}A` : '\r';
  }
}
