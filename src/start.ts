/** All that `bin/eventreg.js` needs, so that the bundle has it in one file. */
export { main } from './main.ts';
export { createRuntime, type Runtime } from './runtime.ts';
