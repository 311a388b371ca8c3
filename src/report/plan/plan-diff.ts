import { createOutputSink } from '../records/output-sink.ts';
import { emptyTally, formatTally, planBlock, tallyEntry } from './plan-block.ts';
import { type PlanEntryView, shownAction } from '../views/plan-view.ts';
import { createRecordWriter, type RecordWriter, type RecordWriterOptions } from '../records/record-writer.ts';
import { wrapWords } from '../words/wrap-words.ts';
import type { ShowValue } from '../words/shown-value.ts';
import { planChange, type PlanEntry, planEntryHead } from '../../documents/push-documents.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { placeRecord } from '../words/row-remarks.ts';

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

/** Columns of a plan as CSV: a row a change, so that values stand beside each other. */
const PLAN_COLUMNS: readonly string[] = [
  ...Object.keys(planEntryHead),
  ...Object.keys(planChange.shape),
  'why',
];

/**
 * An entry of a plan for programs: the same keys every time, and two more where values are compared. Undefined for what
 * stays as it is, unless they are.
 */
function planRecord(entry: PlanEntryView, show: ShowValue): PlanEntry | undefined {
  const head = headOf(entry);
  if (head === undefined) return undefined;
  return { ...head, changes: changesOf(entry, show), why: entry.why ?? null, ...comparedOf(entry, show) };
}

function comparedOf(
  { persona, compared }: PlanEntryView,
  show: ShowValue,
): Pick<PlanEntry, 'last_sent' | 'values'> {
  if (compared === undefined) return {};
  const { lastSent, values } = compared;
  const shown = shower(persona, show);
  return {
    last_sent: lastSent === undefined ? null : { run: lastSent.run, at: new Date(lastSent.at).toISOString() },
    values: values.map(({ field, file, sent, service }) => ({
      field,
      file: shown(field, file),
      last_sent: shown(field, sent),
      service: shown(field, service),
    })),
  };
}

/** An entry as rows of CSV: one a change, or one alone where nothing is known of values. */
function planRows(entry: PlanEntryView, show: ShowValue): Record<string, unknown>[] {
  const head = headOf(entry);
  if (head === undefined) return [];
  const changes = changesOf(entry, show);
  const rows = changes.length === 0 ? [{ field: null, before: null, after: null, left: null }] : changes;
  return rows.map((change) => ({ ...head, ...change, why: entry.why ?? null }));
}

function headOf(entry: PlanEntryView): Omit<PlanEntry, 'changes' | 'why'> | undefined {
  const action = shownAction(entry) ?? (entry.compared && 'unchanged');
  if (action === undefined) return undefined;
  const { place, barcode, persona, id } = entry;
  return {
    action,
    place: place === undefined ? null : formatPlace(place),
    ...placeRecord(place),
    barcode: barcode ?? null,
    persona: persona ?? null,
    registration_id: id ?? null,
  };
}

function changesOf({ persona, changes }: PlanEntryView, show: ShowValue): PlanEntry['changes'] {
  const shown = shower(persona, show);
  return changes.map(({ field, before, after, left }) => ({
    field,
    before: shown(field, before),
    after: shown(field, after),
    left: left ?? null,
  }));
}

const shower =
  (persona: string | undefined, show: ShowValue) =>
  (field: string, value: FieldValue | undefined): FieldValue | null =>
    show(persona, field, value) ?? null;
