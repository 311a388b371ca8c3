import type { Journal } from '../../sync/journal/journal.ts';
import { settleReports } from '../connect/report-files.ts';
import { printRecords, type Call } from '../terminal/terminal.ts';
import { findRun } from './runs-find.ts';
import type { RunsOptionsOf } from './runs-options.ts';

/** Writes reports of a run as the journal has it. Throws UsageError for an unknown run. */
export async function reportRun(journal: Journal, call: Call<RunsOptionsOf<'report'>>): Promise<void> {
  const { options } = call;
  const run = findRun(journal, options.id);
  const reports = await settleReports(call, { kind: 'report', inputs: [], tellsJob: false });
  await reports.write(journal, run.id);
  reports.end();
  if (options.output === 'table') return;
  const records = reports.files.map(({ format, file }) => ({ run: run.id, format, file }));
  await printRecords(records, call, ['run', 'format', 'file'], ['runs-report@1', 'reports']);
}
