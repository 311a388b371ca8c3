import type { DemoEvent, DemoField } from './demo-event.ts';
import { alpha2Of } from '../registration/rules/countries.ts';
import type { FieldValue, RegistrationInput } from './store/stored-row.ts';
import type { Switches } from './store/switches.ts';

/** Rewrites values as many services do before they keep them: what is listed is not quite what was sent. */
export function tidyInput(
  input: RegistrationInput,
  event: DemoEvent,
  storedAs: Switches['storedAs'],
): RegistrationInput {
  const fields = event.personas.find(({ slug }) => slug === input.persona)?.fields ?? [];
  const tidy = ([slug, value]: [string, FieldValue]): [string, FieldValue] => {
    const field = fields.find((candidate) => candidate.slug === slug);
    return [slug, typeof value === 'string' && field !== undefined ? WAYS[storedAs](field, value) : value];
  };
  return { ...input, fields: Object.fromEntries(Object.entries(input.fields).map(tidy)) };
}

const WAYS: Readonly<Record<Switches['storedAs'], (field: DemoField, value: string) => string>> = {
  'as-sent': (_field, value) => value,
  tidied: tidyValue,
  capitals: ({ slug }, value) => (slug === 'last_name' || slug === 'company' ? value.toUpperCase() : value),
  'zero-time': ({ kind }, value) => (kind === 'date' && value.length === 10 ? `${value} 00:00:00` : value),
};

function tidyValue({ kind, type }: DemoField, value: string): string {
  if (value === '') return value;
  if (kind === 'email') return value.toLowerCase();
  if (kind === 'phone') return `+${value.replace(/\D/g, '').replace(/^00/, '')}`;
  if (kind === 'country') return alpha2Of(value) ?? value;
  return type === 'Name' ? value.trim().replace(/\s+/g, ' ') : value;
}
