import type { DocumentBody } from '../../documents/documents.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';

type EventBody = DocumentBody<'event@1'>;

/** A persona with the number of its fields. */
export function personaRecord(persona: Persona): DocumentBody<'event-personas@1'>['personas'][number] {
  const { slug, name, id = null, fields } = persona;
  return { persona: slug, name, id, fields: fields.length };
}

/** The event as one JSON value, its personas and their fields inside, named as the interface names them. */
export function eventJson(event: EventInfo): EventBody {
  return {
    event_id: event.eventNumber ?? event.eventId,
    slug: event.slug,
    name: event.name,
    timezone: event.timezone ?? null,
    start_date: event.startDate ?? null,
    end_date: event.endDate ?? null,
    personas: event.personas.map(({ id, slug, name, fields }) => ({
      id: id ?? null,
      slug,
      name,
      fields: fields.map(fieldJson),
    })),
  };
}

function fieldJson(field: Field): EventBody['personas'][number]['fields'][number] {
  const { id, slug, label, type, kind, choices, multiple, known } = field;
  const shown = choices.map((choice) => ({ value: choice.value, label: choice.label }));
  return { id: id ?? null, slug, label, type, kind, choices: shown, multiple, checked: known };
}

/** The event as lines for people; facts that the service does not give are left out. */
export function describeEvent(event: EventInfo): string[] {
  const facts: [string, string | undefined][] = [
    ['name', event.name],
    ['event_id', event.eventId],
    ['slug', event.slug],
    ['timezone', event.timezone],
    ['starts', event.startDate],
    ['ends', event.endDate],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [line(name, value)] : []));
  return [...lines, ...describePersonas(event.personas)];
}

function describePersonas(personas: readonly Persona[]): string[] {
  if (personas.length === 0) return [line('personas', 'none: nothing can be pushed to this event')];
  return personas.map(({ slug, name, fields }, at) =>
    line(at === 0 ? 'personas' : '', `${slug} (${name}): ${plural(fields.length, 'field', 'fields')}`),
  );
}

function line(name: string, value: string): string {
  return `${name.padEnd(10)}${visible(value)}`;
}
