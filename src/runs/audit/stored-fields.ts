import { plainValue } from '../../registration/changes/same-value.ts';
import type { ListReading } from '../listed/read-listed.ts';

/** Which fields the service is seen to keep values in, by what was read of it. Read through once, when first asked. */
export class StoredFields {
  readonly #reading: ListReading;
  #seen: Map<string, Set<string>> | undefined;

  constructor(reading: ListReading) {
    this.#reading = reading;
  }

  /** Whether everything was read, and no registration of the persona, or of none that is shown, has a value there. */
  isNeverStored(persona: string, slug: string): boolean {
    const { how, moved, fieldsShown } = this.#reading;
    if (how !== 'list' || moved || !fieldsShown) return false;
    this.#seen ??= this.#read();
    return [persona, ''].every((owner) => this.#seen?.get(owner)?.has(slug) !== true);
  }

  #read(): Map<string, Set<string>> {
    const seen = new Map<string, Set<string>>();
    for (const { persona = '', fields = {} } of this.#reading.listed.all()) {
      const slugs = seen.get(persona) ?? new Set();
      seen.set(persona, slugs);
      for (const [slug, value] of Object.entries(fields)) {
        if (!slugs.has(slug) && plainValue(value) !== undefined) slugs.add(slug);
      }
    }
    return seen;
  }
}
