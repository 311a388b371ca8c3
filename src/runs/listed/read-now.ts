import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { SendContext } from '../journal/send-context.ts';

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
