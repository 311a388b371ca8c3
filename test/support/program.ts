import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What runs the built program, before its own words: Node.js and its file, or the executable that BIN names. */
export const [PROGRAM, ...PROGRAM_WORDS]: readonly [string, ...string[]] = process.env['BIN']
  ? [process.env['BIN']]
  : [process.execPath, join(ROOT, 'bin', 'eventreg.js')];
