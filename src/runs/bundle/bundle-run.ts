import { extname } from 'node:path';
import type { EventInfo, Field } from '../../registration/model/persona.ts';
import { isSandbox } from '../../report/words/service-name.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { readFindings } from '../../sync/journal/findings.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { listRuns, otherHolder } from '../../sync/journal/runs.ts';
import { shownCounts, shownState } from '../../sync/journal/shown-state.ts';
import { RUN_ITSELF, stepsOfRows } from '../../sync/journal/steps.ts';
import { type Redaction, stepRecord } from './bundle-rows.ts';

const FORMATS = ['.xlsx', '.csv', '.json', '.ndjson', '.txt', '.tsv'];

/** What a run was, what it planned, and what it came to. */
export function runRecord(journal: Journal, run: Run, { tokens, shape }: Redaction): object {
  return {
    run: run.id,
    kind: run.kind,
    undoes: run.undoes ?? null,
    goes_on_from: listRuns(journal).flatMap(({ id, continuedBy }) => (continuedBy === run.id ? [id] : [])),
    continued_by: run.continuedBy ?? null,
    state: shownState(journal, run),
    at_work: otherHolder(journal, run) !== undefined,
    started: isoTime(run.startedAt),
    ended: isoTime(run.endedAt),
    service: isSandbox(run.service) ? 'sandbox' : run.service,
    files: run.files.map((file) => ({
      file: tokens.of(file),
      format: FORMATS.find((one) => one === extname(file).toLowerCase()) ?? null,
    })),
    message: shape.orNull(run.message),
    later: run.later.map(({ at, text }) => ({ at: isoTime(at), text: shape.ofText(text) })),
    counts: shownCounts(journal, run),
    plan: planOf(journal, run.id),
    findings: readFindings(journal, run.id).map(({ kind, seq, id, barcode, message }) => ({
      kind,
      row: seq ?? null,
      registration_id: tokens.orNull(id),
      barcode: tokens.orNull(barcode),
      message: shape.ofText(message),
    })),
    steps: (stepsOfRows(journal, run.id, [RUN_ITSELF]).get(RUN_ITSELF) ?? []).map((step) =>
      stepRecord(step, { tokens, shape }),
    ),
  };
}

/** How many rows are to become what, and where they stand. */
function planOf(journal: Journal, run: string): object[] {
  return journal
    .all<{ op: string; plan?: string; state: string; rows: number }>(
      `SELECT op, plan, state, count(*) AS rows FROM row WHERE run = $run GROUP BY op, plan, state ORDER BY op, plan, state`,
      { $run: run },
    )
    .map(({ op, plan, state, rows }) => ({ op, plan: plan ?? null, state, rows }));
}

/** What an event asks of its guests. */
export function eventRecord(event: EventInfo): object {
  const { eventId, slug, name, timezone, startDate, endDate, personas } = event;
  return {
    event_id: eventId,
    slug,
    name,
    timezone: timezone ?? null,
    start_date: startDate ?? null,
    end_date: endDate ?? null,
    personas: personas.map((persona) => ({
      slug: persona.slug,
      name: persona.name,
      fields: persona.fields.map(fieldRecord),
    })),
  };
}

const fieldRecord = ({ slug, label, type, kind, multiple, known, choices }: Field): object => ({
  slug,
  label,
  type,
  kind,
  multiple,
  checked: known,
  options: choices.map((choice) => ({ value: choice.value, label: choice.label })),
});
