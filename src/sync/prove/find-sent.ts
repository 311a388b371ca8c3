import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { changesButMessages, fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import { emailOf, nameKeyOf } from '../../registration/changes/person.ts';
import { hashOf, type Registration, type RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { isSpelling } from '../decide/decide.ts';
import type { AuditFinding } from '../decide/judge-audit.ts';
import { outcomeOf } from '../decide/judge-found.ts';
import { fitsMasks, hasName } from '../decide/judge-person.ts';
import { type Doubt, type Rival, unlinkedRows, writeSettled } from '../journal/doubts.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type OwnRows, RowsSince, type SentRow } from '../journal/sent-rows.ts';
import { toldRow } from '../journal/told-rows.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import {
  answeredAs,
  CHEAP_PAGES,
  hasShownLike,
  isUnlisted,
  withBarcode,
  withEmail,
  withId,
  withName,
} from '../snapshot/read-now.ts';
import { lookUntil } from '../snapshot/wait-until.ts';

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

/** One that is as it was sent is the row's own, and so is the only one like a new row that has appeared. */
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

/** Who may be the person of a row: those with its e-mail address, or where it has none, or none are shown, with its name. */
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
  const fits = (record: RegistrationRecord): boolean => fitsMasks(registration, record, fields);
  const email = reading.listed.showsEmails ? emailOf(registration, fields) : undefined;
  const name = nameKeyOf(registration, fields);
  const withIt = name === undefined ? undefined : withName(reading, name)?.filter(fits);
  const all = email === undefined ? withIt : withEmail(reading, registration.persona, email);
  const by = email === undefined ? 'name' : 'e-mail';
  return all && { by, all, free: all.filter(({ id }) => !rows.belongsToAnother(id, seq)) };
}

/** Whether no update has kept the id of its registration; one that is listed with another id than answered is so late. */
export const areNewIds = (pages: Iterable<readonly SentRow[]>, { listed }: ListReading): boolean =>
  [...pages].flat().every(({ plan, registration: { barcode = '' }, before, remoteId }) => {
    const [was, is] = [plan === 'update' ? before?.id : undefined, listed.byBarcode(barcode)[0]?.id];
    return was === undefined || is === undefined || was !== is || (remoteId ?? is) !== is;
  });

/**
 * Before the last look, a row may just be listed late: not there, with all that it was to change as it was before, or
 * answered with the id of another registration, which is not listed yet; or nothing shows of what it was to change, and it
 * was done after `since`: a list that is known to be late need not show what else has come of it.
 */
export function isOpen(
  { plan, before, remoteId, doneAt = 0 }: SentRow,
  finding: AuditFinding,
  since: number,
): boolean {
  if (finding.kind !== 'there') return finding.kind === 'missing';
  if (plan === 'create') return false;
  const { differences, isOld, isUnseen, record } = finding;
  const isElsewhere = remoteId !== undefined && before?.id === record.id && record.id !== remoteId;
  const hasOtherId = differences.some(({ field, kind }) => kind === 'changed' && field === 'id');
  const isAsBefore = differences.length > 0 && (isOld || before === undefined);
  const isBehind = isUnseen && record.fields !== undefined && doneAt > since;
  return isElsewhere || hasOtherId || isAsBefore || isBehind;
}

/**
 * Settles uncertain rows that nothing tells apart from others where exactly one registration that no row stands for has
 * all that was sent: whoever has sent it, the person is there once, as the list says. Of the others it notes what is
 * likely, for the person who decides: they stay uncertain. Looks until none can land or be listed late any more. Reads the
 * list, unless that is long for so few rows and `whole` is not set.
 */
export async function settleNameless(
  context: SendContext,
  doubts: readonly Doubt[],
  { whole = false }: { whole?: boolean },
): Promise<void> {
  if (doubts.length === 0) return;
  const { clock, limits } = context;
  const untilMs = Math.max(...doubts.map(({ row }) => row.sentAt ?? 0)) + limits.settleMs;
  let open = doubts;
  await lookUntil(context, async () => {
    const reading = await readListed(context, { pages: Math.max(CHEAP_PAGES, open.length), whole });
    open = reading.how === 'list' ? settleAmong(context, open, reading) : [];
    return { openUntilMs: open.length === 0 || untilMs <= clock.now() ? undefined : untilMs };
  });
}

