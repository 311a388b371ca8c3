import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateFile } from './private-file.ts';

/** Services whose registrations have integers as ids, which are texts here: programs get them as the service has them. */
const SERVICES = z.array(z.string());

const fileIn = (stateDir: string): string => join(stateDir, 'integer-ids.json');

/** Only a convenience: a file that cannot be read says nothing. */
export const hasIntegerIds = (stateDir: string, service: string): boolean =>
  readAll(stateDir).includes(service);

/** Notes that a service is one of them. A file that cannot be written is left alone. */
export function noteIntegerIds(stateDir: string, service: string): void {
  const known = readAll(stateDir);
  if (known.includes(service)) return;
  try {
    writePrivateFile(fileIn(stateDir), JSON.stringify([...known, service]));
  } catch {
    // The next command that lists them tries again.
  }
}

function readAll(stateDir: string): string[] {
  try {
    return SERVICES.parse(JSON.parse(readFileSync(fileIn(stateDir), 'utf8')));
  } catch {
    return [];
  }
}
