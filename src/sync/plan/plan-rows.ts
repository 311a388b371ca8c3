import { uncompared } from '../decide/plan-decision.ts';
import type { InputRow } from '../ingest/input-row.ts';
import { asksForMessages } from '../journal/earlier-words.ts';
import { readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { personRows } from '../match/rows.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { type CompareOptions, RowComparer } from './compare-row.ts';
import type { EarlierDoubts } from './earlier-doubts.ts';
import { describeUnseen, overwrittenBefore, PlanRemarks } from './plan-remarks.ts';
import { type ReadForRows, readForRows } from './read-for-rows.ts';
import type { RowDecider } from './row-decider.ts';
import { type PlannedRow, refuseLoss, type RowsToPlan, settled } from './rows-to-plan.ts';
import { NONE_UNSEEN, type UnseenFields, unseenFields } from './unseen-fields.ts';

export interface PlanOptions extends CompareOptions {
  /** What the service holds already is sent once more. */
  again: boolean;
  /** Read everything that the service holds, whatever it costs. */
  whole: boolean;
  /** What was read of the service a moment ago, to plan with it once more. */
  read?: ReadForRows | undefined;
}

/** What becomes of the rows of a push. */
export interface RunPlan extends ReadForRows {
  /** In their order. */
  rows: readonly PlannedRow[];
  /** What decides on rows. */
  decider: RowDecider;
  /** When the service was read, in milliseconds since 1970. */
  readAtMs: number;
  /** What updates leave out and nobody can see. */
  unseen: UnseenFields;
  /** Numbers of rows whose guests may be left without the messages that their registrations ask for. */
  takenBack: ReadonlySet<number>;
}

/** What planning works with. */
export type PlanContext = Pick<
  SendContext,
  'journal' | 'event' | 'target' | 'registrations' | 'clock' | 'reporter' | 'stopping' | 'limits'
> & { files: readonly string[] };

/**
 * Compares rows with the service, and says what becomes of each. Waits for rows that were sent a moment ago, by a push
 * that was broken off before it looked at them, and that are not listed yet as they were sent. Throws ServiceError
 * when the service cannot be read now.
 */
export async function planRows(
  context: PlanContext,
  rows: RowsToPlan,
  doubts: EarlierDoubts,
  options: PlanOptions,
): Promise<RunPlan> {
  const plan = await lookUntil<Decided>(context, async (_isLast, before) => {
    before?.reading?.listed.clear();
    const wish = before === undefined ? options : { ...options, read: undefined };
    return await decideAll(context, rows, doubts, wish);
  });
  const { reading, remarks } = plan;
  const isHidden = reading?.barcodesShown === false && reading.fieldsShown;
  if (isHidden && options.read === undefined && plan.rows.some(isUncompared))
    context.reporter.report({ type: 'warning', text: BARCODES_HIDDEN });
  const back = takenBack(context, plan.rows, rows);
  remarks.takenBack = back.size;
  remarks.parentsAtRisk = reading?.parentsShown === false;
  const unseen =
    reading?.fieldsShown === true
      ? unseenFields(context, { reading, unsaid: remarks.unsaid, rows, planned: plan.rows })
      : NONE_UNSEEN;
  for (const text of [...overwrittenBefore(context, plan.rows), ...remarks.texts()])
    context.reporter.report({ type: 'warning', text });
  for (const text of describeUnseen(unseen))
    context.reporter.report({ type: 'warning', text, isCaution: true });
  return { ...plan, unseen, takenBack: back };
}

const BARCODES_HIDDEN =
  'The service does not show the barcodes of its registrations, so rows cannot be compared with them: what was sent before is not sent again, and everything else is sent: it may overwrite or empty what was entered there.';

/** Of one with a barcode nothing tells whether it is there. */
const isUncompared = ({ row, decision }: PlannedRow): boolean =>
  row.barcode !== undefined && decision.action === 'unknown';

interface Decided extends Omit<RunPlan, 'unseen' | 'takenBack'> {
  remarks: PlanRemarks;
  openUntilMs: number | undefined;
}

/** Reads what the rows are compared with, and decides on each. */
async function decideAll(
  context: PlanContext,
  rows: RowsToPlan,
  doubts: EarlierDoubts,
  options: PlanOptions,
): Promise<Decided> {
  const { event, clock, stopping } = context;
  const readAtMs = clock.now();
  const inDoubt = doubts.about(rows);
  const { registrationOf } = rows;
  const isInDoubt = (row: InputRow): boolean => inDoubt.has(row);
  const people = personRows(rows.sendable, { registrationOf, fields: fieldsOf(event), isInDoubt });
  const read = options.read ?? (await readForRows(context, people, options));
  const { reading } = read;
  const { compare, decider, newRows: fresh } = new RowComparer(context, options, { people, reading });
  const remarks = new PlanRemarks();
  const decide = (row: InputRow): PlannedRow => {
    stopping.throwIfAborted();
    const doubt = inDoubt.get(row);
    if (doubt !== undefined) return { row, state: 'uncertain', decision: UNKNOWN, doubt };
    if (fresh.has(row.seq)) return { row, ...settled(NEW, options.again) };
    const compared = rows.compared(row);
    const decision = refuseLoss({ ...context, before: reading }, compared, compare(compared));
    remarks.see(row, compared, decision);
    return { row, ...settled(decision, options.again) };
  };
  const planned = rows.sendable.map(decide);
  return { ...read, rows: planned, decider, readAtMs, remarks, openUntilMs: decider.lateUntilMs };
}

/** Of all that is new and like nobody. */
const NEW = uncompared('create');
const UNKNOWN = uncompared('unknown');

/**
 * Numbers of rows whose updates may leave guests without the messages that their registrations ask for: `enable_comms`
 * is never sent unasked, and is not proven to stay. Where the list does not show it, what this machine has asked for
 * last counts.
 */
function takenBack(
  { journal, target, clock }: Pick<SendContext, 'journal' | 'target' | 'clock'>,
  planned: readonly PlannedRow[],
  rows: RowsToPlan,
): ReadonlySet<number> {
  if (readLearned(journal, target.service, 'messages', clock.now())?.value === 'kept') return new Set();
  const isTaken = ({ row, state, decision }: PlannedRow): boolean => {
    const { action, record, ask } = decision;
    if (state !== 'pending' || (action !== 'update' && action !== 'unknown')) return false;
    if ((ask ?? rows.registrationOf(row)).enableComms) return false;
    return record?.enableComms ?? asksForMessages(journal, target, row.key ?? '');
  };
  return new Set(planned.flatMap((one) => (isTaken(one) ? one.row.seq : [])));
}
