import * as z from 'zod';
import { describeCopy } from '../../sandbox/store/copied.ts';
import { UsageError } from '../../errors.ts';
import { sandboxService } from '../../report/words/service-name.ts';
import type { Runtime } from '../../runtime.ts';
import { cloneFile, cloneNames } from '../connect/clone-files.ts';

export const KEPT = ['none', 'masked', 'as-they-are'] as const;

/** Where a clone is from. */
const aboutClone = z.object({
  service: z.string(),
  eventId: z.string(),
  event: z.string(),
  kept: z.enum(KEPT),
  maskBarcodes: z.boolean(),
  madeAt: z.number(),
});
export type AboutClone = z.infer<typeof aboutClone>;

/** Said behind the number of its people. */
export const HOW: Readonly<Record<AboutClone['kept'], string>> = {
  none: ', since none were asked for',
  masked: ', masked',
  'as-they-are': ' as they are',
};

/** A clone of this machine. */
export interface CloneRecord {
  name: string;
  about: AboutClone;
  /** The event as the service showed it. */
  event: unknown;
  /** What the journal keeps its runs apart by. */
  service: string;
  registrations: number;
}

export function readClone(runtime: Pick<Runtime, 'paths'>, name: string): CloneRecord | undefined {
  const found = describeCopy(cloneFile(runtime.paths.state, name));
  if (found === undefined) return undefined;
  const { copied, instanceId, registrations } = found;
  const about = aboutClone.parse(copied.about);
  return { name, about, event: copied.event, service: sandboxService(instanceId, name), registrations };
}

/** The clone that is meant: the one that is named, or the only one there is. Throws UsageError. */
export function theClone(
  runtime: Pick<Runtime, 'paths'>,
  named: boolean | string,
  choose = 'Choose one with --sandbox=NAME',
): CloneRecord {
  const names = cloneNames(runtime.paths.state);
  const name = typeof named === 'string' ? named : names.length === 1 ? names[0] : undefined;
  const clone = name !== undefined && names.includes(name) ? readClone(runtime, name) : undefined;
  if (clone !== undefined) return clone;
  if (names.length === 0) {
    throw new UsageError('There is no clone yet.', { hint: 'Make one with `eventreg sandbox clone`.' });
  }
  throw new UsageError(name === undefined ? 'There are several clones.' : `There is no clone "${name}".`, {
    hint: `${choose}: ${names.join(', ')}.`,
  });
}
