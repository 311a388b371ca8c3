import { fieldAspect } from '../../registration/changes/aspect.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { THERE } from '../../registration/model/row-states.ts';
import { type Known, type RowRef, rowsKnownBy } from '../journal/find-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { findRuns, otherHolder } from '../journal/runs.ts';
import { toldRow } from '../journal/told-rows.ts';
import { rowView } from './problems.ts';
import { kindOf, shownState } from './run-words.ts';
import { type Chapter, isAlike, lastOf, leftIn, untilDeletion } from './standing.ts';

/** What the journal knows of one registration: what was done last comes first; at least one chapter. */
export type Story = readonly Chapter[];

/** A page of stories, and how many more there are. */
export interface Stories {
  stories: readonly Story[];
  more: number;
}

/** What became of the registrations of some rows, over all runs of their event or in `run`, at most `limit` of them. */
export function readStories(
  journal: Journal,
  rows: readonly RowRef[],
  { run, limit }: { run: string | undefined; limit: number },
): Stories {
  const told = new Set<string>();
  const stories: Story[] = [];
  let more = 0;
  for (const row of rows) {
    if (told.has(keyOf(row))) continue;
    const same = sameRegistration(journal, row);
    for (const one of same) told.add(keyOf(one));
    if (stories.length === limit) more += 1;
    else stories.push(...readStory(journal, same, run));
  }
  return { stories, more };
}

const keyOf = ({ run, seq }: RowRef): string => `${run}:${seq}`;

/** Rows of the same event that stand for the same registration as one of them: the run that began last first. */
function sameRegistration(journal: Journal, row: RowRef): Known[] {
  const own = rowsKnownBy(journal, row, []);
  // What they were given as an id may lead to rows without a key, such as those of a delete.
  return rowsKnownBy(journal, row, rowsKnownBy(journal, row, own));
}

/** None when the run that is asked for knows nothing of it. */
function readStory(journal: Journal, rows: readonly RowRef[], run: string | undefined): Story[] {
  const all = inOrder(rows.flatMap((row) => readChapter(journal, row) ?? []));
  for (const [at, chapter] of all.entries()) {
    chapter.view.because = reasonsOf(chapter, all.slice(at + 1));
  }
  const chapters = all.filter(({ view }) => run === undefined || view.run === run);
  return chapters.length === 0 ? [] : [chapters];
}

function readChapter(journal: Journal, { run: id, seq }: RowRef): Chapter | undefined {
  const [run] = findRuns(journal, id);
  const row = toldRow(journal, id, seq);
  if (run === undefined || row === undefined) return undefined;
  const { startedAt, files, eventName, service } = run;
  const about = { run: id, kind: kindOf(run), runState: shownState(journal, run), startedAt, files };
  const view = { ...rowView(row), ...about, event: eventName, service, because: [] };
  return { view, run, row, isUnderWay: otherHolder(journal, run) !== undefined };
}

/**
 * What was done last first, by the numbers of the steps: clocks may be put back. `chapters`: those of the run that
 * began last first. A run that did nothing about it, or only found it unchanged, comes after what it found.
 */
function inOrder(chapters: readonly Chapter[]): Chapter[] {
  let highest = 0;
  const numbered = chapters.toReversed().map((chapter) => {
    const no = chapter.row.steps.at(-1)?.no ?? highest;
    highest = Math.max(highest, no);
    return { chapter, no };
  });
  const newest = numbered.toReversed().sort((one, other) => other.no - one.no);
  return newest.map(({ chapter }) => chapter);
}

/** Why it was done, as clauses, where the row itself does not say: only the run tells. */
function reasonsOf(chapter: Chapter, earlier: readonly Chapter[]): string[] {
  const { op, plan, kind } = chapter.view;
  const { undoes } = chapter.run;
  if (undoes !== undefined) {
    if (op === 'delete') return [`run ${undoes} had created it`];
    return [
      plan === 'create' ? `run ${undoes} had deleted it` : `it takes back what run ${undoes} had changed`,
    ];
  }
  if (op === 'send') return plan === 'update' ? whyOverwritten(chapter, earlier) : [];
  return [kind === 'push' ? 'the file no longer had it (--prune)' : 'it was asked for with eventreg delete'];
}

/**
 * Why a chapter sent what people had changed in the service: what an earlier one had left there was another value by
 * then. `earlier`: the chapters before it, last one first.
 */
function whyOverwritten({ view, row }: Chapter, earlier: readonly Chapter[]): string[] {
  if (row.before === undefined) return [];
  const before = untilDeletion(earlier).filter((one) => THERE.has(one.view.state));
  const byRun = new Lookup<string, string>();
  for (const { field, before: listed, verdict = 'send' } of view.changes) {
    const aspect = fieldAspect(field, []);
    const last = lastOf(before, aspect);
    const isOther = last && !isAlike(aspect.rules, leftIn(last, aspect), listed);
    if (verdict === 'send' && isOther) byRun.add(last.view.run, field);
  }
  return [...byRun.keys()].map(
    (run) =>
      `edited in the service since run ${run}: ${byRun.of(run).join(', ')}; sent all the same (--overwrite)`,
  );
}
