import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { OPEN } from '../../registration/model/row-states.ts';
import { EventregError, GuardError, isCalledOff } from '../../errors.ts';
import { countIn } from '../journal/queued-rows.ts';
import { type ListReading, type ListWish, readListed } from './read-listed.ts';

/**
 * The registrations that are listed under a barcode by now; where there are none, or barcodes are not shown, those of
 * the id that it is known to have: a service may give it another barcode. Throws what reading throws.
 */
export async function readNow(
  { registrations }: Pick<SendContext, 'registrations'>,
  { barcode, id }: Pick<RegistrationRecord, 'barcode' | 'id'>,
): Promise<readonly RegistrationRecord[]> {
  let filter = {};
  try {
    const found =
      barcode === undefined ? [] : ((await registrations.findByBarcode([barcode])).get(barcode) ?? []);
    if (found.length > 0 || id === undefined) return found;
  } catch (error) {
    if (!(error instanceof BarcodesHiddenError) || id === undefined) throw error;
    filter = { barcode };
  }
  let found: RegistrationRecord[] = [];
  await registrations.readAll(filter, ({ records, restart }) => {
    if (restart) found = [];
    found.push(...records.filter((record) => record.id === id));
  });
  return found;
}

/** Looks for some registrations: in the list of all where it has no more pages than `least`, or some show no barcode. */
export function wishFor(some: readonly Pick<RecordImage, 'barcode'>[], least = 0): ListWish {
  const barcodes = some.flatMap(({ barcode }) => barcode ?? []);
  const whole = barcodes.length < some.length;
  return { barcodes, pages: Math.max(least, some.length), whole };
}

/** Reads what a wish asks for, and all of the list where barcodes are not shown to look it up by. */
export async function readShown(context: SendContext, wish: ListWish): Promise<ListReading> {
  const reading = await readListed(context, wish);
  if (reading.how === 'list' || reading.barcodesShown) return reading;
  reading.listed.clear();
  return await readListed(context, { ...wish, whole: true });
}

/** All that is listed. Throws GuardError where the list never stood still; `what`: what was done until then, `so`: what that means. */
export async function readWhole(context: Session, what: string, so = ''): Promise<ListReading> {
  const reading = await readListed(context, { whole: true });
  if (reading.moved) throw movingList(what, so);
  return reading;
}

export const movingList = (what: string, so = ''): GuardError =>
  new GuardError('moving-list', `${what}: registrations came or went each time the list was read${so}.`, {
    hint: 'Run the same command again when fewer registrations come in.',
  });

/** The whole list, where it is short for what a run deletes; undefined where it is not, or cannot be read. */
export async function readShortList(context: SendContext): Promise<ListReading | undefined> {
  const { journal, run, stopping } = context;
  const deletions = countIn(journal, run, [...OPEN, 'deleted'], 'delete');
  try {
    const reading = await readListed(context, { pages: Math.max(CHEAP_PAGES, Math.ceil(deletions / 10)) });
    return reading.how === 'list' ? reading : undefined;
  } catch (error) {
    if (!stopping.aborted && (!(error instanceof EventregError) || isCalledOff(error))) throw error;
    return undefined;
  }
}

/** A list of so many pages is worth reading for a single row that can be told only by all of it. */
export const CHEAP_PAGES = 10;
