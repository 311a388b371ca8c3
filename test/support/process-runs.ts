import { readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended may wait for whoever started it to look. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
