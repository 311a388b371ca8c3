import { chunksOf, comparedBut, type ComparedRow, DOUBTFUL, placeIn } from '../journal/run-rows.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { type CompareOptions, RowComparer } from './compare-row.ts';
import { countTakenBack } from './count-plan.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { overwrittenBefore } from './overwritten-before.ts';
import { PLAN_ACTIONS, type PlanAction, type PlanDecision, uncompared } from '../decide/plan-decision.ts';
import { PlanRemarks, type Unbased } from './plan-remarks.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { RowDecider } from './row-decider.ts';
import { refuseLoss } from './refuse-loss.ts';
import { filesOfRun } from '../journal/runs.ts';
import { addStep, RUN_ITSELF } from '../journal/steps.ts';
import { readForRows, tellsAbsent, warnOfHidden } from './read-for-rows.ts';
import { type UnseenFields, unseenFields } from './unseen-fields.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import { type PlanWriting, writeDecision, writeNew } from './write-plan.ts';
import { imageOf } from '../../registration/model/registration.ts';
import { writeOutcome } from '../journal/queued-rows.ts';

export interface PlanOptions extends CompareOptions {
  /** Nothing is kept of what is learnt. */
  dry: boolean;
  /** Send also what the service holds already. */
  fresh: boolean;
  /** Read everything that the service holds, whatever it costs. */
  whole: boolean;
  /** What was read of the service a moment ago, to plan with it once more. */
  reading?: ListReading | undefined;
}

export interface RunPlan {
  /** Undefined when there was nothing to compare with. */
  reading: ListReading | undefined;
  /** Rows planned, by what becomes of them. */
  counts: Record<PlanAction, number>;
  /** What decides on rows that are compared with it. */
  decider: RowDecider | undefined;
  /** When the service was read, in milliseconds since 1970. */
  readAtMs: number;
  unbased: Unbased;
  /** What updates leave out and nobody can see. */
  unseen: UnseenFields;
  /** Rows of which somebody has to say whom they are about. */
  asked: number;
}

/** What planning works with. */
type PlanContext = Pick<
  SendContext,
  'journal' | 'run' | 'event' | 'target' | 'registrations' | 'clock' | 'reporter' | 'stopping' | 'limits'
>;

/**
 * Compares the rows of a run with the service, and writes into the journal what becomes of each: rows to be
 * sent are pending, with the registration as it was; those that the service holds are unchanged; those of
 * which only people can judge are conflicts. Waits for rows that were sent a moment ago, by a push that was broken
 * off before it looked at them, and that are not listed yet as they were sent. Can be done again, and comes to the
 * same as long as nothing changes. Throws ServiceError when the service cannot be read: nothing has been written then.
 */
export async function planRun(context: PlanContext, options: PlanOptions): Promise<RunPlan> {
  const { run } = context;
  const plan = await lookUntil<Decided>(context, async (_isLast, before) => {
    before?.reading?.listed.clear();
    return await decideAll(context, before === undefined ? options : { ...options, reading: undefined });
  });
  const { reading, comparer, remarks } = plan;
  if (reading !== undefined && options.reading === undefined && plan.uncompared > 0) {
    warnOfHidden(context, reading);
  }
  if (reading?.how === 'list') notePositions(context, reading);
  remarks.takenBack = countTakenBack(context, run, ['pending']);
  remarks.parentsAtRisk = reading?.parentsShown === false;
  if (reading?.fieldsShown === true) remarks.unseen = unseenFields(context, reading, remarks.unsaid);
  const place = (seq: number): string => placeIn(context, seq);
  for (const text of [...overwrittenBefore(context), ...remarks.texts(place)])
    context.reporter.report({ type: 'warning', text });
  if (comparer !== undefined) lookForDoubtful(context, comparer);
  return { ...plan, unbased: remarks.unbased, unseen: remarks.unseen };
}

interface Decided extends Omit<RunPlan, 'unbased' | 'unseen'> {
  comparer: RowComparer | undefined;
  remarks: PlanRemarks;
  /** Rows with a barcode that could not be compared with anything. */
  uncompared: number;
  openUntilMs: number | undefined;
}

