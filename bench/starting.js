// How long commands of the installed package take that do next to nothing, beside Node that does nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { directory, env, report } from './process.js';

const PAIRS = 25;
/** The most that each may take, as a multiple of Node alone. */
const COMMANDS = [
  ['--version', 1.25],
  ['--help', 1.4],
  ['push --help', 2],
  ['runs list', 3],
];

/** Milliseconds. */
function timeOf(args) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return performance.now() - startedAt;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The program of the package, installed as npm does it. */
function install() {
  execFileSync(process.execPath, ['release/stage-package.js']);
  const pack = execFileSync('npm', ['pack', './out/npm', '--silent', '--pack-destination', directory]);
  const tarball = join(directory, pack.toString().trim());
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', directory, tarball]);
  return join(directory, 'node_modules', 'eventreg', 'bin', 'eventreg.js');
}

/** In pairs, one after the other, so that both meet the same machine. The home of the commands is empty. */
export function benchStarting() {
  const program = install();
  for (const [line, most] of COMMANDS) {
    const args = [program, ...line.split(' ')];
    timeOf(args);
    const pairs = Array.from({ length: PAIRS }, () => [timeOf(args), timeOf(['-e', '0'])]);
    const ratio = median(pairs.map(([ours, bare]) => ours / bare));
    report(`start, ${line}`, [
      `${ratio.toFixed(2)} × node -e 0 (${most} wanted)`,
      `${median(pairs.map(([ours]) => ours)).toFixed(0)} ms`,
    ]);
  }
}
