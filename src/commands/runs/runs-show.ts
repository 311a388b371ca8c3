import type { Journal } from '../../runs/journal/journal.ts';
import { describeNotes, describeReasons } from '../../registration/model/row.ts';
import { type Finding, readFindings } from '../../runs/journal/findings.ts';
import type { Difference } from '../../registration/model/difference.ts';
import { formatDifference } from '../../report/words/difference-text.ts';
import { visible } from '../../report/words/escape.ts';
import { serviceName } from '../../report/words/service-name.ts';
import { listRuns } from '../../runs/journal/runs.ts';
import { didIn, remarksOn, shortTime, shownState } from '../../runs/journal/shown-state.ts';
import type { Runtime } from '../../runtime.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { findRun, isoTime } from './runs-find.ts';
import { openRecords, say } from '../terminal/terminal.ts';

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
  const writer = openRecords(options, runtime, COLUMNS);
  for (const row of rowsOf(journal, run.id, options)) await writer.write(row);
  if (options.state === undefined) {
    for (const finding of readFindings(journal, run.id)) {
      if (finding.seq === undefined) await writer.write(findingRecord(finding));
    }
  }
  await writer.end();
}

interface StoredRow {
  seq: number;
  file: string;
  sheet: string | null;
  line: number;
  op: string;
  plan: string | null;
  state: string;
  barcode: string | null;
  persona: string | null;
  remote_id: string | null;
  attempts: number;
  status: number | null;
  sent_at: number | null;
  done_at: number | null;
  checked_at: number | null;
  message: string | null;
  differences: string | null;
  findings: string | null;
  reasons: string | null;
  notes: string | null;
}

/** Rows of a run in the order of the files, read a page at a time. */
function* rowsOf(
  journal: Journal,
  run: string,
  { state, showValues }: Pick<RunsOptionsOf<'show'>, 'state' | 'showValues'>,
): Generator<Record<string, unknown>> {
  const pages = journal.pages<StoredRow>(
    `SELECT *, (SELECT group_concat(message, '; ') FROM finding WHERE finding.run = row.run AND finding.seq = row.seq)
       AS findings FROM row WHERE run = $run AND seq > $after AND ($state IS NULL OR state = $state)
     ORDER BY seq`,
    { $run: run, $state: state },
    'seq',
  );
  for (const page of pages) yield* page.map((row) => toRecord(row, showValues));
}

/** Of a registration that no row stands for. */
function findingRecord({ kind, id, barcode, message }: Finding): Record<string, unknown> {
  const nothing = Object.fromEntries(COLUMNS.map((column) => [column, null]));
  return { ...nothing, state: kind, barcode: barcode ?? null, registration_id: id ?? null, message };
}

/** Where the service holds it otherwise than it was to be left, and what else was found; null for nothing. */
function describeDifferences({ differences, findings }: StoredRow, showValues: boolean): string | null {
  const all = (JSON.parse(differences ?? '[]') as Difference[]).map((one) =>
    formatDifference(one, showValues),
  );
  if (findings !== null) all.push(findings);
  return all.length === 0 ? null : all.join('; ');
}

function toRecord(row: StoredRow, showValues: boolean): Record<string, unknown> {
  return {
    file: row.file,
    sheet: row.sheet,
    line: row.line,
    op: row.op,
    plan: row.plan,
    state: row.state,
    barcode: row.barcode,
    persona: row.persona,
    registration_id: row.remote_id,
    attempts: row.attempts,
    status: row.status,
    sent_at: isoTime(row.sent_at ?? undefined),
    done_at: isoTime(row.done_at ?? undefined),
    checked_at: isoTime(row.checked_at ?? undefined),
    message: row.message ?? describeReasons(row.reasons) ?? null,
    differences: describeDifferences(row, showValues),
    mended: describeNotes(row.notes) ?? null,
  };
}
