import { type Concept, CONCEPT_ALIASES, HEADING_MARKS, RESERVED_ALIASES } from './aliases.ts';
import { foldLetters } from '../../registration/rules/fold-letters.ts';

/** Longer texts are no names of columns; the cap keeps hostile cells cheap. */
export const LONGEST_NAME = 300;

/**
 * A name as headings are compared when they are not equal to a slug or label: without case, accents,
 * punctuation, and a trailing mark such as "(required)". Empty when nothing is left, or far too long.
 */
export function looseName(name: string): string {
  return name.length > LONGEST_NAME ? '' : foldLetters(withoutMark(name.normalize('NFKC')));
}

const MARKS: ReadonlySet<string> = new Set(HEADING_MARKS.map(foldLetters));

const ALIKE = / \(\d+ of \d+\)$/;

/** A column whose heading others have as well, by its number among them: `Name (1 of 2)`. */
export const alikeName = (heading: string, number: number, all: number): string =>
  `${heading} (${number} of ${all})`;

/** The heading as it stands in the file, which several columns may have. */
export const headingOf = (column: string): string => column.replace(ALIKE, '');

/** A name without what tells columns apart, and without a mark such as "(required)" at its end. */
export function withoutMark(column: string): string {
  const name = headingOf(column);
  const bracket = Math.max(name.lastIndexOf('('), name.lastIndexOf('['));
  return bracket > 0 && MARKS.has(foldLetters(name.slice(bracket))) ? name.slice(0, bracket) : name;
}

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
