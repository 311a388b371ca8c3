import type { DocumentBody } from '../../documents/documents.ts';
import type { Difference, FieldValue } from '../../registration/model/registration.ts';
import { plural } from './number.ts';
import { visible } from './escape.ts';
import { quoted, showUnknown } from './shown-value.ts';

type DifferenceRecord = DocumentBody<'runs-why@1'>['stories'][number]['runs'][number]['differences'][number];

/** `company: sent "A…", listed "B…"`, safe to print. Values are masked unless `showValues`. */
export function formatDifference({ field, kind, expected, found }: Difference, showValues: boolean): string {
  const [one, other] = [expected, found].map((value) => quoted(showUnknown(field, value, showValues)));
  const how = one === other && expected !== undefined ? `, ${howOther(String(expected), String(found))}` : '';
  if (kind === 'changed') return `${visible(field)}: was ${one} before, is ${other} now${how}`;
  if (kind === 'disputed') return `${visible(field)}: ${one} in the file, ${other} in the service${how}`;
  return `${visible(field)}: sent ${one}, listed ${other}${how}${kind === 'refused' ? ', also when sent again' : ''}`;
}

/** How a value is another one that looks the same masked, or cut. */
function howOther(expected: string, found: string): string {
  const days = (Date.parse(found) - Date.parse(expected)) / 86_400_000;
  if (/^(?:\d{4}-\d\d-\d\d){2}$/.test(expected + found))
    return `which is ${plural(Math.abs(days), 'day', 'days')} ${days < 0 ? 'earlier' : 'later'}`;
  const [one, other] = [Array.from(expected), Array.from(found)];
  const lengths = one.length === other.length ? '' : ` (${one.length} characters, listed ${other.length})`;
  const at = one.findIndex((character, index) => character !== other[index]);
  return `which differs from character ${(at < 0 ? one.length : at) + 1} on${lengths}`;
}

/** The same for programs. */
export function differenceRecord(
  { field, kind, expected, found }: Difference,
  showValues: boolean,
): DifferenceRecord {
  const show = (value: FieldValue | undefined): FieldValue | null =>
    showUnknown(field, value, showValues) ?? null;
  return { field, kind, expected: show(expected), found: show(found) };
}

/** What a registration has otherwise, without values: `stored otherwise than sent: company`. */
export function nameDifferences(differences: readonly Difference[]): string {
  const fieldsOf = (kind: Difference['kind']): string =>
    differences
      .filter((one) => one.kind === kind)
      .map(({ field }) => field)
      .join(', ');
  const parts = [
    ['stored otherwise than sent', fieldsOf('stored')],
    ['not accepted by the service', fieldsOf('refused')],
    ['not sent, and not as before', fieldsOf('changed')],
  ].filter(([, fields]) => fields !== '');
  return parts.map(([what, fields]) => `${what}: ${fields}`).join('; ');
}