/** Returns those that stay uncertain. */
function settleAmong(context: SendContext, doubts: readonly Doubt[], reading: ListReading): Doubt[] {
  const { journal, run, clock } = context;
  const rivals = unlinkedRows(journal, run, reading.idsShown);
  const facts = { context, reading, rows: new RowsSince(journal, run), rivals };
  return doubts.filter((doubt) => {
    const { seq } = doubt.row;
    const { own, message } = likely(facts, doubt);
    if (own !== undefined) {
      // What it stands for is no other row's: without an id it is a rival that is there.
      if (own.id !== undefined) facts.rows.add(own.id, seq);
      else for (const one of rivals) if (one.run === run && one.seq === seq) one.state = 'done';
      writeSettled(journal, { run, seq }, outcomeOf({ kind: 'done', id: own.id }), clock.now());
      return false;
    }
    // The same again is no news.
    if (message !== undefined && message !== toldRow(journal, run, seq)?.message)
      writeSettled(journal, { run, seq }, { state: 'uncertain', message }, clock.now());
    return true;
  });
}

interface Facts {
  context: SendContext;
  reading: ListReading;
  rows: OwnRows;
  /** Rows since the run whose registrations are not known either. */
  rivals: readonly Rival[];
}

/** The registration that it is, or a clause that names registrations, never values of persons; neither when nothing can be said. */
function likely(facts: Facts, doubt: Doubt): { own?: RegistrationRecord; message?: string } {
  const { context, reading } = facts;
  const { registration } = doubt.row;
  const fields = fieldsOf(context.event);
  const found = sharersOf({ ...facts, fields }, doubt.row);
  if (found === undefined) return {};
  const { by, all, free } = found;
  const alike = free.filter((record) => holdsAll(registration, record, fields));
  const [own, another] = alike;
  const isOnly = own !== undefined && another === undefined && !reading.moved && isOnlyOf(facts, doubt, own);
  if (isOnly) return { own };
  if (own !== undefined) return { message: `likely there: ${have(alike)} all that was sent` };
  const [first] = free;
  if (first !== undefined) {
    const others = (changesButMessages(registration, first, fields) ?? []).filter(
      ({ field, before, after }) => reading.fieldsListed.has(field) && !isSpelling(before, after),
    );
    const but =
      others.length === 0 ? '' : `, but other values in: ${others.map(({ field }) => field).join(', ')}`;
    return { message: `perhaps there: ${have(free)} its ${by}${but}` };
  }
  // A service that takes people for one gives them one id.
  if (all.length > 0) return { message: `perhaps there: ${have(all)} its ${by}, with the id of another row` };
  const isShown = !reading.moved && hasShownLike(reading, registration);
  return isShown ? { message: `likely not there: no registration with its ${by} is listed` } : {};
}

/**
 * Whether a registration can be that of no other row, and is not one that the request may have changed. Which of
 * several equal rows has landed does not matter: the others stay in doubt.
 */
function isOnlyOf({ context, reading, rivals }: Facts, { row }: Doubt, record: RegistrationRecord): boolean {
  // What an answer has named is known by that, where the list shows ids.
  if (row.plan === 'update' || (reading.idsShown && row.remoteId !== undefined)) return false;
  if (row.near?.some(({ image }) => image?.id === record.id) === true) return false;
  const hash = hashOf(row.registration);
  return rivals.every(
    ({ run, seq, state, registration }) =>
      (run === context.run && seq === row.seq) ||
      (IN_DOUBT.has(state) && hashOf(registration) === hash) ||
      !holdsAll(registration, record, fieldsOf(context.event)),
  );
}

/** `registration reg-12 has`, or `registrations reg-12, reg-13 have`; `2 registrations have` where they show no names. */
function have(records: readonly RegistrationRecord[]): string {
  const names = records.flatMap(({ id, barcode }) => id ?? barcode ?? []).join(', ');
  if (names === '') return plural(records.length, 'registration has', 'registrations have');
  return records.length === 1 ? `registration ${names} has` : `registrations ${names} have`;
}
