import { fieldOfKey } from '../../registration/changes/aspect.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { FieldValue, RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowOp } from '../../sync/journal/run.ts';
import { type Step, stepsOfRows } from '../../sync/journal/steps.ts';
import type { TextShape } from './text-shape.ts';
import { isMadeId } from '../../report/words/made-id.ts';
import { isoTime } from '../../report/words/time-words.ts';
import type { Tokens } from './tokens.ts';

const ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  part: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  plan: value<string | undefined>(),
  persona: value<string | undefined>(),
  barcode: value<string | undefined>(),
  parentBarcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  enableComms: flag(),
  payload: json<Registration | undefined>(`CASE op WHEN 'send' THEN payload END`),
  before: json<RecordImage | undefined>('coalesce(latest, before)'),
  verdicts: json<Readonly<Record<string, string>>>(`coalesce(verdicts, '{}')`),
  reasons: json<readonly Reason[]>(`coalesce(reasons, '[]')`),
  notes: json<readonly Note[]>(`coalesce(notes, '[]')`),
  differences: json<readonly Difference[]>(`coalesce(differences, '[]')`),
  message: value<string | undefined>(),
  attempts: value<number>(),
  checkedAt: value<number | undefined>(),
});
type Row = RowOf<typeof ROW>;

/** What becomes of what may be told, and of what may not. */
export interface Redaction {
  tokens: Tokens;
  shape: TextShape;
}

/** The rows of a run, each field of each named here. */
export function* bundleRows(journal: Journal, run: string, redaction: Redaction): Generator<object> {
  const from = 'FROM row WHERE run = $run AND seq > $after ORDER BY seq';
  for (const page of journal.readPages(ROW, from, { $run: run }, 'seq')) {
    const steps = stepsOfRows(
      journal,
      run,
      page.map(({ seq }) => seq),
    );
    for (const row of page) yield rowRecord(row, steps.get(row.seq) ?? [], redaction);
  }
}

function rowRecord(row: Row, steps: readonly Step[], redaction: Redaction): object {
  const { tokens, shape } = redaction;
  const { seq, place: at, part, op, state, plan, attempts } = row;
  return {
    row: seq,
    file: at.file === '' ? null : tokens.of(at.file),
    sheet: tokens.orNull(at.sheet),
    line: at.line,
    part,
    op,
    plan: plan ?? null,
    state,
    persona: row.persona === undefined ? null : shape.ofName(row.persona),
    barcode: tokens.orNull(row.barcode),
    parent_barcode: tokens.orNull(row.parentBarcode),
    registration_id: tokens.orNull(row.remoteId),
    enable_comms: row.enableComms,
    attempts,
    checked_at: isoTime(row.checkedAt),
    message: shape.orNull(row.message),
    changes: changesOf(row, redaction),
    differences: row.differences.map(({ field, kind, expected, found }) => ({
      field: shape.ofName(field),
      kind,
      expected: ofValue(expected, tokens),
      found: ofValue(found, tokens),
    })),
    reasons: row.reasons.map(({ column, field, value: refused, problem, remedy }) => ({
      column: shape.orNull(column),
      field: field === undefined ? null : shape.ofName(field),
      value: tokens.orNull(refused),
      problem: shape.ofText(problem),
      remedy: shape.orNull(remedy),
    })),
    mended: row.notes.map(({ column, field, repair, before, after }) => ({
      column: shape.ofText(column),
      field: shape.ofName(field),
      repair: shape.ofText(repair),
      before: tokens.of(before),
      after: tokens.of(after),
    })),
    steps: steps.map((step) => stepRecord(step, redaction)),
  };
}

/** What was to change, with what became of it. */
function changesOf({ payload, before, verdicts }: Row, { tokens, shape }: Redaction): object[] {
  return Object.entries(verdicts).map(([key, verdict]) => ({
    field: shape.ofName(fieldOfKey(key)),
    verdict,
    file: ofValue(plainValue(payload?.fields[key]), tokens),
    service: ofValue(plainValue(before?.fields?.[key]), tokens),
  }));
}

export function stepRecord(
  { at, what, status, requestId, detail }: Step,
  { tokens, shape }: Redaction,
): object {
  return {
    at: isoTime(at),
    step: what,
    status: status ?? null,
    request_id: requestId === undefined ? null : ofRequest(requestId, tokens),
    // The limit of the service is nobody's.
    detail: what === 'paced' ? (detail ?? null) : shape.orNull(detail),
  };
}

/** A service may answer with an id of its own. */
const ofRequest = (id: string, tokens: Tokens): string => (isMadeId(id) ? id : tokens.of(id));

function ofValue(given: FieldValue | undefined, tokens: Tokens): string | string[] | null {
  if (given === undefined) return null;
  return typeof given === 'string' ? tokens.of(given) : given.map((one) => tokens.of(one));
}
