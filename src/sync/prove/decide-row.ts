import { among, IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import { GuardError, UsageError } from '../../errors.ts';
import { findRows } from '../journal/find-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { RowOp, Run } from '../journal/run.ts';
import { noteLater, takeRun } from '../journal/runs.ts';
import { place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { formatPlace } from '../../registration/model/row.ts';

/** What a person found out: the service has the row, or it does not. */
type Verdict = 'sent' | 'not-sent';

/** An uncertain row, with the other runs that carry the same doubt. */
export interface DoubtfulRow {
  run: string;
  seq: number;
  /** `guests.csv:17`, or `guests.csv:17/2` of a companion. */
  place: string;
  barcode: string | undefined;
  /** The same row of other runs, in doubt because of the same request. */
  twins: readonly { run: string; seq: number }[];
}

const ROW = rowCodec({
  run: value<string>(),
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  barcode: value<string | undefined>(),
});
type Row = RowOf<typeof ROW>;

/**
 * The uncertain row of a run that a barcode or a line means. Throws UsageError when there is none, when it
 * is not uncertain, and when several could be meant.
 */
export function findDoubtful(journal: Journal, run: Run, text: string): DoubtfulRow {
  const rows = (findRows(journal, text, { run: run.id })?.rows ?? []).flatMap(
    (row) => readRow(journal, row) ?? [],
  );
  if (rows.length === 0) {
    throw new UsageError(`Run ${run.id} has no row ${JSON.stringify(text)}.`, {
      hint: `See its uncertain rows: eventreg runs show ${run.id} --state uncertain`,
    });
  }
  const [row, ...others] = rows.filter(isDoubtful);
  if (row === undefined) throw notUncertain(rows);
  if (others.length > 0) {
    throw new UsageError(`Several uncertain rows of run ${run.id} are meant by ${JSON.stringify(text)}.`, {
      details: [row, ...others].map(describe),
      hint: 'Give a barcode, or the place as it is listed here.',
    });
  }
  const { seq, barcode } = row;
  return { run: run.id, seq, place: describePlace(row), barcode, twins: twinsOf(journal, row) };
}

/**
 * Writes what a person decided, for every run that carries the doubt: `sent` rows count as done, others wait
 * to be sent by the next push. Throws GuardError when one of the runs is being worked on. Returns the runs.
 */
export function decide(journal: Journal, row: DoubtfulRow, verdict: Verdict, now: number): string[] {
  const rows = [{ run: row.run, seq: row.seq }, ...row.twins];
  const runs = [...new Set(rows.map(({ run }) => run))];
  const taken: string[] = [];
  try {
    for (const run of runs) {
      if (!takeRun(journal, run))
        throw new GuardError('busy', `Run ${run} is being worked on, so nothing was decided.`);
      taken.push(run);
    }
    journal.transaction(() => {
      for (const { run, seq } of rows) write(journal, run, seq, verdict, now);
      const text = `a person decided ${row.place}: ${verdict}`;
      for (const run of runs) noteLater(journal, run, { at: now, text });
    });
    return runs;
  } finally {
    for (const run of taken) journal.locks.release(run);
  }
}

const FOUND = { state: 'done', message: 'a person found it in the service' } as const;
const NOT_FOUND = { state: 'pending', message: 'a person did not find it in the service' } as const;

function write(journal: Journal, run: string, seq: number, verdict: Verdict, now: number): void {
  if (!isStillDoubtful(journal, run, seq)) return;
  const outcome = verdict === 'sent' ? FOUND : NOT_FOUND;
  writeOutcome(journal, run, seq, outcome, now, 'decided');
  // A person's word is not held against the list at the next audit.
  const told = verdict === 'sent' ? 'checked_at = done_at' : 'listed_no = NULL';
  journal.run(`UPDATE row SET ${told} WHERE run = $run AND seq = $seq`, { run, seq });
}

const readRow = (journal: Journal, { run, seq }: { run: string; seq: number }): Row | undefined =>
  journal.readOne(ROW, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });

/** A run that was killed leaves rows in doubt as being sent. */
const isDoubtful = ({ op, state }: Pick<Row, 'op' | 'state'>): boolean =>
  op === 'send' && IN_DOUBT.has(state);

function isStillDoubtful(journal: Journal, run: string, seq: number): boolean {
  const row = readRow(journal, { run, seq });
  return row !== undefined && isDoubtful(row);
}

/** A run takes the doubts of earlier ones over, with the number of the request that caused them. */
function twinsOf(journal: Journal, { run, seq }: Row): { run: string; seq: number }[] {
  return journal.all<{ run: string; seq: number }>(
    `SELECT row.run, row.seq FROM row AS mine
       JOIN run AS own ON own.id = mine.run
       JOIN row ON row.row_key = mine.row_key AND row.sent_no = mine.sent_no AND row.run <> mine.run
       JOIN run ON run.id = row.run AND run.service = own.service AND run.event = own.event
     WHERE mine.run = $run AND mine.seq = $seq AND row.op = 'send' AND row.state ${among(IN_DOUBT)}`,
    { run, seq },
  );
}

function notUncertain(rows: readonly Row[]): UsageError {
  const [first] = rows;
  const hint =
    first?.op === 'delete'
      ? 'A delete is settled by running it again.'
      : 'Only what is uncertain can be decided: see eventreg runs why.';
  return new UsageError('There is nothing to decide.', { details: rows.map(describe), hint });
}

function describe(row: Row): string {
  const who = row.barcode === undefined ? '' : ` (barcode ${row.barcode})`;
  return `${describePlace(row)}${who} is ${row.op === 'delete' ? 'a deletion, ' : ''}${row.state}`;
}

const describePlace = (row: Row): string => formatPlace(row.place) + (row.part > 0 ? `/${row.part}` : '');
