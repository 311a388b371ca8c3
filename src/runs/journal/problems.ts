import { among, PROBLEMS, type RowState } from '../../registration/model/row-states.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { nameDifferences } from '../../report/words/difference-text.ts';
import { describeReasons } from '../../registration/model/row.ts';
import type { RowProblem } from '../../report/views/summary-view.ts';
import { type Finding, readFindings } from './findings.ts';
import type { Journal } from './journal.ts';
import type { RowOp } from './run.ts';
import { whyConflict } from '../judge/plan-decision.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';
import { fieldOfKey } from '../../registration/changes/aspect.ts';
import type { ValueVerdict } from '../judge/judge-value.ts';

/**
 * Rows of a run that did not get through, or not as they were sent, in the order of the files, then what else its
 * audit has found. Messages hold no values of persons.
 */
export function readProblems(journal: Journal, run: string): RowProblem[] {
  return [...readRowProblems(journal, run), ...readFindings(journal, run, PROBLEMS_SHOWN).map(toProblem)];

  function toProblem({ kind, seq, id, barcode, message }: Finding): RowProblem {
    const row = journal.get<StoredPlace>(
      `SELECT file, sheet, line FROM row WHERE run = $run AND seq = $seq AND op = 'send'`,
      { $run: run, $seq: seq },
    );
    const place = row === undefined ? `registration ${id ?? 'without id'}` : placeOf(row);
    return { place, state: kind, barcode, message };
  }
}

function readRowProblems(journal: Journal, run: string): RowProblem[] {
  return journal
    .all<StoredProblem>(
      `SELECT file, sheet, line, op, state, barcode, remote_id, message, reasons, verdicts, differences FROM row
       WHERE run = $run AND (state ${among(PROBLEMS)}
         OR differences IS NOT NULL
         OR (verdicts IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(verdicts) WHERE value = 'conflict')))
       ORDER BY seq LIMIT $limit`,
      { $run: run, $limit: PROBLEMS_SHOWN },
    )
    .map((row) => {
      const differences = JSON.parse(row.differences ?? '[]') as Difference[];
      return {
        // No line of the files stands for what is deleted.
        place: row.op === 'delete' ? `registration ${row.remote_id ?? 'without id'}` : placeOf(row),
        state: stateOf(row, differences.length > 0),
        barcode: row.barcode ?? undefined,
        message: messageOf(row, differences),
        ...(differences.length === 0 ? {} : { differences }),
      };
    });
}

function stateOf({ state, verdicts }: StoredProblem, isDifferent: boolean): RowProblem['state'] {
  if (PROBLEMS.has(state)) return state;
  return conflictsIn(verdicts).length > 0 || !isDifferent ? 'conflict' : 'different';
}

/** Of a row that got through but for some of its values, what is said of those. */
function messageOf(
  { state, barcode, message, reasons, verdicts }: StoredProblem,
  differences: readonly Difference[],
): string {
  const told = PROBLEMS.has(state) ? (message ?? describeReasons(reasons)) : undefined;
  const fields = conflictsIn(verdicts);
  const isSaid = fields.length === 0 || (state === 'conflict' && told !== undefined);
  const parts = [
    ...(told === undefined ? [] : [told]),
    ...(isSaid ? [] : [whyConflict(fields, barcode ?? undefined)]),
    ...(differences.length === 0 ? [] : [nameDifferences(differences)]),
  ];
  return parts.length === 0 ? (message ?? 'no further news') : parts.join('; ');
}

/** Fields that both sides have changed. */
function conflictsIn(verdicts: string | null): string[] {
  return Object.entries(JSON.parse(verdicts ?? '{}') as Record<string, ValueVerdict>)
    .filter(([, verdict]) => verdict === 'conflict')
    .map(([key]) => fieldOfKey(key));
}

interface StoredProblem extends StoredPlace {
  op: RowOp;
  state: RowState;
  barcode: string | null;
  remote_id: string | null;
  message: string | null;
  reasons: string | null;
  verdicts: string | null;
  differences: string | null;
}

/** At most this many problems are listed; `runs show` has all. */
const PROBLEMS_SHOWN = 1000;
