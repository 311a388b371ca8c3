import type { ChapterView } from '../../report/views/story-view.ts';
import type { RowRef } from '../journal/find-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { findRuns, otherHolder } from '../journal/runs.ts';
import { kindOf, shownState } from './run-words.ts';
import { toldRow, type ToldRow } from '../journal/told-rows.ts';
import { rowView } from './row-view.ts';

/** What one run did about a registration, and what tells which of several came last. */
export interface Chapter {
  view: ChapterView;
  /** Id of the event. */
  event: string;
  row: ToldRow;
  /** The run that it takes back. */
  undoes: string | undefined;
  /** Number of the last thing that this run did about it; 0 when it did nothing. */
  lastNo: number;
  /** Somebody works on the run at this moment. */
  isUnderWay: boolean;
}

/** What the journal knows of one registration: what was done last comes first; at least one chapter. */
export interface Story {
  chapters: readonly Chapter[];
}

/** What a run did about one of its rows. */
export function readChapter(journal: Journal, { run: id, seq }: RowRef): Chapter | undefined {
  const [run] = findRuns(journal, id);
  const row = toldRow(journal, id, seq);
  if (run === undefined || row === undefined) return undefined;
  return {
    view: {
      ...rowView(row),
      run: id,
      kind: kindOf(run),
      runState: shownState(journal, run),
      startedAt: run.startedAt,
      files: run.files,
      event: run.eventName,
      service: run.service,
      because: whyDeleted(run, row),
    },
    event: run.event,
    row,
    undoes: run.undoes,
    lastNo: row.steps.at(-1)?.no ?? 0,
    isUnderWay: otherHolder(journal, run) !== undefined,
  };
}

/** Why a registration was to be deleted: only the run tells. */
function whyDeleted({ kind, undoes }: Run, { op }: ToldRow): string[] {
  if (op !== 'delete') return [];
  if (undoes !== undefined) return [`run ${undoes} had created it`];
  return [kind === 'push' ? 'the file no longer had it (--prune)' : 'it was asked for with eventreg delete'];
}
