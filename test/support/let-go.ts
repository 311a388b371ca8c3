// SQLite lets go of the files of a closed connection when what was prepared on it is collected, which nothing but memory
// hurries: with all tests in one process so many would be open at last that no more can be.
import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll } from 'vitest';

const MOST_OPEN = 1000;

function countOpen(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    // Only Linux tells.
    return 0;
  }
}

afterAll(() => {
  if (countOpen() <= MOST_OPEN) return;
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
});
