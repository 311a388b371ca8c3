// How long commands of the installed package take that do next to nothing, beside Node that does nothing; and those of
// the executable that BIN names, beside the Node that built it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { directory, env, report } from './process.js';

const PAIRS = 25;
/** The most that each may take, as a multiple of Node alone: of the package, and of the executable. */
const COMMANDS = [
  ['--version', 1.25, 2.5],
  ['--help', 1.4],
  ['push --help', 2],
  ['runs list', 3],
];

/** Milliseconds. */
function timeOf([program, ...args]) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, args, { env });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
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

/** The Node.js that has built an executable, where the release has left it. */
function builderOf(executable) {
  const told = JSON.parse(
    execFileSync(executable, ['doctor', '--sandbox', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const { found } = told.checks.find(({ check }) => check === 'node');
  const builder = `out/build/packages/node-linux-${process.arch}-${found.split(' ')[0]}/bin/node`;
  if (!existsSync(builder)) throw new Error(`${builder} is not there: npm run release leaves it there.`);
  return builder;
}

/** In pairs, one after the other, so that both meet the same machine. The home of the commands is empty. */
function compare(what, line, words, node, most) {
  const command = [...words, ...line.split(' ')];
  timeOf(command);
  const pairs = Array.from({ length: PAIRS }, () => [timeOf(command), timeOf([node, '-e', '0'])]);
  const ratio = median(pairs.map(([ours, bare]) => ours / bare));
  report(`start of the ${what}, ${line}`, [
    `${ratio.toFixed(2)} × node -e 0${most === undefined ? '' : ` (${most} wanted)`}`,
    `${median(pairs.map(([ours]) => ours)).toFixed(0)} ms`,
  ]);
}

export function benchStarting() {
  const node = process.execPath;
  const installed = [node, install()];
  for (const [line, most] of COMMANDS) compare('package', line, installed, node, most);
  const { BIN } = process.env;
  if (BIN) {
    const builder = builderOf(BIN);
    for (const [line, , most] of COMMANDS) compare('executable', line, [BIN], builder, most);
  } else report('start of the executable', ['npm run release makes one, BIN=<its path> names it here']);
}
