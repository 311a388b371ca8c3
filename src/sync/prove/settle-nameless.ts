import { changesButMessages, fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import { hashOf, type RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT } from '../../registration/model/row-states.ts';
import { decideCommand, outcomeOf } from '../decide/judge-found.ts';
import { type Doubt, type Rival, unlinkedRows, writeSettled } from '../journal/doubts.ts';
import { type OwnRows, RowsSince } from '../journal/own-rows.ts';
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
    open = reading.how === 'list' && reading.idsShown ? settleAmong(context, open, reading) : [];
    return { openUntilMs: open.length === 0 || untilMs <= clock.now() ? undefined : untilMs };
  });
}

/** Returns those that stay uncertain. */
function settleAmong(context: SendContext, doubts: readonly Doubt[], reading: ListReading): Doubt[] {
  const { journal, run, clock } = context;
  const rivals = unlinkedRows(journal, run);
  const facts = { context, reading, rows: new RowsSince(journal, run), rivals };
  return doubts.filter((doubt) => {
    const { seq, place } = doubt.row;
    const { id, note } = likely(facts, doubt);
    if (id !== undefined) {
      facts.rows.add(id, seq);
      writeSettled(journal, { run, seq }, outcomeOf({ kind: 'done', id }), clock.now());
      return false;
    }
    const message = note && `${note}; say what is so with ${decideCommand(run, place)}`;
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

/** The id of the registration that it is, or a clause that names registrations, never values of persons; neither when nothing can be said. */
function likely(facts: Facts, doubt: Doubt): { id?: string | undefined; note?: string } {
  const { context, reading } = facts;
  const { registration } = doubt.row;
  const fields = fieldsOf(context.event);
  const found = sharersOf({ ...facts, fields }, doubt.row);
  if (found === undefined) return {};
  const { by, all, free } = found;
  const alike = free.filter((record) => holdsAll(registration, record, fields));
  const [own, another] = alike;
  const isOnly = own !== undefined && another === undefined && !reading.moved && isOnlyOf(facts, doubt, own);
  if (isOnly) return { id: own.id };
  if (own !== undefined) return { note: `likely there: ${have(alike)} all that was sent` };
  const [first] = free;
  if (first !== undefined) {
    const names = (changesButMessages(registration, first, fields) ?? [])
      .map(({ field }) => field)
      .join(', ');
    return { note: `perhaps there: ${have(free)} its ${by}, but other values in: ${names}` };
  }
  // A service that takes people for one gives them one id.
  if (all.length > 0) return { note: `perhaps there: ${have(all)} its ${by}, with the id of another row` };
  const isShown = !reading.moved && hasShownLike(reading, registration);
  return isShown ? { note: `likely not there: no registration with its ${by} is listed` } : {};
}

/**
 * Whether a registration can be that of no other row, and is not one that the request may have changed. Which of
 * several equal rows has landed does not matter: the others stay in doubt.
 */
function isOnlyOf({ context, rivals }: Facts, { row }: Doubt, record: RegistrationRecord): boolean {
  if (row.remoteId !== undefined) return false;
  if (row.near?.some(({ image }) => image?.id === record.id) === true) return false;
  const hash = hashOf(row.registration);
  return rivals.every(
    ({ run, seq, state, registration }) =>
      (run === context.run && seq === row.seq) ||
      (IN_DOUBT.has(state) && hashOf(registration) === hash) ||
      !holdsAll(registration, record, fieldsOf(context.event)),
  );
}

/** `registration reg-12 has`, or `registrations reg-12, reg-13 have`. */
function have(records: readonly RegistrationRecord[]): string {
  const ids = records.map(({ id }) => id).join(', ');
  return records.length === 1 ? `registration ${ids} has` : `registrations ${ids} have`;
}
