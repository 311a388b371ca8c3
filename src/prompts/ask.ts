import { InterruptedError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import { painter } from '../report/words/paint.ts';
import { type Face, hanging } from './face.ts';
import { Frame, type Screen } from './frame.ts';
import type { Keyboard } from './keyboard.ts';
import { withResolvers } from './with-resolvers.ts';

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
