import { createOutputSink } from '../records/output-sink.ts';
import { emptyTally, formatTally, planBlock, tallyEntry } from './plan-block.ts';
import { PLAN_COLUMNS, planRecord, planRows } from './plan-records.ts';
import type { PlanEntryView } from '../views/plan-view.ts';
import { createRecordWriter, type RecordWriter, type RecordWriterOptions } from '../records/record-writer.ts';
import { wrapWords } from '../words/wrap-words.ts';
import type { ShowValue } from '../words/shown-value.ts';

export interface PlanDiffOptions extends Pick<RecordWriterOptions, 'stream' | 'color'> {
  /** table: blocks for people; json: an array; ndjson: a line an entry; csv: a row a change. */
  format: 'table' | 'json' | 'ndjson' | 'csv';
  /** Masks values of persons where that is asked for. */
  show: ShowValue;
  /** Where json goes, in place of an array on the stream. */
  records?: RecordWriter | undefined;
}

/**
 * Prints what is planned, entry by entry as they come, in flat memory. What stays as it is is only
 * counted, and that only for people. Ends quietly when the reader goes away; rejects when the stream fails.
 */
export async function printPlanDiff(
  entries: Iterable<PlanEntryView>,
  options: PlanDiffOptions,
): Promise<void> {
  await (options.format === 'table' ? printBlocks(entries, options) : printRecords(entries, options));
}

async function printBlocks(entries: Iterable<PlanEntryView>, options: PlanDiffOptions): Promise<void> {
  const sink = createOutputSink(options.stream);
  const { isTTY, columns = 0 } = options.stream;
  const tally = emptyTally();
  for (const entry of entries) {
    if (sink.closed) break;
    tallyEntry(tally, entry);
    const block = planBlock(entry, options);
    if (block !== undefined) await sink.write(`${isTTY === true ? wrapWords(block, columns) : block}\n`);
  }
  await sink.write(`Plan: ${formatTally(tally)}.\n`);
  await sink.flush();
}

async function printRecords(
  entries: Iterable<PlanEntryView>,
  { format, stream, color, show, records: given }: PlanDiffOptions,
): Promise<void> {
  const writer = given ?? createRecordWriter({ format, stream, columns: PLAN_COLUMNS, width: 0, color });
  for (const entry of entries) {
    if (writer.closed) break;
    const record = planRecord(entry, show);
    const records = format === 'csv' ? planRows(entry, show) : record === undefined ? [] : [record];
    for (const one of records) await writer.write(one);
  }
  await writer.end();
}
