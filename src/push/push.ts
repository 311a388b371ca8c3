import { GuardError, InputError } from '../errors.ts';
import type { RowCounts } from '../registration/row-state.ts';
import { plural } from '../report/number.ts';
import { checkRows } from './check-rows.ts';
import { type ClaimedRun, claimRun } from './claim-run.ts';
import { ingest, type IngestResult } from './ingest.ts';
import { countRows, type Journal } from './journal.ts';
import type { PushContext, PushOptions } from './push-options.ts';
import { reportRejects, writeRejectsFile } from './report-rejects.ts';
import type { RepairTally } from './repair-tally.ts';
import { beginRun, deleteRun, endRun } from './runs.ts';
import { type SendContext, sendPending } from './send.ts';
import { settleUncertain, waitForOvertaken } from './settle.ts';
import {
  countCommunications,
  OPEN_STATES,
  type PushSummary,
  readProblems,
  SENT_STATES,
  summarise,
} from './summary.ts';

/** Read, validate, plan, send, settle: the main job from file to summary. */
export async function push(options: PushOptions, context: PushContext): Promise<PushSummary> {
  const { journal, target, clock, self } = context;
  const startedAt = clock.now();
  const files = options.prepared.files.map(({ stored }) => stored.file);
  const read = beginRun(journal, target, files, startedAt, self);
  try {
    const ingested = await readRows(read, options, context);
    if (ingested.rows === 0) throw noRows(files);
    await checkRows(read, options.prepared.mappings.findings.barcodeColumns(), options, context);
    const rejected = reportRejects(read, context);
    if (rejected > 0) await writeRejectsFile(read, options, context);
    journal.run('UPDATE row SET raw = NULL WHERE run = $run AND raw IS NOT NULL', { $run: read });
    const refused = rejected > 0 && options.invalid === 'stop';
    const begun = { startedAt, repairs: ingested.repairs };
    if (options.dryRun) return preview(read, refused, options, context, begun);
    const nothingValid = rejected > 0 && countRows(journal, read).pending === 0;
    if (refused || nothingValid) return refuse(read, context, begun);
    return await sendRows(read, options, context, begun);
  } catch (error) {
    dropUnclaimed(journal, read);
    throw error;
  }
}

/** What is known of a push before anything is sent. */
interface Begun {
  startedAt: number;
  repairs: RepairTally;
}

/** An empty list is a mistake of whoever wrote it far more often than a list of nobody. */
function noRows(files: readonly string[]): InputError {
  return new InputError(`${files.join(', ')}: there are no rows.`, {
    hint: 'Is it the right file, and was it saved with its rows?',
  });
}

async function readRows(run: string, options: PushOptions, context: PushContext): Promise<IngestResult> {
  const { event, journal, reporter, stopping } = context;
  const { prepared, persona, blank } = options;
  const ingested = await ingest(
    journal,
    run,
    prepared,
    {
      rows: { event, persona, blank },
      keepCells: options.rejects !== undefined,
      keepDomains: options.resolver !== undefined,
      stopping,
    },
    reporter,
  );
  const unchecked = prepared.mappings.findings.unchecked();
  if (unchecked.length > 0) {
    const names = unchecked.join(', ');
    reporter.report({
      type: 'note',
      text: `Sent as text, unchecked, because the type is not known: ${names}.`,
    });
  }
  return ingested;
}

/** Nothing is sent. The run is kept without its rows, so that `runs list` knows of it. */
function refuse(run: string, context: PushContext, begun: Begun): PushSummary {
  const { journal, clock } = context;
  const counts = countRows(journal, run);
  const problems = readProblems(journal, run);
  journal.run('DELETE FROM row WHERE run = $run', { $run: run });
  endRun(
    journal,
    run,
    'refused',
    clock.now(),
    `${plural(counts.rejected, 'row', 'rows')} rejected; nothing sent`,
  );
  const facts = { run, counts, sentBefore: 0, communications: 0, error: undefined, ...begun, problems };
  return summarise({ ...facts, state: 'refused' }, context);
}

