import { InterruptedError } from './errors.ts';

/**
 * Every signal asks to stop; only a person who presses Ctrl-C again is impatient: the second press drops everything, a
 * third ends the process as usual, after `ending`. Shell and kernel both send SIGHUP when a window is closed, and
 * supervisors repeat SIGTERM: whatever their number, what is under way is finished.
 */
export function watchInterrupts(
  process: Pick<NodeJS.Process, 'on' | 'off' | 'kill' | 'pid'>,
  ending: readonly (() => void)[],
): { stopping: AbortSignal; aborting: AbortSignal } {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const stop = (): void => stopping.abort(new InterruptedError());
  // SIGBREAK is Ctrl-Break, on Windows alone.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, stop);
  let presses = 0;
  const onPress = (): void => {
    presses += 1;
    stop();
    if (presses > 1) aborting.abort(new InterruptedError());
    if (presses < 3) return;
    for (const end of ending) end();
    process.off('SIGINT', onPress);
    process.kill(process.pid, 'SIGINT');
  };
  process.on('SIGINT', onPress);
  return { stopping: stopping.signal, aborting: aborting.signal };
}
