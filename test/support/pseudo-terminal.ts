import { PROGRAM, PROGRAM_WORDS, ROOT } from './program.ts';
import { createScreen, type FakeScreen } from './screen.ts';
import { watched } from './watched-command.ts';

/** Keys as a terminal sends them. */
export const PRESS = {
  enter: '\r',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  backspace: '\u007F',
  interrupt: '\u0003',
  suspend: '\u001A',
} as const;

/** How a program is started at a terminal. */
export interface TerminalOptions {
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  columns?: number;
  rows?: number;
  /** Told of each piece of output, before it is on the screen. */
  onOutput?: (text: string) => void;
}

/** A program that runs at a terminal. */
export interface TerminalRun {
  pid: number;
  /** Presses keys. */
  send: (keys: string) => void;
  resize(columns: number, rows: number): void;
  /** Closes the window: whoever is there is told by SIGHUP, and nothing can be read or written any more. */
  hangUp(): void;
  /** All lines so far, also those that have scrolled away. */
  lines: FakeScreen['lines'];
  /** Resolves with the lines once they hold some text; rejects when the program ends without. */
  until(text: string | RegExp | ((shown: string) => boolean)): Promise<readonly string[]>;
  /** Resolves when the program has ended, and all that it wrote is on the screen. */
  ended: Promise<{ code: number; signal: number }>;
}

/** Starts programs at pseudo-terminals. */
export interface Terminals {
  /** The built program as users run it; the events that it tells are held against their schema. */
  eventreg(args: readonly string[], options: TerminalOptions): TerminalRun;
  start(file: string, args: readonly string[], options: TerminalOptions): TerminalRun;
}

/** The pseudo-terminals of this machine; undefined where their machine code cannot be loaded, as with musl. */
export async function openTerminals(): Promise<Terminals | undefined> {
  const pty = await import('@lydell/node-pty').catch(() => undefined);
  if (pty === undefined) return undefined;
  const start: Terminals['start'] = (file, args, { env, cwd = ROOT, columns = 80, rows = 24, onOutput }) => {
    const screen = createScreen(columns, rows);
    const { TERM: name = 'xterm-256color' } = env;
    const child = pty.spawn(file, [...args], { name, cols: columns, rows, cwd, env: { ...env } });
    child.onData((text) => {
      onOutput?.(text);
      screen.write(text);
    });
    const ended = new Promise<{ code: number; signal: number }>((resolve) => {
      child.onExit(({ exitCode, signal = 0 }) => resolve({ code: exitCode, signal }));
    });
    return {
      pid: child.pid,
      send: (keys) => child.write(keys),
      resize(wide, high) {
        screen.resize(wide, high);
        child.resize(wide, high);
      },
      hangUp: () => (child as typeof child & { destroy(): void }).destroy(),
      lines: screen.lines,
      async until(text) {
        const holds = (shown: string): boolean => {
          if (typeof text === 'function') return text(shown);
          return typeof text === 'string' ? shown.includes(text) : text.test(shown);
        };
        const end = ended.then(screen.lines).then((lines) => {
          if (!holds(lines.join('\n')))
            throw new Error(`Ended without ${String(text)}:\n${lines.join('\n')}`);
          return lines;
        });
        return await Promise.race([screen.until(holds), end]);
      },
      ended,
    };
  };
  const eventreg: Terminals['eventreg'] = (args, options) => {
    const { argv, check } = watched(args);
    const run = start(PROGRAM, [...PROGRAM_WORDS, ...argv], options);
    const ended = run.ended.then((end) => {
      check({ killed: end.signal !== 0 });
      return end;
    });
    return { ...run, ended };
  };
  return { start, eventreg };
}
