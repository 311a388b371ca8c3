import { platform } from 'node:os';
import { win32 } from 'node:path';
import * as z from 'zod';

/** What is wrong with such a name. */
export const RESERVED = 'has a name that Windows keeps for itself';

/** The name of a file that is made whatever its ending. */
export const newFile = z
  .string()
  .min(1)
  .refine((file) => !isReservedName(file), RESERVED);

/** Also with an ending, and also with the small digits that Windows takes for digits. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$/i;

/**
 * Whether Windows has another use for a name. Node.js would make a file of it all the same, which no other program
 * there could open or delete; the part after a colon would be hidden in a file of the name before it.
 */
export function isReservedName(file: string, system: string = platform()): boolean {
  if (system !== 'win32') return false;
  const name = win32.basename(file);
  return DEVICES.test(name) || /[. ]$|:/.test(name);
}
