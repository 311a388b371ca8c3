import { fieldAspect } from '../../registration/changes/aspect.ts';
import { changesTo, type FieldChange, fieldsOf } from '../../registration/changes/field-change.ts';
import { hashOf, imageOf, type Registration } from '../../registration/model/registration.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { conflict, type PlanDecision, type Winner } from '../decide/plan-decision.ts';
import type { Ingested } from '../ingest/ingest.ts';
import { type InputRow, isSendable } from '../ingest/input-row.ts';
import type { EarlierDoubt } from '../journal/earlier-runs.ts';
import type { StandingRow } from '../journal/queued-rows.ts';
import type { Session } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { whyNotSent } from '../perform/send-row.ts';

/** How rows are compared. */
export interface CompareOptions {
  /** Whom a row is about that is like somebody: people are asked; that one, where there is only one; somebody new. */
  match: 'barcode' | 'email' | 'none';
  /** Who is right where both have changed a value, and where nothing tells who has. */
  winner: Winner;
}

/** A row as it is compared. */
export interface ComparedRow {
  seq: number;
  /** 0, or which companion of its row it is. */
  part: number;
  /** What it is known by. */
  rowKey: string;
  /** As the file has it. */
  registration: Registration;
}

/** A row of the files that can be sent, and what becomes of it. */
export interface PlannedRow {
  readonly row: InputRow;
  /** Where it stands before anything is sent. */
  state: Extract<RowState, 'pending' | 'unchanged' | 'conflict' | 'uncertain'>;
  decision: PlanDecision;
  /** That of an earlier run about just this row. */
  doubt?: EarlierDoubt | undefined;
  /** It is there as it is, and is sent all the same. */
  isAgain?: true;
}

/** The rows that a push has read. */
export class RowsToPlan {
  /** As they were named. */
  readonly files: readonly string[];
  readonly ingested: Ingested;
  readonly sendable: readonly InputRow[];

  constructor(files: readonly string[], ingested: Ingested) {
    this.files = files;
    this.ingested = ingested;
    this.sendable = ingested.rows.filter(isSendable);
    nameRows(this.sendable);
  }

  /** What is sent of a row that can be sent. */
  readonly registrationOf = ({ seq, registration }: InputRow): Registration => {
    if (registration === undefined) throw new Error(`Row ${seq} cannot be sent.`);
    return registration;
  };

  compared(row: InputRow): ComparedRow {
    const { seq, part, key: rowKey = '' } = row;
    return { seq, part, rowKey, registration: this.registrationOf(row) };
  }

  /** What they are known by, each with all that it says, in no order of the files. */
  contents(): string[] {
    return this.sendable.map((row) => `${row.key}\n${hashOf(this.registrationOf(row))}`).toSorted();
  }
}

/** A row is known by its barcode, or else by its content and how many equal ones came before; reading counts none. */
function nameRows(rows: readonly InputRow[]): void {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.barcode !== undefined || row.key === undefined) continue;
    const count = (counts.get(row.key) ?? 0) + 1;
    counts.set(row.key, count);
    if (count > 1) row.key = row.key.replace(/1$/, String(count));
  }
}

const NOTHING_AGAIN =
  'nobody is listed for it, so that there is nothing to send again: look at its barcode; without --again it registers somebody';

/** Where a row stands by what was decided; `again`: what is there as it is goes once more, and nobody is registered. */
export function settled(decision: PlanDecision, again: boolean): Omit<PlannedRow, 'row'> {
  const { action, record } = decision;
  if (again && action === 'create') return { state: 'conflict', decision: conflict(NOTHING_AGAIN) };
  if (action === 'conflict') return { state: 'conflict', decision };
  if (action === 'kept' || (action === 'unchanged' && !again)) return { state: 'unchanged', decision };
  if (action !== 'unchanged') return { state: 'pending', decision };
  const sent = record === undefined ? 'unknown' : 'update';
  return { state: 'pending', decision: { ...decision, action: sent }, isAgain: true };
}

/** The rows of the files as they stand by what was planned of them. */
export function* standing(rows: RowsToPlan, planned: readonly PlannedRow[]): Generator<StandingRow> {
  for (const row of rows.ingested.rows) {
    if (isSendable(row)) continue;
    const { barcode, parentBarcode: parent, registration } = row;
    const { persona } = registration ?? {};
    yield { state: 'rejected', persona, barcode, remoteId: undefined, parent, registration, near: undefined };
  }
  for (const { row, state, decision, doubt } of planned) {
    const { record, asked } = decision;
    const registration = rows.registrationOf(row);
    const barcode = state === 'pending' ? (record?.barcode ?? row.barcode) : row.barcode;
    const { persona, parentBarcode: parent } = registration;
    const remoteId = record?.id ?? doubt?.remoteId;
    yield { state, persona, barcode, remoteId, parent, registration, near: asked?.records };
  }
}

/** An update that may lose something that cannot be sent back is a conflict; else with what nobody can see of the row. */
export function asSent(
  context: Session,
  { registration }: ComparedRow,
  decision: PlanDecision,
): PlanDecision {
  const { action, record, ask = registration, base, verdicts, why } = decision;
  if (record === undefined || (action !== 'update' && action !== 'unchanged')) return decision;
  const row = { registration: ask, before: imageOf(record), remoteId: record.id, base };
  const { cannot, registration: sent } =
    action === 'update' ? whatIsSentNow(context, row) : { cannot: [], ...row };
  if (cannot.length === 0) return { ...decision, unseen: unseenOf(sent, decision, context) };
  // Of a value that both have changed somebody has to say first which is right.
  const isAsked = cannot.every((slug) => verdicts.get(slug) === 'conflict');
  return { ...decision, action: 'conflict', why: isAsked ? why : whyNotSent(cannot) };
}

/** What is listed otherwise than it is said, is no news, and is not shown, or not whole. */
function unseenOf(sent: Registration, { record, changes }: PlanDecision, context: Session): FieldChange[] {
  const fields = fieldsOf(context.event);
  const all = (record && changesTo(sent, record, fields)) ?? [];
  const isSeen = ({ field: slug, before }: FieldChange): boolean => {
    const { kind } = fieldAspect(slug, fields(sent.persona)).rules;
    return before !== undefined && context.before?.sight.isWhole(before, { slug, kind }) !== false;
  };
  const isNews = ({ field }: FieldChange): boolean => changes.some((change) => change.field === field);
  return all.filter((one) => !isNews(one) && !isSeen(one)).map((one) => ({ ...one, isUnseen: true }));
}
