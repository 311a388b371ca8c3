import { among, SENT } from '../../registration/model/row-states.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Journal } from '../journal/journal.ts';
import { json, rowCodec } from '../journal/row-codec.ts';
import type { Target } from '../journal/runs.ts';

/** Sends of one registration that are looked at. */
const LOOKED_AT = 20;

const SEND = rowCodec({
  sent: json<Registration | undefined>(`CASE WHEN op = 'send' THEN coalesce(ask, payload) END`),
});

/**
 * What this machine had sent of a registration, and the service had taken, before a step of the journal: newest
 * first, back to when the registration was last deleted.
 */
export function earlierSends(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  { barcode, sentNo }: { barcode: string | undefined; sentNo: number },
): Registration[] {
  if (barcode === undefined) return [];
  const rows = journal.read(
    SEND,
    `FROM run CROSS JOIN main.row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND row.sent_no < $no
       AND ((op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)}))
     ORDER BY row.sent_no DESC LIMIT ${LOOKED_AT}`,
    { service, event: eventId, barcode, no: sentNo },
  );
  const sends: Registration[] = [];
  for (const { sent } of rows) {
    if (sent === undefined) break;
    sends.push(sent);
  }
  return sends;
}
