import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf } from '../../registration/model/registration.ts';
import type { TrialRow } from './choose-trial.ts';
import { readNow } from '../../sync/snapshot/read-now.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { writeImage } from '../compare/write-plan.ts';

/**
 * Reads the registration of an update again, right before something of it is left out: what somebody has changed
 * since the plan would look as if the update had done it. Undefined when what the row asks for would come to
 * something else than was planned.
 */
export async function lookAgain(context: SendContext, trial: TrialRow): Promise<TrialRow | undefined> {
  const { event, journal, run } = context;
  const { registration, before, seq } = trial;
  const barcode = registration.barcode ?? '';
  const [record, another] = await readNow(context, { barcode, id: before.id });
  if (record === undefined || another !== undefined || record.id !== before.id) return undefined;
  const fields = fieldsOf(event);
  const planned = JSON.stringify(changesTo(registration, before, fields));
  if (JSON.stringify(changesTo(registration, record, fields)) !== planned) return undefined;
  const image = imageOf(record);
  journal.transaction(() => {
    writeImage(journal, run, seq, image);
  });
  return { ...trial, before: image };
}
