import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writePrivateFile } from './private-file.ts';

/** As much of an event as has to be looked into here. */
const EVENT = z.looseObject({
  eventId: z.string(),
  personas: z.array(z.looseObject({ slug: z.string(), name: z.string() })),
});
interface KnownEvent {
  eventId: string;
  personas: readonly { slug: string; name: string }[];
}

/** By service, and by id. */
const KNOWN = z.record(z.string(), z.record(z.string(), EVENT));
type Known = Readonly<Record<string, Readonly<Record<string, KnownEvent>>>>;

/**
 * Notes what a service has shown of an event, for what must not ask it: completing words, telling of a run.
 */
export function noteEvent(stateDir: string, service: string, event: KnownEvent): void {
  const before = readKnown(stateDir);
  const known: Known = { ...before, [service]: { ...before[service], [event.eventId]: event } };
  if (JSON.stringify(known) !== JSON.stringify(before)) writeNoted(eventsFile(stateDir), known);
}

/** An event as it was noted last. */
export function knownEvent(stateDir: string, service: string, eventId: string): KnownEvent | undefined {
  const own = readKnown(stateDir)[service];
  return own !== undefined && Object.hasOwn(own, eventId) ? own[eventId] : undefined;
}

/** Slugs and names of all personas that were seen, of any service; each slug once. */
export function knownPersonas(stateDir: string): readonly (readonly [slug: string, name: string])[] {
  const all = Object.values(readKnown(stateDir)).flatMap((events) => Object.values(events));
  return [...new Map(all.flatMap(({ personas }) => personas.map(({ slug, name }) => [slug, name] as const)))];
}

const readKnown = (stateDir: string): Known => readNoted(eventsFile(stateDir), KNOWN) ?? {};

const eventsFile = (stateDir: string): string => join(stateDir, 'events.json');

/** Services whose registrations have integers as ids, which are texts here: programs get them as the service has them. */
const SERVICES = z.array(z.string());

const idsFile = (stateDir: string): string => join(stateDir, 'integer-ids.json');

export const hasIntegerIds = (stateDir: string, service: string): boolean =>
  readAll(stateDir).includes(service);

/** Notes that a service is one of them. */
export function noteIntegerIds(stateDir: string, service: string): void {
  const known = readAll(stateDir);
  if (!known.includes(service)) writeNoted(idsFile(stateDir), [...known, service]);
}

const readAll = (stateDir: string): string[] => readNoted(idsFile(stateDir), SERVICES) ?? [];

/** What a file of a convenience says; undefined where it cannot be read. */
function readNoted<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Writes a file of a convenience, where it can be written: nobody is helped by an error about it. */
function writeNoted(file: string, value: unknown): void {
  try {
    writePrivateFile(file, JSON.stringify(value));
  } catch {
    // The next command that has something to note tries again.
  }
}
