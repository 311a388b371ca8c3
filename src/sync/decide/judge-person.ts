import {
  type Aspect,
  aspectsOf,
  differs,
  fieldAspect,
  type FieldsOf,
} from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { plainValue } from '../../registration/changes/same-value.ts';
import { type Base, saidDigest, UNSAID } from './base.ts';
import { hasOtherName } from './near.ts';

/**
 * Whether a file has given a registration to somebody else: it says another e-mail address than before, or
 * another name in all that makes up the name. A last name alone changes with a marriage.
 */
export function isSubstitute(
  registration: Registration,
  { pairs }: Base,
  { fields, digest }: { fields: FieldsOf; digest: (text: string) => string },
): boolean {
  const own = fields(registration.persona);
  const slugsOf = (kind: string): string[] =>
    own.filter((field) => field.kind === kind).map(({ slug }) => slug);
  const aspects = new Map(aspectsOf(registration, fields).map((aspect) => [aspect.key, aspect]));
  const isNew = (slug: string): boolean => {
    const [aspect, pair] = [aspects.get(slug), pairs.get(slug)];
    return aspect !== undefined && isSaidAnew(aspect, registration, pair?.said, digest);
  };
  const names = slugsOf('name');
  return slugsOf('email').some(isNew) || (names.length > 0 && names.every(isNew));
}

function isSaidAnew(
  aspect: Aspect,
  registration: Registration,
  said: string | undefined,
  digest: (text: string) => string,
): boolean {
  return said !== undefined && said !== UNSAID && saidDigest(aspect, registration, digest) !== said;
}

/** Whether a registration has another person, by e-mail address or name; another way of writing is none. */
export function isOtherThan(registration: Registration, record: RecordImage, fields: FieldsOf): boolean {
  const own = fields(record.persona ?? registration.persona);
  const hasNewEmail = fields(registration.persona).some(
    ({ kind, slug }) =>
      kind === 'email' &&
      Object.hasOwn(registration.fields, slug) &&
      differs(fieldAspect(slug, own), registration, record),
  );
  return hasNewEmail || hasOtherName(registration, record, fields);
}

/**
 * The fields of a registration that a file gives to somebody else and does not speak of: they keep what the person
 * before had. None where e-mail or names are only written otherwise.
 */
export function leftByAnother(
  registration: Registration,
  record: RecordImage,
  fields: FieldsOf,
): readonly string[] {
  if (!isOtherThan(registration, record, fields)) return [];
  const own = fields(record.persona ?? registration.persona);
  return own
    .map(({ slug }) => slug)
    .filter((slug) => !Object.hasOwn(registration.fields, slug))
    .filter((slug) => plainValue(fieldAspect(slug, own).of(record)) !== undefined);
}
