import { CONCEPT_ALIASES, type Concept, RESERVED_ALIASES } from './aliases.ts';
import { looseName } from './loose-name.ts';

type ReservedName = keyof typeof RESERVED_ALIASES;

const CONCEPTS = new Map<string, Concept[]>();
for (const concept of Object.keys(CONCEPT_ALIASES) as Concept[]) {
  // The concept's own name too: it is what a slug is often called.
  for (const alias of new Set([concept, ...CONCEPT_ALIASES[concept]].map(looseName))) {
    CONCEPTS.set(alias, [...(CONCEPTS.get(alias) ?? []), concept]);
  }
}

const RESERVED = new Map<string, ReservedName>();
for (const name of Object.keys(RESERVED_ALIASES) as ReservedName[]) {
  for (const alias of RESERVED_ALIASES[name]) RESERVED.set(looseName(alias), name);
}

/** What a loose name usually means; nothing for an unknown one, several for one that is used for both. */
export function conceptsOf(loose: string): readonly Concept[] {
  return CONCEPTS.get(loose) ?? [];
}

/** The reserved name that a loose name usually means. */
export function reservedAlias(loose: string): ReservedName | undefined {
  return RESERVED.get(loose);
}
