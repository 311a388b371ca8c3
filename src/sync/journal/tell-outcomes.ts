import type { OutcomeView } from '../../report/views/events.ts';
import { codesOf } from '../decide/became.ts';
import type { SendContext } from './send-context.ts';
import { type Outcome, outcomeOf, outcomesOf } from './told-rows.ts';

type RunContext = Pick<SendContext, 'journal' | 'run' | 'reporter'>;

/** Tells what has become of a row, which is on the disk. It is read only where somebody wants to know. */
export function tellOutcome({ journal, run, reporter }: RunContext, seq: number): void {
  const each = (): OutcomeView[] => {
    const row = outcomeOf(journal, run, seq);
    return row === undefined ? [] : [toView(row)];
  };
  reporter.report({ type: 'rows', each });
}

/** Tells what has become of every row at the end of a run; of a dry run what would. */
export function tellOutcomes({ journal, run, reporter }: RunContext): void {
  const each = function* (): Generator<OutcomeView> {
    for (const row of outcomesOf(journal, run, 'all')) yield toView(row);
  };
  reporter.report({ type: 'rows', each });
}

function toView(row: Outcome): OutcomeView {
  const { seq, place: at, op, plan, state, barcode, remoteId } = row;
  // No line of a file stands for what is deleted by its name.
  const place = at.file === '' ? undefined : at;
  return { seq, place, op, plan, state, barcode, registrationId: remoteId, codes: codesOf(row) };
}
