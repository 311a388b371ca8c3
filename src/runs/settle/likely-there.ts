import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { decideCommand } from '../judge/decide-command.ts';
import type { Doubt } from './doubts.ts';
import { type ListReading, readListed } from '../listed/read-listed.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { KnownIds } from '../listed/known-ids.ts';
import { emailOf } from '../judge/near.ts';
import type { SendContext } from '../journal/send-context.ts';
import { CHEAP_PAGES } from '../listed/read-now.ts';

/**
 * Notes on uncertain rows that nothing tells apart from others what is likely, for the person who decides:
 * they stay uncertain. Reads the list, unless it is long for so few rows.
 */
export async function noteLikely(context: SendContext, doubts: readonly Doubt[]): Promise<void> {
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
