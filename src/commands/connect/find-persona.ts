import { UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import { readPersona } from '../../registration/reading/read-persona.ts';
import type { ServiceClient } from '../../service/client.ts';

/**
 * The persona that a word on the command line means, by the rules for a cell of a file: its slug, or
 * slug or name ignoring case. Throws UsageError that lists the slugs and proposes the nearest.
 */
export function findPersona(word: string | undefined, event: EventInfo): Persona {
  const [only, another] = event.personas;
  if (word === undefined && only !== undefined) {
    if (another === undefined) return only;
    const slugs = event.personas.map(({ slug }) => slug).join(', ');
    throw new UsageError(`Which persona? The event has ${visible(slugs)}.`, {
      hint: `For example: eventreg event fields ${visible(only.slug)}`,
    });
  }
  const found = readPersona(word, event);
  if (found.ok) return found.persona;
  const { problem, remedy } = found.reason;
  const facts =
    remedy === undefined ? {} : { hint: visible(`${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`) };
  throw new UsageError(visible(`"${word}" ${problem}.`), facts);
}

/** Throws UsageError when the event has no such persona; says nothing when the event cannot be read. */
export async function checkPersona(word: string, client: ServiceClient): Promise<void> {
  const event = await client.getEvent().catch(() => undefined);
  if (event !== undefined) findPersona(word, event);
}
