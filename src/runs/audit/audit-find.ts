import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { AuditRow } from '../../sync/journal/audit-rows.ts';
import { isUnlisted, type ListReading } from '../../sync/snapshot/read-listed.ts';
import type { KnownIds } from '../../sync/snapshot/known-ids.ts';
import { emailOf, hasName } from '../../sync/decide/near.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { addFinding } from '../../sync/journal/findings.ts';
import { addStep } from '../../sync/journal/steps.ts';

/** What rows are looked for in. */
export interface AuditSearch {
  reading: ListReading;
  /** What was listed before anything was sent. */
  before: ListReading | undefined;
  ids: KnownIds;
  fields: FieldsOf;
}

/**
 * The registrations that are listed for a row: by its barcode, by the id that the service gave it, or, with
 * neither, by its e-mail address and equal values. Undefined: the service shows too little to tell.
 */
export function findForAudit(search: AuditSearch, row: AuditRow): RegistrationRecord[] | undefined {
  const { listed, how, moved, barcodesShown, idsShown } = search.reading;
  const { registration, remoteId } = row;
  if (registration.barcode !== undefined && barcodesShown) return listed.byBarcode(registration.barcode);
  if (how !== 'list') return undefined;
  if (remoteId === undefined || !idsShown) return findByEmail(search, row);
  const found = listed.byId(remoteId);
  // What is not unique is no id, and a list that moves may lack what is there.
  if (found.length > 1 || (found.length === 0 && moved)) return undefined;
  // An answer with an id that another row has as well was about that row, unless the values say otherwise.
  const isForeign = search.ids.belongsToAnother(remoteId, row.seq);
  return found.filter((record) => !isForeign || isAsSent(registration, record, search.fields));
}

/**
 * One that is as it was sent is the row's own, and so is, of a new row, the only one with its address and name that
 * has appeared; others with its address may be somebody else's.
 */
function findByEmail(search: AuditSearch, row: AuditRow): RegistrationRecord[] | undefined {
  const { reading, before, ids, fields } = search;
  const email = emailOf(row.registration, fields);
  if (email === undefined || !reading.fieldsShown) return undefined;
  const isFree = ({ id }: RegistrationRecord): boolean =>
    id === undefined || !ids.belongsToAnother(id, row.seq);
  const own = allAsSent(search, row.registration).find(isFree);
  if (own !== undefined) return [own];
  const others = reading.listed.byEmail(row.registration.persona, email);
  const [only, another] = others.filter(
    (one) =>
      isFree(one) &&
      before !== undefined &&
      isUnlisted(before, one) &&
      hasName(row.registration, one, fields),
  );
  if (row.plan === 'create' && only !== undefined && another === undefined) return [only];
  return others.length > 0 || reading.moved ? undefined : [];
}

/** Registrations with the row's e-mail address that hold all it was sent with. */
function allAsSent({ reading, fields }: AuditSearch, registration: Registration): RegistrationRecord[] {
  const email = emailOf(registration, fields);
  if (email === undefined) return [];
  return reading.listed
    .byEmail(registration.persona, email)
    .filter((record) => isAsSent(registration, record, fields));
}

/** Whether a listed registration holds what a row was sent with, whatever else it holds. */
function isAsSent(registration: Registration, record: RegistrationRecord, fields: FieldsOf): boolean {
  return changesButMessages(registration, record, fields)?.length === 0;
}

/** Warnings about single rows that are shown; all are in the journal. */
const WARNINGS_SHOWN = 20;

/**
 * Rows without a barcode of which more registrations are listed than there are such rows, without those of other
 * rows, which may say all of it and more. Nothing tells which of them is too many, or whether two people are alike:
 * it is said, and the rows stay as they are.
 */
export class RegisteredTwice {
  readonly #context: SendContext;
  readonly #ids = new Set<string>();
  #found = 0;

  constructor(context: SendContext) {
    this.#context = context;
  }

  /** Looks for others like a row that is there. Whether there are too many that were not told of before. */
  look(search: AuditSearch, { registration, seq, place }: AuditRow): boolean {
    const { reading, ids: known } = search;
    if (registration.barcode !== undefined || reading.how !== 'list') return false;
    const found = allAsSent(search, registration).filter((record) => !known.isOfOther(record, seq));
    const ids = found.flatMap(({ id, barcode }) => id ?? barcode ?? []);
    if (ids.length < 2 || ids.some((id) => this.#ids.has(id)) || ids.length <= this.#alike(seq)) return false;
    for (const id of ids) this.#ids.add(id);
    this.#found += 1;
    this.#tell(
      seq,
      formatPlace(place),
      `it may be registered twice: ${ids.join(', ')} have all that was sent`,
    );
    return true;
  }

  /** How many rows of the run are the same to the letter, this one included. */
  #alike(seq: number): number {
    const { journal, run } = this.#context;
    return journal.count(
      `FROM row AS mine JOIN row ON row.run = mine.run
         AND row.row_key >= 'h:' || mine.hash || ':' AND row.row_key < 'h:' || mine.hash || ';'
       WHERE mine.run = $run AND mine.seq = $seq AND row.op = 'send'`,
      { run, seq },
    );
  }

  #tell(seq: number, place: string, message: string): void {
    const { journal, run, clock, reporter } = this.#context;
    addStep(journal, run, seq, { at: clock.now(), what: 'audited', detail: message });
    journal.run('UPDATE row SET message = $message WHERE run = $run AND seq = $seq', { run, seq, message });
    addFinding(journal, run, { kind: 'doubled', seq, id: undefined, barcode: undefined, message });
    if (this.#found <= WARNINGS_SHOWN) reporter.report({ type: 'warning', text: `${place}: ${message}.` });
  }

  /** Whether a registration is one of several that stand for one row. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
