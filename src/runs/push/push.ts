import { InputError } from '../../errors.ts';
import { formatPlace, type Place } from '../../registration/model/row.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { checkRows } from '../read/check-rows.ts';
import { readGivenBefore } from '../read/given-before.ts';
import { ingest, type IngestResult } from '../read/ingest.ts';
import { countRows } from '../../sync/journal/queued-rows.ts';
import { settleSamePerson } from '../read/same-person.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Begun, PushContext, PushOptions } from './push-options.ts';
import { carryOut } from './carry-out.ts';
import { forgetRun } from '../../sync/journal/forget-runs.ts';
import { beginRun } from '../../sync/journal/runs.ts';
import { type PushSummary, summarise } from './summary.ts';
import { tellOutcomes } from '../../sync/journal/tell-outcomes.ts';
import { ReadAgain, type WhatNow } from './what-now.ts';
import { readProblems } from '../../sync/tell/problems.ts';

/** Read, validate, plan, send, settle, audit: the main job from file to summary. */
export async function push(options: PushOptions, context: PushContext): Promise<PushSummary> {
  const { journal, target, clock, self } = context;
  const startedAt = clock.now();
  const files = options.prepared.files.map(({ stored }) => stored.file);
  const read = beginRun(journal, { kind: 'push', target, files }, startedAt, self);
  try {
    const summary = await pushRows({ read, files, startedAt }, options, context);
    tellOutcomes({ ...context, run: summary.run ?? read });
    await context.onEnd?.(summary.run ?? read, summary);
    return summary;
  } finally {
    dropUnclaimed(journal, read);
  }
}

interface Reading {
  read: string;
  files: readonly string[];
  startedAt: number;
}

async function pushRows(
  { read, files, startedAt }: Reading,
  options: PushOptions,
  context: PushContext,
): Promise<PushSummary> {
  const { journal } = context;
  if (options.dryRun) journal.dryRun(read);
  const ingested = await readRows(read, options, context);
  journal.endReading();
  if (ingested.rows === 0) throw noRows(files, ingested.examples.length > 0);
  context.masks.refuseForeign();
  if (options.only !== undefined) keepOnly(journal, read, options.only, files);
  const columns = options.prepared.mappings.findings.barcodeColumns();
  const invalid = asksWhatNow(options, context) ? 'skip' : options.invalid;
  const found = { columns, likeExamples: ingested.likeExamples };
  const same = await checkRows(read, found, { ...options, invalid }, context);
  const { samePerson } = options;
  const asked = { samePerson, ask: context.askSamePerson };
  ingested.contacts.tell(context.reporter);
  const leftOut = await settleSamePerson(read, ingested.people, asked, context);
  const { rejected } = countRows(journal, read);
  const now = rejected > 0 ? await tellRejected(read, same, options, context) : undefined;
  if (keepsCells(options, context))
    journal.run('UPDATE row SET raw = NULL WHERE run = $run AND raw IS NOT NULL', { $run: read });
  const refused = rejected > 0 && options.invalid === 'stop' && now?.do !== 'send';
  const begun = { startedAt, repairs: ingested.repairs, leftOut };
  if (options.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return await dryRun(read, { ...begun, refused }, options, context);
  }
  const nothingValid = rejected > 0 && countRows(journal, read).pending === 0;
  if (refused || nothingValid) return refuse(read, begun, context);
  return await carryOut(read, begun, options, context);
}

/**
 * Tells of rows that cannot be sent, asks what is to become of them, and writes them where that is asked for. Throws
 * ReadAgain where more is to be said of the file first.
 */
async function tellRejected(
  run: string,
  same: ReadonlyMap<string, string>,
  options: PushOptions,
  context: PushContext,
): Promise<WhatNow | undefined> {
  const { foreignColumns, reportRejects, writeRejectsFile } = await import('../read/report-rejects.ts');
  reportRejects(run, context);
  const now = asksWhatNow(options, context)
    ? await context.whatNow?.({
        ...countSourceRows(context.journal, run),
        same: same.size,
        foreign: foreignColumns(run, context),
      })
    : undefined;
  if (now?.do === 'again') throw new ReadAgain();
  if (now?.do === 'same') throw new ReadAgain({ same });
  if (now?.do === 'leave-out') throw new ReadAgain({ leaveOut: now.column });
  const rejects = now?.do === 'write' ? now.rejects : options.rejects;
  await writeRejectsFile(run, { ...options, rejects }, context);
  return now;
}

