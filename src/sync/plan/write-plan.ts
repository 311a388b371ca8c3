import { SENT } from '../../registration/model/row-states.ts';
import { imageOf, type RecordImage, type Registration } from '../../registration/model/registration.ts';
import type { BaseNames, BaseStore } from '../journal/base-store.ts';
import { changesTo } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { ComparedRow } from '../journal/run-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import type { ValueVerdict } from '../decide/decide.ts';
import { SENT_FRESH } from '../../report/views/story-view.ts';
import { personOf } from '../decide/near.ts';
import { addStep } from '../journal/steps.ts';
import type { PlanAction, PlanDecision } from '../decide/plan-decision.ts';
import { inChunks } from '../snapshot/read-listed.ts';
import type { SendContext } from '../journal/send-context.ts';

export interface PlanWriting {
  context: Pick<SendContext, 'journal' | 'run' | 'clock'>;
  fields: FieldsOf;
  /** Send also what the service holds already. */
  fresh: boolean;
  /** The step as of which the service holds what was read. */
  step: number;
  /** What was read tells that a row which is planned as new was absent. */
  tellsAbsent: boolean;
  /** Where to keep what is known now; undefined: a dry run keeps nothing. */
  bases: BaseStore | undefined;
  /** What the files of the run go by in them. */
  files: string | undefined;
}

/** Writes what becomes of a row, and returns it. Call it in a transaction. */
export function writeDecision(writing: PlanWriting, row: ComparedRow, decision: PlanDecision): PlanAction {
  const { base, record, action } = decision;
  if (base !== undefined)
    writing.bases?.write(namesOf(writing, row, decision), base, writing.context.clock.now());
  if (action === 'conflict') return writeConflict(writing, row, decision);
  const isOpen = row.state === 'pending';
  if (action === 'unknown' && !isOpen) return keep(writing, row, decision);
  const isThere = action === 'unchanged' || action === 'kept';
  if (isThere && !(writing.fresh && isOpen && record !== undefined)) return confirm(writing, row, decision);
  if (isThere) noteFresh(writing, row);
  return queue(writing, row, { ...decision, action: isThere ? 'update' : action });
}

/** That it was sent all the same has no other trace. */
function noteFresh({ context: { journal, run, clock } }: PlanWriting, { seq }: ComparedRow): void {
  addStep(journal, run, seq, { at: clock.now(), what: 'planned', detail: SENT_FRESH });
}

/** Rows written in one durable write: others can write in between. */
const ROWS_AT_ONCE = 5000;

/** Writes of rows that they register somebody, without looking at each: most of a first push do. A dry run was read so. */
export function writeNew({ context: { journal, run } }: PlanWriting, rows: Iterable<number>): void {
  if (journal.isDryRun) return;
  for (const seqs of inChunks(rows, ROWS_AT_ONCE)) {
    journal.run(
      `UPDATE row SET plan = 'create', ask = NULL, verdicts = NULL, message = NULL, near = NULL, proof = 'absent'
       WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))`,
      { run, seqs: JSON.stringify(seqs) },
    );
  }
}

function writeConflict(
  { context: { journal, run, clock } }: PlanWriting,
  { seq }: ComparedRow,
  { record, verdicts, why, asked }: PlanDecision,
): PlanAction {
  const outcome = { state: 'conflict', message: why, remoteId: record?.id } as const;
  writeOutcome(journal, run, seq, outcome, clock.now(), 'planned');
  journal.run(
    `UPDATE row SET plan = 'conflict', verdicts = $verdicts, near = $near WHERE run = $run AND seq = $seq`,
    { run, seq, verdicts: toJson(verdicts), near: asked && JSON.stringify(asked) },
  );
  if (record !== undefined) writeImage(journal, run, seq, imageOf(record));
  return 'conflict';
}

