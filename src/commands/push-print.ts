import type { PushSummary } from '../push/summary.ts';
import { jsonText } from '../report/json-text.ts';
import { formatSummary, summaryRecord } from '../report/push-summary.ts';
import type { Runtime } from '../runtime.ts';
import type { PushCommandOptions } from './push-options.ts';
import { openRecords } from './terminal.ts';

/** Prints what a push came to: as data on stdout where that is asked for, in words on stderr. */
export async function printSummary(
  summary: PushSummary,
  options: PushCommandOptions,
  runtime: Runtime,
): Promise<void> {
  const { output, quiet, showValues } = options;
  const record = summaryRecord(summary, showValues);
  if (output === 'csv') await printCsv(record, options, runtime);
  else if (output !== 'table') runtime.stdout.write(`${jsonText(record)}\n`);
  if (!quiet || summary.exitCode !== 0) runtime.stderr.write(`${formatSummary(summary, showValues)}\n`);
}

async function printCsv(
  summary: Record<string, unknown>,
  options: PushCommandOptions,
  runtime: Runtime,
): Promise<void> {
  const writer = openRecords(options, runtime, Object.keys(summary));
  await writer.write(summary);
  await writer.end();
}
