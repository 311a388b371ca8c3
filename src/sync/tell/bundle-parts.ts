import { extname } from 'node:path';
import { fieldOfKey } from '../../registration/changes/aspect.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { EventInfo, Field } from '../../registration/model/persona.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { isMadeId } from '../../report/words/made-id.ts';
import { isSandbox } from '../../report/words/service-name.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { readShares } from '../journal/count-run.ts';
import { readFindings } from '../journal/findings.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { otherHolder } from '../journal/runs.ts';
import { RUN_ITSELF, type Step, stepsOf } from '../journal/steps.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import type { Redaction } from './redaction.ts';
import { goesOnFrom, shownCounts, shownState } from './run-words.ts';

const FORMATS = ['.xlsx', '.csv', '.json', '.ndjson', '.txt', '.tsv'];

/** What a run was, what it planned, and what it came to. */
export function runRecord(journal: Journal, run: Run, hide: Redaction): object {
  return {
    run: run.id,
    kind: run.kind,
    undoes: run.undoes ?? null,
    goes_on_from: goesOnFrom(journal, run),
    continued_by: run.continuedBy ?? null,
    state: shownState(journal, run),
    at_work: otherHolder(journal, run) !== undefined,
    started: isoTime(run.startedAt),
    ended: isoTime(run.endedAt),
    service: isSandbox(run.service) ? 'sandbox' : run.service,
    files: run.files.map((file) => ({
      file: hide.token(file),
      format: FORMATS.find((one) => one === extname(file).toLowerCase()) ?? null,
    })),
    message: hide.text(run.message),
    later: run.later.map(({ at, text }) => ({ at: isoTime(at), text: hide.text(text) })),
    counts: shownCounts(journal, run),
    plan: planOf(journal, run.id),
    findings: readFindings(journal, run.id).map(({ kind, seq, id, barcode, message }) => ({
      kind,
      row: seq ?? null,
      registration_id: hide.token(id),
      barcode: hide.token(barcode),
      message: hide.text(message),
    })),
    steps: stepsOf(journal, run.id, RUN_ITSELF).map((step) => stepRecord(step, hide)),
  };
}

/** How many rows are to become what, and where they stand. */
function planOf(journal: Journal, run: string): object[] {
  const plan = new Map<string, { op: string; plan: string | null; state: string; rows: number }>();
  for (const { op, plan: planned = null, state, n } of readShares(journal, run)) {
    const key = [op, planned ?? '', state].join(' ');
    plan.set(key, { op, plan: planned, state, rows: n + (plan.get(key)?.rows ?? 0) });
  }
  return [...plan].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, share]) => share);
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

/** The rows of a run, each field of each named here. */
export function* bundleRows(journal: Journal, run: string, redaction: Redaction): Generator<object> {
  for (const row of toldRows(journal, run)) yield rowRecord(row, redaction);
}

function rowRecord(row: ToldRow, hide: Redaction): object {
  const { place: at } = row;
  return {
    row: row.seq,
    file: at.file === '' ? null : hide.token(at.file),
    sheet: hide.token(at.sheet),
    line: at.line,
    part: row.part,
    op: row.op,
    plan: row.plan ?? null,
    state: row.state,
    persona: hide.name(row.persona),
    barcode: hide.token(row.barcode),
    parent_barcode: hide.token(row.parentBarcode),
    registration_id: hide.token(row.remoteId),
    enable_comms: row.enableComms,
    attempts: row.attempts,
    checked_at: isoTime(row.checkedAt),
    message: hide.text(row.message),
    changes: changesOf(row, hide),
    differences: row.differences.map(({ field, kind, expected, found }) => ({
      field: hide.name(field),
      kind,
      expected: ofValue(expected, hide),
      found: ofValue(found, hide),
    })),
    reasons: row.reasons.map(({ column, field, value, problem, remedy }) => ({
      column: hide.text(column),
      field: hide.name(field),
      value: hide.token(value),
      problem: hide.text(problem),
      remedy: hide.text(remedy),
    })),
    mended: row.notes.map(({ column, field, repair, before, after }) => ({
      column: hide.text(column),
      field: hide.name(field),
      repair: hide.text(repair),
      before: hide.token(before),
      after: hide.token(after),
    })),
    steps: row.steps.map((step) => stepRecord(step, hide)),
  };
}

/** What was to change, with what became of it. */
const changesOf = ({ payload, before, verdicts }: ToldRow, hide: Redaction): object[] =>
  Object.entries(verdicts).map(([key, verdict]) => ({
    field: hide.name(fieldOfKey(key)),
    verdict,
    file: ofValue(plainValue(payload?.fields[key]), hide),
    service: ofValue(plainValue(before?.fields?.[key]), hide),
  }));

const stepRecord = ({ at, what, status, requestId, detail }: Step, hide: Redaction): object => ({
  at: isoTime(at),
  step: what,
  status: status ?? null,
  // A service may answer with an id of its own.
  request_id: requestId !== undefined && isMadeId(requestId) ? requestId : hide.token(requestId),
  // The limit of the service is nobody's.
  detail: what === 'paced' ? (detail ?? null) : hide.text(detail),
});

function ofValue(given: FieldValue | undefined, hide: Redaction): string | string[] | null {
  return typeof given === 'object' ? given.map((one) => hide.token(one)) : hide.token(given);
}
