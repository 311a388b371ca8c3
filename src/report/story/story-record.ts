import { RUNS_DOCUMENTS } from '../../documents/runs-documents.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { mendedRecord, reasonRecord } from '../words/row-remarks.ts';
import { differenceRecord } from '../words/difference-text.ts';
import type { OutputRecord } from '../records/record-writer.ts';
import { showUnknown } from '../words/shown-value.ts';
import { lookRecord, whoOf } from './story-text.ts';
import { isoTime } from '../words/time-words.ts';
import type { ChapterView, RowView, StepView, StoryView } from '../views/story-view.ts';

/** A story for programs: flat heads, the same keys every time. Values of persons are masked unless `showValues`. */
export function storyRecord(story: StoryView, showValues: boolean): OutputRecord {
  const { place = null, persona = null, barcode = null, parentBarcode = null, id = null } = whoOf(story);
  return {
    place,
    persona,
    barcode,
    parent_barcode: parentBarcode,
    registration_id: id,
    now: story.now,
    next: story.next,
    ...lookRecord(story.look, showValues),
    runs: story.chapters.map((chapter) => chapterRecord(chapter, showValues)),
  };
}

function chapterRecord(chapter: ChapterView, showValues: boolean): OutputRecord {
  return {
    run: chapter.run,
    kind: chapter.kind,
    run_state: chapter.runState,
    started: isoTime(chapter.startedAt),
    files: chapter.files,
    event: chapter.event,
    service: chapter.service,
    because: chapter.because,
    ...rowRecord(chapter, showValues),
  };
}

/** What became of a row of a run. */
export function rowRecord(row: RowView, showValues: boolean): OutputRecord {
  const show = (field: string, value: FieldValue | undefined): FieldValue | null =>
    showUnknown(field, value, showValues) ?? null;
  return {
    place: row.place ?? null,
    op: row.op,
    state: row.state,
    plan: row.plan ?? null,
    changes: row.changes.map(({ field, before, after, verdict = null }) => {
      return { field, before: show(field, before), after: show(field, after), verdict };
    }),
    message: row.message ?? null,
    attempts: row.attempts,
    checked_at: isoTime(row.checkedAt),
    stored_otherwise: row.storedOtherwise.map(({ field, before, after }) => {
      return { field, sent: show(field, after), listed: show(field, before) };
    }),
    differences: row.differences.map((one) => differenceRecord(one, showValues)),
    findings: row.findings,
    mended: row.notes.map((note) => mendedRecord(note, showValues)),
    reasons: row.reasons.map((reason) => reasonRecord(reason, showValues)),
    steps: row.steps.map(stepRecord),
  };
}

/** `attempt` only of a row: it counts them. */
export function stepRecord({
  at,
  what,
  attempt,
  status,
  requestId,
  detail,
}: Omit<StepView, 'attempt'> & Partial<StepView>): OutputRecord {
  return {
    at: isoTime(at),
    step: what,
    attempt: attempt ?? null,
    status: status ?? null,
    request_id: requestId ?? null,
    detail: detail ?? null,
  };
}

const { steps } = RUNS_DOCUMENTS['runs-why@1'].stories.element.shape.runs.element.shape;
const STEP_HEAD = ['run', 'kind', 'place', 'barcode', 'registration_id', 'plan', 'state'];
/** Columns of `stepRows`. */
export const STEP_COLUMNS: readonly string[] = [...STEP_HEAD, ...Object.keys(steps.element.shape)];

/** A story as one row a step, for spreadsheets; a run that did nothing about it is one row. */
export function stepRows({ chapters }: StoryView): OutputRecord[] {
  return chapters.flatMap((chapter) => {
    const { run, kind, place, barcode, registrationId, plan, state, message, reasons } = chapter;
    const head = { run, kind, place, barcode, registration_id: registrationId, plan, state };
    if (chapter.steps.length > 0) return chapter.steps.map((step) => ({ ...head, ...stepRecord(step) }));
    const wrong = reasons.map(({ column, problem }) =>
      column === undefined ? problem : `${column}: ${problem}`,
    );
    return [{ ...head, detail: message ?? wrong.join('; ') }];
  });
}
