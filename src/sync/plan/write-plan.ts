import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import {
  type Registration,
  type RegistrationRecord,
  imageOf,
} from '../../registration/model/registration.ts';
import { SENT_AGAIN } from '../../report/views/story-view.ts';
import { hasName, personOf } from '../decide/judge-person.ts';
import { isSendable } from '../ingest/input-row.ts';
import { doubtText } from '../journal/doubts.ts';
import { type RowFate, changeFate, keepRow } from '../journal/kept-rows.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { RUN_ITSELF, addStep } from '../journal/steps.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { RunPlan } from './plan-rows.ts';
import { tellsAbsent } from '../snapshot/read-now.ts';
import { type PlannedRow, type RowsToPlan, asSent, settled } from './rows-to-plan.ts';
import { type PlanDecision, conflict } from '../decide/plan-decision.ts';
import { type PendingRow, type QueuedRow, pendingAmong, writeOutcome } from '../journal/queued-rows.ts';
import type { LookWish } from '../perform/looks.ts';
import type { RowDecider } from './row-decider.ts';

/** The rows of a push, and what was planned of them as far as it came. */
export interface Planned {
  rows: RowsToPlan;
  plan: RunPlan | undefined;
}

/** Puts the rows of a push into its run, each with what becomes of it. Call it in a transaction. */
export function writePlan(context: SendContext, { rows, plan }: Planned): void {
  const { journal, run, clock, event } = context;
  const { ingested } = rows;
  const note = (seq: number, detail: string): number =>
    addStep(journal, run, seq, { at: clock.now(), what: 'planned', detail });
  const reading = plan?.reading;
  const step =
    plan && note(RUN_ITSELF, reading === undefined ? 'nothing to compare with' : 'compared with the service');
  const facts = { fields: fieldsOf(event), reading, step };
  // In the order of the files, without those that cannot be sent.
  const planned = plan?.rows.values();
  for (const row of ingested.rows) {
    const own = isSendable(row) ? planned?.next().value : undefined;
    const { registration } = row;
    const fate =
      own === undefined || registration === undefined
        ? { state: isSendable(row) ? ('pending' as const) : ('rejected' as const), barcode: row.barcode }
        : fateOfRow(own, registration, facts);
    keepRow(journal, run, { row, fate, position: positionOf(fate, reading) });
    if (own?.isAgain === true) note(row.seq, SENT_AGAIN);
    if (fate.state === 'conflict') note(row.seq, `conflict: ${own?.decision.why}`);
  }
}

/** Updates are sent in the order of the list, and looked at again by pages. */
function positionOf({ plan, barcode }: RowFate, reading: ListReading | undefined): number {
  if (plan !== 'update' || reading?.how !== 'list' || barcode === undefined) return 0;
  return reading.listed.withBarcode(barcode)[0]?.no ?? 0;
}

interface FateFacts {
  fields: FieldsOf;
  reading: ListReading | undefined;
  /** As of which the service holds what was read. */
  step: number | undefined;
}

function fateOfRow(planned: PlannedRow, registration: Registration, facts: FateFacts): RowFate {
  const { row, state, doubt } = planned;
  if (doubt === undefined) return fateOf(registration, planned, facts);
  const { message, remoteId } = doubt;
  return { state, barcode: row.barcode, message, remoteId, doubt: doubtText(doubt) };
}

/** What becomes of a row, as the journal keeps it. One object for every row, and no copies of it: there are many. */
function fateOf(
  registration: Registration,
  { state, decision }: Pick<PlannedRow, 'state' | 'decision'>,
  { fields, reading, step }: FateFacts,
): RowFate {
  const { action, record, ask, verdicts, why, near, asked } = decision;
  const image = record && imageOf(record);
  const listed = image && JSON.stringify(image);
  const fate: RowFate = {
    state,
    barcode: registration.barcode,
    plan: action,
    verdicts: verdicts.size === 0 ? undefined : JSON.stringify(Object.fromEntries(verdicts)),
    message: why,
    remoteId: record?.id,
    ask: undefined,
    near: undefined,
    proof: undefined,
    before: listed,
    after: undefined,
    listedNo: undefined,
  };
  if (state === 'conflict') {
    fate.plan = 'conflict';
    fate.near = jsonOf(asked?.records);
  } else if (state === 'unchanged') {
    // Nothing was listed for it: it is as this machine knows it.
    const isKnown = record === undefined && action === 'unchanged';
    const isOtherwise = image !== undefined && changesTo(registration, image, fields)?.length !== 0;
    if (isKnown) fate.plan = undefined;
    else fate.listedNo = step;
    if (action !== 'kept') fate.before = undefined;
    if (isOtherwise) fate.after = listed;
  } else {
    const { barcode = registration.barcode } = record ?? {};
    const sent = ask ?? (barcode === registration.barcode ? undefined : registration);
    const isAbsent = action === 'create' && reading !== undefined && tellsAbsent(reading, registration);
    fate.barcode = barcode;
    fate.ask = jsonOf(sent && { ...sent, barcode });
    fate.near = jsonOf(near);
    if (isAbsent) fate.proof = 'absent';
  }
  return fate;
}

const jsonOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

/** Keeps what is known by now of the registrations of a plan. Call it in a transaction. */
export function writeBases({ event, clock }: Session, { rows, plan }: Planned): void {
  if (plan === undefined) return;
  const { bases, beside } = plan.decider;
  const fields = fieldsOf(event);
  const files = bases.filesOf(rows.files);
  // The answer that those are other people is kept: they are asked about no more.
  for (const record of beside) bases.leave(record, clock.now());
  for (const { row, decision } of plan.rows) {
    const { base, record, action } = decision;
    if (base === undefined) continue;
    const registration = rows.registrationOf(row);
    // Until it is sent nobody has said that it is that one, but for its name.
    const isSaid = action !== 'update' || (record !== undefined && hasName(registration, record, fields));
    const said = isSaid ? { rowKey: row.key, files, ...personOf(registration, fields) } : {};
    bases.write({ barcode: record?.barcode ?? row.barcode, id: record?.id, ...said }, base, clock.now());
  }
}

interface RecheckOptions {
  /** What the plan was made with. */
  decider: RowDecider;
  /** What the service holds already is sent once more. */
  again: boolean;
  /** A saved plan is carried out: what has changed since is for people to judge. */
  planned: boolean;
}

/**
 * What plans rows anew from what is listed for them by now, by their numbers, while a run is sending; nothing listed: it
 * is gone. It writes what has come of those of which something changed.
 */
export function recheck(context: SendContext, wish: RecheckOptions): LookWish['replan'] {
  const { journal, run, clock } = context;
  return (listed, rows) => {
    const changed = rows.filter((row) => hasChanged(row, listed.get(row.seq) ?? [])).map(({ seq }) => seq);
    if (changed.length === 0) return;
    const detail = `looked at again, ${changed.length} changed since`;
    journal.transaction(() => {
      const step = addStep(journal, run, RUN_ITSELF, { at: clock.now(), what: 'planned', detail });
      for (const row of pendingAmong(journal, run, changed))
        rewrite(context, wish, { row, records: listed.get(row.seq) ?? [], step });
    });
  };
}

function rewrite(
  context: SendContext,
  wish: RecheckOptions,
  { row, records, step }: { row: PendingRow; records: readonly RegistrationRecord[]; step: number },
): void {
  const { journal, run, event, clock } = context;
  const { seq, registration } = row;
  const { state, decision } = settled(decide(context, wish, row, records), wish.again);
  const facts = { fields: fieldsOf(event), reading: undefined, step };
  const fate = fateOf(registration, { state, decision }, facts);
  if (state === 'conflict')
    writeOutcome(journal, run, seq, { state, message: fate.message }, clock.now(), 'planned');
  const [record, another] = records;
  const image = another === undefined && record !== undefined ? JSON.stringify(imageOf(record)) : undefined;
  changeFate(journal, run, seq, { ...fate, before: image ?? fate.before });
}

function decide(
  context: SendContext,
  { decider, planned }: RecheckOptions,
  row: PendingRow,
  records: readonly RegistrationRecord[],
): PlanDecision {
  if (planned) return conflict('it has been changed in the service since the plan was made', records[0]);
  return asSent(context, row, decider.decideAgain(row, records, row.before ?? {}));
}

function hasChanged({ before }: QueuedRow, records: readonly RegistrationRecord[]): boolean {
  const isOther = (one: RegistrationRecord): boolean =>
    JSON.stringify(imageOf(one)) !== JSON.stringify(before);
  return records.length !== 1 || records.some(isOther);
}
