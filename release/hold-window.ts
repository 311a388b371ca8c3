import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** What is asked of the process. */
export type WindowProcess = Pick<NodeJS.Process, 'platform' | 'ppid' | 'env' | 'stdin' | 'stderr'>;

/**
 * A program that is double-clicked, or that a file is dropped on, gets a window of its own from Windows, which closes
 * with the program: the person would not see what it said. So it waits for a key. Anywhere else it does nothing.
 * @param imageOf names the program of a process, as `"explorer.exe",...`
 */
export async function holdWindow(process: WindowProcess, imageOf = taskImage): Promise<void> {
  const { platform, env, ppid, stdin, stderr } = process;
  // The command prompt sets PROMPT; looking for the parent takes a while.
  if (platform !== 'win32' || !stdin.isTTY || !stderr.isTTY || env['PROMPT'] !== undefined) return;
  const image = await imageOf(ppid).catch(() => '');
  if (!/^"explorer\.exe"/i.test(image)) return;
  stderr.write('\nPress any key to close this window.');
  stdin.setRawMode(true);
  stdin.resume();
  await once(stdin, 'data');
  stdin.setRawMode(false);
  stdin.pause();
}

async function taskImage(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], {
    windowsHide: true,
  });
  return stdout;
}
