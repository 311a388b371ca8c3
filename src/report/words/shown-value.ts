import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { FieldValue } from '../../registration/model/registration.ts';
import { hasTrait } from '../../registration/model/persona.ts';
import { cut } from '../../registration/model/cut.ts';
import { visibleSpaces } from './escape.ts';
import { mask } from '../../registration/evidence/mask.ts';

/** A value as it may be shown: that of a field of a persona, which may be masked. */
export type ShowValue = (
  persona: string | undefined,
  field: string,
  value: FieldValue | undefined,
) => FieldValue | undefined;

/** Names around the fields; what they hold is said in messages as well. */
const AROUND: ReadonlySet<string> = new Set(['persona', 'parent_barcode', 'enable_comms']);

const MAX_VALUE_CHARACTERS = 80;

/** Whether a field of whatever kind is one whose values may be shown. */
export const isAround = (field: string): boolean => AROUND.has(field);

/** Shows values of fields. Those that may identify a person are masked unless `showValues`. */
export function valueShower(fields: FieldsOf, showValues: boolean): ShowValue {
  return (persona, field, value) => {
    if (value === undefined || showValues || !isPersonalField(fields, persona, field)) return value;
    return typeof value === 'string' ? mask(value) : value.map(mask);
  };
}

/** Of a field that the persona does not have nothing is known, so its values are personal. */
function isPersonalField(fields: FieldsOf, persona: string | undefined, slug: string): boolean {
  const own = persona === undefined ? [] : fields(persona);
  const field = own.find((one) => one.slug === slug);
  // A date may be that of a birth.
  return field === undefined ? !AROUND.has(slug) : hasTrait(field.kind, 'personal') || field.kind === 'date';
}

/** A value for people, in quotes, cut and safe to print; `nothing` when there is none. */
export function quoted(value: FieldValue | undefined, longest = MAX_VALUE_CHARACTERS): string {
  if (value === undefined || value.length === 0) return 'nothing';
  const texts = typeof value === 'string' ? [value] : value;
  const joined = texts.map((text) => `"${cut(text, longest)}"`).join(', ');
  return visibleSpaces(cut(joined, 4 * longest));
}

/**
 * A value of a field whose kind is not known, so that it is taken for a personal one: as the journal and the audit
 * have them.
 */
export function showUnknown(
  field: string,
  value: FieldValue | undefined,
  showValues: boolean,
): FieldValue | undefined {
  return valueShower(() => [], showValues)(undefined, field, value);
}
