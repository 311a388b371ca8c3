import { type ColumnState, takenBy } from './column-states.ts';
import type { HeadingReader } from './heading-reader.ts';
import { looseName } from './alias-index.ts';
import { BOTH, ELSE, fullNames, partsOf, prefixOf, TIME_OF } from './column-names.ts';
import { companionColumn } from './companion-columns.ts';
import { isFormOfAddress, isLastNameFirst, isOfNames, isOfSomebody, personOf } from './heading-person.ts';
import type { ColumnProposal } from './column-question.ts';
import { UNSURE } from './whose-columns.ts';
import type { ColumnSample, ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { isBirthDate } from '../../registration/rules/date-rule.ts';
import {
  areFullNames,
  areTimes,
  areWrittenAsNames,
  fits,
  showsItself,
} from '../../registration/evidence/field-evidence.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import type { Field, Persona } from '../../registration/model/persona.ts';

/** What is known of a field that no column has. */
interface FreeField {
  slug: string;
  fields: readonly Field[];
}

interface Strong extends ColumnProposal {
  /** Values alone are the least, the name is more, both are the most. */
  strength: 0 | 1 | 2;
}

const VALUES_ONLY = 0;

/**
 * What shows itself of columns that are open, by column. Of two that are called alike the first is proposed; what only
 * values show of two, for neither.
 */
export function proposeColumns(
  states: readonly ColumnState[],
  personas: readonly Persona[],
  reader: HeadingReader,
  samples: Pick<ColumnSamples, 'of' | 'compare'>,
): ReadonlyMap<string, ColumnProposal> {
  const sampleOf = (column: string): ColumnSample => samples.of(column);
  const namesIn = (column: string): readonly string[] => {
    const companion = companionColumn(column);
    return isOfNames(companion?.name ?? column) ? [...fullNames(personas, companion).keys()] : [];
  };
  const taken = takenBy(states);
  // Beside an empty column of first names, one of full names is still the one that has them.
  const isFilled = ({ column }: { column: string }): boolean => sampleOf(column).filled > 0;
  const given = takenBy(states.filter(isFilled));
  const slugs = new Set(personas.flatMap(({ fields }) => fields.map(({ slug }) => slug)));
  const freeFields = (prefix: string): readonly FreeField[] =>
    [...slugs]
      .filter((slug) => !taken.has(prefix + slug))
      .map((slug) => ({
        slug: prefix + slug,
        fields: personas.flatMap(({ fields }) => fields.filter((field) => field.slug === slug)),
      }));
  // Beside a column of first names, one that is just called a name holds the last names.
  const hasFirstNames = reader.targetsOf('First name').some((target) => given.has(target));
  const lastNames = hasFirstNames ? reader.targetsOf('Last name') : [];
  const targetsOf = ({ column, candidates }: ColumnState): readonly string[] => {
    const companion = companionColumn(column);
    const prefix = prefixOf(companion);
    const own = reader.targetsNearly(companion?.name ?? column).map((one) => prefix + one);
    const named = candidates.length > 0 ? candidates : own;
    const isName = prefix === '' && personOf(column).concept === 'full_name';
    return named.length === 0 && isName ? lastNames : named;
  };
  const byName = (state: ColumnState): Strong | undefined => {
    const free = targetsOf(state).filter((one) => !one.includes(BOTH) && !taken.has(one));
    const { column } = state;
    const mayBe = isFormOfAddress(column) ? [] : freeFields(prefixOf(companionColumn(column)));
    const proposal = propose(free, mayBe, sampleOf(column));
    return proposal && isAnybodys(column) ? { ...proposal, why: UNSURE, asksPerson: true } : proposal;
  };
  const found = new Map<string, Strong>();
  /** Each sees what those before it have found. */
  const ways: ((state: ColumnState, settled: readonly ColumnState[]) => Strong | undefined)[] = [
    (state) => (personOf(state.column).concept === 'full_name' ? undefined : byName(state)),
    ({ column }, settled) =>
      proposeFullName(column, personas, [given, takenBy(settled.filter(isFilled))], sampleOf(column)),
    byName,
    (state, settled) =>
      isAnybodys(state.column)
        ? undefined
        : proposeBeside(state.column, [...targetsOf(state), ...namesIn(state.column)], settled, samples),
    // Left out unasked, people would lose their names.
    ({ column }, settled) => {
      const given = takenBy(settled.filter(isFilled));
      return proposeFullName(column, personas, [given, given], sampleOf(column), true);
    },
  ];
  const open = states.filter(({ target, other }) => target === undefined && other === undefined);
  for (const way of ways) {
    const settled = states.map((one) => ({ ...one, target: one.target ?? found.get(one.column)?.target }));
    for (const state of open) {
      const proposal = found.has(state.column) ? undefined : way(state, settled);
      if (proposal !== undefined) found.set(state.column, proposal);
    }
    keepBest(found);
  }
  const used = [...taken, ...[...found.values()].map(({ target }) => target)];
  const days = personas.flatMap(({ fields }) =>
    fields.flatMap((field) => (field.kind === 'date' && !isBirthDate(field) ? field.slug : [])),
  );
  const [day, another] = new Set(days.filter((slug) => used.includes(slug)));
  for (const { column, target } of day === undefined || another !== undefined ? [] : states)
    if (target === undefined && areTimes(sampleOf(column)))
      found.set(column, { target: TIME_OF + day, why: 'times of day', strength: 1 });
  keepBest(found);
  for (const [column, proposal] of proposeContacts(states, reader, samples)) found.set(column, proposal);
  return found;
}

/** Of several phones or addresses of one guest that differ, the columns by the field that they fill, the preferred first. */
function contactsOf(
  states: readonly ColumnState[],
  reader: HeadingReader,
  samples: Pick<ColumnSamples, 'of' | 'compare'>,
): ReadonlyMap<string, readonly string[]> {
  const fields = reader.personas.flatMap((persona) => persona.fields);
  const mayHold = (column: string, slug: string): boolean =>
    samples.of(column).filled > 0 &&
    fields.every(
      (field) => field.slug !== slug || field.kind === 'phone' || fits(samples.of(column), field) !== false,
    );
  const found = new Map<string, string[]>();
  const said = takenBy(states.filter(({ isSaid }) => isSaid === true));
  for (const { column, target, other } of states) {
    const { kind, concept, isClear } = personOf(column);
    const [field = '', another] = reader.targetsSaying(concept);
    const isOpen = target === undefined || (target === field && !said.has(field));
    const isGuests = other === undefined && companionColumn(column) === undefined;
    const isContact = kind !== undefined && kind !== 'name' && isClear && field !== '' && !another;
    const all = madeOnce(found, field, (): string[] => []);
    const isAnother = !all.some((one) => looseName(one) === looseName(column));
    if (isContact && isGuests && isOpen && isAnother && mayHold(column, field)) all.push(column);
  }
  const rank = (column: string): number => personOf(column).rank;
  const several = [...found].filter(([field, [first = '', ...others]]) => {
    const differ = others.some((other) => samples.compare(other, [first]).differs > 0);
    return differ && !said.has(field);
  });
  return new Map(
    several.map(([field, columns]) => [field, columns.sort((one, other) => rank(other) - rank(one))]),
  );
}

/** The preferred one goes first, and what it leaves blank is in those behind it; of two alike only a person knows. */
function proposeContacts(
  states: readonly ColumnState[],
  reader: HeadingReader,
  samples: Pick<ColumnSamples, 'of' | 'compare'>,
): readonly (readonly [string, Strong])[] {
  return [...contactsOf(states, reader, samples)].flatMap(([target, columns]) => {
    const [first = '', second = ''] = columns;
    const isEither = personOf(first).rank === personOf(second).rank;
    return columns.map((column) => {
      const behind = columns.slice(0, columns.indexOf(column));
      const { fills } = samples.compare(column, behind);
      const names = behind.map((one) => `"${one}"`).join(' and ');
      if (isEither) return [column, { target, why: ONE_OF_SEVERAL, asksPerson: true, strength: 2 }] as const;
      if (behind.length === 0) return [column, { target, why: 'its name', strength: 2 }] as const;
      if (fills > 0) return [column, { target, why: `where ${names} is blank`, strength: 2 }] as const;
      return [column, { target: null, why: `${names} goes first`, strength: 2 }] as const;
    });
  });
}

const ONE_OF_SEVERAL = 'one of several that the guest has: which goes first?';

/** An address beside words that say nothing known may be anybody's: `Sales rep email`. */
function isAnybodys(column: string): boolean {
  const { kind, isClear } = personOf(column);
  return (kind === 'email' || kind === 'phone') && !isClear;
}

/**
 * A column that is called like a field, and holds nothing of the kind, is open where another one speaks of the field and
 * does; so are all phones of a guest who has several.
 */
export function withoutMisnamed(
  states: readonly ColumnState[],
  personas: readonly Persona[],
  reader: HeadingReader,
  samples: Pick<ColumnSamples, 'of' | 'compare'>,
): readonly ColumnState[] {
  const holds = (column: string, target: string, wanted: boolean): boolean =>
    personas.some(({ fields }) =>
      fields.some((field) => field.slug === target && fits(samples.of(column), field) === wanted),
    );
  const open = states.filter(({ target, other }) => target === undefined && other === undefined);
  const contacts = new Set([...contactsOf(states, reader, samples).values()].flat());
  return states.map((state) => {
    const { column, target, isSaid } = state;
    if (contacts.has(column)) return { ...state, target: undefined, certain: false };
    if (typeof target !== 'string' || isSaid === true || !holds(column, target, false)) return state;
    const isElsewhere = open.some(
      (one) => reader.targetsNearly(one.column).includes(target) && holds(one.column, target, true),
    );
    return isElsewhere ? { ...state, target: undefined, certain: false } : state;
  });
}

/** A column of full names, where nothing else has the first or the last ones; one that is not called so only with `isAsked`. */
function proposeFullName(
  column: string,
  personas: readonly Persona[],
  [given, all]: readonly [ReadonlySet<string>, ReadonlySet<string>],
  sample: ColumnSample,
  isAsked = false,
): Strong | undefined {
  const companion = companionColumn(column);
  const heading = companion?.name ?? column;
  const [both = '', another] = fullNames(personas, companion).keys();
  const isSaid = isAsked || isOfNames(heading) || isOfSomebody(heading);
  if (both === '' || another !== undefined || !isSaid) return undefined;
  if (partsOf(both).some((part) => given.has(part))) return undefined;
  if (partsOf(both).every((part) => all.has(part)))
    return { target: null, why: 'other columns have both names', strength: 1 };
  const isLastFirst =
    isLastNameFirst(heading) && [...sample.values.keys()].some((text) => !text.includes(','));
  const target = isLastFirst ? partsOf(both).toReversed().join(BOTH) : both;
  if (isAsked)
    return given.has('barcode') || !areWrittenAsNames(sample)
      ? undefined
      : { target, why: 'may be full names', asksPerson: true, strength: VALUES_ONLY };
  if (!areFullNames(sample, isLastFirst)) return undefined;
  return { target, why: isLastFirst ? 'last name in front' : 'each name is split', strength: 1 };
}

/** Beside columns that have the field a column fills what they leave blank, where it never says otherwise. */
function proposeBeside(
  column: string,
  targets: readonly string[],
  states: readonly ColumnState[],
  samples: Pick<ColumnSamples, 'compare'>,
): Strong | undefined {
  const told = targets.flatMap((target): Strong[] => {
    const parts = partsOf(target);
    const beside = states.filter((one) => partsOf(one.target ?? '').some((part) => parts.includes(part)));
    if (beside.length === 0) return [];
    const others = beside.map((one) => one.column);
    const { fills, differs, agrees } = samples.compare(column, others);
    const names = others.map((one) => `"${one}"`).join(' and ');
    const rows = differs === 1 ? '1 row' : `${differs} rows`;
    const isCalledAlike = others.some((one) => looseName(one) === looseName(column));
    if (differs === 0 && fills === 0)
      return [{ target: null, why: `says no more than ${names}`, strength: 2 }];
    if (differs > agrees && isCalledAlike)
      return [{ target, why: `differs from ${names} in ${rows}`, asksPerson: true, strength: 2 }];
    // Beside first and last names, people would lose theirs.
    if (fills === 0 || (differs > agrees && !target.includes(BOTH))) return [];
    const differ = differs === 0 ? '' : `, ${rows} ${differs === 1 ? 'differs' : 'differ'}`;
    const why = `${names} ${others.length === 1 ? 'goes' : 'go'} first${differ}`;
    return [{ target: ELSE + target, why, strength: 2, ...(differs > agrees && { asksPerson: true }) }];
  });
  return told.find(({ asksPerson }) => asksPerson !== true) ?? told[0];
}

function propose(
  spoken: readonly string[],
  free: readonly FreeField[],
  sample: ColumnSample,
): Strong | undefined {
  const fitsField = (target: string): boolean | undefined => {
    const fields = free.find(({ slug }) => slug === target)?.fields ?? [];
    const said = fields.map((field) => fits(sample, field));
    if (said.includes(true)) return true;
    // An option may be called otherwise here; what is no address is none.
    return fields[0]?.kind === 'choice' ? undefined : said[0];
  };
  const shown = free.filter(({ fields }) => fields.some((field) => showsItself(sample, field)));
  // What the values are says more than a word of a question.
  const isSilent = (target: string): boolean => shown.length === 1 && fitsField(target) === undefined;
  const possible = spoken.filter((target) => fitsField(target) !== false && !isSilent(target));
  const fitting = possible.filter((target) => fitsField(target) === true);
  const [named, ...others] = possible.length === 1 ? possible : fitting;
  if (named !== undefined && others.length === 0) {
    const both = fitting.includes(named);
    return { target: named, why: both ? 'name and values fit' : 'its name', strength: both ? 2 : 1 };
  }
  const [only, another] = possible.length > 0 ? [] : shown;
  return only && !another ? { target: only.slug, why: 'values fit', strength: VALUES_ONLY } : undefined;
}

function keepBest(found: Map<string, Strong>): void {
  const all = new Map(found);
  for (const [column, proposal] of all) if (!isBest(column, proposal, all)) found.delete(column);
}

function isBest(column: string, proposal: Strong, found: ReadonlyMap<string, Strong>): boolean {
  const alike = [...found].filter(([, one]) => one.target === proposal.target);
  const rivals = alike.filter(([, one]) => one.asksPerson !== true);
  if (proposal.target === null || proposal.asksPerson === true)
    return rivals.length === 0 || proposal.target === null;
  const most = Math.max(...rivals.map(([, one]) => one.strength));
  const [[first] = [], another] = rivals.filter(([, one]) => one.strength === most);
  return first === column && (another === undefined || most > VALUES_ONLY);
}
