import { RUNS_DOCUMENTS } from '../../documents/runs-documents.ts';
import { basename } from 'node:path';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { listRuns, findRuns, otherHolder, processOf } from '../../sync/journal/runs.ts';
import { didIn, remarksOn, shownCounts, shownState, stateInWords } from '../../sync/tell/run-words.ts';
import { visible } from '../../report/words/escape.ts';
import { cloneIn, serviceName } from '../../report/words/service-name.ts';
import { isoTime, timeInWords } from '../../report/words/time-words.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { isDrawn, printRecords, type Call } from '../terminal/terminal.ts';
import { GuardError, UsageError } from '../../errors.ts';

const COLUMNS = Object.keys(RUNS_DOCUMENTS['runs@1'].runs.element.shape);

/** Prints one record a run: words in a table, figures for programs. */
export async function listAllRuns(journal: Journal, call: Call<RunsOptionsOf<'list'>>): Promise<void> {
  const { options, runtime } = call;
  const inTable = options.output === 'table';
  // Killed before its file was checked, or when it was being forgotten: no run.
  const runs = listRuns(journal).filter(
    (run) => run.state !== 'reading' || shownState(journal, run) !== 'killed',
  );
  const isDrawnOne = isDrawn(options, runtime);
  const isOneEvent = isDrawnOne && new Set(runs.map(eventOf)).size < 2;
  const isShared = runs.some(({ who }) => who !== undefined);
  const words = [
    ...(isOneEvent ? WORDS.filter((column) => column !== 'event') : WORDS),
    // Who looks at it in a terminal reads it below.
    ...(isShared && !isDrawnOne ? ['by'] : []),
  ];
  const records = runs.map((run) =>
    inTable ? inWords(journal, run) : inFigures(journal, run, options.output),
  );
  const columns = isShared ? COLUMNS : COLUMNS.filter((column) => column !== 'by');
  await printRecords(records, call, inTable ? words : columns, ['runs@1', 'runs']);
  const remarks = isDrawnOne ? runs.flatMap((run) => remarksBelow(run, runs, runtime)) : [];
  if (remarks.length > 0) writeMessage(runtime.stdout, ['', ...remarks].join('\n'));
}

const WORDS = ['run', 'started', 'came to', 'state', 'file', 'event'];

function inWords(journal: Journal, run: Run): Record<string, unknown> {
  const files = run.files.map((file) => basename(file)).join(', ');
  return {
    run: run.id,
    started: isoTime(run.startedAt),
    file: run.kind === 'push' ? files : [run.kind, files].filter(Boolean).join(' '),
    'came to': didIn(journal, run),
    state: stateInWords(shownState(journal, run)),
    event: eventOf(run),
    by: run.who,
  };
}

/** The clone tells what rehearses it from the event itself. */
function eventOf({ eventName, service }: Run): string {
  const clone = cloneIn(service);
  return clone === undefined ? eventName : `${eventName}, clone ${clone}`;
}

/** What there is to say beside of a run, in lines of their own: they name runs, and a cell would be cut. */
function remarksBelow(run: Run, runs: readonly Run[], { clock, timeZone }: Runtime): string[] {
  const here = { nowMs: clock.now(), timeZone };
  const remarks = remarksOn(run, runs, (at) => timeInWords(at, here));
  if (run.who !== undefined) remarks.unshift(`by ${run.who}`);
  return remarks.map((text) => visible(`${run.id}  ${text}`));
}

function inFigures(journal: Journal, run: Run, output: string): Record<string, unknown> {
  const later = run.later.map(({ at, text }) => ({ at: isoTime(at), text }));
  const { values, ...counts } = shownCounts(journal, run);
  return {
    run: run.id,
    kind: run.kind,
    started: isoTime(run.startedAt),
    ended: isoTime(run.endedAt),
    state: shownState(journal, run),
    ...counts,
    values_in_conflict: values,
    files: run.files.join(', '),
    event: run.eventName,
    undoes: run.undoes ?? null,
    continued_by: run.continuedBy ?? null,
    message: run.message ?? '',
    later: output === 'csv' ? later.map(({ at, text }) => `${at}: ${text}`).join('; ') : later,
    service: serviceName(run.service),
    ...(run.who === undefined ? {} : { by: run.who }),
  };
}

/** The one run whose id is, or begins with, what was typed. Throws UsageError when there is none, or are several. */
export function findRun(journal: Journal, id: string): Run {
  const [run, ...others] = findRuns(journal, id);
  if (run !== undefined && others.length === 0) return run;
  const quoted = visible(JSON.stringify(id));
  if (run === undefined) {
    throw new UsageError(`There is no run ${quoted}.`, { hint: 'See all with `eventreg runs`.' });
  }
  throw new UsageError(`Several runs begin with ${quoted}.`, {
    details: [run, ...others].map((one) => `${one.id}, ${isoTime(one.startedAt)}, ${one.files.join(', ')}`),
    hint: 'Give more characters of the id.',
  });
}

/** The run that began last. Throws UsageError when there is none. */
export function lastRun(journal: Journal): Run {
  const [run] = listRuns(journal);
  if (run !== undefined) return run;
  throw new UsageError('There is no run yet.', { hint: 'The first `eventreg push` makes one.' });
}

/** Throws GuardError while another process works on the run. */
export function refuseHeld(journal: Journal, run: Run): void {
  const holder = otherHolder(journal, run);
  if (holder === undefined) return;
  throw new GuardError('busy', `Run ${run.id} is being worked on: ${processOf(holder)}.`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there.',
  });
}
