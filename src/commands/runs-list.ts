import type { Command } from 'commander';
import { z } from 'zod';
import { countRows, type Journal } from '../push/journal.ts';
import { listRuns } from '../push/runs.ts';
import { shownState } from '../push/shown-state.ts';
import type { RowState } from '../registration/row-state.ts';
import type { Runtime } from '../runtime.ts';
import { globalOptions, type Handler, parseOptions, rawOptions } from './options.ts';
import { isoTime } from './runs-find.ts';
import { openRecords } from './terminal.ts';

export const listRunsOptions = globalOptions.extend({ action: z.literal('list') });
export type ListRunsOptions = z.infer<typeof listRunsOptions>;

/** Defines `runs list`, which is also what `runs` alone does. */
export function defineListRuns(command: Command, handle: Handler<ListRunsOptions>): Command {
  const sub = command.command('list', { isDefault: true }).description('list all runs, newest first');
  return sub.action(async () => {
    await handle(parseOptions(listRunsOptions, { ...rawOptions(sub), action: 'list' }));
  });
}

const COLUMNS = [
  'run',
  'kind',
  'started',
  'state',
  'sent',
  'deleted',
  'open',
  'failed',
  'uncertain',
  'files',
  'event',
  'message',
];

/** For people: `2027-03-01 08:15`, in UTC as everywhere. */
const shortTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Prints one record a run. */
export async function listAllRuns(
  journal: Journal,
  options: ListRunsOptions,
  runtime: Runtime,
): Promise<void> {
  const writer = openRecords(options, runtime, COLUMNS);
  for (const run of listRuns(journal)) {
    const counts = countRows(journal, run.id);
    const deletions = countRows(journal, run.id, 'delete');
    const both = (...states: RowState[]): number =>
      states.reduce((sum, state) => sum + counts[state] + deletions[state], 0);
    await writer.write({
      run: run.id,
      kind: run.kind,
      started: options.output === 'table' ? shortTime(run.startedAt) : isoTime(run.startedAt),
      state: shownState(journal, run),
      // What was deleted since was sent all the same.
      sent: counts.done + counts.accepted + counts.deleted,
      deleted: deletions.deleted,
      open: both('pending', 'sending'),
      failed: both('rejected', 'failed', 'conflict', 'blocked'),
      uncertain: both('uncertain'),
      files: run.files.join(', '),
      event: run.eventName,
      message: run.message ?? '',
    });
  }
  await writer.end();
}
