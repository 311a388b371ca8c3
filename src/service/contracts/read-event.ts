import * as z from 'zod';
import { readFieldType } from '../../registration/model/field-kind.ts';
import type { EventInfo, Field, Persona } from '../../registration/model/persona.ts';
import { readChoices, readLabels } from './field-options.ts';
import { unwrap } from './json-values.ts';

const id = z.union([z.string(), z.number()]).transform(String);

const fieldSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  label: z.unknown().optional(),
  type: z.string().nullish(),
  values: z.unknown().optional(),
});

const personaSchema = z.looseObject({
  id: id.nullish(),
  slug: z.string().min(1),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  fields: z.array(fieldSchema).nullish(),
});

/** Body of GET /event. */
const eventSchema = z.looseObject({
  event_id: id,
  slug: z.string().nullish(),
  /** A text, or one for each language. */
  name: z.unknown().optional(),
  timezone: z.string().nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  personas: z.array(personaSchema).nullish(),
});

/** The event, or undefined with the reasons why the body is none. */
export function readEvent(body: unknown): { event: EventInfo } | { problems: string[] } {
  const parsed = eventSchema.safeParse(unwrap(body, ['data', 'event'], (object) => 'event_id' in object));
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`),
    };
  }
  const event = parsed.data;
  return {
    event: {
      eventId: event.event_id,
      slug: event.slug ?? '',
      name: readLabels(event.name)[0] ?? '',
      timezone: event.timezone ?? undefined,
      startDate: event.start_date ?? undefined,
      endDate: event.end_date ?? undefined,
      personas: (event.personas ?? []).map(readPersona),
    },
  };
}

function readPersona(persona: z.infer<typeof personaSchema>): Persona {
  return {
    id: persona.id ?? undefined,
    slug: persona.slug,
    name: readLabels(persona.name)[0] ?? persona.slug,
    fields: (persona.fields ?? []).map(readField),
  };
}

function readField(field: z.infer<typeof fieldSchema>): Field {
  const choices = readChoices(field.values);
  const [label = field.slug, ...otherLabels] = readLabels(field.label);
  const type = field.type ?? '';
  const reading = readFieldType(type, choices.length > 0);
  return {
    id: field.id ?? undefined,
    slug: field.slug,
    label,
    ...(otherLabels.length === 0 ? {} : { otherLabels }),
    type,
    ...reading,
    choices: reading.kind === 'choice' ? choices : [],
  };
}
