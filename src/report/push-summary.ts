import { formatPlace, type Note, type Place } from '../registration/row.ts';
import type { RowCounts, RowState } from '../registration/row-state.ts';
import type { BudgetView } from './events.ts';
import { cut } from './cut.ts';
import { formatDuration } from './duration.ts';
import { visible } from './escape.ts';
import { formatChange } from './format-note.ts';
import { mask } from './mask.ts';
import { formatCount, plural } from './number.ts';

/** How a push ended, as far as it is shown. */
export interface SummaryView {
  /** Undefined for a dry run. */
  run: string | undefined;
  state: 'planned' | 'refused' | 'finished' | 'interrupted' | 'stopped';
  event: string;
  /** Rows by where they stand at the end. */
  counts: RowCounts;
  /** Rows that were done before this push began. */
  sentBefore: number;
  /** Of the rows sent: told by the service to be new, told to be updated. The rest it did not say. */
  created: number;
  updated: number;
  /** Rows to send, or sent, that ask the service to write to people. */
  communications: number;
  repairs: RepairView;
  budget: BudgetView;
  durationMs: number;
  /** Rows that did not get through, with the reason. */
  problems: readonly RowProblem[];
}

/** What was mended in the cells. */
export interface RepairView {
  /** Cells in all. */
  readonly cells: number;
  /** By column and repair, the most frequent first, each with its first cell. */
  counts(): readonly { column: string; repair: string; cells: number; place: Place; note: Note }[];
  /** The first of them, in the order of the files. */
  listed(): readonly { place: Place; note: Note }[];
}

export interface RowProblem {
  /** `file:line` */
  place: string;
  state: RowState;
  barcode: string | undefined;
  message: string;
}

const PROBLEMS_SHOWN = 20;
const REPAIRS_SHOWN = 10;
const LONGEST_NAME = 60;

/** The summary for people, without the last line break. Personal values are masked unless `showValues`. */
export function formatSummary(view: SummaryView, showValues: boolean): string {
  const lines =
    view.state === 'planned'
      ? plannedLines(view)
      : view.state === 'refused'
        ? refusedLines(view)
        : sentLines(view);
  return [...problemLines(view), ...lines, ...repairLines(view, showValues)].join('\n');
}

/** The summary for programs: flat, and the same keys every time. */
export function summaryRecord(view: SummaryView, showValues: boolean): Record<string, unknown> {
  const { counts } = view;
  return {
    run: view.run ?? null,
    state: view.state,
    event: view.event,
    sent: sentNow(view),
    created: view.created,
    updated: view.updated,
    unchanged: counts.unchanged + view.sentBefore,
    rejected: counts.rejected,
    failed: counts.failed,
    conflict: counts.conflict,
    uncertain: counts.uncertain + counts.sending,
    blocked: counts.blocked,
    pending: counts.pending,
    communications: view.communications,
    duration_ms: view.durationMs,
    problems: view.problems,
    mended: view.repairs.cells,
    notes: view.repairs.listed().map((mended) => noteRecord(mended, showValues)),
  };
}

function sentNow({ counts, sentBefore }: SummaryView): number {
  return counts.done + counts.accepted - sentBefore;
}

function plannedLines(view: SummaryView): string[] {
  const { counts, communications } = view;
  const toSend = counts.pending;
  const before = counts.unchanged + view.sentBefore;
  return [
    `Dry run, nothing was sent. ${visible(view.event)}:`,
    `  ${formatCount(toSend)} to send${toSend === 0 ? '' : `, ${expectation(toSend, view.budget)}`}`,
    ...line(before, 'sent before and not changed since'),
    ...line(counts.uncertain, 'uncertain from before: looked up first, sent only if they are not there'),
    ...line(counts.rejected, 'rejected, left out'),
    ...line(communications, 'ask the service to write to people (enable_comms)'),
  ];
}

