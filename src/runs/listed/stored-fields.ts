import { plainValue } from '../../registration/changes/same-value.ts';
import type { RecordImage } from '../../registration/model/registration.ts';

/** Which fields the service is seen to keep values in, by what was read of it. Read through once, when first asked. */
export class StoredFields {
  readonly #records: () => Iterable<RecordImage>;
  #seen: Map<string, Set<string>> | undefined;

  constructor(records: () => Iterable<RecordImage>) {
    this.#records = records;
  }

  /** Whether any registration of the persona, or of none that is shown, has a value there. */
  has(persona: string, slug: string): boolean {
    this.#seen ??= this.#read();
    return [persona, ''].some((owner) => this.#seen?.get(owner)?.has(slug) === true);
  }

  #read(): Map<string, Set<string>> {
    const seen = new Map<string, Set<string>>();
    for (const { persona = '', fields = {} } of this.#records()) {
      const slugs = seen.get(persona) ?? new Set();
      seen.set(persona, slugs);
      for (const [slug, value] of Object.entries(fields)) {
        if (!slugs.has(slug) && plainValue(value) !== undefined) slugs.add(slug);
      }
    }
    return seen;
  }
}
