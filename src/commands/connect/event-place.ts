import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { platform } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import type { GlobalOptions } from '../options/options.ts';
import { identify } from '../terminal/output-file.ts';

const NUMBER = /^\d{1,6}$/;
/** Names of what is written on anyhow. */
const STDOUT = /^(?:-|-1|\/dev\/stdout|\/dev\/fd\/1|\/proc\/(?:self|\d+)\/fd\/1)$/;

/**
 * Opens what `--events` names: a descriptor that is open already, or a file that may be written over, which is a new
 * one, an empty one, or one of events. Undefined: a pipe that nobody reads. `inputs`: files that the command reads.
 * Throws UsageError where nothing can be written there, or where something else is.
 */
export function openEventPlace(
  events: string,
  { output, inputs }: Pick<GlobalOptions, 'output'> & { inputs: readonly string[] },
  { cwd }: Pick<Runtime, 'cwd'>,
): number | undefined {
  const refused = (why: string, hint: string): UsageError =>
    new UsageError(`--events ${events} ${why}.`, { hint });
  if (NUMBER.test(events) || STDOUT.test(events)) {
    const fd = NUMBER.test(events) ? Number(events) : 1;
    const isTaken = fd === 0 || (fd === 1 && output !== 'table');
    const why = isTaken ? 'is in use for something else' : whyNoPlace(fd);
    if (why !== undefined)
      throw refused(why, `Open another in the shell, as in: eventreg … --events 3 3> events.ndjson`);
    return reopened(fd);
  }
  const path = resolve(cwd, events);
  if (inputs.some((input) => input !== '-' && identify(resolve(cwd, input)) === identify(path))) {
    throw refused('is one of the files that are read', 'Choose another name: it would be overwritten.');
  }
  if (!mayBeReplaced(path) || (output !== 'table' && isOutput(path))) {
    throw refused('is there already, and holds no events', 'Choose another name: it would be overwritten.');
  }
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return openSync(path, 'w', 0o600);
    return openPipe(path);
  } catch (error) {
    throw refused(`cannot be written: ${(error as Error).message}`, 'Choose another place for it.');
  }
}

/** Without waiting for a reader; undefined when there is none. Throws what else is against it. */
function openPipe(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return undefined;
    throw error;
  }
}

/** A pipe by a descriptor of our own that never waits for its reader, where the system gives one. */
function reopened(fd: number): number | undefined {
  if (platform() !== 'linux' || !fstatSync(fd).isFIFO()) return fd;
  try {
    return openPipe(`/proc/self/fd/${fd}`);
  } catch {
    return fd;
  }
}

/**
 * Why a descriptor cannot be the one that was meant, as far as it can be told: what node has opened for itself looks
 * the same as what it was started with.
 */
function whyNoPlace(fd: number): string | undefined {
  const found = statOf(fd);
  if (found === undefined) return 'is no open file descriptor';
  const isPlace = found.isFile() || found.isFIFO() || found.isSocket() || found.isCharacterDevice();
  if (!isPlace || isPipeToItself(fd)) return 'is no file, pipe or terminal that it was started with';
  return accessOf(fd) === constants.O_RDONLY ? 'is not open for writing' : undefined;
}

/** Undefined where the system does not tell. */
function told<Fact>(read: () => Fact): Fact | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const statOf = (fd: number): Stats | undefined => told(() => fstatSync(fd));

/** A pipe that this very process reads, as node does for its signals. */
function isPipeToItself(fd: number): boolean {
  const pipe = linkOf(fd);
  if (pipe?.startsWith('pipe:') !== true) return false;
  const all = readdirSync('/proc/self/fd').map(Number);
  return all.some((other) => linkOf(other) === pipe && accessOf(other) === constants.O_RDONLY);
}

const linkOf = (fd: number): string | undefined => told(() => readlinkSync(`/proc/self/fd/${fd}`));

/** Whether it was opened for reading, for writing or for both; undefined where the system does not tell. */
function accessOf(fd: number): number | undefined {
  return told(() => {
    const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return Number.parseInt(flags, 8) % 4;
  });
}

/** Whether a file is what standard output goes into. */
function isOutput(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  const stdout = statOf(1);
  return found?.isFile() === true && found.dev === stdout?.dev && found.ino === stdout.ino;
}

const BEGIN = '{"type":"version"';

/** Pipes and devices have nothing to lose; what cannot be looked at, opening it will tell of. */
function mayBeReplaced(path: string): boolean {
  let fd: number | undefined;
  try {
    if (statSync(path).isFIFO()) return true;
    fd = openSync(path, 'r+');
    if (!fstatSync(fd).isFile()) return true;
    const start = Buffer.alloc(BEGIN.length);
    const read = readSync(fd, start, 0, start.length, 0);
    return read === 0 || start.toString('latin1') === BEGIN;
  } catch {
    return true;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
