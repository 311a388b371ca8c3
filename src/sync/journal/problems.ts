import { among, PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { nameDifferences } from '../../report/words/difference-text.ts';
import { describeReasons, formatPlace, type Place, type Reason } from '../../registration/model/row.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { type Finding, readFindings } from './findings.ts';
import type { Journal } from './journal.ts';
import type { RowOp } from './run.ts';
import { whyConflict } from '../decide/plan-decision.ts';
import { json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { fieldOfKey } from '../../registration/changes/aspect.ts';
import type { ValueVerdict } from '../decide/decide.ts';

/**
 * Rows of a run that did not get through, or not as they were sent, in the order of the files, then what else its
 * audit has found. Messages hold no values of persons.
 */
export function readProblems(journal: Journal, run: string): RowProblem[] {
  return [...readRowProblems(journal, run), ...readFindings(journal, run, PROBLEMS_SHOWN).map(toProblem)];

  function toProblem({ kind, seq, id, barcode, message }: Finding): RowProblem {
    const row = journal.get<Place>(
      `SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq AND op = 'send'`,
      { run, seq },
    );
    const place = row === undefined ? `registration ${id ?? 'without id'}` : formatPlace(row);
    return { place, at: row, registrationId: id, state: kind, barcode, message };
  }
}

const PROBLEM = rowCodec({
  place: place(),
  op: value<RowOp>(),
  state: value<RowState>(),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  message: value<string | undefined>(),
  reasons: json<readonly Reason[] | undefined>(),
  verdicts: json<Readonly<Record<string, ValueVerdict>>>(`coalesce(verdicts, '{}')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
});
type Problem = RowOf<typeof PROBLEM>;

/** Of which rows there is something to tell. */
const ROWS = `FROM row WHERE run = $run AND (state ${among(PROBLEMS)} OR differences IS NOT NULL
  OR (verdicts IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(verdicts) WHERE value = 'conflict')))`;

/** How many rows and findings there are beyond those that are listed. */
export function countUnlisted(journal: Journal, run: string): number {
  const beyond = (from: string): number => Math.max(0, journal.count(from, { run }) - PROBLEMS_SHOWN);
  return beyond(ROWS) + beyond('FROM finding WHERE run = $run');
}

function readRowProblems(journal: Journal, run: string): RowProblem[] {
  return journal
    .read(PROBLEM, `${ROWS} ORDER BY seq LIMIT $limit`, { run, limit: PROBLEMS_SHOWN })
    .map((row) => ({
      // No line of the files stands for what is deleted.
      place: row.op === 'delete' ? `registration ${row.remoteId ?? 'without id'}` : formatPlace(row.place),
      at: row.op === 'delete' ? undefined : row.place,
      registrationId: row.remoteId,
      state: stateOf(row),
      ...(row.state === 'rejected' && row.reasons !== undefined ? { reasons: row.reasons } : {}),
      barcode: row.barcode,
      message: messageOf(row),
      ...(row.differences.length === 0 ? {} : { differences: row.differences }),
    }));
}

function stateOf({ state, verdicts, differences }: Problem): RowProblem['state'] {
  if (PROBLEMS.has(state)) return state;
  return conflictsIn(verdicts).length > 0 || differences.length === 0 ? 'conflict' : 'different';
}

/** Of a row that got through but for some of its values, what is said of those. */
function messageOf({ state, barcode, message, reasons, verdicts, differences }: Problem): string {
  const told = PROBLEMS.has(state) ? (message ?? (reasons && describeReasons(reasons))) : undefined;
  const fields = conflictsIn(verdicts);
  const isSaid = fields.length === 0 || (state === 'conflict' && told !== undefined);
  const parts = [
    ...(told === undefined ? [] : [told]),
    ...(isSaid ? [] : [whyConflict(fields, barcode)]),
    ...(differences.length === 0 ? [] : [nameDifferences(differences)]),
  ];
  return parts.length === 0 ? (message ?? 'no further news') : parts.join('; ');
}

/** Fields that both sides have changed. */
function conflictsIn(verdicts: Problem['verdicts']): string[] {
  return Object.entries(verdicts)
    .filter(([, verdict]) => verdict === 'conflict')
    .map(([key]) => fieldOfKey(key));
}

/** At most this many problems are listed; `runs show` has all. */
const PROBLEMS_SHOWN = 1000;
