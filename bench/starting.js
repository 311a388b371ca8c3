// How long commands take that do next to nothing, beside Node that does nothing.
import { spawnSync } from 'node:child_process';
import { BIN, env, report } from './process.js';

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

/** In pairs, one after the other, so that both meet the same machine. The home of the commands is empty. */
export function benchStarting() {
  for (const [line, most] of COMMANDS) {
    const args = [BIN, ...line.split(' ')];
    timeOf(args);
    const pairs = Array.from({ length: PAIRS }, () => [timeOf(args), timeOf(['-e', '0'])]);
    const ratio = median(pairs.map(([ours, bare]) => ours / bare));
    report(`start, ${line}`, [
      `${ratio.toFixed(2)} × node -e 0 (${most} wanted)`,
      `${median(pairs.map(([ours]) => ours)).toFixed(0)} ms`,
    ]);
  }
}