/** What a run would do: the same claim as the real one, rolled back. */
function preview(
  read: string,
  refused: boolean,
  options: PushOptions,
  context: PushContext,
  begun: Begun,
): PushSummary {
  const { journal } = context;
  let counts = countRows(journal, read);
  let communications = 0;
  const problems = readProblems(journal, read);
  if (!refused) {
    journal.rehearse(() => {
      const { id } = claim(read, options, context);
      counts = { ...countRows(journal, id), rejected: counts.rejected };
      communications = countCommunications(journal, id, OPEN_STATES);
    });
  }
  deleteRun(journal, read);
  const facts = {
    run: undefined,
    counts,
    sentBefore: sentOf(counts),
    communications,
    error: undefined,
    ...begun,
    problems,
  };
  return summarise({ ...facts, state: refused ? 'refused' : 'planned' }, context);
}

const sentOf = (counts: RowCounts): number => counts.done + counts.accepted;

function claim(
  read: string,
  { fresh }: PushOptions,
  { journal, target, clock, self }: PushContext,
): ClaimedRun {
  return claimRun(journal, target, { read, fresh, now: clock.now(), self });
}

async function sendRows(
  read: string,
  options: PushOptions,
  context: PushContext,
  begun: Begun,
): Promise<PushSummary> {
  const { journal, clock } = context;
  const { id: run, resumed } = journal.transaction(() => claim(read, options, context));
  context.onRun(run);
  const sentBefore = sentOf(countRows(journal, run));
  const sending = { ...context, run };
  const error = await sendClaimed(sending, resumed, options, context).catch((failure: Error) => failure);
  const counts = countRows(journal, run);
  const open = counts.pending + counts.sending + counts.uncertain;
  const interrupted = context.stopping.aborted && (error !== undefined || open > 0);
  const state = interrupted ? 'interrupted' : error === undefined ? 'finished' : 'stopped';
  endRun(journal, run, state, clock.now(), interrupted ? undefined : error?.message);
  const communications = countCommunications(journal, run, SENT_STATES, begun.startedAt);
  return summarise({ run, state, counts, sentBefore, communications, error, ...begun }, context);
}

/** Settles what an earlier attempt or another run left uncertain, sends, and settles once more. */
async function sendClaimed(
  sending: SendContext,
  resumed: boolean,
  { settleMs }: PushOptions,
  context: PushContext,
): Promise<Error | undefined> {
  const { journal } = sending;
  announce(sending, resumed);
  await confirmCommunications(sending, context);
  await settleUncertain(sending, settleMs);
  await waitForOvertaken(sending, context.target, settleMs);
  const error = await sendPending(sending);
  if (error !== undefined || sending.stopping.aborted) return error;
  if ((await settleUncertain(sending, settleMs)) === 0) return undefined;
  // Their parents may have been among the rows just settled.
  journal.run(`UPDATE row SET state = 'pending' WHERE run = $run AND state = 'blocked'`, {
    $run: sending.run,
  });
  return await sendPending(sending);
}

function announce({ journal, run, reporter }: SendContext, resumed: boolean): void {
  const counts = countRows(journal, run);
  const done = counts.done + counts.accepted;
  if (resumed && counts.pending + counts.uncertain > 0) {
    reporter.report({
      type: 'note',
      text: `Resuming run ${run}: ${plural(done, 'row was', 'rows were')} sent before.`,
    });
  }
  if (counts.unchanged > 0) {
    const text = `${plural(counts.unchanged, 'row was', 'rows were')} sent by an earlier run and not changed since; --fresh sends everything again.`;
    reporter.report({ type: 'note', text });
  }
}

/** Mail and text messages to people cannot be taken back, so they need a yes of their own. */
async function confirmCommunications({ journal, run }: SendContext, context: PushContext): Promise<void> {
  const count = countCommunications(journal, run, OPEN_STATES);
  if (count === 0) return;
  const people = plural(count, 'person', 'people');
  if (
    await context.confirm(`The service will send e-mail or text messages to ${people} (enable_comms). Go on?`)
  )
    return;
  throw new GuardError('Nothing was sent.', {
    hint: 'Clear the enable_comms column to push without messages.',
  });
}

/** A run that ended while reading leaves no personal data behind. */
function dropUnclaimed(journal: Journal, read: string): void {
  try {
    journal.run(`DELETE FROM run WHERE id = $id AND state = 'reading'`, { $id: read });
  } catch {
    // The journal itself failed; that error is on its way already.
  }
}
