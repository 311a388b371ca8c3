import { inspect } from 'node:util';
import { createRuntime } from '../src/start.ts';
import { hasOwnWindow, holdWindow } from './hold-window.ts';
import { runDropped } from './run-dropped.ts';

/** The program of an executable: as `bin/eventreg.js`, but for the window that Windows opens for it. */
async function run(): Promise<void> {
  const words = process.argv.slice(2);
  process.exitCode = await runDropped(words, createRuntime(), async () => await hasOwnWindow(process));
  await holdWindow(process);
  if (process.exitCode === 130) process.exit();
}

/** What nobody has caught is shown before the window closes, too. */
async function fail(error: unknown): Promise<void> {
  process.stderr.write(`${inspect(error)}\n`);
  await holdWindow(process);
  process.exit(1);
}

if (process.platform === 'win32') process.once('uncaughtException', (error) => void fail(error));
void run();
