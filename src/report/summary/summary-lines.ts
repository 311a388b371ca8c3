import {
  countLines,
  type CountRow,
  countWords,
  formatCount,
  plural,
  countLine,
  formatDuration,
} from '../words/number.ts';
import { visible } from '../words/escape.ts';
import type { Paint } from '../words/paint.ts';
import { expectedMs, isWithinBudget, timeWords } from '../progress/expectation.ts';
import { describeLive } from '../words/service-name.ts';
import { sentNow, type SummaryView, type AuditResult, type FieldCount } from '../views/summary-view.ts';
import type { DocumentBody } from '../../documents/documents.ts';
import { cut } from '../../registration/model/cut.ts';

/** What a push has done. */
export function sentLines(view: SummaryView, paint: Paint): string[] {
  const { counts, run, durationMs } = view;
  const pending: CountRow = [counts.pending, stillToSend(view), 'waiting'];
  return [
    headline(view, paint),
    ...countLines(paint, sentRows(view)),
    // Nothing has begun: what is to become of each row is not known.
    ...(run === undefined ? ['Nothing was sent.'] : countLines(paint, [pending])),
    ...countLines(paint, deletionRows(view)),
    ...(run === undefined ? [] : [paint('faint', `  run ${run}, ${formatDuration(durationMs)}`)]),
  ];
}

function sentRows(view: SummaryView): CountRow[] {
  const { counts, notRechecked, communications } = view;
  const inDoubt = counts.uncertain + counts.sending;
  return [
    [sentNow(view), `sent${told(view)}`],
    ...unchangedRows(view),
    [notRechecked, 'of them not looked at again right before: an edit made meanwhile would be overwritten'],
    [communications, 'of them asking the service to write to the person (enable_comms)'],
    [counts.rejected, 'rejected, left out', 'refused'],
    [counts.failed, 'refused by the service', 'refused'],
    [counts.conflict, `in conflict with what the service holds${afterSending(view)}`, 'refused'],
    valueConflictRow(view),
    [counts.blocked, 'not sent because of their parent', 'refused'],
    [
      counts.postponed,
      'held back: what the service would do with them is not known, as said above',
      'waiting',
    ],
    [inDoubt, 'not known whether they arrived: the service may or may not hold them', 'waiting'],
  ];
}

/** What a push says that was stopped by its rows. */
export function refusedLines({ counts }: SummaryView, paint: Paint): string[] {
  const all = counts.pending + counts.rejected;
  return [
    paint(
      'refused',
      `Nothing was sent: ${formatCount(counts.rejected)} of ${plural(all, 'row', 'rows')} cannot be.`,
    ),
    counts.pending === 0
      ? 'Mend them in the file and push it again.'
      : 'Mend them in the file and push it again, or send the others with --invalid skip.',
  ];
}

/** With how long the rest takes, where that is known. What stopped a push has a hint of its own on what to do. */
function stillToSend({ state, requests, budget }: SummaryView): string {
  const takesMs = isWithinBudget(requests, budget) ? undefined : expectedMs(requests, budget);
  const time = takesMs === undefined ? '' : `, about ${formatDuration(takesMs)}`;
  const goOn = state === 'stopped' ? ';' : ': run the same command again,';
  return `still to send${time}${goOn} nothing is sent twice`;
}

/** What a request in conflict has done is named with its row. */
function afterSending({ counts, disputed }: SummaryView): string {
  if (disputed === 0) return '';
  return `, ${disputed === counts.conflict ? '' : `${formatCount(disputed)} of them `}after being sent`;
}

function headline(view: SummaryView, paint: Paint): string {
  const { counts, deletions, deleted, disputed } = view;
  const event = visible(describeLive(view.event, view.live));
  if (view.state === 'interrupted') return `${paint('waiting', 'Interrupted.')} ${event}:`;
  if (view.state === 'stopped') return `${paint('refused', 'Stopped.')} ${event}:`;
  const open = counts.pending + counts.sending + counts.uncertain + deletions.pending + deletions.sending;
  return sentNow(view) + deleted + disputed + counts.failed + open === 0
    ? `${paint('done', 'Nothing to send.')} ${event}:`
    : `${paint('done', 'Done.')} ${event}:`;
}

function told({ created, updated, unproven, unseen }: SummaryView): string {
  const notLooked = 'new or changed: not looked at';
  if (unseen > 0 && created + updated + unproven === 0) return ` (${notLooked})`;
  const kinds = countWords([
    [created, 'new'],
    [updated, 'updated'],
    [unproven, 'not proven new'],
    [unseen, notLooked],
  ]);
  return kinds === '' ? '' : ` (${kinds})`;
}

function deletionRows({ deletions, deleted, state }: SummaryView): CountRow[] {
  const { failed, conflict, blocked, postponed, uncertain, sending, pending } = deletions;
  // What has stopped it says what to add.
  const again = state === 'stopped' ? '' : ': push the same again with --prune';
  return [
    [deleted, 'deleted: the file no longer had them'],
    [failed + conflict + blocked + postponed, 'not deleted, with the reason above'],
    [uncertain + sending, `not known whether deleted${again}`],
    [pending, `still to delete${again}`],
  ];
}

/** Below a line of how many in all. */
const PART = '    ';

