import { aspectsOf } from '../../registration/changes/aspect.ts';
import { toChange } from '../../registration/changes/field-change.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { ReportRow } from '../../report/views/run-report.ts';
import type { ChangeView } from '../../report/views/story-view.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { countTold, toldPages, type ToldRow } from '../../sync/journal/told-rows.ts';
import { rowViews } from '../../sync/tell/row-view.ts';
import type { ReportNames } from './report-names.ts';
import type { ReportResults } from './report-results.ts';

/** Of more rows only those are listed of which there is something to say, and no more than so many. */
const MOST_ROWS = 100_000;

/** The rows of a run in the order of the files. */
export class ReportRows {
  readonly listed: number;
  readonly #journal: Journal;
  readonly #run: string;
  readonly #which: 'all' | 'remarkable';

  constructor(journal: Journal, run: string, most = MOST_ROWS) {
    this.#journal = journal;
    this.#run = run;
    this.#which = countTold(journal, run, 'all') > most ? 'remarkable' : 'all';
    this.listed = Math.min(most, countTold(journal, run, this.#which));
  }

  *each(results: ReportResults, names: ReportNames): Generator<ReportRow> {
    let left = this.listed;
    for (const page of toldPages(this.#journal, this.#run, this.#which)) {
      const rows = page.slice(0, left);
      const views = rowViews(this.#journal, this.#run, rows);
      for (const [at, row] of rows.entries()) {
        const view = views[at];
        if (view === undefined) continue;
        yield { ...names.inRow(view), result: results.indexOf(row), values: valuesOf(row) };
      }
      left -= rows.length;
      if (left === 0) return;
    }
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
