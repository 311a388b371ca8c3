import { conceptsOf, looseName } from './alias-index.ts';
import { type Concept, CONCEPTS_BY_KIND } from './aliases.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import { normaliseName } from '../source/nearest-name.ts';
import type { Field, Persona } from '../../registration/model/persona.ts';

/** How well a name fits: 1 as a slug or label, 2 as one but for accents and punctuation, 3 as an alias. */
export type Rank = 1 | 2 | 3;

/** The fields that a name may mean: none, one, or several when it is ambiguous. */
interface FieldMatch {
  rank: Rank;
  slugs: readonly string[];
}

const NO_MATCH: FieldMatch = { rank: 3, slugs: [] };

/** The names of a persona's fields, to look headings up in. */
export class FieldNames {
  readonly #slugs: ReadonlySet<string>;
  readonly #bySlug: ReadonlyMap<string, readonly string[]>;
  readonly #byLabel: ReadonlyMap<string, readonly string[]>;
  readonly #looseSlugs: NameIndex;
  readonly #looseLabels: NameIndex;
  readonly #concepts: ReadonlyMap<Concept, readonly string[]>;

  constructor({ fields }: Persona) {
    this.#slugs = new Set(fields.map(({ slug }) => slug));
    this.#bySlug = indexBy(fields, ({ slug }) => [normaliseName(slug)]);
    this.#byLabel = indexBy(fields, (field) => labelsOf(field).map(normaliseName));
    this.#looseSlugs = indexBy(fields, ({ slug }) => [looseName(slug)]);
    this.#looseLabels = indexBy(fields, (field) => labelsOf(field).map(looseName));
    this.#concepts = indexByConcept(fields);
  }

  /**
   * An exact slug first, then slugs, then labels, by normalised name. More than one when the name is
   * ambiguous, none when it matches nothing.
   */
  own(name: string): readonly string[] {
    if (this.#slugs.has(name)) return [name];
    const wanted = normaliseName(name);
    return this.#bySlug.get(wanted) ?? this.#byLabel.get(wanted) ?? [];
  }

  /** The fields that a column of full names fills; undefined where there are not both, or it is not certain which. */
  fullName(): { first: string; last: string } | undefined {
    const [first, another] = this.match('First name').slugs;
    const [last, oneMore] = this.match('Last name').slugs;
    if (first === undefined || last === undefined || first === last) return undefined;
    return another === undefined && oneMore === undefined ? { first, last } : undefined;
  }

  /** As `own`, then without accents and punctuation, then by what such headings usually mean. */
  match(name: string): FieldMatch {
    const own = this.own(name);
    if (own.length > 0) return { rank: 1, slugs: own };
    const wanted = looseName(name);
    if (wanted === '') return NO_MATCH;
    const loose = this.#looseSlugs.get(wanted) ?? this.#looseLabels.get(wanted);
    if (loose !== undefined) return { rank: 2, slugs: loose };
    const slugs = conceptsOf(wanted).flatMap((concept) => this.#concepts.get(concept) ?? []);
    return { rank: 3, slugs: [...new Set(slugs)] };
  }
}

type NameIndex = ReadonlyMap<string, readonly string[]>;

/** In every language. */
function labelsOf({ label, otherLabels = [] }: Field): readonly string[] {
  return [label, ...otherLabels];
}

function indexBy<Key extends string>(
  fields: readonly Field[],
  keysOf: (field: Field) => readonly Key[],
): Map<Key, readonly string[]> {
  const index = new Map<Key, Set<string>>();
  for (const field of fields) {
    for (const key of keysOf(field)) madeOnce(index, key, () => new Set<string>()).add(field.slug);
  }
  const all = [...index].map(([key, slugs]) => [key, [...slugs]] as const);
  // A field without a name is found by no name.
  return new Map(all.filter(([key]) => key !== ''));
}

/** Fields by what they hold: as their names say, else as the only one of its kind. */
function indexByConcept(fields: readonly Field[]): ReadonlyMap<Concept, readonly string[]> {
  const index = indexBy(fields, conceptsOfField);
  for (const [kind, concepts] of Object.entries(CONCEPTS_BY_KIND)) {
    const [only, ...others] = fields.filter((field) => field.kind === kind);
    if (only === undefined || others.some(({ slug }) => slug !== only.slug)) continue;
    if (!meansAtMost(only, concepts)) continue;
    for (const concept of concepts) if (!index.has(concept)) index.set(concept, [only.slug]);
  }
  return index;
}

/** What both slug and label say; where they disagree, a name that says more than "name", else nothing. */
function conceptsOfField({ slug, label }: Field): readonly Concept[] {
  const bySlug = conceptsOf(looseName(slug));
  const byLabel = conceptsOf(looseName(label));
  if (bySlug.length === 0 || byLabel.length === 0) return [...bySlug, ...byLabel];
  const both = bySlug.filter((concept) => byLabel.includes(concept));
  if (both.length > 0) return both;
  if (isVague(bySlug)) return byLabel;
  return isVague(byLabel) ? bySlug : [];
}

function isVague(concepts: readonly Concept[]): boolean {
  return concepts.every((concept) => concept === 'full_name');
}

/** Whether no name of the field says that it holds something else: a nationality is no country. */
function meansAtMost({ slug, label }: Field, concepts: readonly Concept[]): boolean {
  return [slug, label].every((name) =>
    conceptsOf(looseName(name)).every((concept) => concepts.includes(concept)),
  );
}
