import { fieldsOf, type FieldsOf } from '../registration/field-change.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import type { RowState } from '../registration/row-state.ts';
import { type BaseNames, BaseStore } from './base-store.ts';
import type { HeldReading } from './held.ts';
import { EmailMatcher } from './match-email.ts';
import { conflict, type PlanDecision, planRow } from './plan-row.ts';
import type { PlanOptions } from './plan-run.ts';
import type { SendContext } from './send-context.ts';

/** A row as it is compared. */
export interface ComparedRow {
  seq: number;
  /** As the file has it. */
  registration: Registration;
  /** Id that the service gave its registration before, if that is known. */
  remoteId: string | null;
  state: RowState;
  /** When the service said that it took the row, in milliseconds since 1970; undefined once it was seen there. */
  unseenSince: number | undefined;
}

type CompareContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/** Compares rows with what was read of the service, and with what is known of their registrations. */
export class RowComparer {
  readonly bases: BaseStore;
  readonly #context: CompareContext;
  readonly #options: Pick<PlanOptions, 'match' | 'winner'>;
  readonly #reading: HeldReading;
  readonly #fields: FieldsOf;
  readonly #matcher: EmailMatcher | undefined;

  constructor(context: CompareContext, options: Pick<PlanOptions, 'match' | 'winner'>, reading: HeldReading) {
    const { journal, run, event, target } = context;
    this.bases = new BaseStore(journal, target, event.endDate);
    this.#context = context;
    this.#options = options;
    this.#reading = reading;
    this.#fields = fieldsOf(event);
    if (options.match === 'barcode') return;
    this.#matcher = new EmailMatcher(journal, run, this.#fields, reading);
  }

  /** What becomes of a row; undefined when nothing tells which registration is its own. */
  compare(row: ComparedRow): PlanDecision | undefined {
    const { barcode } = row.registration;
    if (barcode === undefined) return this.#matcher && this.#compareByEmail(row, this.#matcher);
    if (!this.#reading.barcodesShown) return undefined;
    return this.decide(row, this.#reading.held.byBarcode(barcode));
  }

  #compareByEmail(row: ComparedRow, matcher: EmailMatcher): PlanDecision | undefined {
    const isOpen = row.state === 'pending';
    if (!matcher.canTell) return isOpen ? conflict(NO_EMAILS) : undefined;
    const { found, why } = matcher.match(row);
    if (found === undefined) return conflict(why);
    const decision = this.decide(row, found);
    if (decision === undefined) return undefined;
    if (decision.action === 'create' && this.#reading.moved) {
      return conflict('the list of registrations changed while it was read, so it may be in it already');
    }
    const sends = decision.action === 'update' || (decision.action === 'unknown' && isOpen);
    if (!sends || decision.record?.barcode !== undefined) return decision;
    return conflict('its registration shows no barcode, without which it cannot be updated', decision.record);
  }

  /** What becomes of a row for which the service lists these. Undefined: it may just be listed late. */
  decide(row: ComparedRow, found: readonly RegistrationRecord[]): PlanDecision | undefined {
    const decision = planRow({
      registration: row.registration,
      found,
      base: this.bases.read(namesOf(row, found[0])),
      winner: this.#options.winner,
      fields: this.#fields,
      parentsShown: this.#reading.parentsShown,
      digest: (text) => this.bases.digest(text),
    });
    const isSettled = decision.action === 'unchanged' || found.length > 1;
    return !isSettled && this.#mayBeListedLate(row) ? undefined : decision;
  }

  /** What was sent a moment ago, as by a push that was interrupted, need not be in the list yet. */
  #mayBeListedLate({ state, unseenSince }: ComparedRow): boolean {
    const { clock, limits } = this.#context;
    return state !== 'pending' && unseenSince !== undefined && clock.now() - unseenSince < limits.settleMs;
  }
}

/** What a row and its registration are known by. */
export function namesOf(
  { registration, remoteId }: Pick<ComparedRow, 'registration' | 'remoteId'>,
  record: RegistrationRecord | undefined,
): BaseNames {
  return { barcode: registration.barcode ?? record?.barcode, id: record?.id ?? remoteId ?? undefined };
}

const NO_EMAILS = 'the service lists no e-mail addresses, so it cannot be told whether it is there';
