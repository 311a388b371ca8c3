import { type CountRow, countLines, formatCount } from '../words/number.ts';
import { visible } from '../words/escape.ts';
import type { Paint } from '../words/paint.ts';
import { describeLive } from '../words/service-name.ts';
import { timeWords } from '../progress/expectation.ts';
import type { SummaryView } from '../views/summary-view.ts';

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
export function unchangedRows({ counts, plan, values }: SummaryView): CountRow[] {
  const all = counts.unchanged - plan.kept;
  const compared = Math.min(plan.unchanged, all);
  const [stay, shown] =
    values.kept === 1 ? ['value stays as it was', 'it'] : ['values stay as they were', 'them'];
  return [
    [compared, 'unchanged: in the service as they are in the file'],
    [all - compared, 'sent before and not changed since'],
    [values.kept, `${stay} changed in the service; --dry-run --diff shows ${shown}`],
    [values.refused, `${valueNoun(values.refused)} not accepted by the service when last sent`],
  ];
}

/** Values that both sides have changed: the other values of their rows may have been sent. */
export function valueConflictRow({ values: { conflict } }: SummaryView): CountRow {
  const text = `${valueNoun(conflict)} in conflict, not sent: only you can tell which side is right`;
  return [conflict, text, 'refused'];
}

const valueNoun = (values: number): string => (values === 1 ? 'value' : 'values');
