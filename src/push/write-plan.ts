import { changesTo, type FieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../registration/registration.ts';
import type { ComparedRow } from './compare-row.ts';
import { writeOutcome } from './journal.ts';
import type { PlanAction } from './plan-action.ts';
import type { PlanDecision } from './plan-row.ts';
import type { SendContext } from './send-context.ts';

export interface PlanWriting {
  context: Pick<SendContext, 'journal' | 'run' | 'clock'>;
  fields: FieldsOf;
  /** Send also what the service holds already. */
  fresh: boolean;
  /** The step as of which the service holds what was read. */
  step: number;
}

/** The record as the journal keeps it. */
export function imageOf({ raw: _raw, ...image }: RegistrationRecord): RecordImage {
  return image;
}

/** Writes what becomes of a row, and returns it. Call it in a transaction. */
export function writeDecision(writing: PlanWriting, row: ComparedRow, decision: PlanDecision): PlanAction {
  if (decision.action === 'conflict') return writeConflict(writing, row, decision);
  const isOpen = row.state === 'pending';
  if (decision.action === 'unknown' && !isOpen) return keep(writing, row, decision);
  if (decision.action === 'unchanged' && !(writing.fresh && isOpen)) return confirm(writing, row, decision);
  const action = decision.action === 'unchanged' ? 'update' : decision.action;
  return queue(writing, row, { ...decision, action });
}

function writeConflict(
  { context: { journal, run, clock } }: PlanWriting,
  { seq }: ComparedRow,
  { record, why }: PlanDecision,
): PlanAction {
  const outcome = { state: 'conflict', message: why, remoteId: record?.id } as const;
  writeOutcome(journal, run, seq, outcome, clock.now(), 'planned');
  journal.run(`UPDATE row SET plan = 'conflict', before = $before WHERE run = $run AND seq = $seq`, {
    $run: run,
    $seq: seq,
    $before: toJson(record && imageOf(record)),
  });
  return 'conflict';
}

/** Nothing new is known of a row that was sent before: it stays as it was claimed. */
function keep(
  { context: { journal, run } }: PlanWriting,
  { seq }: ComparedRow,
  { record }: PlanDecision,
): PlanAction {
  journal.run(
    `UPDATE row SET plan = CASE state WHEN 'unchanged' THEN 'unchanged' ELSE plan END,
       remote_id = coalesce($id, remote_id)
     WHERE run = $run AND seq = $seq`,
    { $run: run, $seq: seq, $id: record?.id ?? null },
  );
  return 'unchanged';
}

/** The service holds the row: nothing is sent. What it was before this run sent it stays known. */
function confirm(
  { context: { journal, run }, fields, step }: PlanWriting,
  { seq, state, registration }: ComparedRow,
  { record }: PlanDecision,
): PlanAction {
  const sentByRun = state === 'done' || state === 'accepted';
  journal.run(
    `UPDATE row SET state = $state, plan = CASE WHEN $sent THEN plan ELSE 'unchanged' END,
       before = CASE WHEN $sent THEN before ELSE NULL END, after = $after, held_no = $step,
       remote_id = coalesce($id, remote_id), message = NULL
     WHERE run = $run AND seq = $seq`,
    {
      $run: run,
      $seq: seq,
      $state: sentByRun ? state : 'unchanged',
      $sent: sentByRun ? 1 : 0,
      $after: toJson(record && imageIfOtherwise(registration, record, fields)),
      $step: step,
      $id: record?.id ?? null,
    },
  );
  return 'unchanged';
}

/** The record where it is not just what the row says: so the next plan knows how the service writes it. */
function imageIfOtherwise(
  registration: Registration,
  record: RegistrationRecord,
  fields: FieldsOf,
): RecordImage | undefined {
  return changesTo(registration, record, fields)?.length === 0 ? undefined : imageOf(record);
}

/** The row will be sent. One that found its registration otherwise than by barcode takes that one's over. */
function queue(
  { context: { journal, run } }: PlanWriting,
  { seq, registration }: ComparedRow,
  { action, record }: PlanDecision,
): PlanAction {
  const barcode = registration.barcode ?? record?.barcode;
  journal.run(
    `UPDATE row SET state = 'pending', plan = ?, before = ?, remote_id = coalesce(?, remote_id),
       barcode = ?, payload = ?, message = NULL
     WHERE run = ? AND seq = ?`,
    [
      action,
      toJson(record && imageOf(record)),
      record?.id ?? null,
      barcode ?? null,
      JSON.stringify({ ...registration, barcode }),
      run,
      seq,
    ],
  );
  return action;
}

const toJson = (image: RecordImage | undefined): string | null =>
  image === undefined ? null : JSON.stringify(image);
