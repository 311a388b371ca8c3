import { newFile } from './reserved-name.ts';

/** Of commands that work long: where they tell programs how it goes. */
export const eventsOption = {
  /** A file, or the number of a file descriptor. */
  events: newFile.optional(),
};

export interface EventsOptions {
  events?: string | undefined;
}
