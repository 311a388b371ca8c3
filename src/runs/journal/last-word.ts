import { among, SENT } from '../../registration/model/row-states.ts';
import type { FieldValue, RecordImage } from '../../registration/model/registration.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';
import { BaseStore } from './base-store.ts';
import { type Base, UNSAID, writtenText } from '../judge/judge-value.ts';
import type { Journal } from './journal.ts';
import type { Target } from './runs.ts';
import type { LastWord } from '../judge/what-is-sent.ts';

/** The last words about one registration. `endDate` is that of the event. */
export function lastWords(
  journal: Journal,
  target: Target,
  { barcode, id, endDate }: Pick<RecordImage, 'barcode' | 'id'> & { endDate: string | undefined },
): LastWord {
  let read: { bases: BaseStore; base: Base | undefined } | undefined;
  const known = (): { bases: BaseStore; base: Base | undefined } => {
    if (read !== undefined) return read;
    const bases = new BaseStore(journal, target, endDate);
    return (read = { bases, base: bases.read({ barcode, id }) });
  };
  return (field, shown) => {
    const { bases, base } = known();
    const pair = base?.pairs.get(field.slug);
    if (pair === undefined || pair.said === UNSAID) return undefined;
    const isAsSeen = pair.seen === bases.digest(canonicalValue(field, shown));
    if (!isAsSeen || pair.said === bases.digest(writtenText(shown))) return undefined;
    const value = lastSent(journal, target, { barcode, id, slug: field.slug });
    return value !== undefined && bases.digest(writtenText(value)) === pair.said ? { value } : 'lost';
  };
}

/** The value that was sent last in a field of a registration, as it was sent; undefined when the journal has none. */
function lastSent(
  journal: Journal,
  { service, eventId }: Target,
  { barcode, id, slug }: Pick<RecordImage, 'barcode' | 'id'> & { slug: string },
): FieldValue | undefined {
  const name = barcode === undefined ? 'row.remote_id = $name' : 'row.barcode = $name';
  const row = journal.get<{ value: string }>(
    `SELECT json_extract(coalesce(ask, payload), '$.fields') -> $slug AS value
     FROM run CROSS JOIN main.row ON row.run = run.id AND ${name}
     WHERE run.service = $service AND run.event = $event AND op = 'send' AND row.state ${among(SENT)}
       AND value IS NOT NULL
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    {
      $service: service,
      $event: eventId,
      $name: barcode ?? id,
      $slug: slug,
    },
  );
  return row && (JSON.parse(row.value) as FieldValue);
}
