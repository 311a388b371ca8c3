import { readEvent } from '../service/contracts/read-event.ts';
import { isObject, unwrap } from '../service/contracts/json.ts';
import type { DemoEvent, DemoField } from './demo-event.ts';

type Read = Extract<ReturnType<typeof readEvent>, { event: unknown }>['event'];
type ReadField = Read['personas'][number]['fields'][number];

/** The event of a service that was copied, from the body in which it was shown. Throws an Error when that is none. */
export function copiedEvent(body: unknown): DemoEvent {
  const read = readEvent(body);
  if ('problems' in read) throw new Error(`what it copies is no event: ${read.problems.join('; ')}`);
  const { event } = read;
  const shown = unwrap(body, ['data', 'event'], (object) => 'event_id' in object);
  return {
    event_id: event.eventNumber ?? Number(event.eventId),
    slug: event.slug,
    name: event.name,
    timezone: event.timezone ?? '',
    start_date: event.startDate ?? '',
    end_date: event.endDate ?? '',
    personas: event.personas.map(({ slug, name, fields }, at) => ({
      id: at,
      slug,
      name,
      fields: fields.map(toField),
    })),
    shown: { event: body, personas: isObject(shown) ? shown['personas'] : [] },
  };
}

/** An option is known by the value that is sent. */
function toField({ slug, label, type, kind, choices, multiple }: ReadField, id: number): DemoField {
  const kinds = {
    name: 'text',
    email: 'email',
    phone: 'phone',
    country: 'country',
    website: 'url',
    upload: 'url',
    date: 'date',
    numeric: 'numeric',
    choice: multiple ? 'multiple' : 'choice',
    text: 'text',
  } as const;
  const types: Partial<Record<typeof kind, string>> = { name: 'Name', upload: 'Upload' };
  return {
    id,
    slug,
    label,
    type: types[kind] ?? type,
    kind: kinds[kind],
    options: choices.map(({ value, label: name }, at) => ({ id: at, slug: value, label: name })),
  };
}
