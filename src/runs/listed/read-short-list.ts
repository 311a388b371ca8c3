import { OPEN } from '../../registration/model/row-states.ts';
import { EventregError, isCalledOff } from '../../errors.ts';
import { countDeletions } from '../journal/delete-rows.ts';
import { type ListReading, readListed } from './read-listed.ts';
import type { SendContext } from '../journal/send-context.ts';

/** The whole list, where it is short for what a run deletes; undefined where it is not, or cannot be read. */
export async function readShortList(context: SendContext): Promise<ListReading | undefined> {
  const { journal, run, stopping } = context;
  const deletions = countDeletions(journal, run, [...OPEN, 'deleted']);
  const count = Math.max(CHEAP_PAGES, Math.ceil(deletions / 10));
  try {
    return await readListed(context, { barcodes: () => [], count, whole: false });
  } catch (error) {
    if (!stopping.aborted && (!(error instanceof EventregError) || isCalledOff(error))) throw error;
    return undefined;
  }
}

/** A list of so many pages is worth reading for a single row that can be told only by all of it. */
export const CHEAP_PAGES = 10;
