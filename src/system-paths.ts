import { posix, win32 } from 'node:path';
import { UsageError } from './errors.ts';

/**
 * Where programs keep such files on a system. An error where they would be below a home, and the system names none.
 * @param home names it, or throws, or says '' for none
 */
export function defaultDirectory(
  what: 'config' | 'state',
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>,
  home: () => string,
): string {
  const isConfig = what === 'config';
  if (platform === 'win32') {
    const base = isConfig ? env['APPDATA'] : env['LOCALAPPDATA'];
    const given = base || win32.join(known(home, win32), 'AppData', isConfig ? 'Roaming' : 'Local');
    return win32.join(given, 'eventreg', what);
  }
  if (platform === 'darwin')
    return posix.join(known(home, posix), 'Library', 'Application Support', 'eventreg', what);
  const base = isConfig ? env['XDG_CONFIG_HOME'] : env['XDG_STATE_HOME'];
  return posix.join(
    base || posix.join(known(home, posix), isConfig ? '.config' : '.local/state'),
    'eventreg',
  );
}

function known(home: () => string, { isAbsolute }: Pick<typeof posix, 'isAbsolute'>): string {
  let found: string | undefined;
  try {
    found = home();
  } catch {
    // A user that the system has no entry of, as in containers.
  }
  if (found !== undefined && isAbsolute(found)) return found;
  throw new UsageError('There is no home directory to keep settings and journal in.', {
    hint: 'Set HOME, or EVENTREG_CONFIG_DIR and EVENTREG_STATE_DIR to directories of your own.',
  });
}

/** Where the program was started, or an error that says that it is gone. */
export function workingDirectory({ cwd }: Pick<NodeJS.Process, 'cwd'>): string {
  try {
    return cwd();
  } catch {
    throw new UsageError('The directory that you are in is not there any more.', {
      hint: 'Change to another one, and try again.',
    });
  }
}

/** A program of Windows by its whole path: by its name alone, Windows would take one of the working directory first. */
export const systemProgram = (name: string, { env }: Pick<NodeJS.Process, 'env'>): string =>
  win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32', `${name}.exe`);
