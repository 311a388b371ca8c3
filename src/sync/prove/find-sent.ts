import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { holdsAll } from '../../registration/changes/field-change.ts';
import { emailOf, nameKeyOf } from '../../registration/changes/person.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { hasName } from '../decide/near.ts';
import type { AuditFinding } from '../decide/judge-audit.ts';
import type { OwnRows } from '../journal/own-rows.ts';
import type { SentRow } from '../journal/sent-rows.ts';
import { answeredAs, isUnlisted, withBarcode, withEmail, withId, withName } from '../snapshot/answers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';

/** What rows are looked for in. */
export interface Search {
  reading: ListReading;
  /** What was listed before anything was sent. */
  before: ListReading | undefined;
  rows: OwnRows;
  fields: FieldsOf;
  /** Nothing is listed late any more. */
  isLast: boolean;
}

/**
 * The registrations that are listed for a row: by its barcode, by the id that the service gave it, or, with
 * neither, by its e-mail address or name and equal values. Undefined: the service shows too little to tell.
 */
export function findSent(search: Search, row: SentRow): readonly RegistrationRecord[] | undefined {
  const { reading, rows, fields } = search;
  const { registration, remoteId, seq } = row;
  const { barcode } = registration;
  if (barcode !== undefined && reading.barcodesShown) return ofTicket(reading, row, fields);
  if (remoteId === undefined || !reading.idsShown) return findAlike(search, row);
  // An answer with an id that another row has as well was about that row, unless values or name say otherwise.
  const isForeign = rows.belongsToAnother(remoteId, seq);
  return withId(reading, remoteId)?.filter((record) => !isForeign || isPerson(registration, record, fields));
}

/** Those with the barcode of a row; where there are none, its own as the answer named it: it may have been given another one. */
export function ofTicket(
  reading: ListReading,
  { registration, remoteId = '' }: Pick<SentRow, 'registration' | 'remoteId'>,
  fields: FieldsOf,
): readonly RegistrationRecord[] | undefined {
  const found = withBarcode(reading, registration.barcode ?? '');
  if (found?.length !== 0) return found;
  return answeredAs(reading, remoteId)?.filter((record) => isPerson(registration, record, fields)) ?? found;
}

/** Ids are used again: values or name have to say that one is that of a row. */
const isPerson = (registration: Registration, record: RegistrationRecord, fields: FieldsOf): boolean =>
  holdsAll(registration, record, fields) || hasName(registration, record, fields);

/**
 * One that is as it was sent is the row's own, and so is, of a new row, the only one like it that has appeared; others
 * like it may be somebody else's.
 */
function findAlike(search: Search, row: SentRow): readonly RegistrationRecord[] | undefined {
  const { reading, before, fields, isLast } = search;
  const { registration, plan } = row;
  const sharers = sharersOf(search, row);
  if (sharers === undefined) return undefined;
  const { by, all, free } = sharers;
  const own = free.find((record) => holdsAll(registration, record, fields));
  if (own !== undefined) return [own];
  const [only, another] = free.filter(
    (one) => before !== undefined && isUnlisted(before, one) && hasName(registration, one, fields),
  );
  if (plan === 'create' && only !== undefined && another === undefined) return [only];
  const isThere = free.some((one) => hasName(registration, one, fields));
  // That there is nobody of a name is no proof in the end where more are there than before: it may be written otherwise.
  const areMore = plan !== 'create' || (reading.total ?? 0) > (before?.total ?? 0);
  return isThere || (isLast && (all.length > 0 || (by === 'name' && areMore))) ? undefined : [];
}

/** Who may be the person of a row: those with its e-mail address, or where neither has one with its name. */
interface Sharers {
  by: 'e-mail' | 'name';
  all: readonly RegistrationRecord[];
  /** Those that no other row stands for. */
  free: readonly RegistrationRecord[];
}

/** Undefined where that cannot be told. */
export function sharersOf(
  { reading, rows, fields }: Pick<Search, 'reading' | 'rows' | 'fields'>,
  { registration, seq }: Pick<SentRow, 'registration' | 'seq'>,
): Sharers | undefined {
  const email = emailOf(registration, fields);
  const name = nameKeyOf(registration, fields);
  const withIt = name === undefined ? undefined : withName(reading, name);
  const all = email === undefined ? withIt : withEmail(reading, registration.persona, email);
  const by = email === undefined ? 'name' : 'e-mail';
  return all && { by, all, free: all.filter(({ id }) => !rows.belongsToAnother(id, seq)) };
}

/** Whether no update has kept the id of its registration. */
export const areNewIds = (pages: Iterable<readonly SentRow[]>, { listed }: ListReading): boolean =>
  [...pages].flat().every(({ plan, registration: { barcode = '' }, before }) => {
    const [was, is] = [plan === 'update' ? before?.id : undefined, listed.byBarcode(barcode)[0]?.id];
    return was === undefined || is === undefined || was !== is;
  });

/**
 * Before the last look, a row may just be listed late: not there, with all that it was to change as it was before, or
 * answered with the id of another registration, which is not listed yet.
 */
export function isOpen({ plan, before, remoteId }: SentRow, finding: AuditFinding): boolean {
  if (finding.kind !== 'there') return finding.kind === 'missing';
  if (plan === 'create') return false;
  const { differences, isOld, record } = finding;
  const isElsewhere = remoteId !== undefined && before?.id === record.id && record.id !== remoteId;
  return isElsewhere || (differences.length > 0 && (isOld || before === undefined));
}
