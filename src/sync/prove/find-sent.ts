import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesButMessages } from '../../registration/changes/field-change.ts';
import { emailOf } from '../../registration/changes/person.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { hasName } from '../decide/near.ts';
import type { AuditFinding } from '../decide/judge-audit.ts';
import type { OwnRows } from '../journal/own-rows.ts';
import type { SentRow } from '../journal/sent-rows.ts';
import { isUnlisted, withBarcode, withEmail, withId } from '../snapshot/answers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** What rows are looked for in. */
export interface Search {
  reading: ListReading;
  /** What was listed before anything was sent. */
  before: ListReading | undefined;
  rows: OwnRows;
  fields: FieldsOf;
}

/**
 * The registrations that are listed for a row: by its barcode, by the id that the service gave it, or, with
 * neither, by its e-mail address and equal values. Undefined: the service shows too little to tell.
 */
export function findSent(search: Search, row: SentRow): readonly RegistrationRecord[] | undefined {
  const { reading, rows, fields } = search;
  const { registration, remoteId, seq } = row;
  const { barcode } = registration;
  if (barcode !== undefined && reading.barcodesShown) return ofTicket(reading, row, fields);
  if (remoteId === undefined || !reading.idsShown) return findByEmail(search, row);
  // An answer with an id that another row has as well was about that row, unless values or name say otherwise.
  const isForeign = rows.belongsToAnother(remoteId, seq);
  return withId(reading, remoteId)?.filter((record) => !isForeign || isPerson(registration, record, fields));
}

/** Those with the barcode of a row; where there are none, its own by the id, which may have been given another one since. */
export function ofTicket(
  reading: ListReading,
  { registration, remoteId = '' }: Pick<SentRow, 'registration' | 'remoteId'>,
  fields: FieldsOf,
): readonly RegistrationRecord[] | undefined {
  const found = withBarcode(reading, registration.barcode ?? '');
  if (found?.length !== 0) return found;
  return withId(reading, remoteId)?.filter((record) => isPerson(registration, record, fields)) ?? found;
}

/** Ids are used again: values or name have to say that one is that of a row. */
const isPerson = (registration: Registration, record: RegistrationRecord, fields: FieldsOf): boolean =>
  isAsSent(registration, record, fields) || hasName(registration, record, fields);

/**
 * One that is as it was sent is the row's own, and so is, of a new row, the only one with its address and name that
 * has appeared; others with its address may be somebody else's.
 */
function findByEmail(search: Search, row: SentRow): readonly RegistrationRecord[] | undefined {
  const { before, fields } = search;
  const { registration, plan } = row;
  const { all, free } = sharersOf(search, row);
  if (all === undefined) return undefined;
  const own = free.find((record) => isAsSent(registration, record, fields));
  if (own !== undefined) return [own];
  const [only, another] = free.filter(
    (one) => before !== undefined && isUnlisted(before, one) && hasName(registration, one, fields),
  );
  if (plan === 'create' && only !== undefined && another === undefined) return [only];
  return all.length > 0 ? undefined : [];
}

/** Those with the e-mail address of a row, undefined where that cannot be told; and which of them no other row stands for. */
export function sharersOf(
  { reading, rows, fields }: Omit<Search, 'before'>,
  { registration, seq }: Pick<SentRow, 'registration' | 'seq'>,
): { all: readonly RegistrationRecord[] | undefined; free: readonly RegistrationRecord[] } {
  const email = emailOf(registration, fields);
  const all = email === undefined ? undefined : withEmail(reading, registration.persona, email);
  return { all, free: (all ?? []).filter(({ id }) => !rows.belongsToAnother(id, seq)) };
}

/** Whether a listed registration holds what a row was sent with, whatever else it holds. */
export function isAsSent(registration: Registration, record: RegistrationRecord, fields: FieldsOf): boolean {
  return changesButMessages(registration, record, fields)?.length === 0;
}

/**
 * Whether none of several registrations has kept its id when it was updated; one tells where its answer was another than
 * those to new ones: it was updated indeed.
 */
export function areNewIds(pages: Iterable<readonly SentRow[]>, { listed }: ListReading): boolean {
  const rows = [...pages].flat();
  const changed = rows.flatMap(({ plan, registration: { barcode = '' }, before, status }) => {
    const [was, is] = [plan === 'update' ? before?.id : undefined, listed.byBarcode(barcode)[0]?.id];
    return was === undefined || is === undefined ? [] : [{ isNew: was !== is, status }];
  });
  const created = new Set(rows.flatMap(({ plan, status }) => (plan === 'create' ? [status] : [])));
  const isTold = created.size > 0 && changed.some(({ status }) => !created.has(status));
  return (changed.length > 1 || isTold) && changed.every(({ isNew }) => isNew);
}

/**
 * Before the last look, a row may just be listed late: not there, with all that it was to change as it was before, or
 * answered with the id of another registration, which is not listed yet.
 */
export function isOpen({ plan, before, remoteId }: SentRow, finding: AuditFinding | undefined): boolean {
  if (finding?.kind !== 'there') return finding?.kind === 'missing';
  if (plan === 'create') return false;
  const { differences, isOld, record } = finding;
  const isElsewhere = remoteId !== undefined && before?.id === record.id && record.id !== remoteId;
  return isElsewhere || (differences.length > 0 && (isOld || before === undefined));
}
