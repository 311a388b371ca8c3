// One push, and four at once, to a service with a limit: how much of the budget they use, and how they share it.
// `npm run bench:processes`, or with `-- <limit> <window in ms>`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';

const BIN = fileURLToPath(new URL('../bin/eventreg.js', import.meta.url));
const LIMIT = Number(process.argv[2] ?? 30);
const WINDOW_MS = Number(process.argv[3] ?? 2000);
const WINDOWS = 12;
const PROCESSES = 4;

const directory = mkdtempSync(join(tmpdir(), 'eventreg-bench-'));

interface Sending {
  /** Requests a second that were accepted, between the first and the last. */
  rate: number;
  refused: number;
  /** Rows of each process while all of them were at work. */
  shares: number[];
}

function start(args: readonly string[], env: Record<string, string>) {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [BIN, ...args], { env: { PATH, HOME: directory, ...env } });
}

function writeGuests(file: string, from: number, rows: number): void {
  const lines = Array.from(
    { length: rows },
    (_, n) => `visitor,B${from + n},Ada,Guest ${from + n},guest${from + n}@example.com`,
  );
  writeFileSync(file, ['persona,barcode,First name,Last name,E-mail', ...lines, ''].join('\n'));
}

/** Pushes so many files at once, in a home and to a service of their own. */
async function pushAtOnce(processes: number): Promise<Sending> {
  const home = mkdtempSync(join(directory, 'home-'));
  const switches = ['--set', `limit=${LIMIT}`, '--set', `windowMs=${WINDOW_MS}`];
  const service = start(['sandbox', '--port', '0', '--file', join(home, 'service.sqlite'), ...switches], {});
  const text = await new Promise<string>((resolve) =>
    service.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  const setting = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(text)?.[1] ?? '';
  const env = {
    EVENTREG_BASE_URL: setting('EVENTREG_BASE_URL'),
    EVENTREG_TOKEN: setting('EVENTREG_TOKEN'),
    EVENTREG_STATE_DIR: join(home, 'state'),
    EVENTREG_CONFIG_DIR: join(home, 'config'),
  };
  const rows = Math.round((LIMIT * WINDOWS) / processes);
  try {
    const refused = await Promise.all(
      Array.from({ length: processes }, (_, index) => {
        const file = join(home, `guests-${index}.csv`);
        writeGuests(file, index * rows, rows);
        return push(file, env);
      }),
    );
    return { ...readSending(env.EVENTREG_STATE_DIR), refused: refused.reduce((sum, one) => sum + one) };
  } finally {
    service.kill();
  }
}

/** How many requests were refused. */
async function push(file: string, env: Record<string, string>): Promise<number> {
  const child = start(['push', file, '--verbose'], env);
  let talk = '';
  child.stderr.on('data', (chunk: Buffer) => (talk += chunk.toString()));
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`The push ended with ${String(code)}: ${talk}`);
  return talk.split('→ 429').length - 1;
}

/** From the journal: each row's answer with its time. */
function readSending(stateDir: string): Omit<Sending, 'refused'> {
  const journal = new DatabaseSync(join(stateDir, 'journal.sqlite'), { readOnly: true });
  const steps = journal.prepare("SELECT run, at FROM step WHERE what = 'answered'").all() as {
    run: string;
    at: number;
  }[];
  const runs = [...new Set(steps.map(({ run }) => run))];
  const timesOf = (run: string): number[] => steps.filter((step) => step.run === run).map(({ at }) => at);
  const lastBegin = Math.max(...runs.map((run) => Math.min(...timesOf(run))));
  const firstEnd = Math.min(...runs.map((run) => Math.max(...timesOf(run))));
  const times = steps.map(({ at }) => at);
  return {
    rate: (steps.length * 1000) / (Math.max(...times) - Math.min(...times)),
    shares: runs.map((run) => timesOf(run).filter((at) => at >= lastBegin && at <= firstEnd).length),
  };
}

try {
  const one = await pushAtOnce(1);
  const many = await pushAtOnce(PROCESSES);
  const show = (what: string, { rate, refused, shares }: Sending): void => {
    const even = shares.reduce((sum, share) => sum + share) / shares.length;
    const off = Math.max(...shares.map((share) => Math.abs(share / even - 1)));
    process.stdout.write(
      `${what}: ${rate.toFixed(2)} rows/s · ${refused} refused · shares ${shares.join(' ')} (at most ${(off * 100).toFixed(0)} % off)\n`,
    );
  };
  show('one process', one);
  show(`${PROCESSES} at once`, many);
  process.stdout.write(`together ${((many.rate / one.rate) * 100).toFixed(1)} % of one\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
