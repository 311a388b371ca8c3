// The built program as a process of its own, in a home of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../bin/eventreg.js', import.meta.url));
/** Makes a process tell its peak memory as it ends. */
const TELL_MEMORY = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nmaxRSS '+process.resourceUsage().maxRSS+'\\n'))`;

export const directory = mkdtempSync(join(tmpdir(), 'eventreg-bench-'));
export const stateDir = join(directory, 'state');
export const env = {
  ...process.env,
  EVENTREG_STATE_DIR: stateDir,
  EVENTREG_CONFIG_DIR: join(directory, 'config'),
};

export const removeDirectory = () => rmSync(directory, { recursive: true, force: true });

export function start(args, more = {}) {
  return spawn(process.execPath, ['--import', TELL_MEMORY, BIN, ...args], { env: { ...env, ...more } });
}

/** Runs a command to its end: seconds and peak memory in MB. */
export async function run(args, more) {
  const startedAt = performance.now();
  const child = start(args, more);
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`eventreg ${args.join(' ')} ended with ${code}: ${err}`);
  const memory = Number(/maxRSS (\d+)/.exec(err)?.[1]) / 1024;
  return { seconds: (performance.now() - startedAt) / 1000, memory };
}

/** Three of them, one after the other. */
export async function takeSamples(sample) {
  return [await sample(), await sample(), await sample()];
}

export function median(samples, figureOf) {
  const figures = samples.map(figureOf).sort((one, other) => one - other);
  return figures[Math.floor(figures.length / 2)];
}

/** Bytes in a folder. */
export function sizeOf(folder) {
  return readdirSync(folder, { recursive: true }).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
}

export function report(what, figures) {
  process.stdout.write(`${what}: ${figures.join(' · ')}\n`);
}
