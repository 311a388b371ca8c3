import type { GuardCode } from '../../codes.ts';
import { BARCODE, fieldOfKey, MESSAGES } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { Difference, RecordImage, Registration } from '../../registration/model/registration.ts';
import { MAY_HAVE_LANDED } from '../../registration/model/row-states.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { ChangeView, RowView, StepView } from '../../report/views/story-view.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { namesIn } from '../../report/words/who.ts';
import { describeTrouble, fieldsThatAre, troublesOf } from '../decide/plan-decision.ts';
import { sayWhatIsSo } from '../decide/judge-found.ts';
import { isSpelling } from '../decide/decide.ts';
import { countShares, type Share } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import { countFindings, type Finding, readFindings } from '../journal/steps.ts';
import { toldRow, type ToldRow, toldRows } from '../journal/told-rows.ts';

/** At most this many rows, and this many findings, are listed; `runs show` has all. */
const MOST = 1000;

/** Rows of a run that did not get through, or not as sent, then what else its audit found; no values of persons. */
export function readProblems(journal: Journal, run: string): RowProblem[] {
  const problems: RowProblem[] = [];
  for (const row of toldRows(journal, run, 'problems')) {
    if (problems.length === MOST) break;
    problems.push(ofRow(row, run));
  }
  return [
    ...problems,
    ...readFindings(journal, run, MOST).map((finding) => ofFinding(journal, run, finding)),
  ];
}

/** How many rows and findings there are beyond those that are listed. */
export const countUnlisted = (journal: Journal, run: string, shares: readonly Share[]): number =>
  [countShares(shares, ({ isProblem }) => isProblem), countFindings(journal, run)].reduce(
    (sum, count) => sum + Math.max(0, count - MOST),
    0,
  );

/** No line of the files stands for what is deleted. */
const placeOf = ({ op, place, remoteId, barcode }: ToldRow): Pick<RowProblem, 'place' | 'at'> =>
  op === 'delete' || place.file === ''
    ? { place: `registration ${remoteId ?? barcode ?? 'without id'}`, at: undefined }
    : { place: formatPlace(place), at: place };

function ofRow(row: ToldRow, run: string): RowProblem {
  const { op, state, place, remoteId, barcode, reasons, isFollower } = row;
  const isOpen = op === 'send' && state === 'uncertain' && !isFollower;
  const differences = [...disputed(row, 'conflict'), ...row.differences];
  return {
    ...placeOf(row),
    registrationId: remoteId,
    state: troublesOf(row)[0] ?? 'conflict',
    ...(state === 'rejected' ? { reasons } : {}),
    barcode,
    who: namesIn((row.payload ?? row.before)?.fields ?? {}).join(' '),
    message: `${describeTrouble(row)}${isOpen ? sayWhatIsSo(run, place, barcode) : ''}`,
    ...(differences.length === 0 ? {} : { differences }),
  };
}

/** What a push would do to whom, before which a guard has stopped it; messages are clauses. */
export function readGuarded(journal: Journal, run: string, guard: GuardCode): RowProblem[] {
  const guarded: RowProblem[] = [];
  const state = guard === 'confirmation' ? 'unanswered' : 'stopped';
  const wanted = guard === 'masked' ? undefined : 'unbased';
  for (const row of guard === 'busy' ? [] : toldRows(journal, run, 'all')) {
    const differences = disputed(row, wanted).filter(({ field }) => field !== MESSAGES.field);
    const message = whyGuarded(row, guard, differences.length > 0);
    if (message === undefined || row.state !== 'pending') continue;
    if (guarded.push({ ...ofRow(row, run), state, message, differences }) === MOST) break;
  }
  return guarded;
}

function whyGuarded(row: ToldRow, guard: GuardCode, isUnbased: boolean): string | undefined {
  const { op, plan, enableComms } = row;
  if (guard === 'masked') return plan === 'update' ? 'would change somebody of the masked clone' : undefined;
  if (op === 'delete') return 'would be deleted: the file does not have it';
  if (guard !== 'confirmation') return undefined;
  if (plan === 'unknown') return 'cannot be compared with what the service holds';
  if (isUnbased) return 'this machine cannot tell who changed it';
  return enableComms ? 'the service would write to them' : undefined;
}

/** Both values of what came to a verdict; undefined: to any. */
const disputed = (row: ToldRow, wanted: string | undefined): Difference[] =>
  rowView(row)
    .changes.filter(({ verdict }) => verdict === (wanted ?? verdict))
    .map(({ field, before, after }) => ({ field, kind: 'disputed', expected: after, found: before }));

function ofFinding(journal: Journal, run: string, finding: Finding): RowProblem {
  const { kind, seq, id, barcode, message } = finding;
  const row = seq === undefined ? undefined : toldRow(journal, run, seq);
  const { place, at } =
    row?.op === 'send' ? placeOf(row) : { place: `registration ${id ?? 'without id'}`, at: undefined };
  return { place, at, registrationId: id, state: kind, barcode, message };
}

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
