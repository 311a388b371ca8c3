import type { DocumentBody } from '../../documents/documents.ts';
import type { Difference } from '../../registration/model/difference.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { visible } from './escape.ts';
import { quoted, showUnknown } from './shown-value.ts';

type DifferenceRecord = DocumentBody<'runs-why@1'>['stories'][number]['runs'][number]['differences'][number];

/** `company: sent "A…", listed "B…"`, safe to print. Values are masked unless `showValues`. */
export function formatDifference({ field, kind, expected, found }: Difference, showValues: boolean): string {
  const [one, other] = [expected, found].map((value) => quoted(showUnknown(field, value, showValues)));
  if (kind === 'changed') return `${visible(field)}: was ${one} before, is ${other} now`;
  return `${visible(field)}: sent ${one}, listed ${other}${kind === 'refused' ? ', also when sent again' : ''}`;
}

/** The same for programs. */
export function differenceRecord(
  { field, kind, expected, found }: Difference,
  showValues: boolean,
): DifferenceRecord {
  const show = (value: FieldValue | undefined): string | string[] | null => {
    const shown = showUnknown(field, value, showValues) ?? null;
    return shown === null || typeof shown === 'string' ? shown : [...shown];
  };
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
