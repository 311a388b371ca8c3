import { countLine, formatCount, plural } from '../words/number.ts';
import { formatDuration } from '../words/duration.ts';
import { visible } from '../words/escape.ts';
import { type Paint, paintLines } from '../words/paint.ts';
import { expectedMs, isWithinBudget } from '../progress/expectation.ts';
import { unchangedLines, valueConflictLine } from './planned-lines.ts';
import { describeLive } from '../words/service-name.ts';
import { sentNow, type SummaryView } from '../views/summary-view.ts';

/** What a push has done. */
export function sentLines(view: SummaryView, paint: Paint): string[] {
  const { counts } = view;
  const now = sentNow(view);
  const bad = (lines: string[]): string[] => paintLines(paint, 'refused', lines);
  const open = (lines: string[]): string[] => paintLines(paint, 'waiting', lines);
  const time = view.run === undefined ? '' : `  run ${view.run}, ${formatDuration(view.durationMs)}`;
  return [
    headline(view, paint),
    ...countLine(now, `sent${told(view)}`),
    ...unchangedLines(view),
    ...countLine(
      view.notRechecked,
      'of them not looked at again right before: an edit made meanwhile would be overwritten',
    ),
    ...countLine(view.communications, 'of them asking the service to write to the person (enable_comms)'),
    ...bad(countLine(counts.rejected, 'rejected, left out')),
    ...bad(countLine(counts.failed, 'refused by the service')),
    ...bad(countLine(counts.conflict, `in conflict with what the service holds${afterSending(view)}`)),
    ...bad(valueConflictLine(view)),
    ...bad(countLine(counts.blocked, 'not sent because of their parent')),
    ...open(
      countLine(
        counts.postponed,
        'held back: what the service would do with them is not known, as said above',
      ),
    ),
    ...open(
      countLine(
        counts.uncertain + counts.sending,
        'not known whether they arrived: the service may or may not hold them',
      ),
    ),
    // Nothing has begun: what is to become of each row is not known.
    ...(view.run === undefined ? ['Nothing was sent.'] : open(countLine(counts.pending, stillToSend(view)))),
    ...deletionLines(view),
    ...(time === '' ? [] : [paint('faint', time)]),
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
      deletions.failed + deletions.conflict + deletions.blocked + deletions.postponed,
      'not deleted, with the reason above',
    ),
    ...countLine(
      deletions.uncertain + deletions.sending,
      'not known whether deleted: push the same again with --prune',
    ),
    ...countLine(deletions.pending, 'still to delete: push the same again with --prune'),
  ];
}
