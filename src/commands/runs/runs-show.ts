import type { Journal } from '../../runs/journal/journal.ts';
import { describeNotes, describeReasons, type Note, type Reason } from '../../registration/model/row.ts';
import { type Finding, readFindings } from '../../runs/journal/findings.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { formatDifference } from '../../report/words/difference-text.ts';
import { visible } from '../../report/words/escape.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { json, place, rowCodec, type RowOf, value } from '../../runs/journal/row-codec.ts';
import { listRuns } from '../../runs/journal/runs.ts';
import { didIn, remarksOn, shortTime, shownState } from '../../runs/journal/shown-state.ts';
import type { Runtime } from '../../runtime.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { findRun } from './runs-find.ts';
import { openRecords, say, tellPrograms } from '../terminal/terminal.ts';

const COLUMNS = [
  'file',
  'sheet',
  'line',
  'op',
  'plan',
  'state',
  'barcode',
  'persona',
  'registration_id',
  'attempts',
  'status',
  'sent_at',
  'done_at',
  'checked_at',
  'message',
  'differences',
  'mended',
];

/** Prints one record a row. Throws UsageError for an unknown run. */
export async function showRun(
  journal: Journal,
  options: RunsOptionsOf<'show'>,
  runtime: Runtime,
): Promise<void> {
  const run = findRun(journal, options.id);
  const target = `${visible(run.eventName)} at ${visible(serviceName(run.service))}`;
  const kind = run.undoes === undefined ? run.kind : `${run.kind} of ${run.undoes}`;
  const head = `Run ${run.id}, ${kind}, ${shownState(journal, run)}, ${isoTime(run.startedAt)}: ${target}`;
  say(options, runtime, `${head}; ${didIn(journal, run)}`);
  const from = listRuns(journal).flatMap(({ id, continuedBy }) => (continuedBy === run.id ? [id] : []));
  const since = run.later.map(({ at, text }) => `${shortTime(at)}: ${text}`);
  for (const remark of [...remarksOn(run, from), ...since]) say(options, runtime, visible(remark));
  await tellPrograms(options, runtime, 'runs-show@1', { run: run.id });
  const writer = openRecords(options, runtime, COLUMNS, ['runs-show@1', 'rows']);
  for (const row of rowsOf(journal, run.id, options)) await writer.write(row);
  if (options.state === undefined) {
    for (const finding of readFindings(journal, run.id)) {
      if (finding.seq === undefined) await writer.write(findingRecord(finding));
    }
  }
  await writer.end();
}

const ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  op: value<string>(),
  plan: value<string | undefined>(),
  state: value<string>(),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  attempts: value<number>(),
  status: value<number | undefined>(),
  sentAt: value<number | undefined>(),
  doneAt: value<number | undefined>(),
  checkedAt: value<number | undefined>(),
  message: value<string | undefined>(),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  findings: value<string | undefined>(`(SELECT group_concat(message, '; ') FROM finding
    WHERE finding.run = row.run AND finding.seq = row.seq)`),
  reasons: json<readonly Reason[] | undefined>(),
  notes: json<readonly Note[] | undefined>(),
});
type Row = RowOf<typeof ROW>;

/** Rows of a run in the order of the files, read a page at a time. */
function* rowsOf(
  journal: Journal,
  run: string,
  { state, showValues }: Pick<RunsOptionsOf<'show'>, 'state' | 'showValues'>,
): Generator<Record<string, unknown>> {
  const from =
    'FROM row WHERE run = $run AND seq > $after AND ($state IS NULL OR state = $state) ORDER BY seq';
  for (const row of journal.readAll(ROW, from, { run, state }, 'seq')) yield toRecord(row, showValues);
}

/** Of a registration that no row stands for. */
function findingRecord({ kind, id, barcode, message }: Finding): Record<string, unknown> {
  const nothing = Object.fromEntries(COLUMNS.map((column) => [column, null]));
  return { ...nothing, state: kind, barcode: barcode ?? null, registration_id: id ?? null, message };
}

/** Where the service holds it otherwise than it was to be left, and what else was found; undefined for nothing. */
function describeDifferences({ differences, findings }: Row, showValues: boolean): string | undefined {
  const all = [
    ...differences.map((one) => formatDifference(one, showValues)),
    ...(findings === undefined ? [] : [findings]),
  ];
  return all.length === 0 ? undefined : all.join('; ');
}

function toRecord(row: Row, showValues: boolean): Record<string, unknown> {
  const { place: at, remoteId, reasons, notes } = row;
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
    message: row.message ?? (reasons && describeReasons(reasons)),
    differences: describeDifferences(row, showValues),
    mended: notes && describeNotes(notes),
  };
  for (const column of COLUMNS) record[column] ??= null;
  return record;
}
