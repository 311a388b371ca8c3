import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { GuardError, UsageError } from '../../errors.ts';
import { sameDoubt } from '../journal/doubts.ts';
import { findRows, type RowRef } from '../journal/find-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { Run } from '../journal/run.ts';
import { changeRow } from '../journal/row-tables.ts';
import { noteLater, takeRun } from '../journal/runs.ts';
import { noteNotHeld } from '../journal/sent-rows.ts';
import { toldRow, type ToldRow } from '../journal/told-rows.ts';
import { formatPlace } from '../../registration/model/row.ts';

/** What a person found out: the service has the row, or it does not. */
type Verdict = 'sent' | 'not-sent';

/** An uncertain row, with those of other runs that are so because of the same request. */
export interface DoubtfulRow {
  run: string;
  seq: number;
  /** `guests.csv:17`, or `guests.csv:17/2` of a companion. */
  place: string;
  barcode: string | undefined;
  /** The one whose request it was comes first. */
  rows: readonly RowRef[];
}

/** The uncertain row of a run that a barcode or a line means. Throws UsageError where there is not just one. */
export function findDoubtful(journal: Journal, run: Run, text: string): DoubtfulRow {
  const found = findRows(journal, text, { run: run.id });
  const rows = found.flatMap((row) => toldRow(journal, row.run, row.seq) ?? []);
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
  const same = sameDoubt(journal, { run: run.id, seq });
  return { run: run.id, seq, place: describePlace(row), barcode, rows: same };
}

/**
 * Writes what a person decided, for every run that is in doubt about it: `sent` rows count as done, others wait
 * to be sent by the next push. Throws GuardError when one of the runs is being worked on. Returns the runs.
 */
export function decide(journal: Journal, row: DoubtfulRow, verdict: Verdict, now: number): string[] {
  const runs = [...new Set(row.rows.map(({ run }) => run))];
  const taken: string[] = [];
  try {
    for (const run of runs) {
      if (!takeRun(journal, run))
        throw new GuardError('busy', `Run ${run} is being worked on, so nothing was decided.`);
      taken.push(run);
    }
    journal.transaction(() => {
      for (const ref of row.rows) write(journal, ref, verdict, now);
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

function write(journal: Journal, ref: RowRef, verdict: Verdict, now: number): void {
  const row = toldRow(journal, ref.run, ref.seq);
  if (row === undefined || !isDoubtful(row)) return;
  const isSent = verdict === 'sent';
  writeOutcome(journal, ref.run, ref.seq, isSent ? FOUND : NOT_FOUND, now, 'decided');
  // A person's word is not held against the list at the next reading back.
  if (isSent) changeRow(journal, ref.run, ref.seq, { checkedAt: now });
  else noteNotHeld(journal, ref.run, ref.seq);
}

/** A run that was killed leaves rows in doubt as being sent. */
const isDoubtful = ({ op, state }: ToldRow): boolean => op === 'send' && IN_DOUBT.has(state);

function notUncertain(rows: readonly ToldRow[]): UsageError {
  const [first] = rows;
  const hint =
    first?.op === 'delete'
      ? 'A delete is settled by running it again.'
      : 'Only what is uncertain can be decided: see eventreg runs why.';
  return new UsageError('There is nothing to decide.', { details: rows.map(describe), hint });
}

function describe(row: ToldRow): string {
  const who = row.barcode === undefined ? '' : ` (barcode ${row.barcode})`;
  return `${describePlace(row)}${who} is ${row.op === 'delete' ? 'a deletion, ' : ''}${row.state}`;
}

const describePlace = (row: ToldRow): string => formatPlace(row.place) + (row.part > 0 ? `/${row.part}` : '');
