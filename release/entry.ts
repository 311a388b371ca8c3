import { createRuntime, main } from '../src/start.ts';
import { holdWindow } from './hold-window.ts';

/** The program of an executable: as `bin/eventreg.js`, but for the window that Windows opens for it. */
async function run(): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), createRuntime());
  await holdWindow(process);
  if (process.exitCode === 130) process.exit();
}

void run();
