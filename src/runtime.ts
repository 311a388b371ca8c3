import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { getAsset, isSea } from 'node:sea';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultDirectory, systemProgram, workingDirectory } from './system-paths.ts';
import type { ExitCode } from './errors.ts';
import { watchInterrupts } from './interrupts.ts';
import type { Clock } from './pacing/clock.ts';
import { FRAME_OFF } from './prompts/frame-off.ts';
import type { Keyboard } from './prompts/keyboard.ts';
import type { Prompt } from './prompts/prompt.ts';
import { JsonDocument } from './report/records/json-document.ts';

/** A stream that may be a terminal. */
export type TextOutput = Writable & { isTTY?: boolean; columns?: number };

/** Everything that a command may take from the outside world. Costly things are functions. */
export interface Runtime {
  version: string;
  nodeVersion: string;
  /** Working directory. */
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  /** Data only. */
  stdout: TextOutput;
  /** What stdout gets with `--json`, and nothing else then. */
  document: JsonDocument;
  /** Conversation: progress, notes, questions, errors. */
  stderr: TextOutput;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Where the person is; as the machine is set unless given. */
  timeZone?: string;
  /** A number in [0, 1). */
  random(): number;
  /** Aborts on the first signal: take no new work, finish what is under way. */
  stopping: AbortSignal;
  /** Aborts on the second Ctrl-C: drop what is under way. */
  aborting: AbortSignal;
  /** Directories; created by whoever writes into them first. */
  paths: {
    config: string;
    state: string;
    /** What several machines share, where they do: mappings and what is known of the budget. */
    shared?: string;
  };
  /** Questions to the person at the terminal; only where stdin and stderr are terminals. */
  prompt(): Promise<Prompt>;
  /**
   * From now on keys are neither shown nor kept for whoever reads next, until the returned function is called; Ctrl-C
   * goes on to work. Does nothing where there is no terminal.
   */
  hush(): Promise<() => void>;
  /** Sends a signal to a process that was started at the head of a group, and to all that it has started. */
  killGroup: (pid: number, signal: 'SIGTERM' | 'SIGKILL') => void;
  /** Told what the process exits with, when everything else is done. */
  onEnd: Set<(code: ExitCode) => void>;
  /** Secrets that must never be printed; whoever learns one adds it. */
  secrets: Set<string>;
  /** What GitHub Actions is told at the end, as its commands. */
  annotations: string[];
  /** This process, as others are told of it; when it started, in milliseconds since 1970. */
  self: { pid: number; host: string; startedAt: number };
}

/** Whether this is a step of a job of GitHub Actions. */
export const isGithubJob = (env: Runtime['env']): boolean => env['GITHUB_ACTIONS'] === 'true';

