import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM, PROGRAM_WORDS } from '../support/program.ts';
import { watched } from '../support/watched-command.ts';

const { BIN = '' } = process.env;
const PRELOAD = fileURLToPath(new URL('kill-preload.cjs', import.meta.url));
/** A push of a few rows that takes longer hangs, also where the machine has much else to do. */
const TIMEOUT_MS = 180_000;

/** What the preload is told. Without an order the program runs as users run it. */
export type PreloadOrder =
  | { at: 'count' }
  /** Nothing ends it from inside. */
  | { at: 'never' }
  | { at: 'before' | 'after'; write: number }
  | { at: 'during'; write: number; delayUs: number };

export interface ProcessEnd {
  ending: 'exited' | 'killed' | 'hung';
  code: number | undefined;
  out: string;
  err: string;
  /** What the preload told. */
  report: string;
}

export interface PushProcess {
  child: ChildProcess;
  done: Promise<ProcessEnd>;
}

/**
 * Starts the built program with nothing but `env` in its environment; with an order, of an executable the twin that
 * `npm run release` leaves beside its folder, and that takes NODE_OPTIONS. Each event that it tells is held against the schema.
 */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  order?: PreloadOrder,
): PushProcess {
  const { argv, check } = watched(args);
  const program = order === undefined || BIN === '' ? PROGRAM : `${dirname(BIN)}-crash`;
  const child = spawn(program, [...PROGRAM_WORDS, ...argv], {
    env: { ...env, ...(order === undefined ? {} : preloadOf(order)) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const texts = [1, 2, 3].map((descriptor) => collect(child, descriptor));
  const done = new Promise<ProcessEnd>((resolve, reject) => {
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const [out = '', err = '', report = ''] = texts.map((text) => text());
      const ending = hung ? 'hung' : signal === 'SIGKILL' ? 'killed' : 'exited';
      try {
        check({ killed: ending !== 'exited' });
        resolve({ ending, code: code ?? undefined, out, err, report });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
  return { child, done };
}

/** By the environment: executables take it from nowhere else, and only those that are built for this. */
export const preloadOf = (order: PreloadOrder): Record<string, string> => ({
  NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}`,
  CRASH_ORDER: JSON.stringify(order),
});

function collect(child: ChildProcess, descriptor: number): () => string {
  const chunks: Buffer[] = [];
  child.stdio[descriptor]?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
