import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { ChapterView } from '../../report/views/story-view.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { rowCodec, value } from '../../sqlite/row-codec.ts';
import type { Run } from '../../sync/journal/run.ts';
import type { RowRef } from '../../sync/journal/find-rows.ts';
import { findRuns, otherHolder } from '../../sync/journal/runs.ts';
import { shownState } from '../../sync/journal/shown-state.ts';
import { leftOf, ROW_COLUMNS, rowViews, type StoryRow } from './row-views.ts';

/** What a chapter needs besides what is told of its row. */
const ROW = rowCodec({
  ...ROW_COLUMNS,
  lastNo: value<number>(`max(coalesce(sent_no, 0), coalesce(listed_no, 0), coalesce(
    (SELECT max(no) FROM step WHERE step.run = row.run AND step.seq = row.seq), 0))`),
});

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
  /** Fields that the audit found otherwise than sent, which the service shows of somebody. */
  flawed: ReadonlySet<string>;
  /** As the service listed it before that. */
  before: RecordImage | undefined;
  /** As it lists it since, where that is not what was sent. */
  after: RecordImage | undefined;
}

/** What a run did about one of its rows. */
export function readChapter(journal: Journal, { run: id, seq }: RowRef): Chapter | undefined {
  const [run] = findRuns(journal, id);
  const row = journal.readOne(ROW, 'FROM row WHERE run = $run AND seq = $seq', { run: id, seq });
  if (run === undefined || row === undefined) return undefined;
  const [view] = rowViews(journal, id, [row]);
  if (view === undefined) return undefined;
  const { sent, payload, before, after, lastNo } = row;
  return {
    view: {
      run: id,
      kind: run.undoes === undefined ? run.kind : `${run.kind} of ${run.undoes}`,
      runState: shownState(journal, run),
      startedAt: run.startedAt,
      files: run.files,
      event: run.eventName,
      service: run.service,
      ...view,
      because: whyDeleted(run, row),
    },
    event: run.event,
    known: {
      sent,
      row: payload,
      left: leftOf(row),
      flawed: new Set(view.differences.map(({ field }) => field)),
      before,
      after,
    },
    lastNo,
    listed: otherHolder(journal, run) !== undefined,
  };
}

/** Why a registration was to be deleted: only the run tells. */
function whyDeleted({ kind, undoes }: Run, { op }: StoryRow): string[] {
  if (op !== 'delete') return [];
  if (undoes !== undefined) return [`run ${undoes} had created it`];
  return [kind === 'push' ? 'the file no longer had it (--prune)' : 'it was asked for with eventreg delete'];
}
