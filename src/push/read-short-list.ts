import { EventregError, isCalledOff } from '../errors.ts';
import { countDeletions } from './delete-rows.ts';
import { type HeldReading, readHeld } from './held.ts';
import type { SendContext } from './send-context.ts';
import { CHEAP_PAGES } from './sight.ts';

/** The whole list, where it is short for what a run deletes; undefined where it is not, or cannot be read. */
export async function readShortList(context: SendContext): Promise<HeldReading | undefined> {
  const { journal, run, stopping } = context;
  const deletions = countDeletions(journal, run, ['pending', 'sending', 'uncertain', 'deleted']);
  const count = Math.max(CHEAP_PAGES, Math.ceil(deletions / 10));
  try {
    return await readHeld(context, { barcodes: () => [], count, whole: false });
  } catch (error) {
    if (!stopping.aborted && (!(error instanceof EventregError) || isCalledOff(error))) throw error;
    return undefined;
  }
}
