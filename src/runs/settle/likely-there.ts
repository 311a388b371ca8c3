import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { decideCommand } from '../judge/decide-command.ts';
import type { Doubt } from './doubts.ts';
import { type ListReading, readListed } from '../listed/read-listed.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { KnownIds } from '../listed/known-ids.ts';
import { emailOf, hasName, isNamedOtherwise } from '../judge/near.ts';
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
    $run: run,
    $seq: row.seq,
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
  const all = listed.byEmail(registration.persona, email).filter(({ id }) => id !== undefined);
  const found = all.filter(({ id = '' }) => !ids.belongsToAnother(id, row.seq));
  const isNoMoreTheirs = (record: RegistrationRecord): boolean =>
    ids.othersWith(record.id ?? '', row.seq).some((other) => isNamedOtherwise(other, record, fields));
  const alike = found.filter((record) => differences(context, row.registration, record).length === 0);
  if (alike.length > 0) return `likely there: ${have(alike)} all that was sent`;
  const [first] = found;
  if (first !== undefined) {
    const names = differences(context, row.registration, first).join(', ');
    return `perhaps there: ${have(found)} its e-mail, but other values in: ${names}`;
  }
  // A service that takes people for one gives them one id: it may be this row's by now.
  const named = all.filter((record) => hasName(registration, record, fields) && isNoMoreTheirs(record));
  if (named.length > 0)
    return `perhaps there: ${have(named)} its e-mail and name, with the id of another row`;
  if (moved) return undefined;
  const none = all.length === 0 ? 'no registration with its e-mail is listed' : OTHERS_ONLY;
  return `likely not there: ${none}`;
}

const OTHERS_ONLY = 'those that are listed with its e-mail stand for other rows';

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
