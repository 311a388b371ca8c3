import { fieldsOf } from '../../registration/changes/field-change.ts';
import { among, SENT } from '../../registration/model/row-states.ts';
import { pendingUpdates } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { nameField, readFieldName, type UnsaidFields } from './unsaid-fields.ts';

type UnseenContext = Pick<SendContext, 'journal' | 'run' | 'target' | 'event' | 'clock'>;

/** Fields that no listed registration shows and that updates leave out, by name. */
export interface UnseenFields {
  /** Nobody knows whether they hold anything: an update may empty them. */
  open: readonly string[];
  /** This machine has sent them for each of the updates, and sends them along; `sentAt`: when it last did. */
  along: readonly { name: string; sentAt: number }[];
}

export const NONE_UNSEEN: UnseenFields = { open: [], along: [] };

/**
 * Where the service shows the values of its registrations, but not of all fields. Many services leave blank ones out,
 * so it is said until an update of the event was sent from here, and not each time.
 */
export function unseenFields(
  context: UnseenContext,
  { fieldsListed }: ListReading,
  unsaid: UnsaidFields,
): UnseenFields {
  const { journal, target, event } = context;
  const { service, eventId } = target;
  const sent = `FROM run CROSS JOIN main.row ON row.run = run.id AND row.plan = 'update' AND row.state ${among(SENT)}
    WHERE run.service = $service AND run.event = $event`;
  if (journal.has(sent, { service, event: eventId })) return NONE_UNSEEN;
  const names = unsaid.unseen(fieldsOf(event), fieldsListed);
  if (names.length === 0) return NONE_UNSEEN;
  const open = new Set<string>();
  const along = new Set<string>();
  for (const row of pendingUpdates(journal, context.run)) {
    const sentAlong = new Set(whatIsSentNow(context, row).along);
    const { persona, fields } = row.registration;
    for (const { slug } of fieldsOf(event)(persona)) {
      const name = nameField(persona, slug);
      if (names.includes(name) && !Object.hasOwn(fields, slug))
        (sentAlong.has(slug) ? along : open).add(name);
    }
    if (names.every((name) => open.has(name))) break;
  }
  const known = names.filter((name) => along.has(name) && !open.has(name));
  return {
    open: names.filter((name) => !known.includes(name)),
    along: known.map((name) => ({ name, sentAt: lastSentAt(context, name) })),
  };
}

function lastSentAt({ journal, target }: UnseenContext, name: string): number {
  const row = journal.get<{ at: number }>(
    `SELECT max(sent_at) AS at FROM run CROSS JOIN main.row ON row.run = run.id
     WHERE run.service = $service AND run.event = $event AND op = 'send' AND row.state ${among(SENT)}
       AND persona = $persona AND json_extract(coalesce(ask, payload), '$.fields') -> $slug IS NOT NULL`,
    {
      service: target.service,
      event: target.eventId,
      ...readFieldName(name),
    },
  );
  return row?.at ?? 0;
}
