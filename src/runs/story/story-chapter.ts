import { BARCODE, fieldOfKey } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { ChangeView, ChapterView, StepView } from '../../report/views/story-view.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { readFindings } from '../journal/findings.ts';
import type { RowRef } from '../journal/find-rows.ts';
import { findRuns, otherHolder } from '../journal/runs.ts';
import { shownState } from '../journal/shown-state.ts';
import { readSteps, type Step } from '../journal/steps.ts';
import { placeOf } from '../journal/stored-place.ts';

interface StoredRow {
  seq: number;
  file: string;
  sheet: string | null;
  line: number;
  part: number;
  op: 'send' | 'delete';
  state: RowState;
  persona: string | null;
  barcode: string | null;
  parent_barcode: string | null;
  enable_comms: number;
  payload: string | null;
  reasons: string | null;
  notes: string | null;
  attempts: number;
  remote_id: string | null;
  message: string | null;
  plan: string | null;
  before: string | null;
  after: string | null;
  /** What was asked for where not all of the row was, what was listed last before that, and why, by field. */
  ask: string | null;
  latest: string | null;
  verdicts: string | null;
  differences: string | null;
  sent_no: number | null;
  listed_no: number | null;
  checked_at: number | null;
}

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
  const row = journal.get<StoredRow>('SELECT * FROM row WHERE run = $run AND seq = $seq', {
    $run: id,
    $seq: seq,
  });
  if (run === undefined || row === undefined) return undefined;
  const last = journal.get<{ no: number | null }>(
    'SELECT max(no) AS no FROM step WHERE run = $run AND seq = $seq',
    { $run: id, $seq: seq },
  );
  return {
    view: { ...runView(journal, run), ...rowView(journal, id, row), because: whyDeleted(run, row) },
    event: run.event,
    known: {
      sent: row.op === 'send' ? (parsed(row.ask ?? row.payload) as Registration | undefined) : undefined,
      row: row.op === 'send' ? (parsed(row.payload) as Registration | undefined) : undefined,
      left: leftOf(row),
      before: parsed(row.latest ?? row.before) as RecordImage | undefined,
      after: parsed(row.after) as RecordImage | undefined,
    },
    lastNo: Math.max(last?.no ?? 0, row.sent_no ?? 0, row.listed_no ?? 0),
    listed: otherHolder(journal, run) !== undefined,
  };
}

const parsed = (json: string | null | undefined): unknown =>
  json === null || json === undefined ? undefined : JSON.parse(json);

/** Fields whose values were not sent. */
function leftOf({ verdicts }: StoredRow): ReadonlySet<string> {
  const known = Object.entries((parsed(verdicts) ?? {}) as Record<string, string>);
  const left = known.filter(([, verdict]) => verdict === 'kept' || verdict === 'conflict');
  return new Set(left.map(([key]) => fieldOfKey(key)));
}

/** Why a registration was to be deleted: only the run tells. */
function whyDeleted({ kind, undoes }: Run, { op }: StoredRow): string[] {
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

function rowView(
  journal: Journal,
  run: string,
  row: StoredRow,
): Omit<ChapterView, keyof RunView | 'because'> {
  const steps = numbered(readSteps(journal, run, row.seq));
  // What a person has decided is not read back, and counts as if it had been.
  const isDecided = steps.at(-1)?.what === 'decided';
  return {
    place: row.file === '' ? undefined : placeOf(row) + (row.part > 0 ? `/${row.part}` : ''),
    op: row.op,
    state: row.state,
    persona: row.persona ?? undefined,
    barcode: row.barcode ?? undefined,
    parentBarcode: row.parent_barcode ?? undefined,
    registrationId: row.remote_id ?? undefined,
    enableComms: row.enable_comms === 1,
    plan: row.plan ?? undefined,
    changes:
      row.op === 'send'
        ? [...judged(differences(row.payload, row.latest ?? row.before), row), ...barcodeKept(row)]
        : [],
    storedOtherwise:
      row.op === 'send'
        ? differences(row.ask ?? row.payload, row.after).filter(({ field }) => !leftOf(row).has(field))
        : [],
    differences: JSON.parse(row.differences ?? '[]') as Difference[],
    findings: readFindings(journal, run)
      .filter(({ seq }) => seq === row.seq)
      .map(({ message }) => message),
    notes: row.notes === null ? [] : (JSON.parse(row.notes) as Note[]),
    reasons: row.reasons === null ? [] : (JSON.parse(row.reasons) as Reason[]),
    message: row.message ?? undefined,
    attempts: row.attempts,
    steps,
    checkedAt: isDecided ? undefined : (row.checked_at ?? undefined),
  };
}

/** Compared as text: the journal does not know the kinds of the fields. */
function differences(payload: string | null, image: string | null): readonly FieldChange[] {
  if (payload === null || image === null) return [];
  const registration = JSON.parse(payload) as Registration;
  return changesTo(registration, JSON.parse(image) as RecordImage, () => []) ?? [];
}

/** With what became of each: `kept` and `conflict` were not sent. */
function judged(changes: readonly FieldChange[], { verdicts }: StoredRow): readonly ChangeView[] {
  const known = Object.fromEntries(
    Object.entries((parsed(verdicts) ?? {}) as Record<string, string>).map(([key, one]) => [
      fieldOfKey(key),
      one,
    ]),
  );
  return changes.map((change) => ({
    ...change,
    verdict: Object.hasOwn(known, change.field) ? known[change.field] : undefined,
  }));
}

/** The barcode that a row has and its registration has not, which an update cannot change. */
function barcodeKept({ payload, latest, before, verdicts }: StoredRow): readonly ChangeView[] {
  const verdict = ((parsed(verdicts) ?? {}) as Record<string, string>)[BARCODE.key];
  const image = parsed(latest ?? before) as RecordImage | undefined;
  if (verdict === undefined || payload === null || image === undefined) return [];
  return [{ ...toChange(BARCODE, JSON.parse(payload) as Registration, image), verdict }];
}

function numbered(steps: readonly Step[]): StepView[] {
  let attempts = 0;
  return steps.map(({ at, what, status, requestId, detail }) => {
    if (what === 'sent') attempts += 1;
    return { at, what, attempt: attempts === 0 ? undefined : attempts, status, requestId, detail };
  });
}
