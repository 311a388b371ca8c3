import type { Difference } from '../../registration/model/difference.ts';
import type { Reason } from '../../registration/model/row.ts';
import { PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import type { OutcomeView } from '../../report/views/events.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowOp } from './run.ts';
import type { SendContext } from './send-context.ts';

const OUTCOME = rowCodec({
  seq: value<number>(),
  place: place(),
  op: value<RowOp>(),
  plan: value<string | undefined>(),
  state: value<RowState>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  findings: json<readonly FindingKind[]>(`(SELECT json_group_array(kind) FROM finding
    WHERE finding.run = row.run AND finding.seq = row.seq)`),
});

type RunContext = Pick<SendContext, 'journal' | 'run' | 'reporter'>;

/** Tells what has become of a row, which is on the disk. It is read only where somebody wants to know. */
export function tellOutcome({ journal, run, reporter }: RunContext, seq: number): void {
  const from = 'FROM row WHERE run = $run AND seq = $seq';
  reporter.report({ type: 'rows', each: () => journal.read(OUTCOME, from, { run, seq }).map(toView) });
}

/** Tells what has become of every row at the end of a run; of a dry run what would. */
export function tellOutcomes({ journal, run, reporter }: RunContext): void {
  const each = function* (): Generator<OutcomeView> {
    const from = 'FROM row WHERE run = $run AND seq > $after ORDER BY seq';
    for (const row of journal.readAll(OUTCOME, from, { run }, 'seq')) yield toView(row);
  };
  reporter.report({ type: 'rows', each });
}

function toView({ place: at, remoteId, ...row }: RowOf<typeof OUTCOME>): OutcomeView {
  const { seq, op, plan, state, barcode } = row;
  return {
    seq,
    // No line of a file stands for what is deleted by its name.
    place: at.file === '' ? undefined : at,
    op,
    plan,
    state,
    barcode,
    registrationId: remoteId,
    codes: [...new Set(codesOf(row))],
  };
}

type Row = Pick<RowOf<typeof OUTCOME>, 'state' | 'reasons' | 'verdicts' | 'differences' | 'findings'>;

/** The same as the problems of the run have. */
function codesOf({ state, reasons, verdicts, differences, findings }: Row): string[] {
  if (state === 'rejected') return reasons.map(({ code }) => code);
  return [
    ...(PROBLEMS.has(state) ? [state] : []),
    ...Object.values(verdicts).filter((verdict) => verdict === 'conflict'),
    ...(differences.length === 0 ? [] : ['different']),
    ...findings,
  ];
}