/** Rows of the files: one with companions is several registrations. */
function countSourceRows(journal: Journal, run: string): { rejected: number; left: number } {
  const counts = journal.get<{ rejected: number; left: number }>(
    `SELECT count(DISTINCT CASE state WHEN 'rejected' THEN seq - part END) AS rejected,
       count(DISTINCT CASE state WHEN 'pending' THEN seq - part END) AS left FROM row WHERE run = $run`,
    { $run: run },
  );
  return counts ?? { rejected: 0, left: 0 };
}

function asksWhatNow({ invalid }: PushOptions, { whatNow }: PushContext): boolean {
  return invalid === 'stop' && whatNow !== undefined;
}

/** Whether a file of rejected rows is written, or may be. */
function keepsCells(options: PushOptions, context: PushContext): boolean {
  return options.rejects !== undefined || asksWhatNow(options, context);
}

/** Leaves only the rows with some barcodes. Throws for barcodes that the files do not have. */
function keepOnly(journal: Journal, run: string, only: readonly string[], files: readonly string[]): void {
  const wanted = { run, only: JSON.stringify(only) };
  const missing = journal.all<{ value: string; meant?: string }>(
    `SELECT value, (SELECT barcode FROM row WHERE run = $run AND lower(barcode) = lower(value)) AS meant
     FROM json_each($only) WHERE value NOT IN
       (SELECT barcode FROM row WHERE run = $run AND barcode IS NOT NULL)`,
    wanted,
  );
  if (missing.length > 0) {
    throw new InputError(`${files.join(', ')}: --only names barcodes that no row has.`, {
      details: missing.map(({ value, meant }) =>
        visible(typeof meant === 'string' ? `${value}: did you mean ${meant}?` : value),
      ),
      hint: 'Give barcodes as they stand in the file. Rows without a barcode cannot be named.',
    });
  }
  journal.run(
    `DELETE FROM row WHERE run = $run AND (barcode IS NULL OR barcode NOT IN (SELECT value FROM json_each($only)))`,
    wanted,
  );
}

/** An empty list is a mistake of whoever wrote it far more often than a list of nobody. */
function noRows(files: readonly string[], hasExample: boolean): InputError {
  if (hasExample) {
    return new InputError(`${files.join(', ')}: there is nobody to send but the example of the template.`, {
      hint: 'Write your guests into the rows below it, and push the file again.',
    });
  }
  return new InputError(`${files.join(', ')}: there are no rows.`, {
    hint: 'Is it the right file, and was it saved with its rows?',
  });
}

async function readRows(run: string, options: PushOptions, context: PushContext): Promise<IngestResult> {
  const { event, journal, reporter, stopping, masks } = context;
  const { prepared, persona, blank, makesBarcodes, samePeople } = options;
  const givenBefore = makesBarcodes ? new Map([...readGivenBefore(context), ...samePeople]) : undefined;
  const ingested = await ingest(
    journal,
    run,
    prepared,
    {
      rows: { event, persona, blank, makesBarcodes, ...(givenBefore && { givenBefore }) },
      keepCells: keepsCells(options, context),
      keepDomains: options.resolver !== undefined,
      masks,
      stopping,
    },
    reporter,
  );
  tellExamples(ingested.examples, reporter);
  tellUnchecked(prepared.mappings.findings.unchecked(), reporter);
  return ingested;
}

function tellExamples([first, ...more]: readonly Place[], reporter: Reporter): void {
  if (first === undefined) return;
  const text =
    more.length === 0
      ? `The example row of the template is left out (${formatPlace(first)}).`
      : `${more.length + 1} example rows of the template are left out (the first is ${formatPlace(first)}).`;
  reporter.report({ type: 'note', text });
}

/** Columns that are named in one line. */
const NAMED = 3;

function tellUnchecked(columns: readonly string[], reporter: Reporter): void {
  if (columns.length === 0) return;
  const many = plural(columns.length, 'column is', 'columns are');
  const text = `${many} sent as text, unchecked, because the type is not known`;
  const all = `${text}: ${columns.join(', ')}.`;
  const some = `${text}: ${columns.slice(0, NAMED).join(', ')}, … (--verbose names all).`;
  reporter.report({ type: 'note', text: columns.length > NAMED ? some : all, full: all });
}

/** Nothing is sent: what does not get past the check of its file is no run. */
function refuse(run: string, begun: Begun, context: PushContext): PushSummary {
  const { journal } = context;
  const counts = countRows(journal, run);
  const problems = readProblems(journal, run);
  const facts = {
    run: undefined,
    counts,
    sentBefore: 0,
    communications: 0,
    error: undefined,
    ...begun,
    problems,
  };
  return summarise({ ...facts, state: 'refused' }, context);
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
