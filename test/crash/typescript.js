// Lets Node.js run the project's TypeScript as it stands: `node --import ./test/crash/typescript.js file.ts`.
import * as module from 'node:module';
import { load } from './typescript-hooks.js';

// Newer versions take the hook as it is and warn of the older way.
if (module.registerHooks !== undefined) module.registerHooks({ load });
else module.register('./typescript-hooks.js', import.meta.url);
