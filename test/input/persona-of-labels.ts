import type { Field, FieldKind, Persona } from '../../src/registration/model/persona.ts';

/** A field as the service lists it; the label is the slug unless given. */
export function field(
  slug: string,
  label = slug,
  kind: FieldKind = 'text',
  values: readonly string[] = [],
): Field {
  const choices = values.map((value) => ({ value, label: value }));
  return { id: undefined, slug, label, type: kind, kind, choices, multiple: false, known: true };
}

/** A persona with the fields. */
export function persona(slug: string, fields: readonly Field[]): Persona {
  return { id: undefined, slug, name: slug, fields };
}
