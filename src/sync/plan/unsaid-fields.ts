import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration } from '../../registration/model/registration.ts';

/** The name of a field of a persona. */
export function nameField(persona: string, slug: string): string {
  return `${encodeURIComponent(persona)}:${slug}`;
}

export function readFieldName(name: string): { persona: string; slug: string } {
  const at = name.indexOf(':');
  return { persona: decodeURIComponent(name.slice(0, at)), slug: name.slice(at + 1) };
}

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

  /** The names of fields that no listed registration has, be it empty: nobody can see what the updates do to them. */
  unseen(fields: FieldsOf, shown: ReadonlySet<string>): string[] {
    return [...this.#updates].flatMap(([persona, { count, said }]) => {
      return fields(persona)
        .filter(({ slug }) => !shown.has(slug) && (said.get(slug) ?? 0) < count)
        .map(({ slug }) => nameField(persona, slug));
    });
  }
}
