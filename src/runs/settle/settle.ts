import { fieldsOf, changesButMessages } from '../../registration/changes/field-change.ts';
import { type Doubt, readDoubts } from './doubts.ts';
import type { SendContext } from '../journal/send-context.ts';
import { look } from './settle-look.ts';
import { SECOND_LOOK_MS, waitUntil } from '../listed/wait-until.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { decideCommand } from '../judge/decide-command.ts';
import { type ListReading, readListed } from '../listed/read-listed.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { KnownIds } from '../listed/known-ids.ts';
import { emailOf } from '../judge/near.ts';
import { CHEAP_PAGES } from '../listed/read-now.ts';

export interface SettleOptions {
  /** How a row without a barcode is told from others: not at all, or by its e-mail address. */
  match?: 'barcode' | 'email';
  /** What becomes of rows that a delete has taken out of the service: they are sent again, or left deleted. */
  deleted?: 'send' | 'leave';
}

/**
 * Settles uncertain rows by reading the service: found as sent is done, found otherwise is a conflict.
 * Absent twice, after the time in which a late request may still land, goes back to be sent once more.
 * Of rows that nothing tells apart from others it notes what is likely; they stay uncertain. A settle time
 * of 0 means that no request can land late, as in an embedded sandbox: one look is enough. Returns how many
 * rows it looked for.
 */
export async function settleUncertain(
  context: SendContext,
  { match = 'barcode', deleted = 'send' }: SettleOptions = {},
): Promise<number> {
  const { journal, run, event } = context;
  const doubts = readDoubts(journal, run, { match, fields: fieldsOf(event) });
  const [known, unknown] = partition(doubts, ({ handle }) => handle !== undefined);
  await lookAtAll(context, known, deleted);
  await noteLikely(context, unknown);
  return known.length;
}

async function lookAtAll(
  context: SendContext,
  doubts: readonly Doubt[],
  deleted: 'send' | 'leave',
): Promise<void> {
  const { clock, limits } = context;
  const looking = { deleted, absent: new Set<number>() };
  let open = await look(context, doubts, { ...looking, turn: limits.settleMs === 0 ? 'last' : 'first' });
  if (open.length === 0) return;
  await waitForLateRequests(context, open);
  open = await look(context, open, { ...looking, turn: 'second' });
  if (open.length === 0) return;
  // The first look proved nothing of these: the list was behind, or moved.
  await waitUntil(context, clock.now() + SECOND_LOOK_MS);
  await look(context, open, { ...looking, turn: 'last' });
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Until nothing that was sent can land any more, and long enough for a second look to be one. */
async function waitForLateRequests(context: SendContext, open: readonly Doubt[]): Promise<void> {
  const { settleMs } = context.limits;
  const now = context.clock.now();
  // When a delete was begun is not known here: it may have been this very moment.
  const lastMs = Math.max(...open.map(({ row, cause }) => (cause === 'deleting' ? now : (row.sentAt ?? 0))));
  // Never longer than a whole wait from now, whatever the clock has done since.
  const landedMs = Math.min(lastMs + settleMs, now + settleMs);
  await waitUntil(context, Math.max(now + SECOND_LOOK_MS, landedMs));
}

/**
 * Notes on uncertain rows that nothing tells apart from others what is likely, for the person who decides:
 * they stay uncertain. Reads the list, unless it is long for so few rows.
 */
async function noteLikely(context: SendContext, doubts: readonly Doubt[]): Promise<void> {
  if (doubts.length === 0) return;
  const { journal, run, clock } = context;
  const count = Math.max(CHEAP_PAGES, doubts.length);
  const reading = await readListed(context, { barcodes: () => [], count, whole: false });
  const ids = new KnownIds(journal, run);
  for (const doubt of doubts) {
    const note = whatIsLikely(context, reading, ids, doubt);
    if (note === undefined) continue;
    const message = `${note}; say what is so with ${decideCommand(run, doubt.row.place)}`;
    // As an earlier run has said it: what is decided of one counts for both.
    if (messageOf(context, doubt)?.startsWith(`${note}; `) === true) continue;
    writeOutcome(journal, run, doubt.row.seq, { state: 'uncertain', message }, clock.now(), 'looked');
  }
  reading.listed.clear();
}

function messageOf({ journal, run }: SendContext, { row }: Doubt): string | undefined {
  return journal.get<{ message?: string }>('SELECT message FROM row WHERE run = $run AND seq = $seq', {
    run,
    seq: row.seq,
  })?.message;
}

/** A clause that names registrations, never values of persons; undefined when nothing can be said. */
function whatIsLikely(
  context: SendContext,
  reading: ListReading,
  ids: KnownIds,
  { row }: Doubt,
): string | undefined {
  const { listed, how, fieldsShown, idsShown, moved } = reading;
  const fields = fieldsOf(context.event);
  const { registration } = row;
  const email = emailOf(registration, fields);
  if (email === undefined || how !== 'list' || !fieldsShown || !idsShown) return undefined;
  const found = listed
    .byEmail(registration.persona, email)
    .filter(({ id }) => id !== undefined && !ids.belongsToAnother(id, row.seq));
  const alike = found.filter((record) => differences(context, row.registration, record).length === 0);
  if (alike.length > 0) return `likely there: ${have(alike)} all that was sent`;
  const [first] = found;
  if (first !== undefined) {
    const names = differences(context, row.registration, first).join(', ');
    return `perhaps there: ${have(found)} its e-mail, but other values in: ${names}`;
  }
  return moved ? undefined : 'likely not there: no registration with its e-mail is listed';
}

/** `registration reg-12 has`, or `registrations reg-12, reg-13 have`. */
function have(records: readonly RegistrationRecord[]): string {
  const ids = records.map(({ id }) => id).join(', ');
  return records.length === 1 ? `registration ${ids} has` : `registrations ${ids} have`;
}

function differences(
  { event }: SendContext,
  registration: Doubt['row']['registration'],
  record: RegistrationRecord,
): string[] {
  return (changesButMessages(registration, record, fieldsOf(event)) ?? []).map(({ field }) => field);
}
