import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';
import { fieldThing, type UnsentRules } from '../../sync/decide/unsent-things.ts';

interface Updates {
  count: number;
  /** How many of them give a field, by slug. */
  said: Map<string, number>;
}

/** Which fields the updates of a plan leave out. */
export class UnsaidFields {
  readonly #updates = new Map<string, Updates>();

  /** Takes what an update says. */
  see({ persona, fields }: Registration): void {
    const { count, said } = this.#updates.get(persona) ?? { count: 0, said: new Map<string, number>() };
    for (const slug of Object.keys(fields)) said.set(slug, (said.get(slug) ?? 0) + 1);
    this.#updates.set(persona, { count: count + 1, said });
  }

  /**
   * The names of fields that no listed registration has, be it empty: nobody can see what the updates do to them. None
   * of a persona of which some fields were seen to stay when they were left out, and none to go.
   */
  unseen(fields: FieldsOf, shown: ReadonlySet<string>, rules: UnsentRules): string[] {
    return [...this.#updates].flatMap(([persona, { count, said }]) => {
      const own = fields(persona).map(({ slug }) => ({ slug, name: fieldThing(persona, slug) }));
      const known = own.flatMap(({ name }) => rules.get(name) ?? []);
      if (known.length > 0 && known.every((rule) => rule === 'merge')) return [];
      return own
        .filter(({ slug }) => !shown.has(slug) && (said.get(slug) ?? 0) < count)
        .map(({ name }) => name);
    });
  }
}
