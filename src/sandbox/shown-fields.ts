import { randomUUID } from 'node:crypto';
import type { DemoEvent, DemoField } from './demo-event.ts';
import { optionValue } from './shapes.ts';
import type { FieldValue, SandboxRegistration } from './store/stored-row.ts';
import type { Switches } from './store/switches.ts';

const SIGNATURE = 'signature';

/** The fields as a reader gets them: links with a signature of their own, options by their labels. */
export function shownFields(
  { persona, fields }: SandboxRegistration,
  event: DemoEvent,
  switches: Pick<Switches, 'uploads' | 'choicesListed' | 'valuesShape'>,
): SandboxRegistration['fields'] {
  if (switches.uploads === 'as-sent' && switches.choicesListed === 'values') return fields;
  const known = event.personas.find(({ slug }) => slug === persona)?.fields ?? [];
  const shown = ([slug, value]: [string, FieldValue]): [string, FieldValue] => {
    const field = known.find((candidate) => candidate.slug === slug);
    return [slug, field === undefined ? value : shownValue(field, value, switches)];
  };
  return Object.fromEntries(Object.entries(fields).map(shown));
}

/** Whether the text is a link as `shownFields` shows it. */
export function isSigned({ type }: DemoField, text: string): boolean {
  return type === 'Upload' && text.includes(`${SIGNATURE}=`);
}

function shownValue(
  field: DemoField,
  value: FieldValue,
  { uploads, choicesListed, valuesShape }: Pick<Switches, 'uploads' | 'choicesListed' | 'valuesShape'>,
): FieldValue {
  if (uploads !== 'as-sent' && field.type === 'Upload' && typeof value === 'string')
    return `${value}${value.includes('?') ? '&' : '?'}${SIGNATURE}=${randomUUID()}`;
  if (choicesListed === 'values' || field.options.length === 0) return value;
  const label = (one: string): string =>
    field.options.find((option) => optionValue(option, valuesShape) === one)?.label ?? one;
  return typeof value === 'string' ? label(value) : value.map(label);
}
