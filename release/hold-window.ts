import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { systemProgram } from '../src/system-paths.ts';

/** What is asked of the process. */
export type WindowProcess = Pick<NodeJS.Process, 'platform' | 'ppid' | 'env' | 'stdin' | 'stderr'>;

/**
 * Whether the program was double-clicked, or a file was dropped on it: Windows gives it a window of its own then, and
 * there is no shell.
 * @param imageOf names the program of a process, as `"explorer.exe",...`
 */
export async function hasOwnWindow(process: WindowProcess, imageOf = taskImage): Promise<boolean> {
  const { platform, env, ppid, stdin, stderr } = process;
  // The command prompt sets PROMPT; looking for the parent takes a while.
  if (platform !== 'win32' || !stdin.isTTY || !stderr.isTTY || env['PROMPT'] !== undefined) return false;
  const image = await imageOf(ppid, env).catch(() => '');
  return /^"explorer\.exe"/i.test(image);
}

/**
 * Such a window closes with the program, and the person would not see what it said. So it waits for a key. Anywhere else
 * it does nothing.
 */
export async function holdWindow(process: WindowProcess, imageOf = taskImage): Promise<void> {
  if (!(await hasOwnWindow(process, imageOf))) return;
  const { stdin, stderr } = process;
  stderr.write('\nPress any key to close this window.');
  stdin.setRawMode(true);
  stdin.resume();
  await once(stdin, 'data');
  stdin.setRawMode(false);
  stdin.pause();
}

async function taskImage(pid: number, env: WindowProcess['env']): Promise<string> {
  const words = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'];
  const { stdout } = await promisify(execFile)(systemProgram('tasklist', { env }), words, {
    windowsHide: true,
  });
  return stdout;
}
