import { RUNS_DOCUMENTS } from '../../documents/runs-documents.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { describeNotes, describeReasons } from '../../registration/model/row.ts';
import { type Finding, readFindings } from '../../sync/journal/steps.ts';
import { differenceRecord, formatDifference } from '../../report/words/difference-text.ts';
import { visible } from '../../report/words/escape.ts';
import { mendedRecord } from '../../report/words/row-remarks.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { type ToldRow, toldRows } from '../../sync/journal/told-rows.ts';
import { didIn, kindOf, remarksOn, shownState } from '../../sync/tell/run-words.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { isoTime, timeInWords } from '../../report/words/time-words.ts';
import { tellIdsOf } from '../connect/tell-ids.ts';
import { listRuns } from '../../sync/journal/runs.ts';
import { findRun, lastRun } from './runs-list.ts';
import { isDrawn, openRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';

const COLUMNS = Object.keys(RUNS_DOCUMENTS['runs-show@1'].rows.element.omit({ findings: true }).shape);
/** What a terminal has room for, the most telling first. */
const DRAWN = ['line', 'state', 'plan', 'barcode', 'message', 'differences', 'mended', 'file', 'sheet'];

/** Prints one record a row. Throws UsageError for an unknown run. */
export async function showRun(journal: Journal, call: Call<RunsOptionsOf<'show'>>): Promise<void> {
  const { options, runtime } = call;
  const run = options.id === undefined ? lastRun(journal) : findRun(journal, options.id);
  tellIdsOf(runtime, run.service);
  const target = `${visible(run.eventName)} at ${visible(serviceName(run.service))}`;
  const drawn = isDrawn(options, runtime);
  const here = { nowMs: runtime.clock.now(), timeZone: runtime.timeZone };
  const started = drawn ? timeInWords(run.startedAt, here) : isoTime(run.startedAt);
  const head = `Run ${run.id}, ${kindOf(run)}, ${shownState(journal, run)}, ${started}: ${target}`;
  say(call, `${head}; ${didIn(journal, run)}`);
  for (const remark of remarksOn(run, listRuns(journal))) say(call, remark);
  await tellPrograms(call, 'runs-show@1', { run: run.id });
  const writer = openRecords(call, drawn ? DRAWN : COLUMNS, ['runs-show@1', 'rows']);
  for (const row of toldRows(journal, run.id)) {
    if (options.state === undefined || row.state === options.state)
      await writer.write(toRecord(row, options));
  }
  if (options.state === undefined) {
    for (const finding of readFindings(journal, run.id)) {
      if (finding.seq === undefined) await writer.write(findingRecord(finding, isData(options.output)));
    }
  }
  await writer.end();
}

type Shown = Pick<RunsOptionsOf<'show'>, 'showValues' | 'output'>;

/** Of a registration that no row stands for. */
function findingRecord({ kind, id, barcode, message }: Finding, asData: boolean): Record<string, unknown> {
  const nothing = Object.fromEntries(COLUMNS.map((column) => [column, null]));
  const lists = asData ? { differences: [], findings: [], mended: [] } : {};
  const who = { barcode: barcode ?? null, registration_id: id ?? null };
  return { ...nothing, state: kind, ...who, message, ...lists };
}

/** What is said of the values of a row: as lists, or each list as a text for a cell. */
function saidOf(
  { differences, findings: found, notes }: ToldRow,
  { showValues, output }: Shown,
): Record<string, unknown> {
  const findings = found.map(({ message }) => message);
  if (isData(output)) {
    return {
      differences: differences.map((one) => differenceRecord(one, showValues)),
      findings,
      mended: notes.map((note) => mendedRecord(note, showValues)),
    };
  }
  const told = [...differences.map((one) => formatDifference(one, showValues)), ...findings];
  return { differences: told.join('; ') || null, mended: describeNotes(notes) || null };
}

const isData = (output: Shown['output']): boolean => output === 'json' || output === 'ndjson';

function toRecord(row: ToldRow, shown: Shown): Record<string, unknown> {
  const { place: at, remoteId, reasons } = row;
  const record: Record<string, unknown> = {
    file: at.file,
    sheet: at.sheet,
    line: at.line,
    op: row.op,
    plan: row.plan,
    state: row.state,
    barcode: row.barcode,
    persona: row.persona,
    registration_id: remoteId,
    attempts: row.attempts,
    status: row.status,
    sent_at: isoTime(row.sentAt),
    done_at: isoTime(row.doneAt),
    checked_at: isoTime(row.checkedAt),
    message: row.message ?? (reasons.length > 0 ? describeReasons(reasons) : null),
    ...saidOf(row, shown),
  };
  for (const column of COLUMNS) record[column] ??= null;
  return record;
}
