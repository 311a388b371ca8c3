// One push, and four at once, to a service with a limit: how much of the budget they use, and how they share it.
// `npm run bench:processes`, or with `-- <limit> <window in ms>`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/eventreg.js', import.meta.url));
const LIMIT = Number(process.argv[2] ?? 30);
const WINDOW_MS = Number(process.argv[3] ?? 2000);
const WINDOWS = 12;
const PROCESSES = 4;

const directory = mkdtempSync(join(tmpdir(), 'eventreg-bench-'));

interface Sending {
  /** Requests of any kind that were accepted in a second, between the first and the last. */
  rate: number;
  refused: number;
  /** Requests of each process that were accepted while all of them were at work. */
  shares: number[];
}

/** What one process was answered, and when. */
interface Answered {
  acceptedAt: number[];
  refused: number;
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

/** A service with the limit, and a home for everybody who uses it: what one push has learnt, the next ones know. */
async function withService(work: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const switches = ['--set', `limit=${LIMIT}`, '--set', `windowMs=${WINDOW_MS}`];
  const file = join(directory, 'service.sqlite');
  const service = start(['sandbox', '--port', '0', '--data', file, ...switches], {});
  const text = await new Promise<string>((resolve) =>
    service.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  const setting = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(text)?.[1] ?? '';
  try {
    await work({
      EVENTREG_BASE_URL: setting('EVENTREG_BASE_URL'),
      EVENTREG_TOKEN: setting('EVENTREG_TOKEN'),
      EVENTREG_STATE_DIR: join(directory, 'state'),
      EVENTREG_CONFIG_DIR: join(directory, 'config'),
    });
  } finally {
    service.kill();
  }
}

let guests = 0;

/** Pushes so many files at once, so many windows of rows in all. */
async function pushAtOnce(processes: number, windows: number, env: Record<string, string>): Promise<Sending> {
  const rows = Math.round((LIMIT * windows) / processes);
  const files = Array.from({ length: processes }, () => {
    const file = join(directory, `guests-${guests}.csv`);
    writeGuests(file, guests, rows);
    guests += rows;
    return file;
  });
  return summarise(await Promise.all(files.map((file) => push(file, env))));
}

/** Pushes a file; every attempt is a line of what `--verbose` tells. */
async function push(file: string, env: Record<string, string>): Promise<Answered> {
  const child = start(['push', file, '--verbose'], env);
  const answered: Answered = { acceptedAt: [], refused: 0 };
  let talk = '';
  createInterface(child.stderr).on('line', (line) => {
    talk += `${line}\n`;
    if (/→ 2\d\d /.test(line)) answered.acceptedAt.push(performance.now());
    if (line.includes('→ 429 ')) answered.refused += 1;
  });
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`The push ended with ${String(code)}: ${talk}`);
  return answered;
}

function summarise(all: readonly Answered[]): Sending {
  const times = all.flatMap(({ acceptedAt }) => acceptedAt);
  // The first to come has the first window almost to itself.
  const lastBegin = Math.max(...all.map(({ acceptedAt }) => Math.min(...acceptedAt))) + WINDOW_MS;
  const firstEnd = Math.min(...all.map(({ acceptedAt }) => Math.max(...acceptedAt)));
  return {
    rate: (times.length * 1000) / (Math.max(...times) - Math.min(...times)),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    shares: all.map(({ acceptedAt }) => acceptedAt.filter((at) => at >= lastBegin && at <= firstEnd).length),
  };
}

function show(what: string, { rate, refused, shares }: Sending): void {
  const even = shares.reduce((sum, share) => sum + share) / shares.length;
  const off = Math.max(...shares.map((share) => Math.abs(share / even - 1)));
  const figures = [
    `${rate.toFixed(2)} requests/s`,
    `${refused} refused`,
    `shares ${shares.join(' ')} (at most ${(off * 100).toFixed(0)} % off)`,
  ];
  process.stdout.write(`${what}: ${figures.join(' · ')}\n`);
}

try {
  await withService(async (env) => {
    show('the first, which learns', await pushAtOnce(1, WINDOWS, env));
    const one = await pushAtOnce(1, WINDOWS, env);
    show('one process', one);
    const many = await pushAtOnce(PROCESSES, WINDOWS, env);
    show(`${PROCESSES} at once`, many);
    process.stdout.write(`together ${((many.rate / one.rate) * 100).toFixed(1)} % of one\n`);
  });
} finally {
  rmSync(directory, { recursive: true, force: true });
}
