import type { ColumnTarget, FieldTarget, OwnTarget } from '../../registration/model/columns.ts';
import type { Persona } from '../../registration/model/persona.ts';
import { conceptsOf, LONGEST_NAME, looseName, reservedAlias } from './alias-index.ts';
import { BEFORE, BOTH, ELSE, reservedTarget, targetName, TIME_OF } from './column-names.ts';
import { companionColumn } from './companion-columns.ts';
import { FieldNames, type Rank } from './field-names.ts';
import { isNamePrefix, personOf, targetsInWords } from './heading-person.ts';
import { editDistance } from '../../registration/rules/closest.ts';
import { normaliseName } from '../source/nearest-name.ts';
import type { Concept } from './aliases.ts';
import { HEADING_JOINT } from '../source/table-record.ts';

/** What a heading may mean: nothing, one thing, or several when it is ambiguous. */
export interface Reading {
  rank: Rank;
  targets: readonly ColumnTarget[];
}

/** What a heading says, before the other columns have their say. */
export interface HeadingReading {
  /** Whatever the persona is. */
  shared: Reading;
  /** One for each persona, in their order. */
  byPersona: readonly Reading[];
  /** Set when the heading names the parent of a companion, which is always its row. */
  parentOf?: number;
}

const SHORTEST_NAME = 3;

/** Reads headings for some personas. */
export class HeadingReader {
  readonly personas: readonly Persona[];
  readonly #names: readonly FieldNames[];

  constructor(personas: readonly Persona[]) {
    this.personas = personas;
    this.#names = personas.map((persona) => new FieldNames(persona));
  }

  /** A heading as the user's flags have it. */
  read({ name, overridden, ignored }: ColumnWish): HeadingReading {
    if (ignored) return this.#forAll({ rank: 1, targets: [{ kind: 'ignored' }] });
    const mark = ([ELSE, BEFORE, TIME_OF] as const).find((one) => overridden && name.startsWith(one));
    if (mark !== undefined) {
      const { shared, byPersona } = this.read({ name: name.slice(mark.length), overridden, ignored });
      const beside = mark === BEFORE ? 'before' : 'time of';
      const how = mark === ELSE ? { completes: true } : ({ beside } as const);
      return { shared, byPersona: byPersona.map((reading) => markedAs(how, reading)) };
    }
    const direct = overridden ? this.#readOwn(name) : this.#readName(name);
    if (direct !== undefined) return direct;
    const companion = companionColumn(name);
    if (companion === undefined) return this.#forAll(NOTHING);
    const inner = overridden ? this.#readOwn(companion.name) : this.#readName(companion.name);
    return inner === undefined ? this.#forAll(NOTHING) : ofCompanion(companion.number, inner);
  }

  /** Whether a heading means anything. */
  knows(name: string): boolean {
    return meansSomething(this.read({ name, overridden: false, ignored: false }));
  }

  /** What a heading means by itself, as `--map` takes it. */
  targetsOf(name: string): readonly string[] {
    if (name.length < SHORTEST_NAME) return [];
    const { shared, byPersona } = this.read({ name, overridden: false, ignored: false });
    const targets = [shared, ...byPersona].flatMap((reading) => reading.targets);
    return [...new Set(targets.filter(({ kind }) => kind !== 'ignored').map(targetName))];
  }

  /** Fields that hold what a heading says of a person. */
  targetsSaying(concept: Concept | undefined): readonly string[] {
    if (concept === undefined) return [];
    const both = concept === 'full_name' ? (['first_name', 'last_name'] as const) : [concept];
    return both.flatMap((one) => this.targetsOf(one));
  }

  /** What the words of a heading speak of, else what it is nearly called. */
  targetsNearly(column: string): readonly string[] {
    if (isNamePrefix(column)) return this.targetsOf('Last name').map((target) => BEFORE + target);
    const spoken = targetsInWords(column, (name) => this.targetsOf(name));
    if (spoken.length > 0) return spoken;
    // Over two rows the name of a column may stand turned: `Stand / Number`.
    const turned = column.split(HEADING_JOINT).reverse().join(' ');
    const inRows = turned === column ? [] : this.targetsOf(turned);
    if (inRows.length > 0) return inRows;
    const { role, concept } = personOf(column);
    const said = role === 'plain' ? [] : this.targetsSaying(concept);
    if (said.length === 1) return said;
    const name = normaliseName(column);
    const alike = this.personas
      .flatMap(({ fields }) => fields)
      .filter(
        ({ slug, label, kind }) =>
          [slug, label].some((own) => isSlip(name, normaliseName(own))) ||
          // The first words of the name of a choice are used for it: `Ticket` for `Ticket type`.
          (kind === 'choice' && label.toLowerCase().startsWith(`${column.trim().toLowerCase()} `)),
      );
    return [...new Set(alike.map(({ slug }) => slug))];
  }

  /** Whether a heading is the service's own name of a field. */
  isOwnName(name: string): boolean {
    return this.#names.some((names) => names.match(name).rank < 3);
  }

  /** Whether a flag may name this as the target of a column. */
  knowsTarget(name: string): boolean {
    return meansSomething(this.read({ name, overridden: true, ignored: false }));
  }

