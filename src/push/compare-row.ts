import { changesTo, fieldsOf, type FieldsOf } from '../registration/field-change.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import type { RowState } from '../registration/row-state.ts';
import type { HeldReading } from './held.ts';
import { EmailMatcher } from './match-email.ts';
import { BasesById, type DatedBase, readBase, sentSince } from './plan-base.ts';
import { type PlanDecision, planRow } from './plan-row.ts';
import type { PlanOptions } from './plan-run.ts';
import type { SendContext } from './send-context.ts';

/** A row as it is compared. */
export interface ComparedRow {
  seq: number;
  /** What it is known by in all runs. */
  rowKey: string | null;
  registration: Registration;
  /** Id that the service gave its registration before, if that is known. */
  remoteId: string | null;
  state: RowState;
}

type CompareContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/** Compares rows with what was read of the service, and with what the journal knows it to have held. */
export class RowComparer {
  readonly #context: CompareContext;
  readonly #overwrite: boolean;
  readonly #reading: HeldReading;
  readonly #fields: FieldsOf;
  readonly #matcher: EmailMatcher | undefined;
  readonly #basesById: BasesById | undefined;

  constructor(
    context: CompareContext,
    { match, overwrite }: Pick<PlanOptions, 'match' | 'overwrite'>,
    reading: HeldReading,
  ) {
    const { journal, run, event, target } = context;
    this.#context = context;
    this.#overwrite = overwrite;
    this.#reading = reading;
    this.#fields = fieldsOf(event);
    if (match === 'barcode') return;
    this.#matcher = new EmailMatcher(journal, run, this.#fields, reading);
    this.#basesById = new BasesById(journal, target);
  }

  /** What becomes of a row; undefined when nothing tells which registration is its own. */
  compare(row: ComparedRow): PlanDecision | undefined {
    const { barcode } = row.registration;
    if (barcode === undefined) return this.#matcher && this.#compareByEmail(row, this.#matcher);
    if (!this.#reading.barcodesShown) return undefined;
    return this.#decide(row, this.#reading.held.byBarcode(barcode));
  }

  #compareByEmail(row: ComparedRow, matcher: EmailMatcher): PlanDecision | undefined {
    const isOpen = row.state === 'pending';
    if (!matcher.canTell) return isOpen ? conflict(NO_EMAILS) : undefined;
    const { found, why } = matcher.match(row);
    if (found === undefined) return conflict(why);
    const decision = this.#decide(row, found);
    if (decision === undefined) return undefined;
    if (decision.action === 'create' && this.#reading.moved) {
      return conflict('the list of registrations changed while it was read, so it may be in it already');
    }
    const sends = decision.action === 'update' || (decision.action === 'unknown' && isOpen);
    if (!sends || decision.record?.barcode !== undefined) return decision;
    return conflict('its registration shows no barcode, without which it cannot be updated', decision.record);
  }

  #decide(row: ComparedRow, found: readonly RegistrationRecord[]): PlanDecision | undefined {
    const { registration } = row;
    const base = this.#baseOf(row, found);
    const facts = {
      registration,
      found,
      overwrite: this.#overwrite,
      fields: this.#fields,
      parentsShown: this.#reading.parentsShown,
    };
    const decision = planRow({ ...facts, base });
    const { record } = decision;
    if (decision.action !== 'conflict' || found.length > 1 || base === undefined) return decision;
    if (row.state !== 'pending' && this.#mayBeListedLate(base)) return undefined;
    if (record === undefined) return decision;
    const landed = this.#landedSince(row, base, record);
    return landed === undefined ? decision : planRow({ ...facts, base: { sent: landed, shown: undefined } });
  }

  /** Whether a row is the first that this machine sends of its registration, as far as the journal knows. */
  isFirst(row: ComparedRow, { record }: PlanDecision): boolean {
    const { journal, target } = this.#context;
    if (this.#baseOf(row, record === undefined ? [] : [record]) !== undefined) return false;
    return sentSince(journal, target, row.rowKey, -1).length === 0;
  }

  #baseOf({ rowKey }: ComparedRow, [record]: readonly RegistrationRecord[]): DatedBase | undefined {
    const own = readBase(this.#context.journal, this.#context.target, rowKey);
    const other = record?.id === undefined ? undefined : this.#basesById?.find(record.id);
    return (other?.heldNo ?? -1) > (own?.heldNo ?? -1) ? other : own;
  }

  /** What was sent a moment ago, as by a push that was interrupted, need not be in the list yet. */
  #mayBeListedLate({ unseenSince }: DatedBase): boolean {
    const { clock, limits } = this.#context;
    return unseenSince !== undefined && clock.now() - unseenSince < limits.settleMs;
  }

  /** What looks edited in the service may be what we sent ourselves and got no answer to. */
  #landedSince(
    { rowKey }: ComparedRow,
    { heldNo }: DatedBase,
    record: RegistrationRecord,
  ): Registration | undefined {
    const { journal, target } = this.#context;
    return sentSince(journal, target, rowKey, heldNo).find(
      (sent) => changesTo(sent, record, this.#fields)?.length === 0,
    );
  }
}

const NO_EMAILS = 'the service lists no e-mail addresses, so it cannot be told whether it is there';

function conflict(why: string, record?: RegistrationRecord): PlanDecision {
  return { action: 'conflict', record, changes: [], why };
}