/** Nothing new is known of a row that was sent before: it stays as it was claimed, and was not compared. */
function keep(
  { context: { journal, run } }: PlanWriting,
  { seq }: ComparedRow,
  { record }: PlanDecision,
): PlanAction {
  journal.run(
    `UPDATE row SET plan = CASE state WHEN 'unchanged' THEN NULL ELSE plan END,
       remote_id = coalesce($id, remote_id)
     WHERE run = $run AND seq = $seq`,
    { run, seq, id: record?.id },
  );
  return 'unchanged';
}

/** Nothing is sent. What the registration was before this run sent it stays known. */
function confirm(
  { context: { journal, run }, fields, step }: PlanWriting,
  { seq, state, registration }: ComparedRow,
  { action, record, verdicts, why }: PlanDecision,
): PlanAction {
  const sentByRun = SENT.has(state);
  const image = record && imageOf(record);
  journal.run(
    `UPDATE row SET state = $state, plan = CASE WHEN $sent THEN plan ELSE $plan END, verdicts = $verdicts,
       before = CASE WHEN $sent THEN before ELSE $before END, after = $after, listed_no = $step,
       remote_id = coalesce($id, remote_id), message = coalesce($message, CASE WHEN $sent THEN message END)
     WHERE run = $run AND seq = $seq`,
    {
      run,
      seq,
      state: sentByRun ? state : 'unchanged',
      sent: sentByRun ? 1 : 0,
      plan: action,
      verdicts: toJson(verdicts),
      before: action === 'kept' && image !== undefined ? JSON.stringify(image) : undefined,
      after:
        image !== undefined && isOtherwise(registration, image, fields) ? JSON.stringify(image) : undefined,
      step,
      id: record?.id,
      message: why,
    },
  );
  return action;
}

/** Whether a record is not just what the row says. */
const isOtherwise = (registration: Registration, image: RecordImage, fields: FieldsOf): boolean =>
  changesTo(registration, image, fields)?.length !== 0;

/** The row will be sent. One that found its registration otherwise than by barcode takes that one's over. */
function queue(
  { context: { journal, run }, tellsAbsent }: PlanWriting,
  { seq, registration }: ComparedRow,
  { action, record, ask, verdicts, why, near }: PlanDecision,
): PlanAction {
  const barcode = record?.barcode ?? registration.barcode;
  const asked = ask ?? (barcode === registration.barcode ? undefined : registration);
  journal.run(
    `UPDATE row SET state = 'pending', plan = ?, remote_id = coalesce(?, remote_id), barcode = ?, ask = ?,
       verdicts = ?, message = ?, near = ?, proof = ? WHERE run = ? AND seq = ?`,
    [
      action,
      record?.id,
      barcode,
      asked && JSON.stringify({ ...asked, barcode }),
      toJson(verdicts),
      why,
      near && JSON.stringify(near),
      action === 'create' && tellsAbsent ? 'absent' : undefined,
      run,
      seq,
    ],
  );
  if (record !== undefined) writeImage(journal, run, seq, imageOf(record));
  return action;
}

/** Keeps a registration as it was just read: as what it was before, unless the row was sent already. */
export function writeImage(journal: Journal, run: string, seq: number, image: RecordImage): void {
  journal.run(
    `UPDATE row SET before = CASE WHEN attempts = 0 THEN $image ELSE before END,
       latest = CASE WHEN attempts = 0 THEN NULL ELSE $image END WHERE run = $run AND seq = $seq`,
    { run, seq, image: JSON.stringify(image) },
  );
}

const toJson = (verdicts: ReadonlyMap<string, ValueVerdict>): string | undefined =>
  verdicts.size === 0 ? undefined : JSON.stringify(Object.fromEntries(verdicts));

/** What a row, its registration and its person are known by. */
function namesOf(
  { fields, files }: PlanWriting,
  { registration, remoteId, rowKey }: ComparedRow,
  { record, action }: PlanDecision,
): BaseNames {
  const names = { barcode: record?.barcode ?? registration.barcode, id: record?.id ?? remoteId };
  // Until it is sent nobody has said that it is that one.
  return action === 'update' ? names : { ...names, rowKey, files, ...personOf(registration, fields) };
}
