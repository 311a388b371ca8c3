import type { Persona } from '../../registration/model/persona.ts';
import { conceptsOf, looseName } from './alias-index.ts';
import { HeadingReader } from './heading-reader.ts';

/** Longer texts are values rather than headings. */
const LONGEST_HEADING = 300;

/**
 * Tells headings from values: whether a text is a name that any of the personas has a column for, or
 * one that such lists usually have. Throws a UsageError for a wrong companion pattern.
 */
export function columnKnower(
  personas: readonly Persona[],
  companionPattern?: string,
): (name: string) => boolean {
  const reader = new HeadingReader(personas, companionPattern);
  return (name) => {
    if (name.length > LONGEST_HEADING) return false;
    if (isUsual(name) || reader.knows(name)) return true;
    const companion = reader.companion(name);
    return companion !== undefined && isUsual(companion.name);
  };
}

function isUsual(name: string): boolean {
  return conceptsOf(looseName(name)).length > 0;
}
