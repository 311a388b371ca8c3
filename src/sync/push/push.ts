import { ingest, type Ingested } from '../ingest/ingest.ts';
import { countRecords } from '../ingest/rejects.ts';
import { placesOf } from '../ingest/same-person.ts';
import { RowsToPlan } from '../plan/rows-to-plan.ts';
import type { PushSummary } from '../tell/summary.ts';
import { carryOut, tellUnsent } from './carry-out.ts';
import { type Begun, type PushContext, type PushOptions, ReadAgain, type WhatNow } from './push-options.ts';

/** Read, validate, plan, send, settle, audit: the main job from file to summary. */
export async function push(options: PushOptions, context: PushContext): Promise<PushSummary> {
  const { rows, begun, refused } = await readIn(options, context);
  const isNobodyLeft = rows.sendable.length === 0 && rows.ingested.rows.length > 0;
  if (refused || (isNobodyLeft && !options.dryRun))
    return await tellUnsent({ rows }, { ...begun, state: 'refused' }, context);
  return await carryOut(rows, begun, options, context);
}

async function readIn(
  options: PushOptions,
  context: PushContext,
): Promise<{ rows: RowsToPlan; begun: Begun; refused: boolean }> {
  const { clock } = context;
  const startedAt = clock.now();
  const files = options.prepared.files.map(({ stored }) => stored.file);
  const invalid = asksWhatNow(options, context) ? 'skip' : options.invalid;
  const reading = { ...options, invalid, keepsCells: keepsCells(options, context) };
  const ingested = await ingest(reading, context);
  const wrong = countRecords(ingested.rows);
  const now = wrong.rejected > 0 ? await tellRejected(wrong, ingested, options, context) : undefined;
  const refused = wrong.rejected > 0 && options.invalid === 'stop' && now?.do !== 'send';
  const { repairs, leftOut } = ingested;
  const leftOutBy = options.prepared.files.flatMap(({ byValue }) => byValue.leftOut);
  const begun = { startedAt, repairs, leftOut: placesOf(leftOut), leftOutBy };
  return { rows: new RowsToPlan(files, ingested), begun, refused };
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
  const { reportRejects, writeRejectsFile } = await import('../ingest/rejects.ts');
  reportRejects(rows, context.reporter);
  const now = asksWhatNow(options, context) ? await context.whatNow?.(wrong) : undefined;
  if (now?.do === 'again') throw new ReadAgain();
  const rejects = (now !== undefined && 'rejects' in now ? now.rejects : undefined) ?? options.rejects;
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
