import { BARCODE, fieldOfKey } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { MAY_HAVE_LANDED } from '../../registration/model/row-states.ts';
import type { ChangeView, RowView, StepView } from '../../report/views/story-view.ts';
import { fieldsThatAre } from '../decide/became.ts';
import { isSpelling } from '../decide/spelling.ts';
import type { ToldRow } from '../journal/told-rows.ts';

/** What became of a row of a run. */
export function rowView(row: ToldRow): RowView {
  const { place, part, payload, before, sent, after, remoteId, findings, steps, checkedAt, ...told } = row;
  const left = fieldsLeft(row);
  return {
    ...told,
    place: place.file === '' ? undefined : formatPlace(place) + (part > 0 ? `/${part}` : ''),
    registrationId: remoteId,
    askedToWriteAt: askedToWriteAt(row),
    changes: [...judged(differences(payload, before), row), ...barcodeKept(row)],
    storedOtherwise: differences(sent, after).filter(({ field }) => !left.includes(field)),
    findings: findings.map(({ message }) => message),
    steps: numbered(row),
    // What a person has decided is not read back, and counts as if it had been.
    checkedAt: steps.at(-1)?.what === 'decided' ? undefined : checkedAt,
  };
}

/** Of a row that landed, or may have, and asked for messages. */
function askedToWriteAt({ op, sent, state, steps }: ToldRow): number | undefined {
  const mayHave = MAY_HAVE_LANDED.has(state) || state === 'deleted';
  if (op !== 'send' || sent?.enableComms !== true || !mayHave) return undefined;
  return steps.findLast(({ what }) => what === 'sent')?.at;
}

/** Fields whose values were not sent: where only the service has changed others, nothing of the row was. */
export const fieldsLeft = (row: Pick<ToldRow, 'verdicts' | 'plan' | 'payload' | 'before'>): string[] => {
  const left = fieldsThatAre(row, 'kept', 'conflict');
  if (row.plan !== 'kept') return left;
  const others = differences(row.payload, row.before).filter((one) => !isSpelling(one.before, one.after));
  return [...new Set([...left, ...others.map(({ field }) => field)])];
};

/** Compared as text: the journal does not know the kinds of the fields. */
const differences = (
  said: Registration | undefined,
  image: RecordImage | undefined,
): readonly FieldChange[] => (said && image && changesTo(said, image, () => [])) ?? [];

/** With what became of each: `kept` and `conflict` were not sent. */
function judged(changes: readonly FieldChange[], { verdicts, plan }: ToldRow): readonly ChangeView[] {
  const known = new Map(Object.entries(verdicts).map(([key, verdict]) => [fieldOfKey(key), verdict]));
  const other = plan === 'kept' ? plan : undefined;
  return changes.map((change) => ({ ...change, verdict: known.get(change.field) ?? other }));
}

/** The barcode that a row has and its registration has not, which an update cannot change. */
function barcodeKept({ payload, before, verdicts }: ToldRow): readonly ChangeView[] {
  const verdict = verdicts[BARCODE.key];
  if (verdict === undefined || payload === undefined || before === undefined) return [];
  return [{ ...toChange(BARCODE, payload, before), verdict }];
}

function numbered({ steps }: ToldRow): StepView[] {
  let attempts = 0;
  return steps.map(({ no: _number, ...step }) => {
    if (step.what === 'sent') attempts += 1;
    return { ...step, attempt: attempts === 0 ? undefined : attempts };
  });
}
