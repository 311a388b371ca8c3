import * as z from 'zod';

/** Of commands that work long: where they tell programs how it goes. */
export const eventsOption = {
  /** A file, or the number of a file descriptor. */
  events: z.string().min(1).optional(),
};

export interface EventsOptions {
  events?: string | undefined;
}
