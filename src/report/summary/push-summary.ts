import type { DocumentBody } from '../../documents/documents.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { LEFT_OUT } from '../../registration/repairs/repair-options.ts';
import { auditLines, auditRecord, plannedLines, refusedLines, sentLines } from './summary-lines.ts';
import { visible } from '../words/escape.ts';
import { expectedMs } from '../progress/expectation.ts';
import { formatProblem, problemRecords } from './row-problems.ts';
import { type Paint, painter } from '../words/paint.ts';
import { countLine, formatCount, plural } from '../words/number.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';
import { nameSome } from '../words/who.ts';
import { mendedRecord } from '../words/row-remarks.ts';
import { sentNow, type SummaryView } from '../views/summary-view.ts';

type PushRecord = Omit<DocumentBody<'push@1'>, 'rejected_before'>;

const PROBLEMS_SHOWN = 20;
const REPAIRS_SHOWN = 3;

/** The summary for people, without the last line break. Personal values are masked unless `showValues`. */
export function formatSummary(view: SummaryView, showValues: boolean, paint = painter(false)): string {
  const lines =
    view.state === 'planned'
      ? plannedLines(view, paint)
      : view.state === 'refused'
        ? refusedLines(view, paint)
        : sentLines(view, paint);
  return [
    ...problemLines(view, showValues, paint),
    ...lines,
    ...countLine(view.leftOut.length, 'left out: another row has the same e-mail and name'),
    ...leftOutByLine(view),
    ...noLongerLine(view, showValues),
    ...auditLines(view.audit, paint),
    ...repairLines(view),
  ].join('\n');
}

/** The summary for programs: the same keys every time. What a dry run alone can tell is null elsewhere. */
export function summaryRecord(view: SummaryView, showValues: boolean): PushRecord {
  const { counts, deletions, plan } = view;
  const planned = (count: number): number | null => (view.isPlanned ? count : null);
  return {
    run: view.run ?? null,
    state: view.state,
    event: view.event,
    host: view.live?.host ?? null,
    profile: view.live?.profile ?? null,
    sent: sentNow(view),
    created: view.created,
    updated: view.updated,
    not_proven_new: view.unproven,
    not_looked_at: view.unseen,
    unchanged: counts.unchanged - plan.kept,
    kept: plan.kept,
    not_rechecked: view.notRechecked,
    no_longer_in_file: (view.plan.delete > 0 ? [] : view.noLonger).map(
      ({ id = null, barcode = null, name }) => ({
        registration_id: id,
        barcode,
        name: maskUnless(showValues, name),
      }),
    ),
    left_out: view.leftOut,
    left_out_by: view.leftOutBy.map(({ column, text, rows }) => ({ column, value: text, rows })),
    values_kept: view.values.kept,
    values_in_conflict: view.values.conflict,
    values_not_accepted: view.values.refused,
    rejected: counts.rejected,
    failed: counts.failed + deletions.failed,
    conflict: counts.conflict + deletions.conflict,
    uncertain: counts.uncertain + counts.sending + deletions.uncertain + deletions.sending,
    blocked: counts.blocked + deletions.blocked,
    postponed: counts.postponed + deletions.postponed,
    pending: counts.pending,
    communications: view.communications,
    takes_back_messages: view.takesBackMessages,
    duration_ms: view.durationMs,
    problems: view.problems.flatMap((problem) => problemRecords(problem, showValues)),
    mended: view.repairs.cells,
    notes: view.repairs
      .listed()
      .map(({ place, note }) => ({ place: formatPlace(place), ...mendedRecord(note, showValues) })),
    to_create: planned(plan.create),
    to_update: planned(plan.update),
    to_delete: planned(plan.delete),
    deleted: view.deleted,
    deletions_left:
      view.state === 'planned'
        ? null
        : deletions.pending +
          deletions.sending +
          deletions.uncertain +
          deletions.blocked +
          deletions.postponed,
    audit: auditRecord(view.audit),
    ...requestsRecord(view),
  };
}

/** What is left to be asked of the service, and how long that takes where it is known. */
function requestsRecord({ requests, budget }: SummaryView) {
  const takesMs = expectedMs(requests, budget);
  return {
    requests_left: requests,
    expected_ms: takesMs === undefined ? null : Math.round(takesMs),
    rate_limit: budget.limit ?? null,
    rate_window_ms: budget.windowMs === undefined ? null : Math.round(budget.windowMs),
    budget_left: budget.remaining ?? null,
  };
}

