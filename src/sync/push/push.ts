import { formatPlace } from '../../registration/model/row.ts';
import { type Ingested, ingest } from '../ingest/ingest.ts';
import { placesOf } from '../ingest/same-person.ts';
import { countRecords } from '../ingest/rejects.ts';
import { forgetRun } from '../journal/forget-runs.ts';
import type { Journal } from '../journal/journal.ts';
import { keepRows } from '../journal/kept-rows.ts';
import { countRows } from '../journal/queued-rows.ts';
import { beginRun } from '../journal/runs.ts';
import { addStep, type LeftOutBeside, RUN_ITSELF } from '../journal/steps.ts';
import { tellOutcomes } from '../journal/told-rows.ts';
import { carryOut } from './carry-out.ts';
import type { Begun, PushContext, PushOptions } from './push-options.ts';
import { type PushSummary, summarise } from '../tell/summary.ts';
import { ReadAgain, type WhatNow } from './what-now.ts';

/** Read, validate, plan, send, settle, audit: the main job from file to summary. */
export async function push(options: PushOptions, context: PushContext): Promise<PushSummary> {
  const { read, begun, refused } = await readIn(options, context);
  try {
    const summary = await pushRows(read, begun, refused, options, context);
    tellOutcomes({ ...context, run: summary.run ?? read });
    await context.onEnd?.(summary.run ?? read, summary);
    return summary;
  } finally {
    dropUnclaimed(context.journal, read);
  }
}

/** Reads the files into a run that begins once they are judged. The rows are in memory no longer than this takes. */
async function readIn(options: PushOptions, context: PushContext) {
  const { journal, target, clock, self } = context;
  const startedAt = clock.now();
  const files = options.prepared.files.map(({ stored }) => stored.file);
  const invalid = asksWhatNow(options, context) ? 'skip' : options.invalid;
  const reading = { ...options, invalid, keepsCells: keepsCells(options, context) };
  const ingested = await ingest(reading, context);
  const wrong = countRecords(ingested.rows);
  const now = wrong.rejected > 0 ? await tellRejected(wrong, ingested, options, context) : undefined;
  const refused = wrong.rejected > 0 && options.invalid === 'stop' && now?.do !== 'send';
  const read = beginRun(journal, { kind: 'push', target, files }, startedAt, self);
  keep(read, ingested, options, context);
  const { repairs } = ingested;
  return { read, begun: { startedAt, repairs, leftOut: placesOf(ingested.leftOut) }, refused };
}

function keep(run: string, ingested: Ingested, { dryRun }: PushOptions, context: PushContext): void {
  const { journal, clock } = context;
  const { payloads, leftOut } = ingested;
  if (dryRun) journal.dryRun(run, payloads);
  keepRows(journal, run, ingested);
  if (leftOut.length === 0) return;
  // With a mended e-mail in one of two such rows they are one person all the same.
  const beside: LeftOutBeside = leftOut.map(({ row, kept }) => ({
    kept: kept.seq,
    place: formatPlace(row.place),
  }));
  addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'left out', detail: JSON.stringify(beside) });
}

async function pushRows(
  read: string,
  begun: Begun,
  refused: boolean,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  if (options.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return await dryRun(read, { ...begun, refused }, options, context);
  }
  const { rejected, pending } = countRows(context.journal, read);
  if (refused || (rejected > 0 && pending === 0)) return refuse(read, begun, context);
  return await carryOut(read, begun, options, context);
}

/**
 * Tells of rows that cannot be sent, asks what is to become of them, and writes them where that is asked for. Throws
 * ReadAgain where more is to be said of the file first.
 */
async function tellRejected(
  wrong: { rejected: number; left: number },
  { rows }: Ingested,
  options: PushOptions,
  context: PushContext,
): Promise<WhatNow | undefined> {
  const { foreignColumns, reportRejects, writeRejectsFile } = await import('../ingest/rejects.ts');
  reportRejects(rows, context.reporter);
  const now = asksWhatNow(options, context)
    ? await context.whatNow?.({ ...wrong, foreign: foreignColumns(rows) })
    : undefined;
  if (now?.do === 'again') throw new ReadAgain();
  if (now?.do === 'leave-out') throw new ReadAgain({ leaveOut: now.column });
  const rejects = now?.do === 'write' ? now.rejects : options.rejects;
  await writeRejectsFile(rows, { ...options, rejects }, context);
  return now;
}

function asksWhatNow({ invalid }: PushOptions, { whatNow }: PushContext): boolean {
  return invalid === 'stop' && whatNow !== undefined;
}

/** Whether a file of rejected rows is written, or may be. */
function keepsCells(options: PushOptions, context: PushContext): boolean {
  return options.rejects !== undefined || asksWhatNow(options, context);
}

/** Nothing is sent: what does not get past the check of its file is no run. */
function refuse(run: string, begun: Begun, context: PushContext): PushSummary {
  return summarise({ rows: run, state: 'refused', ...begun }, context);
}

/** A run that ended while reading, or was a dry run, leaves no personal data behind. */
function dropUnclaimed(journal: Journal, read: string): void {
  try {
    journal.endDryRun();
    const kept = journal.get<{ state: string }>('SELECT state FROM run WHERE id = $id', { id: read });
    if (kept?.state === 'reading') forgetRun(journal, read);
  } catch {
    // The journal itself failed; that error is on its way already.
  }
}