/** The one real Runtime, made of the process. Tests make their own. */
export function createRuntime(): Runtime {
  const ending: (() => void)[] = [];
  const { stopping, aborting } = watchInterrupts(process, ending);
  watchOutputs();
  watchStops();
  const { env } = process;
  return {
    version: readVersion(),
    nodeVersion: process.versions.node,
    // What not every command needs, and takes time or may fail, waits until it is asked for.
    get cwd() {
      return workingDirectory(process);
    },
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    document: new JsonDocument(process.stdout),
    stderr: process.stderr,
    env,
    clock: systemClock,
    random: Math.random,
    stopping,
    aborting,
    paths: {
      get config() {
        return env['EVENTREG_CONFIG_DIR'] || defaultDirectory('config', process, homedir);
      },
      get state() {
        return env['EVENTREG_STATE_DIR'] || defaultDirectory('state', process, homedir);
      },
    },
    ...createTerminal(stopping, ending),
    killGroup,
    onEnd: new Set(),
    secrets: new Set(),
    annotations: [],
    get self() {
      return { pid: process.pid, host: hostname(), startedAt: Math.round(performance.timeOrigin) };
    },
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  steadyMs: () => performance.now(),
  async sleep(ms, signal, { ref = true } = {}) {
    try {
      await sleep(ms, undefined, signal === undefined ? { ref } : { signal, ref });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/**
 * A reader that has enough (`| head`) is no failure: writers see that the stream is closed. Any other
 * failure of stdout (a full disk) is told as the process ends, after everything has been put in order.
 * What cannot be said on stderr cannot be said.
 */
function watchOutputs(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.once('exit', () => {
      if (process.exitCode !== 0 && process.exitCode !== undefined) return;
      process.exitCode = 1;
      try {
        writeSync(2, `eventreg: The output cannot be written: ${error.message}\n`);
      } catch {
        // The window of both is closed.
      }
    });
  });
}

function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (process.platform === 'win32')
      spawnSync(systemProgram('taskkill', process), ['/pid', String(pid), '/t', '/f']);
    else process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Before Ctrl-Z stops the process, the shell gets its cursor back. */
function watchStops(): void {
  if (process.platform === 'win32' || !process.stderr.isTTY) return;
  const onStop = (): void => {
    process.stderr.write(FRAME_OFF);
    // Nobody listens any more, so this does what it does to any program.
    process.kill(process.pid, 'SIGTSTP');
  };
  process.once('SIGTSTP', onStop);
  process.on('SIGCONT', () => {
    process.off('SIGTSTP', onStop).once('SIGTSTP', onStop);
  });
}

function readVersion(): string {
  const name = 'package.json';
  const manifest = isSea()
    ? getAsset(name, 'utf8')
    : readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

type Terminal = Pick<Runtime, 'prompt' | 'hush'>;

/** The keys and the questions of this process; loaded when something is asked, or keys are to be kept away. */
function createTerminal(stopping: AbortSignal, ending: (() => void)[]): Terminal {
  const { env } = process;
  let opened: Promise<Keyboard> | undefined;
  const open = async (): Promise<Keyboard> => {
    const { createKeyboard } = await import('./prompts/keyboard.ts');
    const isWindows = process.platform === 'win32';
    // A window that is closed fails reading and changing the mode; the signal has told of it.
    process.stdin.on('error', () => undefined);
    const keyboard = createKeyboard({
      input: process.stdin,
      // As the terminal does it: to all that run in its foreground.
      interrupt: () => (isWindows ? process.emit('SIGINT', 'SIGINT') : process.kill(0, 'SIGINT')),
      suspend: isWindows ? undefined : () => process.kill(0, 'SIGTSTP'),
    });
    if (!isWindows) process.on('SIGCONT', () => keyboard.resume());
    const restore = (): void => {
      if (keyboard.restore()) process.stderr.write(FRAME_OFF);
    };
    process.on('exit', restore);
    ending.push(restore);
    return keyboard;
  };
  const keyboard = (): Promise<Keyboard> => (opened ??= open());
  return {
    async prompt() {
      const { openPrompt } = await import('./prompts/open-prompt.ts');
      const { stdin, stderr } = process;
      const color = !env['NO_COLOR'] && !process.argv.includes('--no-color');
      const parts = {
        keyboard: await keyboard(),
        input: stdin,
        screen: stderr,
        clock: systemClock,
        color,
        stopping,
      };
      return openPrompt(parts, { isPlain: env['TERM'] === 'dumb' || !stderr.columns });
    },
    async hush() {
      const { stdin, stdout, stderr } = process;
      // Behind a pipe somebody else may want the keys, as a pager does.
      const isOurs = stdin.isTTY && stdout.isTTY && stderr.isTTY && isInForeground();
      return isOurs ? (await keyboard()).hold() : () => undefined;
    },
  };
}

/** A process in the background that touches the terminal is stopped. Where nothing is told of it, it is not there. */
function isInForeground(): boolean {
  try {
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return group === foreground;
  } catch {
    return true;
  }
}
