import { posix, win32 } from 'node:path';

/** Where programs keep such files on a system. */
export function defaultDirectory(
  what: 'config' | 'state',
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>,
  home: () => string,
): string {
  const isConfig = what === 'config';
  if (platform === 'win32') {
    const base = isConfig ? env['APPDATA'] : env['LOCALAPPDATA'];
    const given = base || win32.join(home(), 'AppData', isConfig ? 'Roaming' : 'Local');
    return win32.join(given, 'eventreg', what);
  }
  if (platform === 'darwin') return posix.join(home(), 'Library', 'Application Support', 'eventreg', what);
  const base = isConfig ? env['XDG_CONFIG_HOME'] : env['XDG_STATE_HOME'];
  return posix.join(base || posix.join(home(), isConfig ? '.config' : '.local/state'), 'eventreg');
}
