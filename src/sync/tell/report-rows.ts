import { aspectsOf } from '../../registration/changes/aspect.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { ReportRow, ResultCount, Tone } from '../../report/views/run-report.ts';
import type { ChangeView } from '../../report/views/story-view.ts';
import { countShares, type Share, shareOf } from '../journal/count-run.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import { rowView } from './row-view.ts';
import { COUNTED } from './run-words.ts';

/** Of more rows only those are listed of which there is something to say, and no more than so many. */
const MOST_ROWS = 100_000;

/** Which rows of a run are listed. */
interface Listed {
  which: 'all' | 'remarkable';
  count: number;
}

export function listedRows(shares: readonly Share[], most = MOST_ROWS): Listed {
  const all = countShares(shares, () => true);
  if (all <= most) return { which: 'all', count: all };
  const remarkable = countShares(shares, ({ isRemarkable }) => isRemarkable);
  return { which: 'remarkable', count: Math.min(most, remarkable) };
}

/** The same with files by their names in it. */
export type Bare = <T>(told: T) => T;

interface Telling extends Listed {
  results: readonly ResultCount[];
  /** Nothing was sent: what is open is planned. */
  isDry: boolean;
  bare: Bare;
}

/** The rows of a run in the order of the files. */
export function* reportRows(journal: Journal, run: Run, telling: Telling): Generator<ReportRow> {
  const { which, count, results, isDry, bare } = telling;
  let left = count;
  for (const row of toldRows(journal, run.id, which)) {
    if (left === 0) return;
    left -= 1;
    const { name } = resultOf(row, run, isDry);
    const result = Math.max(
      0,
      results.findIndex((one) => one.name === name),
    );
    const { changes, storedOtherwise, differences, notes, ...view } = rowView(row);
    yield { ...bare(view), changes, storedOtherwise, differences, notes, result, values: valuesOf(row) };
  }
}

/** Of what is new every value that the file has, of what is deleted every one that was listed. */
function valuesOf({ op, payload, before }: ToldRow): ChangeView[] {
  if (op === 'delete') {
    return Object.entries(before?.fields ?? {}).map(([field, shown]) => ({
      field,
      before: plainValue(shown),
      after: undefined,
    }));
  }
  if (payload === undefined || before !== undefined) return [];
  return aspectsOf(payload, () => []).map((aspect) => toChange(aspect, payload, undefined));
}

/** Rows of a run by what they came to, or would, in words. */
export function countResults(shares: readonly Share[], run: Run, isDry: boolean): ResultCount[] {
  const rows = new Map<string, ResultCount>();
  for (const share of shares) {
    const { name, tone } = resultOf(share, run, isDry);
    rows.set(name, { name, tone, rows: share.n + (rows.get(name)?.rows ?? 0) });
  }
  return ORDER.flatMap((name) => rows.get(name) ?? []);
}

type Came = Pick<ToldRow, 'op' | 'state'> & { firstPlan?: string | undefined };

function resultOf(row: Came, { kind }: Run, isDry: boolean): { name: string; tone: Tone } {
  const share = shareOf(row, kind === 'undo');
  const [name, tone] = COUNTED[share];
  if (share !== 'open' || !isDry) return { name, tone };
  const planned = PLANNED[row.op === 'delete' ? 'delete' : kind === 'undo' ? 'undo' : (row.firstPlan ?? '')];
  return { name: planned ?? 'to send without comparing', tone: 'good' };
}

const PLANNED: Readonly<Record<string, string>> = {
  create: 'to create',
  update: 'to update',
  unknown: 'to send without comparing',
  delete: 'to delete',
  undo: 'to bring back',
};

const ORDER = [...Object.values(PLANNED), ...Object.values(COUNTED).map(([words]) => words)];
