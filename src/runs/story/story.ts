import type { LookView, StoryView } from '../../report/views/story-view.ts';
import type { RowRef } from '../../sync/journal/find-rows.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { adviseOn } from '../../sync/decide/story-advice.ts';
import { adviseLooked } from './story-looked.ts';
import { type Chapter, readChapter } from './story-chapter.ts';
import { THERE } from '../../registration/model/row-states.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { spellingOf } from '../../sync/decide/spelling.ts';

/** What the journal knows of one registration: what was done last comes first; at least one chapter. */
export interface Story {
  chapters: readonly Chapter[];
}

/** A page of stories, and how many more there are. */
export interface Stories {
  stories: readonly Story[];
  more: number;
}

/**
 * What became of the registrations that some rows stand for, over all runs of their event, at most `limit` of them. With
 * `run`, only what that run did.
 */
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

/** None when the run that is asked for knows nothing of it. */
function readStory(journal: Journal, rows: readonly RowRef[], run: string | undefined): Story[] {
  const all = inOrder(rows.flatMap((row) => readChapter(journal, row) ?? []));
  const chapters = all
    .map((chapter, at) => withReasons(chapter, all.slice(at + 1)))
    .filter(({ view }) => run === undefined || view.run === run);
  return chapters.length === 0 ? [] : [{ chapters }];
}

function withReasons(chapter: Chapter, earlier: readonly Chapter[]): Chapter {
  const because = [...chapter.view.because, ...whyOverwritten(chapter, earlier)];
  return { ...chapter, view: { ...chapter.view, because } };
}

/**
 * What was done last first, by the numbers of the steps: clocks may be put back. `chapters`: those of the run that
 * began last first. A run that did nothing about it, or only found it unchanged, comes after what it found.
 */
function inOrder(chapters: readonly Chapter[]): Chapter[] {
  let highest = 0;
  const numbered = chapters.toReversed().map((chapter) => {
    const no = chapter.lastNo === 0 ? highest : chapter.lastNo;
    highest = Math.max(highest, no);
    return { chapter, no };
  });
  return numbered
    .toReversed()
    .sort((one, other) => other.no - one.no)
    .map(({ chapter }) => chapter);
}

/** A story as it is told: with what the service said now, and where that leaves it. */
export function tellStory({ chapters }: Story, look: LookView): StoryView {
  const views = chapters.map(({ view }) => view);
  const [first] = chapters;
  if (first === undefined) return { chapters: views, look, now: '', next: '' };
  // Of those that did something, the last.
  const last = chapters.reduce((best, one) => (one.lastNo > best.lastNo ? one : best), first);
  const advice = adviseLooked(adviseOn(last.view, last.listed), last.view, look);
  return { chapters: views, look, ...advice };
}

const IDENTITY = rowCodec({
  run: value<string>('row.run'),
  seq: value<number>('row.seq'),
  key: value<string | undefined>('row.row_key'),
  barcode: value<string | undefined>('row.barcode'),
  id: value<string | undefined>('row.remote_id'),
});
type Identity = RowOf<typeof IDENTITY>;

/**
 * Rows of the same event that stand for the same registration as one of them: known by the same barcode or
 * content, or settled with the same id. The run that began last first.
 */
function sameRegistration(journal: Journal, row: RowRef): RowRef[] {
  const own = identities(journal, row, { keys: [], barcodes: [], ids: [] });
  const byKey = identities(journal, row, namesOf(own));
  // What they were given as an id may lead to rows without a key, such as those of a delete.
  return identities(journal, row, namesOf(byKey)).map(({ run, seq }) => ({ run, seq }));
}

interface Names {
  keys: readonly string[];
  barcodes: readonly string[];
  ids: readonly string[];
}

function namesOf(rows: readonly Identity[]): Names {
  const known = (name: (row: Identity) => string | undefined): string[] => [
    ...new Set(rows.flatMap((row) => name(row) ?? [])),
  ];
  return {
    keys: known(({ key }) => key),
    barcodes: known(({ barcode }) => barcode),
    ids: known(({ id }) => id),
  };
}

const identities = (journal: Journal, { run, seq }: RowRef, { keys, barcodes, ids }: Names): Identity[] =>
  journal.read(
    IDENTITY,
    `FROM (
       SELECT run, seq FROM row WHERE run = $run AND seq = $seq
       UNION SELECT run, seq FROM row WHERE row_key IN (SELECT value FROM json_each($keys))
       UNION SELECT row.run, row.seq FROM run CROSS JOIN row
         ON row.run = run.id AND row.barcode IN (SELECT value FROM json_each($barcodes))
       UNION SELECT run, seq FROM row WHERE $ids <> '[]' AND remote_id IN (SELECT value FROM json_each($ids))
     ) AS found CROSS JOIN row ON row.run = found.run AND row.seq = found.seq
       CROSS JOIN run ON run.id = row.run CROSS JOIN run AS mine ON mine.id = $run
     WHERE run.service = mine.service AND run.event = mine.event AND run.state <> 'reading'
     ORDER BY run.rowid DESC, row.seq`,
    { run, seq, keys: JSON.stringify(keys), barcodes: JSON.stringify(barcodes), ids: JSON.stringify(ids) },
  );

/**
 * Why a chapter sent what people had changed in the service, as clauses: what an earlier one had left there was
 * another value by then. `earlier`: the chapters before it, last one first.
 */
function whyOverwritten({ view, known }: Chapter, earlier: readonly Chapter[]): string[] {
  const { op, kind, plan, changes } = view;
  if (op !== 'send' || plan !== 'update' || known.before === undefined) return [];
  if (kind !== 'push') return [`${kind.replace(/^undo of/, 'it takes back what run')} had changed`];
  const byRun = new Map<string, string[]>();
  for (const { field, before, verdict } of changes) {
    if (verdict !== undefined && verdict !== 'send') continue;
    const left = leftBy(earlier, field);
    if (left === undefined || isAlike(field, left.value, before)) continue;
    byRun.set(left.run, [...(byRun.get(left.run) ?? []), field]);
  }
  return [...byRun].map(
    ([run, fields]) =>
      `edited in the service since run ${run}: ${fields.join(', ')}; sent all the same (--overwrite)`,
  );
}

/** The run that last left a value in the service, and that value; undefined when none is known to have. */
function leftBy(
  earlier: readonly Chapter[],
  field: string,
): { run: string; value: FieldValue | undefined } | undefined {
  for (const { view, known } of earlier) {
    if (view.op === 'delete') return undefined;
    if (!THERE.has(view.state)) continue;
    const image = known.after?.fields ?? known.sent?.fields;
    if (image !== undefined && Object.hasOwn(image, field)) {
      return { run: view.run, value: plainValue(image[field]) };
    }
  }
  return undefined;
}

function isAlike(field: string, left: FieldValue | undefined, before: FieldValue | undefined): boolean {
  if (JSON.stringify(left) === JSON.stringify(before)) return true;
  return spellingOf({ field, before, after: left }) === 'spelling';
}
