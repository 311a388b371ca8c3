import type { Difference } from '../../registration/model/difference.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import { among, PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import type { FindingKind } from '../../report/views/summary-view.ts';
import { type Column, flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { FIRST_PLAN } from './count-run.ts';
import type { Journal } from './journal.ts';
import type { RowOp } from './run.ts';
import type { OutcomeView } from '../../report/views/events.ts';
import { codesOf } from '../decide/became.ts';
import type { SendContext } from './send-context.ts';

/** What became of a row. */
const OUTCOME = {
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  plan: value<string | undefined>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  message: value<string | undefined>(),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  findings: json<readonly { kind: FindingKind; message: string }[]>(
    `(SELECT json_group_array(json_object('kind', kind, 'message', finding.message)) FROM finding
      WHERE finding.run = row.run AND finding.seq = row.seq)`,
  ),
};
const OUTCOMES = rowCodec(OUTCOME);
export type Outcome = RowOf<typeof OUTCOMES>;

/** What the file says of a row, also in a dry run; what is deleted has none. */
const payload: Column<Registration | undefined> = {
  sql: `row.seq, CASE op WHEN 'send' THEN payload END`,
  width: 2,
  read: (cells, at, payloads) => payloads(cells[at] as number, cells[at + 1] as string | null) ?? undefined,
};

/** With all that it says, and what the service held. */
const TOLD = rowCodec({
  ...OUTCOME,
  persona: value<string | undefined>(),
  parentBarcode: value<string | undefined>(),
  enableComms: flag(),
  payload,
  /** What was asked for instead where not all of it was. */
  sent: json<Registration | undefined>(`CASE op WHEN 'send' THEN coalesce(ask, payload) END`),
  notes: json<readonly Note[]>(`coalesce(notes, '[]')`),
  attempts: value<number>(),
  firstPlan: value<string | undefined>(FIRST_PLAN),
  /** As the service listed it before it was sent. */
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  /** As it has listed it since, where that is not what was sent. */
  after: json<RecordImage | undefined>(),
  checkedAt: value<number | undefined>(),
});
export type ToldRow = RowOf<typeof TOLD>;

/** Which rows of a run. */
const WHICH = {
  all: '',
  /** What somebody has to be told of. */
  problems: `AND (state ${among(PROBLEMS)} OR differences IS NOT NULL
    OR (verdicts IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(verdicts) WHERE value = 'conflict')))`,
  /** Such as are not as they were to be left. */
  different: 'AND differences IS NOT NULL',
  checked: 'AND checked_at IS NOT NULL',
  /** Of a record with companions the record. */
  records: 'AND part = 0',
  /** Those of which there is something to say. */
  remarkable: `AND (state ${among(PROBLEMS)} OR message IS NOT NULL OR differences IS NOT NULL
    OR notes IS NOT NULL OR verdicts IS NOT NULL)`,
};
type Which = keyof typeof WHICH;

const rowsOf = (which: Which): string => `FROM row WHERE run = $run ${WHICH[which]}`;

export const countTold = (journal: Journal, run: string, which: Which): number =>
  journal.count(rowsOf(which), { run });

/** What became of rows of a run, in the order of the files; the journal may be written meanwhile. */
export const outcomesOf = (journal: Journal, run: string, which: Which): Generator<Outcome> =>
  journal.readAll(OUTCOMES, `${rowsOf(which)} AND seq > $after ORDER BY seq`, { run }, 'seq');

export const outcomeOf = (journal: Journal, run: string, seq: number): Outcome | undefined =>
  journal.readOne(OUTCOMES, `${rowsOf('all')} AND seq = $seq`, { run, seq });

/** The same with what they say, a page at a time. */
export const toldPages = (journal: Journal, run: string, which: Which): Generator<ToldRow[]> =>
  journal.readPages(TOLD, `${rowsOf(which)} AND seq > $after ORDER BY seq`, { run }, 'seq');

export const toldRow = (journal: Journal, run: string, seq: number): ToldRow | undefined =>
  journal.readOne(TOLD, `${rowsOf('all')} AND seq = $seq`, { run, seq });

/** The files in which rows of a run stand. */
export const filesOfRows = (journal: Journal, run: string): string[] =>
  journal
    .all<{ file: string }>('SELECT DISTINCT file FROM row WHERE run = $run', { run })
    .map(({ file }) => file);

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