/** What a dry run says that a run would do. */
export function plannedLines(view: SummaryView, paint: Paint): string[] {
  const { counts, plan, communications } = view;
  const toSend = counts.pending;
  const parts: CountRow[] = [
    [plan.create, 'to create'],
    [plan.update, 'to update'],
    // Where nothing was compared at all, there is nothing to tell them apart by.
    [plan.unknown === toSend ? 0 : plan.unknown, 'to send without comparing'],
  ];
  const inDoubt = 'not known whether they arrived before: looked up first, sent only if they are not there';
  return [
    `Dry run, nothing was sent. ${visible(describeLive(view.event, view.live))}:`,
    `  ${formatCount(toSend)} to send${timeWords(view.requests, view.budget)}`,
    ...countLines(paint, parts, PART),
    ...countLines(paint, [
      ...unchangedRows(view),
      [counts.conflict, 'in conflict with what the service holds, not sent', 'refused'],
      valueConflictRow(view),
      [plan.delete, 'to delete: the file no longer has them'],
      [counts.uncertain, inDoubt, 'waiting'],
      [counts.rejected, 'rejected, left out', 'refused'],
      [communications, 'ask the service to write to people (enable_comms)'],
    ]),
  ];
}

/** Rows that need no sending, by how that is known. */
function unchangedRows({ counts, plan, values, stayGone }: SummaryView): CountRow[] {
  const all = counts.unchanged - plan.kept;
  const compared = Math.min(plan.unchanged, all);
  const [stay, shown] =
    values.kept === 1 ? ['value stays as it was', 'it'] : ['values stay as they were', 'them'];
  return [
    [compared, 'unchanged: the service shows them as in the file'],
    [all - compared, 'sent before and not changed since'],
    [stayGone, 'deleted in the service, and left so'],
    [values.kept, `${stay} changed in the service; --dry-run --diff shows ${shown}`],
    [values.refused, `${valueNoun(values.refused)} not accepted by the service when last sent`],
  ];
}

/** Values that both sides have changed: the other values of their rows may have been sent. */
function valueConflictRow({ values: { conflict } }: SummaryView): CountRow {
  const text = `${valueNoun(conflict)} in conflict, not sent: only you can tell which side is right`;
  return [conflict, text, 'refused'];
}

const valueNoun = (values: number): string => (values === 1 ? 'value' : 'values');

const FIELDS_SHOWN = 10;
const LONGEST_NAME = 60;

/** What reading back told, for people; nothing where there was nothing to read back. */
export function auditLines(audit: AuditResult | undefined, paint: Paint): string[] {
  if (audit === undefined) return [];
  if (audit.skipped !== undefined)
    return [`${paint('waiting', 'Audit:')} not done, ${visible(audit.skipped)}.`];
  const { checked, missing, unverified } = audit;
  if (checked + unverified + audit.unexpected.count + audit.gone + audit.orphaned === 0) return [];
  const found = `${formatCount(checked - missing)} of ${formatCount(checked)}`;
  const flaws = flawLines(audit);
  if (flaws.length === 0) return [`${paint('done', 'Audit:')} ${found} are in the service as sent.`];
  const name = paint('waiting', 'Audit:');
  return [checked === 0 ? name : `${name} ${found} are in the service.`, ...flaws];
}

function flawLines(audit: AuditResult): string[] {
  const { missing, doubled, unapplied, refused, gone, orphaned, unexpected, unverified } = audit;
  return [
    ...countLine(missing, 'missing: the service said that it took them, but does not list them'),
    ...countLine(doubled, 'doubled: registered more than once; nothing is deleted, their ids are above'),
    ...countLine(
      unapplied,
      'not applied: the service said that it took the change, but lists the old values',
    ),
    ...fieldsLine('stored otherwise than sent', audit.different),
    ...countLine(
      refused,
      `of these values not accepted: sent twice, and stored otherwise twice; not sent again until the file changes them`,
    ),
    ...fieldsLine('not sent, and not as before', audit.changed),
    ...fieldsLine("stored in the service's own way", audit.spelling),
    ...fieldsLine('not shown by the service', audit.hidden),
    ...countLine(gone, 'not listed any more that nothing asked to delete, named above'),
    ...countLine(orphaned, 'without the parent that they had, named above'),
    ...unexpectedLine(unexpected),
    ...countLine(unverified, 'not verified: the service shows too little, or the list is too long'),
  ];
}

/** How many rows each field is said of, where any is. */
export function fieldsLine(what: string, counts: readonly FieldCount[]): string[] {
  if (counts.length === 0) return [];
  const shown = counts
    .slice(0, FIELDS_SHOWN)
    .map(({ field, rows }) => `${visible(cut(field, LONGEST_NAME))} (${plural(rows, 'row', 'rows')})`);
  const left = counts.length - shown.length;
  const more = left > 0 ? ` and ${plural(left, 'other field', 'other fields')}` : '';
  return [`  ${what}: ${shown.join(', ')}${more}`];
}

function unexpectedLine({ count, ids }: AuditResult['unexpected']): string[] {
  if (count === 0) return [];
  const named = ids.length === 0 ? '' : `: ${ids.map((id) => visible(cut(id, LONGEST_NAME))).join(', ')}`;
  const more = ids.length > 0 && ids.length < count ? ', …' : '';
  const have = plural(count, 'registration has', 'registrations have');
  return [`  ${have} appeared meanwhile that no row stands for${named}${more}`];
}

/** The same for programs: the same keys every time. */
export function auditRecord(audit: AuditResult | undefined): DocumentBody<'push@1'>['audit'] {
  if (audit === undefined) return null;
  return {
    checked: audit.checked,
    missing: audit.missing,
    doubled: audit.doubled,
    different: audit.different,
    not_accepted: audit.refused,
    changed: audit.changed,
    own_way: [...audit.spelling, ...audit.hidden],
    unapplied: audit.unapplied,
    gone: audit.gone,
    orphaned: audit.orphaned,
    unexpected: audit.unexpected,
    unverified: audit.unverified,
    skipped: audit.skipped ?? null,
  };
}
