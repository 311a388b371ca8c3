import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import { judgeFound, otherValues, outcomeOf, type RowOutcome } from '../decide/judge-found.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { listedNow } from './looks.ts';

/**
 * A service that refuses a row because it exists is asked what it holds: that may be just what was to be
 * sent.
 */
export async function judgeConflict(
  context: SendContext,
  { registration, plan, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { status, message }: { status: number; message: string },
): Promise<RowOutcome> {
  const { barcode } = registration;
  const refused: RowOutcome = { state: 'conflict', status, message };
  if (barcode === undefined) return refused;
  const fields = fieldsOf(context.event);
  const found = await listedNow(context, { barcode, id: undefined });
  // The request itself was refused: a registration that shows nothing did not come by it.
  const unsent = plan === 'create' ? undefined : plan;
  const verdict = judgeFound({ registration, plan: unsent, before, found, fields });
  if (verdict.kind === 'done') {
    // Messages that the request asked for and the service refused are not asked for.
    const left = found[0] && changesTo(registration, found[0], fields);
    if (left !== undefined && left.length > 0)
      return { ...refused, message: `${message}; ${otherValues(left)}` };
    return { ...outcomeOf(verdict), status };
  }
  return verdict.kind === 'conflict' ? { ...refused, message: `${message}; ${verdict.why}` } : refused;
}
