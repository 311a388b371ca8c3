import { BARCODE, fieldOfKey } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { formatPlace, type Note, type Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { ChangeView, ChapterView, StepView } from '../../report/views/story-view.ts';
import type { Journal } from '../journal/journal.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../journal/row-codec.ts';
import type { RowOp, Run } from '../journal/run.ts';
import { readFindings } from '../journal/findings.ts';
import type { RowRef } from '../journal/find-rows.ts';
import { findRuns, otherHolder } from '../journal/runs.ts';
import { shownState } from '../journal/shown-state.ts';
import { readSteps, type Step } from '../journal/steps.ts';

/** What the row says, and with what was asked for instead where not all of it was. */
const ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  persona: value<string | undefined>(),
  barcode: value<string | undefined>(),
  parentBarcode: value<string | undefined>(),
  enableComms: flag(),
  /** What is deleted has none. */
  payload: json<Registration | undefined>(`CASE op WHEN 'send' THEN payload END`),
  sent: json<Registration | undefined>(`CASE op WHEN 'send' THEN coalesce(ask, payload) END`),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  notes: json<readonly Note[]>(`coalesce(notes, '[]')`),
  attempts: value<number>(),
  remoteId: value<string | undefined>(),
  message: value<string | undefined>(),
  plan: value<string | undefined>(),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  after: json<RecordImage | undefined>(),
  /** What became of what the service holds otherwise. */
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  lastNo: value<number>(`max(coalesce(sent_no, 0), coalesce(listed_no, 0), coalesce(
    (SELECT max(no) FROM step WHERE step.run = row.run AND step.seq = row.seq), 0))`),
  checkedAt: value<number | undefined>(),
});
type Row = RowOf<typeof ROW>;

/** A chapter, and what tells which of several came last. */
export interface Chapter {
  view: ChapterView;
  /** Id of the event. */
  event: string;
  known: KnownImages;
  /** Number of the last step that this journal knows of the row; 0 when nothing was done about it. */
  lastNo: number;
  /** Somebody works on the run at this moment. */
  listed: boolean;
}

/** What the journal has kept of a registration. */
export interface KnownImages {
  /** What was sent, or would have been. */
  sent: Registration | undefined;
  /** The row, of which what `left` names was not sent: the service's values stay. */
  row: Registration | undefined;
  left: ReadonlySet<string>;
  /** As the service listed it before that. */
  before: RecordImage | undefined;
  /** As it lists it since, where that is not what was sent. */
  after: RecordImage | undefined;
}

/** What a run did about one of its rows. */
export function readChapter(journal: Journal, { run: id, seq }: RowRef): Chapter | undefined {
  const [run] = findRuns(journal, id);
  const row = journal.readOne(ROW, 'FROM row WHERE run = $run AND seq = $seq', { $run: id, $seq: seq });
  if (run === undefined || row === undefined) return undefined;
  const { sent, payload, before, after, lastNo } = row;
  return {
    view: { ...runView(journal, run), ...rowView(journal, id, row), because: whyDeleted(run, row) },
    event: run.event,
    known: { sent, row: payload, left: leftOf(row), before, after },
    lastNo,
    listed: otherHolder(journal, run) !== undefined,
  };
}

/** Fields whose values were not sent. */
function leftOf({ verdicts }: Row): ReadonlySet<string> {
  const left = Object.entries(verdicts).filter(([, verdict]) => verdict === 'kept' || verdict === 'conflict');
  return new Set(left.map(([key]) => fieldOfKey(key)));
}

/** Why a registration was to be deleted: only the run tells. */
function whyDeleted({ kind, undoes }: Run, { op }: Row): string[] {
  if (op !== 'delete') return [];
  if (undoes !== undefined) return [`run ${undoes} had created it`];
  return [kind === 'push' ? 'the file no longer had it (--prune)' : 'it was asked for with eventreg delete'];
}

type RunView = Pick<ChapterView, 'run' | 'kind' | 'runState' | 'startedAt' | 'files' | 'event' | 'service'>;

function runView(journal: Journal, run: Run): RunView {
  return {
    run: run.id,
    kind: run.undoes === undefined ? run.kind : `${run.kind} of ${run.undoes}`,
    runState: shownState(journal, run),
    startedAt: run.startedAt,
    files: run.files,
    event: run.eventName,
    service: run.service,
  };
}

function rowView(journal: Journal, run: string, row: Row): Omit<ChapterView, keyof RunView | 'because'> {
  const steps = numbered(readSteps(journal, run, row.seq));
  // What a person has decided is not read back, and counts as if it had been.
  const isDecided = steps.at(-1)?.what === 'decided';
  return {
    place: row.place.file === '' ? undefined : formatPlace(row.place) + (row.part > 0 ? `/${row.part}` : ''),
    op: row.op,
    state: row.state,
    persona: row.persona,
    barcode: row.barcode,
    parentBarcode: row.parentBarcode,
    registrationId: row.remoteId,
    enableComms: row.enableComms,
    plan: row.plan,
    changes: [...judged(differences(row.payload, row.before), row), ...barcodeKept(row)],
    storedOtherwise: differences(row.sent, row.after).filter(({ field }) => !leftOf(row).has(field)),
    differences: row.differences,
    findings: readFindings(journal, run)
      .filter(({ seq }) => seq === row.seq)
      .map(({ message }) => message),
    notes: row.notes,
    reasons: row.reasons,
    message: row.message,
    attempts: row.attempts,
    steps,
    checkedAt: isDecided ? undefined : row.checkedAt,
  };
}

/** Compared as text: the journal does not know the kinds of the fields. */
const differences = (
  said: Registration | undefined,
  image: RecordImage | undefined,
): readonly FieldChange[] => (said && image && changesTo(said, image, () => [])) ?? [];

/** With what became of each: `kept` and `conflict` were not sent. */
function judged(changes: readonly FieldChange[], { verdicts }: Row): readonly ChangeView[] {
  const known = new Map(Object.entries(verdicts).map(([key, verdict]) => [fieldOfKey(key), verdict]));
  return changes.map((change) => ({ ...change, verdict: known.get(change.field) }));
}

/** The barcode that a row has and its registration has not, which an update cannot change. */
function barcodeKept({ payload, before, verdicts }: Row): readonly ChangeView[] {
  const verdict = verdicts[BARCODE.key];
  if (verdict === undefined || payload === undefined || before === undefined) return [];
  return [{ ...toChange(BARCODE, payload, before), verdict }];
}

function numbered(steps: readonly Step[]): StepView[] {
  let attempts = 0;
  return steps.map(({ at, what, status, requestId, detail }) => {
    if (what === 'sent') attempts += 1;
    return { at, what, attempt: attempts === 0 ? undefined : attempts, status, requestId, detail };
  });
}
