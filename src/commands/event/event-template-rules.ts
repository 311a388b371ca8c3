import type { Field, FieldKind } from '../../registration/model/persona.ts';
import type { ReservedName } from './event-template-columns.ts';

const KIND_RULES: Readonly<Record<FieldKind, string>> = {
  name: 'A name, as text.',
  email: 'One e-mail address, as name@example.com.',
  phone: 'With + or 00 and the country code, or digits only; at least 5 characters.',
  country: 'The code of a country, of two or three letters.',
  website: 'An address that begins with http:// or https://.',
  upload: 'Where the file can be fetched: an address that begins with http:// or https://.',
  date: 'A day as yyyy-mm-dd; with a time as yyyy-mm-dd hh:mm:ss.',
  numeric: 'Digits only.',
  choice: 'One of the allowed values.',
  text: 'Any text.',
};

const RESERVED_RULES: Readonly<Record<ReservedName, string>> = {
  persona: 'What kind of registrant the row is.',
  barcode: 'At most 255 characters, and another one in each row. With it a registration is recognised again.',
  parent_barcode: 'The barcode of the registration that this one belongs to; empty for none.',
  enable_comms: 'Whether the service may write to this person: true or false. Empty means false.',
};

/** What a column takes, in plain words. */
export function ruleText(target: Field | ReservedName): string {
  if (typeof target === 'string') return RESERVED_RULES[target];
  if (!target.known) return `${KIND_RULES.text} Nothing is checked.`;
  return target.kind === 'choice' && target.multiple
    ? 'One or more of the allowed values, with ; between them.'
    : KIND_RULES[target.kind];
}
