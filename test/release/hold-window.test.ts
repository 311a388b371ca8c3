import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { holdWindow, type WindowProcess } from '../../release/hold-window.ts';

/** A process at the window that Windows has opened, and what is printed there. */
function atWindow(changes: Partial<WindowProcess> = {}) {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const process = {
    platform: 'win32',
    ppid: 77,
    env: {},
    stdin,
    stderr,
    ...changes,
  } as unknown as WindowProcess;
  return { process, stdin, raw, printed: () => String(stderr.read() ?? '') };
}

const explorer = async () => '"explorer.exe","77","Console","1","90,000 K"\r\n';

test('a window of its own stays until a key is pressed', async () => {
  const { process, stdin, raw, printed } = atWindow();
  const asked: number[] = [];
  const held = holdWindow(process, async (pid) => {
    asked.push(pid);
    return await explorer();
  });
  let isOver = false;
  void held.then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked, isOver, printed()]).toEqual([[77], false, '\nPress any key to close this window.']);
  stdin.write('x');
  await held;
  expect(raw).toEqual([true, false]);
});

test.each([
  ['another system', { platform: 'linux' as const }, explorer],
  ['the command prompt', { env: { PROMPT: '$P$G' } }, explorer],
  ['a pipe', { stdin: Object.assign(new PassThrough(), { isTTY: false }) as never }, explorer],
  ['PowerShell', {}, async () => '"powershell.exe","77","Console","1","9 K"\r\n'],
  ['a parent that is gone', {}, async () => 'INFO: No tasks are running which match the specified criteria.'],
  ['a machine without tasklist', {}, async () => await Promise.reject(new Error('ENOENT'))],
])('nobody waits for a key in %s', async (_where, changes, imageOf) => {
  const { process, printed } = atWindow(changes);
  await holdWindow(process, imageOf);
  expect(printed()).toBe('');
});
