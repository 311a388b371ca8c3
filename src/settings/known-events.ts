import { join } from 'node:path';
import * as z from 'zod';
import { readNoted, writeNoted } from './noted-file.ts';

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
  if (JSON.stringify(known) !== JSON.stringify(before)) writeNoted(fileIn(stateDir), known);
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

const readKnown = (stateDir: string): Known => readNoted(fileIn(stateDir), KNOWN) ?? {};

const fileIn = (stateDir: string): string => join(stateDir, 'events.json');
