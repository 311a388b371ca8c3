import { countLine, formatCount, plural } from '../words/number.ts';
import { formatDuration } from '../words/duration.ts';
import { visible } from '../words/escape.ts';
import { expectedMs, isWithinBudget } from '../progress/expectation.ts';
import { unchangedLines, valueConflictLine } from './planned-lines.ts';
import { describeLive } from '../words/service-name.ts';
import { sentNow, type SummaryView } from '../views/summary-view.ts';

/** What a push has done. */
export function sentLines(view: SummaryView): string[] {
  const { counts } = view;
  const now = sentNow(view);
  const time = view.run === undefined ? '' : `  run ${view.run}, ${formatDuration(view.durationMs)}`;
  return [
    headline(view),
    ...countLine(now, `sent${told(view)}`),
    ...unchangedLines(view),
    ...countLine(
      view.notRechecked,
      'of them not looked at again right before: an edit made meanwhile would be overwritten',
    ),
    ...countLine(view.communications, 'of them with a message from the service to the person (enable_comms)'),
    ...countLine(counts.rejected, 'rejected, left out'),
    ...countLine(counts.failed, 'refused by the service'),
    ...countLine(counts.conflict, `in conflict with what the service holds${afterSending(view)}`),
    ...valueConflictLine(view),
    ...countLine(counts.blocked, 'not sent because of their parent'),
    ...countLine(counts.uncertain + counts.sending, 'uncertain: the service may or may not hold them'),
    ...countLine(counts.pending, stillToSend(view)),
    ...deletionLines(view),
    time,
  ];
}

/** What a push says that was stopped by its rows. */
export function refusedLines({ counts }: SummaryView): string[] {
  const all = counts.pending + counts.rejected;
  return [
    `Nothing was sent: ${formatCount(counts.rejected)} of ${plural(all, 'row', 'rows')} cannot be.`,
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

function headline(view: SummaryView): string {
  const { counts, deletions, deleted, disputed } = view;
  const event = visible(describeLive(view.event, view.live));
  if (view.state === 'interrupted') return `Interrupted. ${event}:`;
  if (view.state === 'stopped') return `Stopped. ${event}:`;
  const open = counts.pending + counts.sending + deletions.pending + deletions.sending;
  return sentNow(view) + deleted + disputed + counts.failed + open === 0
    ? `Nothing to send. ${event}:`
    : `Done. ${event}:`;
}

function told({ created, updated, unproven, unseen }: SummaryView): string {
  const kinds: readonly (readonly [number, string])[] = [
    [created, 'new'],
    [updated, 'updated'],
    [unproven, 'not proven new'],
    [unseen, 'new or changed: not looked at'],
  ];
  const some = kinds.filter(([count]) => count > 0);
  const [only] = some;
  if (some.length === 1 && only?.[0] === unseen) return ` (${only[1]})`;
  const parts = some.map(([count, what]) => `${formatCount(count)} ${what}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function deletionLines({ deletions, deleted }: SummaryView): string[] {
  return [
    ...countLine(deleted, 'deleted: the file no longer had them'),
    ...countLine(
      deletions.failed + deletions.conflict + deletions.blocked,
      'not deleted, with the reason above',
    ),
    ...countLine(
      deletions.uncertain + deletions.sending,
      'uncertain whether deleted: push the same again with --prune',
    ),
    ...countLine(deletions.pending, 'still to delete: push the same again with --prune'),
  ];
}
