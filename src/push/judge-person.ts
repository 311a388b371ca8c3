import { type Aspect, aspectsOf } from '../registration/aspect.ts';
import type { FieldsOf } from '../registration/field-change.ts';
import type { Registration } from '../registration/registration.ts';
import { type Base, UNSAID } from './base-store.ts';
import { saidDigest } from './judge-value.ts';

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
