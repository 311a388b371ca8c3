import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';
import { judgeFound, otherValues, outcomeOf, type RowOutcome } from '../decide/judge-found.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';

/**
 * A service that refuses a row because it exists is asked what it holds: that may be just what was to be
 * sent. Throws what reading throws.
 */
export async function judgeConflict(
  { registrations, event }: Pick<SendContext, 'registrations' | 'event'>,
  { registration, plan, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { status, message }: { status: number; message: string },
): Promise<RowOutcome> {
  const { barcode } = registration;
  const refused: RowOutcome = { state: 'conflict', status, message };
  if (barcode === undefined) return refused;
  const found = await findOrNone(registrations, barcode);
  // The request itself was refused: a registration that shows nothing did not come by it.
  const unsent = plan === 'create' ? undefined : plan;
  const verdict = judgeFound({ registration, plan: unsent, before, found, fields: fieldsOf(event) });
  if (verdict.kind === 'done') {
    // Messages that the request asked for and the service refused are not asked for.
    const left = found[0] && changesTo(registration, found[0], fieldsOf(event));
    if (left !== undefined && left.length > 0)
      return { ...refused, message: `${message}; ${otherValues(left)}` };
    return { ...outcomeOf(verdict), status };
  }
  return verdict.kind === 'conflict' ? { ...refused, message: `${message}; ${verdict.why}` } : refused;
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
