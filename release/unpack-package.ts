import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Unpacks a package of the registry into a folder that is not there yet: all of it, or the parts named. npm holds what
 * it gets against the sum that the registry tells; nothing of the package is run. `spec` is as for `npm install`.
 */
export async function unpackPackage(
  spec: string,
  folder: string,
  parts: readonly string[] = [],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const windows = process.platform === 'win32';
  await run('npm', ['pack', spec, '--ignore-scripts', '--silent'], { cwd: folder, shell: windows });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const members = parts.map((part) => `package/${part}`);
  await run('tar', ['-xzf', archive, '--strip-components=1', ...members], { cwd: folder });
}

/** Where a package of Node.js for this machine has the program. */
const PROGRAM = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
const SYSTEM = process.platform === 'win32' ? 'win' : process.platform;

/** Gets a Node.js for this machine, of a version or a range as `22`, and returns its program. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  await unpackPackage(`node-${SYSTEM}-${process.arch}@${version}`, folder, [PROGRAM]);
  return join(folder, PROGRAM);
}
