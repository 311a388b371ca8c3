import { readFileSync, writeSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError } from './errors.ts';
import type { Clock } from './pacing/clock.ts';
import type { Prompt } from './prompts/prompt.ts';

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
  /** Conversation: progress, notes, questions, errors. */
  stderr: TextOutput;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** A number in [0, 1). */
  random(): number;
  /** Aborts on the first Ctrl-C: take no new work, finish what is under way. */
  stopping: AbortSignal;
  /** Aborts on the second Ctrl-C: drop what is under way. */
  aborting: AbortSignal;
  /** Directories; created by whoever writes into them first. */
  paths: { config: string; state: string };
  /** Questions to the person at the terminal; only where stdin and stderr are terminals. */
  prompt(): Promise<Prompt>;
  /** Secrets that must never be printed; whoever learns one adds it. */
  secrets: Set<string>;
  /** This process, as others are told of it; when it started, in milliseconds since 1970. */
  self: { pid: number; host: string; startedAt: number };
}

/** The one real Runtime, made of the process. Tests make their own. */
export function createRuntime(): Runtime {
  const { stopping, aborting } = watchInterrupts();
  watchOutputs();
  const { env } = process;
  return {
    version: readVersion(),
    nodeVersion: process.versions.node,
    cwd: process.cwd(),
    // What few commands need, and takes time to look up, waits until it is asked for.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    clock: systemClock,
    random: Math.random,
    stopping,
    aborting,
    paths: {
      config: env['EVENTREG_CONFIG_DIR'] || defaultDirectory(env, 'config'),
      state: env['EVENTREG_STATE_DIR'] || defaultDirectory(env, 'state'),
    },
    prompt: openPrompt,
    secrets: new Set(),
    get self() {
      return { pid: process.pid, host: hostname(), startedAt: Math.round(performance.timeOrigin) };
    },
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal, { ref = true } = {}) {
    try {
      await sleep(ms, undefined, signal === undefined ? { ref } : { signal, ref });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** The first signal asks to stop, the second to drop everything; a third ends the process as usual. */
function watchInterrupts(): { stopping: AbortSignal; aborting: AbortSignal } {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (): void => {
    if (!stopping.signal.aborted) {
      stopping.abort(new InterruptedError());
      return;
    }
    aborting.abort(new InterruptedError());
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { stopping: stopping.signal, aborting: aborting.signal };
}

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
      writeSync(2, `eventreg: The output cannot be written: ${error.message}\n`);
    });
  });
}

/** Where programs keep such files on this system. */
function defaultDirectory(env: NodeJS.ProcessEnv, what: 'config' | 'state'): string {
  const home = homedir();
  if (process.platform === 'win32') {
    const base = what === 'config' ? env['APPDATA'] : env['LOCALAPPDATA'];
    return join(base || join(home, 'AppData', what === 'config' ? 'Roaming' : 'Local'), 'eventreg', what);
  }
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'eventreg', what);
  const base = what === 'config' ? env['XDG_CONFIG_HOME'] : env['XDG_STATE_HOME'];
  return join(base || join(home, what === 'config' ? '.config' : join('.local', 'state')), 'eventreg');
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

async function openPrompt(): Promise<Prompt> {
  const { openPrompt: open } = await import('./prompts/open-prompt.ts');
  return await open({ input: process.stdin, output: process.stderr });
}
