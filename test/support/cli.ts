import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asksForDocument, readDocument } from './documents.ts';
import { PROGRAM, PROGRAM_WORDS, ROOT, SEARCH_PATH } from './program.ts';
import { watched } from './watched-command.ts';

/** What a finished command left behind. */
export interface CliResult {
  /** Undefined when a signal ended it. */
  code: number | undefined;
  out: string;
  err: string;
}

export interface RunningCli {
  child: ChildProcess;
  done: Promise<CliResult>;
}

/**
 * The built program as users run it, with homes of its own below one directory and nothing else in its environment. What
 * it tells programs, as a document or as events, is held against the schema.
 */
export interface Cli {
  start(args: readonly string[], options?: CliOptions): RunningCli;
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>;
  /** Environment of every command; add to it. */
  env: Record<string, string>;
}

export interface CliOptions {
  stdin?: string | Uint8Array;
  cwd?: string;
  /** Another build than the other tests run: a program, and its words before those of a command. */
  program?: readonly [string, ...string[]];
}

export function createCli(directory: string, more: Readonly<Record<string, string>> = {}): Cli {
  const home = join(directory, 'home');
  mkdirSync(home, { recursive: true });
  const env: Record<string, string> = {
    PATH: SEARCH_PATH,
    HOME: home,
    EVENTREG_STATE_DIR: join(home, 'state'),
    EVENTREG_CONFIG_DIR: join(home, 'config'),
    EVENTREG_KEYCHAIN: 'off',
    ...more,
  };
  const start: Cli['start'] = (args, options = {}) => {
    const { stdin = '', cwd = ROOT, program = [PROGRAM, ...PROGRAM_WORDS] } = options;
    const [file, ...words] = program;
    const { argv, check } = watched(args);
    const child = spawn(file, [...words, ...argv], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const done = new Promise<CliResult>((resolve, reject) => {
      let out = '';
      let err = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.on('error', reject);
      child.on('close', (code) => {
        try {
          // Killed, a command leaves what it has.
          if (code !== null && asksForDocument(args)) readDocument(out);
          check({ killed: code === null });
          resolve({ code: code ?? undefined, out, err });
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    return { child, done };
  };
  return { start, run: (args, options) => start(args, options).done, env };
}
