import { type ColumnState, takenBy } from './column-states.ts';
import type { HeadingReader } from './heading-reader.ts';
import { looseName } from './alias-index.ts';
import { companionColumn } from './companion-columns.ts';
import { personOf } from './heading-person.ts';
import type { ColumnProposal } from './column-question.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { fits } from '../../registration/evidence/field-evidence.ts';
import { madeOnce } from '../../registration/model/maps.ts';
import type { Persona } from '../../registration/model/persona.ts';

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
export function proposeContacts(
  states: readonly ColumnState[],
  reader: HeadingReader,
  samples: Pick<ColumnSamples, 'of' | 'compare'>,
): readonly (readonly [string, ColumnProposal])[] {
  return [...contactsOf(states, reader, samples)].flatMap(([target, columns]) => {
    const [first = '', second = ''] = columns;
    const isEither = personOf(first).rank === personOf(second).rank;
    return columns.map((column): [string, ColumnProposal] => {
      if (isEither) return [column, { target, why: ONE_OF_SEVERAL, asksPerson: true }];
      if (column === first) return [column, { target, why: 'its name' }];
      const behind = columns.slice(0, columns.indexOf(column));
      const isMore = samples.compare(column, behind).fills > 0;
      const names = behind.map((one) => `"${one}"`).join(' and ');
      if (isMore) return [column, { target, why: `where ${names} is blank` }];
      return [column, { target: null, why: `${names} goes first` }];
    });
  });
}

const ONE_OF_SEVERAL = 'one of several that the guest has: which goes first?';

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
