import { basename } from 'node:path';
import type { Journal } from '../../runs/journal/journal.ts';
import type { Run } from '../../runs/journal/run.ts';
import { listRuns } from '../../runs/journal/runs.ts';
import { didIn, remarksOn, shownCounts, shownState } from '../../runs/journal/shown-state.ts';
import type { Runtime } from '../../runtime.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { isoTime } from './runs-find.ts';
import { isDrawn, openRecords } from '../terminal/terminal.ts';

const COLUMNS = [
  'run',
  'kind',
  'started',
  'ended',
  'state',
  'new',
  'changed',
  'sent',
  'unchanged',
  'kept',
  'deleted',
  'restored',
  'left',
  'rejected',
  'failed',
  'conflict',
  'values_in_conflict',
  'blocked',
  'uncertain',
  'open',
  'files',
  'event',
  'undoes',
  'continued_by',
  'message',
  'later',
];

/** Prints one record a run: words for people, figures for programs. */
export async function listAllRuns(
  journal: Journal,
  options: RunsOptionsOf<'list'>,
  runtime: Runtime,
): Promise<void> {
  const drawn = isDrawn(options, runtime);
  const runs = listRuns(journal).filter((run) => !isLeftOver(journal, run));
  const isOneEvent = new Set(runs.map(({ eventName }) => eventName)).size < 2;
  const words = isOneEvent ? WORDS.filter((column) => column !== 'event') : WORDS;
  const writer = openRecords(options, runtime, drawn ? words : COLUMNS);
  for (const run of runs) {
    const from = runs.filter(({ continuedBy }) => continuedBy === run.id).map(({ id }) => id);
    const records = drawn ? inWords(journal, run, from) : [inFigures(journal, run, options.output)];
    for (const record of records) await writer.write(record);
  }
  await writer.end();
}

/** Killed before its file was checked, or when it was being forgotten: no run. */
function isLeftOver(journal: Journal, run: Run): boolean {
  return run.state === 'reading' && shownState(journal, run) === 'killed';
}

const WORDS = ['run', 'started', 'file', 'came to', 'state', 'event'];

/** Of states that have another name in the journal. */
const STATES: Readonly<Record<string, string>> = { finished: 'done', sending: 'under way' };

/** A line for the run, and one for each thing there is to say beside; what became of it since has its time. */
function inWords(journal: Journal, run: Run, from: readonly string[]): Record<string, unknown>[] {
  const state = shownState(journal, run);
  const files = run.files.map((file) => basename(file)).join(', ');
  const line = {
    run: run.id,
    started: isoTime(run.startedAt),
    file: run.kind === 'push' ? files : [run.kind, files].filter(Boolean).join(' '),
    'came to': didIn(journal, run),
    state: STATES[state] ?? state,
    event: run.eventName,
  };
  const since = run.later.map(({ at, text }) => ({ started: isoTime(at), 'came to': text }));
  return [line, ...remarksOn(run, from).map((text) => ({ 'came to': text })), ...since];
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
    later:
      output === 'csv' || output === 'table'
        ? later.map(({ at, text }) => `${at}: ${text}`).join('; ')
        : later,
  };
}
