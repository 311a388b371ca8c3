import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { cut } from '../../registration/model/cut.ts';
import type { FieldKind } from '../../registration/model/persona.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { maskUnless } from '../../registration/evidence/mask.ts';

/** Whom a registration is of, as far as the service shows it. */
export interface Who extends Pick<RecordImage, 'id' | 'barcode'> {
  /** The name of the person, else the e-mail address; empty when neither is shown. */
  name: string;
}

const NAMED = 10;
/** Characters of a name that are shown. */
const LONGEST = 60;

/** The first of some: `Stefan Seidel (HM-025), Luis Peña (HM-301)`. */
export function nameSome(all: readonly Who[], plain: boolean): string {
  const names = all.slice(0, NAMED).map(({ name, id, barcode }) => {
    const key = barcode ?? id ?? 'without id';
    return name === '' ? key : `${maskUnless(plain, name)} (${key})`;
  });
  return all.length > NAMED ? `${names.join(', ')}, …` : names.join(', ');
}

/** Whom registrations that are listed are of. */
export const whoAre = (records: readonly RecordImage[], fieldsOf: FieldsOf): Who[] =>
  records.map((record) => whoOf(record, fieldsOf));

/** Whom a registration that is listed is of. */
export function whoOf(record: RecordImage, fieldsOf: FieldsOf): Who {
  const { id, barcode, persona = '', fields = {} } = record;
  const texts = (kind: FieldKind): string[] =>
    fieldsOf(persona)
      .filter((field) => field.kind === kind && Object.hasOwn(fields, field.slug))
      .map(({ slug }) => cut(String(plainValue(fields[slug]) ?? ''), LONGEST))
      .filter((text) => text !== '');
  return { id, barcode, name: texts('name').join(' ') || (texts('email')[0] ?? '') };
}

/** Names as fields are called that hold one. */
const NAME = /^(?:(?:first|last|full|given|family)_?)?name$|^(?:vor|nach)name$|^surname$/i;

/** What a registration calls its person, in parts: names, or else the first two values. */
export function namesIn(fields: Readonly<Record<string, unknown>>): string[] {
  const texts = Object.entries(fields).filter(
    (one): one is [string, string] => typeof one[1] === 'string' && one[1] !== '',
  );
  const names = texts.filter(([field]) => NAME.test(field));
  return (names.length > 0 ? names : texts).slice(0, 2).map(([, value]) => value);
}
