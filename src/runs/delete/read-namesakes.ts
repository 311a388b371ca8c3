import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import { mayBeBarcodes, type Names } from './delete-name.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';

/** Adds to what was looked up the registrations whose barcodes are ids of those that may be deleted. */
export async function readNamesakes(
  { registrations }: Pick<SendContext, 'registrations'>,
  { how, listed }: ListReading,
  names: Iterable<Names>,
): Promise<void> {
  if (how === 'list' || registrations.registrationId === 'barcode') return;
  const ids = mayBeBarcodes(names).filter((id) => !listed.hasBarcode(id));
  if (ids.length === 0) return;
  try {
    for (const records of (await registrations.findByBarcode(ids)).values()) listed.add(records);
  } catch (error) {
    // Where no barcodes are shown, nothing more can be known.
    if (!(error instanceof BarcodesHiddenError)) throw error;
  }
}