/** Values that a line names. */
const MOST_NAMED = 5;

/** What was left out by its value: `7 rows left out: "Payment status" is refunded (4), cancelled (3)`. */
function leftOutByLine({ leftOutBy }: SummaryView): string[] {
  const rows = leftOutBy.reduce((sum, one) => sum + one.rows, 0);
  const named = leftOutBy.slice(0, MOST_NAMED).map((one, at) => {
    const is = leftOutBy[at - 1]?.column === one.column ? '' : `"${visible(one.column)}" is `;
    return `${is}${visible(one.text) || 'blank'} (${formatCount(one.rows)})`;
  });
  const more = leftOutBy.length > MOST_NAMED ? ' …' : '';
  return rows === 0 ? [] : [`${plural(rows, 'row', 'rows')} left out: ${named.join(', ')}${more}`];
}

/** Whom a push without `--prune` leaves as they are, said so that nobody takes them for deleted. */
function noLongerLine({ noLonger, leftOutBy, plan, counts }: SummaryView, showValues: boolean): string[] {
  if (noLonger.length === 0) return [];
  const some = plural(noLonger.length, 'person', 'people');
  const isOne = noLonger.length === 1;
  const stay = isOne ? 'is not in this one; stays' : 'are not in this one; stay';
  const unsent = `${isOne ? 'is' : 'are'} not in this one, or left out; ${isOne ? 'stays' : 'stay'}`;
  const once = counts.conflict > 0 ? ', once no row is in conflict' : '';
  if (plan.delete > 0) return [visible(`${some} would be deleted${once}: ${nameSome(noLonger, showValues)}`)];
  // No list deletes somebody who stands in it.
  const how =
    leftOutBy.length === 0
      ? `${stay} (--prune removes them)`
      : `${unsent} (--prune removes those without a row; those left out: eventreg delete)`;
  return [visible(`${some} of the earlier list ${how}: ${nameSome(noLonger, showValues)}`)];
}

/** What was mended, by repair, in one line: `12 cells were mended: a date written out (10), …; --verbose lists each.` */
function repairLines({ repairs }: SummaryView): string[] {
  const counts = repairs.counts();
  const left = counts.filter(({ repair }) => repair === LEFT_OUT);
  const byRepair = new Map<string, number>();
  for (const { repair, cells } of counts) {
    if (repair !== LEFT_OUT) byRepair.set(repair, (byRepair.get(repair) ?? 0) + cells);
  }
  const leftOut = left.reduce((sum, { cells }) => sum + cells, 0);
  return [...leftOutLine(leftOut, left), ...mendedLine(repairs.cells - leftOut, byRepair)];
}

/** What was left out because somebody has said so: `12 values were left out: "Diet" (12); …` */
function leftOutLine(total: number, columns: readonly { column: string; cells: number }[]): string[] {
  if (total === 0) return [];
  const named = columns.map(({ column, cells }) => `"${visible(column)}" (${formatCount(cells)})`).join(', ');
  const values = plural(total, 'value was', 'values were');
  return [`${values} left out: ${named}; these kinds of guests have no such field.`];
}

function mendedLine(total: number, byRepair: ReadonlyMap<string, number>): string[] {
  if (total === 0) return [];
  const shown = [...byRepair]
    .slice(0, REPAIRS_SHOWN)
    .map(([repair, cells]) => `${visible(repair)} (${formatCount(cells)})`);
  if (byRepair.size > REPAIRS_SHOWN) shown.push('…');
  const cells = plural(total, 'cell was', 'cells were');
  return [`${cells} mended: ${shown.join(', ')}; --verbose lists each.`];
}

/** Rejected rows have been listed before anything was sent. */
function problemLines({ problems: all, run }: SummaryView, showValues: boolean, paint: Paint): string[] {
  const problems = all.filter(({ state }) => state !== 'rejected');
  const shown = problems
    .slice(0, PROBLEMS_SHOWN)
    .flatMap((problem) => formatProblem(problem, showValues, paint));
  const left = problems.length - PROBLEMS_SHOWN;
  if (left <= 0) return shown;
  const where = run === undefined ? '--diff shows all' : `\`eventreg runs show ${run}\``;
  return [...shown, `… and ${formatCount(left)} more: ${where}`];
}
