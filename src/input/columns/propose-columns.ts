import { type ColumnState, takenBy } from './column-states.ts';
import type { HeadingReader } from './heading-reader.ts';
import { looseName } from './alias-index.ts';
import { BOTH, ELSE, fullNames, partsOf, prefixOf, TIME_OF } from './column-names.ts';
import { companionColumn } from './companion-columns.ts';
import { isFormOfAddress, isLastNameFirst, isOfNames, isOfSomebody, personOf } from './heading-person.ts';
import type { ColumnProposal } from './column-question.ts';
import { proposeContacts } from './contact-columns.ts';
import { UNSURE } from './whose-columns.ts';
import type { ColumnSample, ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { isBirthDate } from '../../registration/rules/date-rule.ts';
import {
  areFullNames,
  areNames,
  areTimes,
  areWrittenAsNames,
  fits,
  showsItself,
} from '../../registration/evidence/field-evidence.ts';
import { namesNobody } from '../../registration/evidence/nothing-evidence.ts';
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
  const targetOf = ({ column, target }: ColumnState) => target ?? found.get(column)?.target;
  const isOpen = (state: ColumnState): boolean => targetOf(state) === undefined;
  const times = states.filter((state) => isOpen(state) && areTimes(sampleOf(state.column)));
  if (times.length > 0) {
    const fields = personas.flatMap((persona) => persona.fields);
    const dates = fields.filter((field) => field.kind === 'date' && !isBirthDate(field));
    const filled = takenBy(states.map((state) => ({ ...state, target: targetOf(state) })));
    const isDay = (state: ColumnState): boolean =>
      isOpen(state) && dates.some((field) => fits(sampleOf(state.column), field) === true);
    const [field, more] = new Set(dates.map(({ slug }) => slug));
    const [days, another] = states.filter(isDay);
    // Beside times of day, days are those of the only thing that has any.
    if (field !== undefined && !more && !filled.has(field) && days && !another)
      found.set(days.column, { target: field, why: 'days beside times', strength: 1 });
    const used = dates.filter(({ slug }) => filled.has(slug) || (days && !another && slug === field));
    const [day, other] = new Set(used.map(({ slug }) => slug));
    for (const { column } of day === undefined || other !== undefined ? [] : times)
      found.set(column, { target: TIME_OF + day, why: 'times of day', strength: 1 });
  }
  keepBest(found);
  return new Map<string, ColumnProposal>([...found, ...proposeContacts(states, reader, samples)]);
}

/** An address beside words that say nothing known may be anybody's: `Sales rep email`. */
function isAnybodys(column: string): boolean {
  const { kind, isClear } = personOf(column);
  return (kind === 'email' || kind === 'phone') && !isClear;
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
  const isSaid = isAsked || heading === '' || isOfNames(heading) || isOfSomebody(heading);
  if (both === '' || another !== undefined || !isSaid) return undefined;
  if (partsOf(both).some((part) => given.has(part))) return undefined;
  if (partsOf(both).every((part) => all.has(part)))
    return { target: null, why: 'other columns have both names', strength: 1 };
  const isLastFirst =
    isLastNameFirst(heading) && [...sample.values.keys()].some((text) => !text.includes(','));
  const target = isLastFirst ? partsOf(both).toReversed().join(BOTH) : both;
  const isCalledSo = isOfNames(heading) && sample.filled > 0;
  if (isAsked)
    return isCalledSo || (!given.has('barcode') && areWrittenAsNames(sample))
      ? { target, why: 'may be full names', asksPerson: true, strength: VALUES_ONLY }
      : undefined;
  const people = companion === undefined ? sample : namingSomebody(sample);
  if (!areFullNames(people, isLastFirst) && !(heading === '' && areNames(people))) return undefined;
  return { target, why: isLastFirst ? 'last name in front' : 'each name is split', strength: 1 };
}

/** Without what is asked about in any column of names: `+1`, `yes`. */
function namingSomebody({ values }: ColumnSample): ColumnSample {
  const names = new Map([...values].filter(([text]) => !namesNobody(text)));
  return { values: names, filled: [...names.values()].reduce((sum, rows) => sum + rows, 0) };
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
