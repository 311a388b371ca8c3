import { join } from 'node:path';
import * as z from 'zod';
import { readNoted, writeNoted } from './noted-file.ts';

/** Services whose registrations have integers as ids, which are texts here: programs get them as the service has them. */
const SERVICES = z.array(z.string());

const fileIn = (stateDir: string): string => join(stateDir, 'integer-ids.json');

export const hasIntegerIds = (stateDir: string, service: string): boolean =>
  readAll(stateDir).includes(service);

/** Notes that a service is one of them. */
export function noteIntegerIds(stateDir: string, service: string): void {
  const known = readAll(stateDir);
  if (!known.includes(service)) writeNoted(fileIn(stateDir), [...known, service]);
}

const readAll = (stateDir: string): string[] => readNoted(fileIn(stateDir), SERVICES) ?? [];