  /** A reserved name, or the service's own name of a field: all that a flag may name. */
  #readOwn(name: string): HeadingReading | undefined {
    const reserved = reservedTarget(name);
    if (reserved !== undefined) return this.#forAll({ rank: 1, targets: [reserved] });
    const byPersona = this.#names.map((names) => {
      const slugs = names.own(name);
      return slugs.length > 0 ? toReading({ rank: 1, slugs }) : readBoth(name, names);
    });
    return byPersona.every(isEmpty) ? undefined : { shared: NOTHING, byPersona };
  }

  /** As `#readOwn`, and what lists usually call a column. */
  #readName(name: string): HeadingReading | undefined {
    const own = this.#readOwn(name);
    if (own?.shared.targets.length === 1) return own;
    const byPersona = this.#names.map((names) => toReading(names.match(name)));
    const alias = byPersona.some((reading) => reading.rank < 3) ? undefined : reservedAlias(looseName(name));
    if (alias !== undefined) return this.#forAll({ rank: 3, targets: [{ kind: alias }] });
    if (!byPersona.every(isEmpty)) return { shared: NOTHING, byPersona };
    // Below words for whoever it may be that comes, a heading says what it says alone.
    const behind = name.lastIndexOf(HEADING_JOINT) + HEADING_JOINT.length;
    const isOfGuest = behind > HEADING_JOINT.length && ['comes', 'unsure'].includes(personOf(name).role);
    return isOfGuest ? this.#readName(name.slice(behind)) : undefined;
  }

  #forAll(shared: Reading): HeadingReading {
    return { shared, byPersona: this.#names.map(() => shared) };
  }
}

/** Two letters that are others, or stand in another order; never the first. */
function isSlip(name: string, meant: string): boolean {
  return name.length >= 5 && name[0] === meant[0] && editDistance(name, meant) <= 2;
}

const NOTHING: Reading = { rank: 3, targets: [] };

/** Of a column that is nobody's who comes, whatever its heading is. */
export const NOBODYS: HeadingReading = { shared: NOTHING, byPersona: [] };

function meansSomething({ shared, byPersona, parentOf }: HeadingReading): boolean {
  return parentOf !== undefined || ![shared, ...byPersona].every(isEmpty);
}

function isEmpty({ targets }: Reading): boolean {
  return targets.length === 0;
}

function toReading({ rank, slugs }: { rank: Rank; slugs: readonly string[] }): Reading {
  return { rank, targets: slugs.map((slug) => ({ kind: 'field', slug })) };
}

const markedAs = (how: Partial<FieldTarget>, { rank, targets }: Reading): Reading => ({
  rank,
  targets: targets.map((one) => (one.kind === 'field' ? { ...one, ...how } : one)),
});

/** `first_name+last_name`, as a flag has it. */
function readBoth(name: string, names: FieldNames): Reading {
  const full = name.includes(BOTH) ? names.fullName() : undefined;
  const [first = '', last = '', ...more] = name.split(BOTH).map((part) => names.own(part.trim())[0]);
  if (full === undefined || more.length > 0) return NOTHING;
  const target = { kind: 'field', slug: full.first, last: full.last } as const;
  if (first === full.last && last === full.first)
    return { rank: 1, targets: [{ ...target, isLastFirst: true }] };
  return first === full.first && last === full.last ? { rank: 1, targets: [target] } : NOTHING;
}

function ofCompanion(number: number, reading: HeadingReading): HeadingReading {
  if (number === 0) return reading;
  const { shared, byPersona } = reading;
  const [target] = shared.targets;
  if (target?.kind === 'parent_barcode') {
    return { shared: NOTHING, byPersona: byPersona.map(() => NOTHING), parentOf: number };
  }
  const wrap = ({ rank, targets }: Reading): Reading => ({
    rank,
    targets: targets.map((one) => wrapTarget(number, one)),
  });
  const elsewhere = onlyReading(byPersona);
  // A companion may be of another persona than its row: then that one's field is meant.
  const filled = byPersona.map((reading) => (isEmpty(reading) ? elsewhere : reading));
  return { shared: wrap(shared), byPersona: filled.map(wrap) };
}

const isOwnTarget = (target: ColumnTarget): target is OwnTarget =>
  ['field', 'persona', 'barcode', 'enable_comms'].includes(target.kind);

const wrapTarget = (number: number, target: ColumnTarget): ColumnTarget =>
  isOwnTarget(target) ? { kind: 'companion', number, target } : { kind: 'ignored' };

/** The one field that all personas which have any give to a heading. */
function onlyReading(byPersona: readonly Reading[]): Reading {
  const found = byPersona.filter((reading) => !isEmpty(reading));
  const slugs = new Set(found.flatMap(({ targets }) => targets.map((one) => 'slug' in one && one.slug)));
  return slugs.size === 1 ? (found[0] ?? NOTHING) : NOTHING;
}

/** What the flags say about a column. */
export interface ColumnWish {
  /** The name it is matched by: the target of an override, else its own. */
  name: string;
  overridden: boolean;
  ignored: boolean;
  /** Of an override, its place among them. */
  order?: number;
}

/**
 * Tells headings from values: whether a text is a name that any of the personas has a column for, or
 * one that such lists usually have.
 */
export function columnKnower(personas: readonly Persona[]): (name: string) => boolean {
  const reader = new HeadingReader(personas);
  return (name) => {
    if (name.length > LONGEST_NAME) return false;
    if (isUsual(name) || reader.knows(name)) return true;
    const { concept, isClear } = personOf(name);
    const companion = companionColumn(name);
    return (concept !== undefined && isClear) || (companion !== undefined && isUsual(companion.name));
  };
}

function isUsual(name: string): boolean {
  return conceptsOf(looseName(name)).length > 0;
}