/** How many requests that is, and how long they take as far as the budget is known. */
function expectation(requests: number, { limit, remaining, windowMs }: BudgetView): string {
  const count = plural(requests, 'request', 'requests');
  if (limit === undefined || limit === 0) return `in ${count} (the service names no limit)`;
  const windows = Math.max(0, Math.ceil((requests - (remaining ?? 0)) / limit));
  if (windows === 0) return `in ${count}, all within the budget of now`;
  if (windowMs !== undefined) return `in ${count}, about ${formatDuration(windows * windowMs)}`;
  const minutes = formatDuration(windows * 60_000);
  return `in ${count} at ${formatCount(limit)} a window, whose length is not known before sending (if it is a minute: about ${minutes})`;
}

function refusedLines({ counts }: SummaryView): string[] {
  const all = counts.pending + counts.rejected;
  return [
    `Nothing was sent: ${formatCount(counts.rejected)} of ${plural(all, 'row', 'rows')} cannot be.`,
    counts.pending === 0
      ? 'Mend them in the file and push it again.'
      : 'Mend them in the file and push it again, or send the others with --invalid skip.',
  ];
}

function sentLines(view: SummaryView): string[] {
  const { counts } = view;
  const now = sentNow(view);
  const open = counts.pending + counts.sending;
  const before = counts.unchanged + view.sentBefore;
  const time = view.run === undefined ? '' : `  run ${view.run}, ${formatDuration(view.durationMs)}`;
  return [
    headline(view, now, open),
    ...line(now, `sent${told(view)}`),
    ...line(before, 'sent before and not changed since, not sent again'),
    ...line(view.communications, 'of them with a message from the service to the person (enable_comms)'),
    ...line(counts.rejected, 'rejected, left out'),
    ...line(counts.failed, 'refused by the service'),
    ...line(counts.conflict, 'in conflict with what the service holds'),
    ...line(counts.blocked, 'not sent because of their parent'),
    ...line(counts.uncertain + counts.sending, 'uncertain: the service may or may not hold them'),
    ...line(counts.pending, 'still to send: run the same command again, nothing is sent twice'),
    time,
  ];
}

function headline(view: SummaryView, now: number, open: number): string {
  const event = visible(view.event);
  if (view.state === 'interrupted') return `Interrupted. ${event}:`;
  if (view.state === 'stopped') return `Stopped. ${event}:`;
  return now === 0 && open === 0 ? `Nothing to send. ${event}:` : `Done. ${event}:`;
}

function told({ created, updated }: SummaryView): string {
  const parts = [
    ...(created > 0 ? [`${formatCount(created)} new`] : []),
    ...(updated > 0 ? [`${formatCount(updated)} updated`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function line(count: number, text: string): string[] {
  return count > 0 ? [`  ${formatCount(count)} ${text}`] : [];
}

/** What was mended, by column and repair, each with an example. */
function repairLines({ repairs }: SummaryView, showValues: boolean): string[] {
  if (repairs.cells === 0) return [];
  const counts = repairs.counts();
  const shown = counts.slice(0, REPAIRS_SHOWN).map(({ column, repair, cells, note }) => {
    const change = formatChange(note, showValues);
    return `  ${formatCount(cells)} × column "${visible(cut(column, LONGEST_NAME))}": ${visible(repair)} (${change})`;
  });
  const left = counts.length - shown.length;
  const head = `${plural(repairs.cells, 'cell was', 'cells were')} mended on the way; --verbose lists each:`;
  return [head, ...shown, ...(left > 0 ? [`  … and ${plural(left, 'other kind', 'other kinds')}`] : [])];
}

function noteRecord(
  { place, note }: { place: Place; note: Note },
  showValues: boolean,
): Record<string, unknown> {
  const { column, field, repair, personal } = note;
  const show = (text: string): string => (personal && !showValues ? mask(text) : text);
  return {
    place: formatPlace(place),
    column,
    field,
    repair,
    before: show(note.before),
    after: show(note.after),
  };
}

/** Rejected rows have been listed before anything was sent. */
function problemLines({ problems: all, run }: SummaryView): string[] {
  const problems = all.filter(({ state }) => state !== 'rejected');
  const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ place, state, barcode, message }) => {
    const who = barcode === undefined ? '' : ` (barcode ${visible(barcode)})`;
    return `${visible(place)}${who} ${state}: ${visible(message)}`;
  });
  const left = problems.length - shown.length;
  return left > 0 ? [...shown, `… and ${formatCount(left)} more: eventreg runs show ${run ?? ''}`] : shown;
}
