import * as z from 'zod';
import type { AddFlag } from './flags.ts';

/** Of commands that work long: where they tell programs how it goes. */
export const eventsOption = {
  /** A file, or the number of a file descriptor. */
  events: z.string().min(1).optional(),
};

export interface EventsOptions {
  events?: string | undefined;
}

export function addEventsFlag(add: AddFlag): void {
  add(
    '--events <file>',
    'write there while it works what is done, a JSON object a line; or to a descriptor: 3',
  );
}
