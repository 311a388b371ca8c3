import { makeBarcode, MADE_GLOB, MADE_PREFIX } from '../../registration/reading/made-barcode.ts';
import { among, IN_DOUBT, THERE } from '../../registration/model/row-states.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';

/** As a person who was given a barcode was sent last. */
const GIVEN = rowCodec({
  barcode: value<string>('row.barcode'),
  registration: json<Registration>('row.payload'),
  no: value<number>('max(run.rowid) AS no'),
});

/** Only those of whom something has changed since. */
const FROM = `FROM main.row CROSS JOIN run ON run.id = row.run
  WHERE row.row_key >= 'b:' || $prefix AND row.row_key < 'b:' || $prefix || 'a' AND row.barcode GLOB $made
    AND run.service = $service AND run.event = $event AND run.kind = 'push' AND row.op = 'send'
    AND row.payload IS NOT NULL AND row.state ${among([...THERE, ...IN_DOUBT])}
  GROUP BY row.barcode HAVING count(DISTINCT row.hash) > 1`;

/**
 * Who was sent with a barcode that is made from an e-mail or a name which they have no more: by the barcode that would be
 * made for them now, the one that they have.
 */
export function readGivenBefore({
  journal,
  target,
  event,
}: Pick<SendContext, 'journal' | 'target' | 'event'>): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  const own = { service: target.service, event: target.eventId, made: MADE_GLOB, prefix: MADE_PREFIX };
  for (const { barcode, registration } of journal.read(GIVEN, FROM, own)) {
    const fields = event.personas.find(({ slug }) => slug === registration.persona)?.fields ?? [];
    const made = makeBarcode(new Map(Object.entries(registration.fields)), fields);
    if (made !== undefined && made.barcode !== barcode) given.set(made.barcode, barcode);
  }
  return given;
}
