import type { RecordImage } from '../../registration/model/registration.ts';

/**
 * Whether any record of a persona, or of none that is shown, is listed with a field, be it blank: what was sent there and
 * is not there is no field that is never shown. They are read through once, when first asked.
 */
export function listedFields(
  records: () => Iterable<RecordImage>,
): (persona: string, slug: string) => boolean {
  let seen: Map<string, Set<string>> | undefined;
  return (persona, slug) => {
    seen ??= slugsOf(records());
    return [persona, ''].some((owner) => seen?.get(owner)?.has(slug) === true);
  };
}

function slugsOf(records: Iterable<RecordImage>): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const { persona = '', fields = {} } of records) {
    const slugs = seen.get(persona) ?? new Set();
    seen.set(persona, slugs);
    for (const slug of Object.keys(fields)) slugs.add(slug);
  }
  return seen;
}
