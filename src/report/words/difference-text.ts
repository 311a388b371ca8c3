import type { Difference } from '../../registration/model/difference.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { visible } from './escape.ts';
import { quoted, valueShower } from './shown-value.ts';

type Show = (value: FieldValue | undefined) => FieldValue | undefined;

/** The kinds of fields are not known here, so that all values are taken for personal ones. */
function shower(field: string, showValues: boolean): Show {
  const show = valueShower(() => [], showValues);
  return (value) => (value === undefined ? undefined : show(undefined, field, value));
}

/** `company: sent "A…", listed "B…"`, safe to print. Values are masked unless `showValues`. */
export function formatDifference({ field, kind, expected, found }: Difference, showValues: boolean): string {
  const show = shower(field, showValues);
  const [one, other] = [quoted(show(expected)), quoted(show(found))];
  if (kind === 'changed') return `${visible(field)}: was ${one} before, is ${other} now`;
  return `${visible(field)}: sent ${one}, listed ${other}${kind === 'refused' ? ', also when sent again' : ''}`;
}

/** The same for programs. */
export function differenceRecord(
  { field, kind, expected, found }: Difference,
  showValues: boolean,
): Record<string, unknown> {
  const show = shower(field, showValues);
  return { field, kind, expected: show(expected) ?? null, found: show(found) ?? null };
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
