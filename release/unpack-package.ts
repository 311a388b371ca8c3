import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What of a package is wanted, and the sum that it must have; else all of it, and the one that the registry tells. */
interface Wanted {
  parts?: readonly string[];
  /** As in package-lock.json: `sha512-` and base64. */
  integrity?: string;
}

/**
 * Unpacks a package of the registry into a folder that is not there yet. npm holds what it gets against the sum that
 * the registry tells; nothing of the package is run. `spec` is as for `npm install`.
 */
export async function unpackPackage(
  spec: string,
  folder: string,
  { parts = [], integrity }: Wanted = {},
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const windows = process.platform === 'win32';
  await run('npm', ['pack', spec, '--ignore-scripts', '--silent'], { cwd: folder, shell: windows });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const sum = createHash('sha512')
    .update(readFileSync(join(folder, archive)))
    .digest('base64');
  if (integrity !== undefined && integrity !== `sha512-${sum}`)
    throw new Error(`${spec} is not what it was: its sum is sha512-${sum}.`);
  const members = parts.map((part) => `package/${part}`);
  await run('tar', ['-xzf', archive, '--strip-components=1', ...members], { cwd: folder });
}

/** Where a package of Node.js for this machine has the program. */
const PROGRAM = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
const SYSTEM = process.platform === 'win32' ? 'win' : process.platform;

/** Gets a Node.js for this machine, of a version or a range as `22`, and returns its program. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  await unpackPackage(`node-${SYSTEM}-${process.arch}@${version}`, folder, { parts: [PROGRAM] });
  return join(folder, PROGRAM);
}
