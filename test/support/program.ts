import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The build for Node.js. */
export const NODE_BUILD: readonly [string, ...string[]] = [
  process.execPath,
  join(ROOT, 'bin', 'eventreg.js'),
];

const { BIN, PATH = '' } = process.env;

/** What runs the built program, before its own words: Node.js and its file, or the executable that BIN names. */
export const [PROGRAM, ...PROGRAM_WORDS] = BIN ? [BIN] : NODE_BUILD;

/** The PATH of the program. An executable is to find nothing there, Node.js least of all. */
export const SEARCH_PATH = BIN ? '' : PATH;