/** Reads what the rows are compared with, and writes what becomes of each. */
async function decideAll(context: PlanContext, options: PlanOptions): Promise<Decided> {
  const { journal, run, event, clock } = context;
  const readAtMs = clock.now();
  const reading = options.reading ?? (await readForRows(context, options));
  const comparer = reading && new RowComparer(context, options, reading);
  const decider = comparer?.decider;
  const remarks = new PlanRemarks();
  const counts = Object.fromEntries(PLAN_ACTIONS.map((action) => [action, 0])) as Record<PlanAction, number>;
  const detail = reading === undefined ? 'nothing to compare with' : 'compared with the service';
  const step = addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'planned', detail });
  const writing: PlanWriting = {
    context,
    fields: fieldsOf(event),
    fresh: options.fresh,
    step,
    tellsAbsent: reading !== undefined && tellsAbsent(reading),
    bases: options.dry ? undefined : decider?.bases,
    files: decider?.bases.filesOf(filesOfRun(journal, run)),
  };
  let asked = 0;
  let uncompared = 0;
  const fresh = comparer?.newRows ?? new Set();
  counts.create += fresh.size;
  writeNew(writing, fresh);
  for (const rows of comparedBut(context, fresh)) {
    context.stopping.throwIfAborted();
    journal.transaction(() => {
      for (const row of rows) {
        const decision = refuseLoss(context, row, decide(row, comparer));
        remarks.see(row, decision);
        if (decision.asked !== undefined) asked += 1;
        if (decision.action === 'unknown' && row.registration.barcode !== undefined) uncompared += 1;
        counts[writeDecision(writing, row, decision)] += 1;
      }
    });
  }
  const openUntilMs = decider?.lateUntilMs;
  return { reading, counts, comparer, decider, readAtMs, asked, remarks, uncompared, openUntilMs };
}

/** Where in the list the registrations of updates stand: they are sent in that order, and looked at again by pages. */
function notePositions({ journal, run }: PlanContext, { listed }: ListReading): void {
  const pages = journal.pages<{ seq: number; barcode: string; position: number }>(
    `SELECT seq, barcode, position FROM row WHERE run = $run AND op = 'send' AND state = 'pending'
       AND plan = 'update' AND barcode IS NOT NULL AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );
  for (const page of pages) {
    journal.transaction(() => {
      for (const { seq, barcode, position } of page) {
        const no = listed.withBarcode(barcode)[0]?.no ?? 0;
        if (no !== position)
          journal.run('UPDATE row SET position = ? WHERE run = ? AND seq = ?', [no, run, seq]);
      }
    });
  }
}

function decide(row: ComparedRow, comparer: RowComparer | undefined): PlanDecision {
  const decision = comparer?.compare(row);
  if (decision !== undefined) return decision;
  // Without a barcode nothing can be there that is known to be the row's.
  const action = row.state === 'pending' && row.registration.barcode === undefined ? 'create' : 'unknown';
  return uncompared(action);
}

type DoubtContext = Pick<SendContext, 'journal' | 'run' | 'clock'>;

/**
 * Rows in doubt are not planned. One that was never sent gets what is there now, to be told apart later from
 * what becomes of it; where an e-mail is one person, one that finds its own, with the same values, is there.
 */
function lookForDoubtful(context: DoubtContext, comparer: RowComparer): void {
  for (const rows of chunksOf(context, DOUBTFUL)) {
    context.journal.transaction(() => {
      for (const row of rows) look(context, comparer, row);
    });
  }
}

function look({ journal, run, clock }: DoubtContext, comparer: RowComparer, row: ComparedRow): void {
  if (row.registration.barcode === undefined && !comparer.byEmail) return;
  const { record, action } = comparer.compare(row) ?? {};
  if (record === undefined) return;
  if (row.registration.barcode !== undefined) {
    const before = JSON.stringify(imageOf(record));
    journal.run('UPDATE row SET before = $before WHERE run = $run AND seq = $seq', {
      run,
      seq: row.seq,
      before,
    });
  } else if (action === 'unchanged') {
    const outcome = {
      state: 'done',
      remoteId: record.id,
      message: 'found in the service by its e-mail',
    } as const;
    writeOutcome(journal, run, row.seq, outcome, clock.now(), 'looked');
  }
}
