import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Journal } from '../../src/sync/journal/journal.ts';
import { beginRun, type ProcessFacts, type Target } from '../../src/sync/journal/runs.ts';
import { writeIntent, writeOutcome } from '../../src/sync/journal/queued-rows.ts';
import type { Step } from '../../src/sync/journal/steps.ts';
import { toldRow } from '../../src/sync/journal/told-rows.ts';
import type { RowState } from '../../src/registration/model/row-states.ts';
import { canonicalRegistration, type Registration } from '../../src/registration/model/registration.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { addRow } from '../../src/sync/journal/row-tables.ts';

export const TARGET: Target = { service: 'https://one.example/api/', eventId: '1', eventName: 'Fair' };
export const SELF: ProcessFacts = { pid: 100, host: 'here', startedAt: 500 };

/** A journal in a directory, of its own unless one is given; closes with the test. */
export function openJournal(directory = temporaryDirectory()): Journal {
  const journal = new Journal(directory);
  onTestFinished(() => journal.close());
  return journal;
}

/** A row as a test writes it. */
export interface RowText {
  barcode?: string | undefined;
  parent?: string | undefined;
  name?: string;
  /** Anything but `pending`. */
  state?: 'rejected';
}

/** Rows as reading leaves them: numbered from line 2 of `a.csv`. Returns the run. */
export function readRun(journal: Journal, rows: readonly RowText[], now = 0, target = TARGET): string {
  const run = beginRun(journal, { kind: 'push', target, files: ['a.csv'] }, now, SELF);
  journal.transaction(() => {
    for (const [seq, row] of rows.entries()) insertRow(journal, run, seq, row);
  });
  return run;
}

function insertRow(
  journal: Journal,
  run: string,
  seq: number,
  { barcode, parent, name = 'Ada', state }: RowText,
): void {
  const registration: Registration = {
    persona: 'visitor',
    fields: { first_name: name },
    barcode,
    parentBarcode: parent,
    enableComms: false,
  };
  const hash = createHash('sha256').update(canonicalRegistration(registration)).digest('hex');
  const rowKey = barcode === undefined ? `h:${hash}:1` : `b:${barcode}`;
  addRow(journal, {
    run,
    seq,
    file: 'a.csv',
    line: seq + 2,
    state: state ?? 'pending',
    hash,
    persona: 'visitor',
    barcode,
    parentBarcode: parent,
    payload: registration,
    reasons: state === undefined ? undefined : [],
    depth: 0,
    rowKey: state === 'rejected' ? undefined : rowKey,
  });
}

/** `barcode or name: state` of every row, in the order of the journal. */
export function statesOf(journal: Journal, run: string): string[] {
  return journal
    .all<{ payload: string; state: string }>('SELECT payload, state FROM row WHERE run = $run ORDER BY seq', {
      $run: run,
    })
    .map(({ payload, state }) => {
      const { barcode, fields } = JSON.parse(payload) as Registration;
      return `${barcode ?? String(fields['first_name'])}: ${state}`;
    });
}

/** Writes a state into rows of a run, as if they had been sent at a time. */
export function settle(
  journal: Journal,
  run: string,
  barcode: string | undefined,
  state: string,
  sentAt: number,
): void {
  const rows = journal.all<{ seq: number }>(
    `SELECT seq FROM row WHERE run = $run AND ($barcode IS NULL OR barcode = $barcode)
       AND state NOT IN ('unchanged', 'rejected')`,
    { $run: run, $barcode: barcode ?? null },
  );
  for (const { seq } of rows) settleRow(journal, run, seq, state, sentAt);
}

/** Writes a state into one row, with the steps that lead to it. */
export function settleRow(journal: Journal, run: string, seq: number, state: string, sentAt: number): void {
  writeIntent(journal, run, seq, { at: sentAt, requestId: 'q' });
  if (state !== 'sending') writeOutcome(journal, run, seq, { state: state as RowState }, sentAt);
}

/** What was done about a row, oldest first. */
export const stepsOf = (journal: Journal, run: string, seq: number): readonly Step[] =>
  toldRow(journal, run, seq)?.steps ?? [];
