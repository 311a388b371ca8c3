import { changesTo, type FieldChange } from '../registration/field-change.ts';
import type { RecordImage, Registration } from '../registration/registration.ts';
import type { Difference } from '../registration/difference.ts';
import type { Note, Reason } from '../registration/row.ts';
import type { RowState } from '../registration/row-state.ts';
import type { ChapterView, StepView } from '../report/story-view.ts';
import type { Journal, Run } from './journal.ts';
import { readFindings } from './findings.ts';
import type { RowRef } from './find-rows.ts';
import { findRuns, otherHolder } from './runs.ts';
import { shownState } from './shown-state.ts';
import { readSteps, type Step } from './steps.ts';
import { placeOf } from './stored-place.ts';

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
  sent_at: number | null;
  done_at: number | null;
  status: number | null;
  remote_id: string | null;
  message: string | null;
  plan: string | null;
  before: string | null;
  after: string | null;
  differences: string | null;
  sent_no: number | null;
  held_no: number | null;
  checked_at: number | null;
}

/** A chapter, and what tells which of several came last. */
export interface Chapter {
  view: ChapterView;
  /** Number of the last step that this journal knows of the row. */
  lastNo: number;
  /** Somebody works on the run at this moment. */
  held: boolean;
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
    view: { ...runView(journal, run), ...rowView(journal, id, row) },
    lastNo: Math.max(last?.no ?? 0, row.sent_no ?? 0, row.held_no ?? 0),
    held: otherHolder(journal, run) !== undefined,
  };
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

function rowView(journal: Journal, run: string, row: StoredRow): Omit<ChapterView, keyof RunView> {
  const steps = numbered(stepsOf(journal, run, row));
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
    changes: row.op === 'send' ? differences(row.payload, row.before) : [],
    storedOtherwise: row.op === 'send' ? differences(row.payload, row.after) : [],
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

/** Runs of earlier versions kept no steps: the last attempt is all that is known of them. */
function stepsOf(journal: Journal, run: string, row: StoredRow): Step[] {
  const steps = readSteps(journal, run, row.seq);
  if (steps.length > 0 || row.attempts === 0 || row.sent_at === null) return steps;
  const sent: Step = { at: row.sent_at, what: 'sent' };
  if (row.done_at === null) return [sent];
  const detail = row.message === null ? row.state : `${row.state}: ${row.message}`;
  return [sent, { at: row.done_at, what: 'answered', status: row.status ?? undefined, detail }];
}

function numbered(steps: readonly Step[]): StepView[] {
  let attempts = 0;
  return steps.map(({ at, what, status, requestId, detail }) => {
    if (what === 'sent') attempts += 1;
    return { at, what, attempt: attempts === 0 ? undefined : attempts, status, requestId, detail };
  });
}
