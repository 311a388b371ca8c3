import { countLine, formatCount } from '../words/number.ts';
import { visible } from '../words/escape.ts';
import { type Paint, paintLines } from '../words/paint.ts';
import { describeLive } from '../words/service-name.ts';
import { timeWords } from '../progress/expectation.ts';
import type { SummaryView } from '../views/summary-view.ts';

/** Below a line of how many in all. */
const PART = '    ';

/** What a dry run says that a run would do. */
export function plannedLines(view: SummaryView, paint: Paint): string[] {
  const { counts, plan, communications } = view;
  const toSend = counts.pending;
  return [
    `Dry run, nothing was sent. ${visible(describeLive(view.event, view.live))}:`,
    `  ${formatCount(toSend)} to send${timeWords(view.requests, view.budget)}`,
    ...countLine(plan.create, 'to create', PART),
    ...countLine(plan.update, 'to update', PART),
    // Where nothing was compared at all, there is nothing to tell them apart by.
    ...countLine(plan.unknown === toSend ? 0 : plan.unknown, 'to send without comparing', PART),
    ...unchangedLines(view),
    ...paintLines(paint, 'refused', [
      ...countLine(counts.conflict, 'in conflict with what the service holds, not sent'),
      ...valueConflictLine(view),
    ]),
    ...countLine(plan.delete, 'to delete: the file no longer has them'),
    ...paintLines(
      paint,
      'waiting',
      countLine(
        counts.uncertain,
        'not known whether they arrived before: looked up first, sent only if they are not there',
      ),
    ),
    ...paintLines(paint, 'refused', countLine(counts.rejected, 'rejected, left out')),
    ...countLine(communications, 'ask the service to write to people (enable_comms)'),
  ];
}

/** Rows that need no sending, by how that is known. */
export function unchangedLines({ counts, plan, values }: SummaryView): string[] {
  const all = counts.unchanged - plan.kept;
  const compared = Math.min(plan.unchanged, all);
  return [
    ...countLine(compared, 'unchanged: in the service as they are in the file'),
    ...countLine(all - compared, 'sent before and not changed since'),
    ...keptLine(values.kept),
    ...countLine(
      values.refused,
      `${values.refused === 1 ? 'value' : 'values'} not accepted by the service when last sent`,
    ),
  ];
}

/** Values that both sides have changed: the other values of their rows may have been sent. */
export function valueConflictLine({ values }: SummaryView): string[] {
  const what = values.conflict === 1 ? 'value' : 'values';
  return countLine(values.conflict, `${what} in conflict, not sent: only you can tell which side is right`);
}

function keptLine(values: number): string[] {
  if (values === 0) return [];
  const stay = values === 1 ? 'value stays as it was' : 'values stay as they were';
  return [
    `  ${formatCount(values)} ${stay} changed in the service; --dry-run --diff shows ${values === 1 ? 'it' : 'them'}`,
  ];
}
