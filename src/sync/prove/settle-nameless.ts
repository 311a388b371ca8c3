import { changesButMessages, fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import { hashOf, type RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { outcomeOf } from '../decide/judge-found.ts';
import { type Doubt, type Rival, unlinkedRows, writeSettled } from '../journal/doubts.ts';
import { type OwnRows, RowsSince } from '../journal/own-rows.ts';
import { plural } from '../../report/words/number.ts';
import { toldRow } from '../journal/told-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { hasShownLike } from '../snapshot/answers.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { CHEAP_PAGES } from '../snapshot/read-now.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import { sharersOf } from './find-sent.ts';

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
    const names = (changesButMessages(registration, first, fields) ?? [])
      .map(({ field }) => field)
      .join(', ');
    return { message: `perhaps there: ${have(free)} its ${by}, but other values in: ${names}` };
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
