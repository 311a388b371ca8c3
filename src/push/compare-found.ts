import { differingFields } from '../registration/compare.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import { BarcodesHiddenError, type RegistrationsClient } from '../service/registrations.ts';
import type { QueuedRow, RowOutcome } from './journal.ts';

/** A conflict is settled by reading: what is there already may be just what was to be sent. */
export async function judgeConflict(
  registrations: RegistrationsClient,
  row: QueuedRow,
  conflict: { status: number; message: string },
): Promise<RowOutcome> {
  const { barcode } = row.registration;
  const refused: RowOutcome = { state: 'conflict', status: conflict.status, message: conflict.message };
  if (barcode === undefined) return refused;
  const found = await findOrNone(registrations, barcode);
  const verdict = compareFound(row, found);
  return verdict.state === 'done' ? { ...verdict, status: conflict.status } : refused;
}

async function findOrNone(
  registrations: RegistrationsClient,
  barcode: string,
): Promise<RegistrationRecord[]> {
  try {
    return (await registrations.findByBarcode([barcode])).get(barcode) ?? [];
  } catch (error) {
    if (error instanceof BarcodesHiddenError) return [];
    throw error;
  }
}

/** What the registrations found under a row's barcode say about it; `pending` when there is none. */
export function compareFound(row: QueuedRow, found: readonly RegistrationRecord[]): RowOutcome {
  const [record] = found;
  if (record === undefined) return { state: 'pending' };
  if (found.length > 1) {
    const ids = found.map((one) => one.id ?? 'without id').join(', ');
    return {
      state: 'conflict',
      message: `${found.length} registrations in the service have this barcode: ${ids}`,
    };
  }
  const differing = differences(row.registration, record);
  if (differing === undefined) {
    const message = 'there is a registration with its barcode, but the service does not show its fields';
    return { state: 'uncertain', message };
  }
  if (differing.length === 0) {
    return { state: 'done', remoteId: record.id, message: 'found in the service as sent' };
  }
  return { state: 'conflict', message: `the service holds other values in: ${differing.join(', ')}` };
}

/** What a record shows to be different from what was sent; undefined when it does not show its fields. */
function differences(sent: Registration, record: RegistrationRecord): string[] | undefined {
  const fields = differingFields(sent, record);
  if (fields === undefined) return undefined;
  const otherPersona = record.persona !== undefined && record.persona !== sent.persona;
  const otherParent = sent.parentBarcode !== undefined && record.parentBarcode !== sent.parentBarcode;
  return [...(otherPersona ? ['persona'] : []), ...(otherParent ? ['parent_barcode'] : []), ...fields];
}
