import type { StoryView } from '../report/story-view.ts';
import type { RowRef } from './find-rows.ts';
import type { Journal } from './journal.ts';
import { type Chapter, readChapter } from './story-chapter.ts';
import { adviseOn } from './story-advice.ts';

/** A page of stories, and how many more there are. */
export interface Stories {
  stories: readonly StoryView[];
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
  const stories: StoryView[] = [];
  let more = 0;
  for (const row of rows) {
    if (told.has(keyOf(row))) continue;
    const same = sameRegistration(journal, row);
    for (const one of same) told.add(keyOf(one));
    if (stories.length === limit) more += 1;
    else stories.push(...tell(journal, run === undefined ? same : same.filter((one) => one.run === run)));
  }
  return { stories, more };
}

const keyOf = ({ run, seq }: RowRef): string => `${run}:${seq}`;

function tell(journal: Journal, rows: readonly RowRef[]): StoryView[] {
  const chapters = rows.flatMap((row) => readChapter(journal, row) ?? []);
  const [first] = chapters;
  if (first === undefined) return [];
  // Of those that did something, the last; a run that only found it unchanged comes after what it found.
  const last = chapters.reduce<Chapter>((best, one) => (one.lastNo > best.lastNo ? one : best), first);
  return [{ chapters: chapters.map(({ view }) => view), ...adviseOn(last.view, last.held) }];
}

interface Identity extends RowRef {
  row_key: string | null;
  barcode: string | null;
  remote_id: string | null;
}

/**
 * Rows of the same event that stand for the same registration as one of them: known by the same barcode or
 * content, or settled with the same id. Newest run first.
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
  const known = (values: readonly (string | null)[]): string[] => [
    ...new Set(values.filter((value) => value !== null)),
  ];
  return {
    keys: known(rows.map(({ row_key }) => row_key)),
    barcodes: known(rows.map(({ barcode }) => barcode)),
    ids: known(rows.map(({ remote_id }) => remote_id)),
  };
}

function identities(journal: Journal, { run, seq }: RowRef, { keys, barcodes, ids }: Names): Identity[] {
  return journal.all<Identity>(
    `WITH found AS (
       SELECT run, seq FROM row WHERE run = $run AND seq = $seq
       UNION SELECT run, seq FROM row WHERE row_key IN (SELECT value FROM json_each($keys))
       UNION SELECT row.run, row.seq FROM run CROSS JOIN row
         ON row.run = run.id AND row.barcode IN (SELECT value FROM json_each($barcodes))
       UNION SELECT run, seq FROM row WHERE $ids <> '[]' AND remote_id IN (SELECT value FROM json_each($ids))
     )
     SELECT row.run, row.seq, row.row_key, row.barcode, row.remote_id
     FROM found CROSS JOIN row ON row.run = found.run AND row.seq = found.seq
       CROSS JOIN run ON run.id = row.run CROSS JOIN run AS mine ON mine.id = $run
     WHERE run.service = mine.service AND run.event = mine.event AND run.state <> 'reading'
     ORDER BY run.started_at DESC, run.rowid DESC, row.seq`,
    {
      $run: run,
      $seq: seq,
      $keys: JSON.stringify(keys),
      $barcodes: JSON.stringify(barcodes),
      $ids: JSON.stringify(ids),
    },
  );
}
