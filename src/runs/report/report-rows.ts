import { aspectsOf } from '../../registration/changes/aspect.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { among, PROBLEMS } from '../../registration/model/row-states.ts';
import type { ReportRow } from '../../report/views/run-report.ts';
import type { ChangeView } from '../../report/views/story-view.ts';
import { FIRST_PLAN } from '../../sync/journal/count-run.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { ROW_COLUMNS, rowViews } from '../story/row-views.ts';
import type { ReportNames } from './report-names.ts';
import type { ReportResults } from './report-results.ts';

/** Of more rows only those are listed of which there is something to say, and no more than so many. */
const MOST_ROWS = 100_000;

const SAYS_MORE = `AND (state ${among(PROBLEMS)} OR message IS NOT NULL OR differences IS NOT NULL
  OR notes IS NOT NULL OR verdicts IS NOT NULL)`;

/** The rows of a run in the order of the files. */
export class ReportRows {
  readonly listed: number;
  readonly #journal: Journal;
  readonly #run: string;
  readonly #which: string;

  constructor(journal: Journal, run: string, most = MOST_ROWS) {
    this.#journal = journal;
    this.#run = run;
    const count = (which: string): number =>
      journal.count(`FROM row WHERE run = $run ${which}`, { $run: run });
    const all = count('');
    this.#which = all > most ? SAYS_MORE : '';
    this.listed = all > most ? Math.min(most, count(SAYS_MORE)) : all;
  }

  *each(results: ReportResults, names: ReportNames): Generator<ReportRow> {
    const from = `FROM row WHERE run = $run AND seq > $after ${this.#which} ORDER BY seq`;
    let left = this.listed;
    for (const page of this.#journal.readPages(ROW, from, { $run: this.#run }, 'seq')) {
      const rows = page.slice(0, left);
      const views = rowViews(this.#journal, this.#run, rows);
      for (const [at, row] of rows.entries()) {
        const view = views[at];
        if (view === undefined) continue;
        const result = results.indexOf({ ...row, plan: row.firstPlan });
        yield { ...names.inRow(view), result, values: valuesOf(row) };
      }
      left -= rows.length;
      if (left === 0) return;
    }
  }
}

const ROW = rowCodec({
  ...ROW_COLUMNS,
  undo: value<number>(`EXISTS (SELECT 1 FROM run WHERE id = row.run AND kind = 'undo')`),
  firstPlan: value<string | undefined>(FIRST_PLAN),
});
type Row = RowOf<typeof ROW>;

/** Of what is new every value that the file has, of what is deleted every one that was listed. */
function valuesOf({ op, payload, before }: Row): ChangeView[] {
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
