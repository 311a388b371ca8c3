import { changesButMessages } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { AuditRow } from '../journal/audit-rows.ts';
import { type ListReading, isUnlisted } from '../listed/read-listed.ts';
import type { KnownIds } from '../listed/known-ids.ts';
import { emailOf, hasName } from '../judge/match-email.ts';

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
export function allAsSent(
  { reading, fields }: AuditSearch,
  registration: Registration,
): RegistrationRecord[] {
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
