import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** More than all tests at once take. Containers often have 64 MB there. */
const ENOUGH_BYTES = 2 ** 30;

/**
 * Where tests make their folders: in memory where there is room, for every write of a journal waits for its disk. What dies
 * here are processes, never the machine, so both keep the same.
 */
export const FAST_PLACE = hasRoom() ? MEMORY : tmpdir();

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
