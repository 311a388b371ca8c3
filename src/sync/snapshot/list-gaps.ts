import { EventregError, EXIT, ServiceError } from '../../errors.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import { plural } from '../../report/words/number.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import type { ReadContext } from '../journal/send-context.ts';

/** Barcodes that are asked for to see whether a list can be believed. */
const SAMPLE = 5;

/**
 * Sees whether a list lacks what is there: some of the barcodes that it did not show are asked for by the
 * filter of the service. If one of them is found, all are asked for. `missing` walks those barcodes, `add`
 * takes what is found. Returns whether the list lacks anything, as far as that can be seen. Throws
 * EventregError when it does and the filter does not tell of a barcode whether it is there.
 */
export async function lookBehindList(
  context: ReadContext,
  missing: () => Iterable<string>,
  add: (record: RawRecord) => void,
): Promise<boolean> {
  if (!(await sampleShows(context, spread([...missing()], SAMPLE)))) return false;
  // Added at once, what is found would no longer be walked as missing.
  const found: RawRecord[] = [];
  for (const barcode of missing()) {
    const records = await ask(context, barcode);
    if (records === undefined) throw untold();
    found.push(...records);
  }
  for (const record of found) add(record);
  const count = plural(found.length, 'registration', 'registrations');
  const text = `The list of the service lacks ${count} that it finds by their barcodes: what is not in the list was asked for one by one.`;
  context.reporter.report({ type: 'warning', text });
  return true;
}

async function sampleShows(context: ReadContext, barcodes: readonly string[]): Promise<boolean> {
  for (const barcode of barcodes) {
    let records: RawRecord[] | undefined;
    try {
      records = await ask(context, barcode);
    } catch (error) {
      context.stopping.throwIfAborted();
      // A service without such a filter has nothing to say against its list.
      if (error instanceof ServiceError) return false;
      throw error;
    }
    if (records === undefined) return false;
    if (records.length > 0) return true;
  }
  return false;
}

/** What the filter finds with exactly this barcode; undefined when it finds something else only. */
async function ask(
  { registrations, stopping }: ReadContext,
  barcode: string,
): Promise<RawRecord[] | undefined> {
  stopping.throwIfAborted();
  const { records, mismatched } = await registrations.page({ barcode }, 1, PER_PAGE_MAX);
  const own = records.filter((record) => record.barcode === barcode);
  return own.length === 0 && mismatched + records.length > 0 ? undefined : own;
}

const untold = (): EventregError =>
  new EventregError(
    EXIT.failed,
    'The list of the service lacks registrations that are there, and its filter does not find each by its barcode: what is not in the list may be there all the same.',
    { hint: 'Ask whoever runs the service.' },
    'service',
  );

/** Some of many, spread over all of them. */
function spread(all: readonly string[], count: number): string[] {
  const every = Math.max(1, all.length / count);
  return all.filter((_, at) => Math.floor(at / every) > Math.floor((at - 1) / every));
}
