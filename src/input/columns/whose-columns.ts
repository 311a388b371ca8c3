import type { HeadingPerson, PersonKind } from './heading-person.ts';
import { personOf, personWith, withBareNames } from './heading-person.ts';
import type { Concept } from './aliases.ts';
import { BOTH, partsOf } from './column-names.ts';
import { companionColumn, manyAmong } from './companion-columns.ts';
import type { ColumnWish, HeadingReader } from './heading-reader.ts';
import { HEADING_JOINT } from '../source/table-record.ts';

/** A heading, and what the owner of the list has said of it. */
export interface PersonColumn extends HeadingPerson {
  /** `used`: it is the guest's; `none`: it is left out, or a field's own name; undefined: nothing. */
  said: 'used' | 'none' | undefined;
  /** Its heading alone says which field it is. */
  known: boolean;
  /** What it would be as a column of the guest, as `--map` takes it; empty where there is no such field. */
  fills: string;
}

/** Why a column is not the guest's, as far as headings tell. */
export interface NotTheGuests {
  why: string;
  /** Guests would be without a name or an address: only the owner of the list can leave the column out. */
  isMissed: boolean;
  /** The list has nobody else: it is proposed all the same. */
  isOnly: boolean;
  /** What it would be as a column of the guest, as `--map` takes it. */
  fills: readonly string[];
}

/** The columns of one person, by index. */
interface Group {
  role: HeadingPerson['role'];
  columns: readonly (PersonColumn & { at: number; kind: PersonKind })[];
}

const COUNTED = /^(?:\d+|\p{L}|(?:i|v|x)+)$/u;
const SOMEBODY_ELSE = 'speaks of somebody else than the guest';
const PAYS =
  /^(?:bill|order|buyer|purchas|pay|book|invoic|k(?:ae?|ä)ufer|bestel|rechnung|buch|zahl|comprador|pagador|factur|pedido|achet|payeur|commande|acquirent|fattur|ordin|koper|betal|boek)/;
const ONE_OF_MANY = 'one of several of a row';
/** Beside what orders and pays, an address of theirs. */
const OWN = /^(?:own|eigene|eigen|propio|propre|proprio)$/;
const ONLY_ONE = 'the list has nobody else';
export const UNSURE = 'is the guest’s or somebody else’s: nothing says who of the list comes';

/**
 * Which columns are not, or not for certain, of who comes, by index. Columns form groups of one person, by the words beside
 * the names (`Order name`, `Order e-mail`). The group that speaks of who comes wins; of two that may be it, none does.
 */
export function whoseColumns(columns: readonly PersonColumn[]): ReadonlyMap<number, NotTheGuests> {
  const all = columns.flatMap((column, at) => {
    const { kind, role, said } = column;
    return kind === undefined || role === 'other' || said === 'none' ? [] : [{ ...column, at, kind }];
  });
  const many = manyAmong(all);
  const people = all.filter(({ at }) => !many.has(at));
  const groups = groupsOf(people);
  // Beside several people of a row, whoever it names besides may not come.
  const guests = many.size > 0 && !hasName(groups.plain) ? undefined : guestsAmong(groups);
  const mayCome = indexes([groups.plain, ...groups.named, groups.loose]);
  const kept = new Set(
    people.flatMap(({ at, kind, said }) => (said === 'used' || guests?.has(at) === true ? [kind] : [])),
  );
  const others = columns.filter(
    ({ kind, role, said }) => kind !== undefined && role === 'other' && said === undefined,
  );
  // Whoever orders and pays comes where nobody else is named; an emergency contact does not.
  const isAlone =
    people.every((one) => one.role === 'plain' && !isOfName(one) && OWN.test(one.key)) &&
    others.every(({ key }) => PAYS.test(key)) &&
    others.some(isOfName);
  const found = new Map<number, NotTheGuests>();
  for (const [at, { kind, role, said, known, fills }] of columns.entries()) {
    const number = many.get(at);
    if (number !== undefined) {
      const target = `companion ${number} ${fills}`;
      found.set(at, { why: ONE_OF_MANY, isMissed: true, isOnly: role === 'plain', fills: [target] });
    }
    // Of the only one in the list, what else is said of them is the guest's too: `Billing country`.
    const isTheirs = isAlone && (role !== 'other' || kind === undefined);
    if (many.has(at) || said !== undefined || guests?.has(at) === true || isTheirs) continue;
    const isElse = role === 'other' ? kind !== undefined || !known : mayCome.has(at);
    if (!isElse) continue;
    const isUnsure = role !== 'other' && guests === undefined;
    const isMissed = isUnsure || (kind !== undefined && kind !== 'phone' && !kept.has(kind));
    const isOnly = isAlone && kind !== undefined && fills !== '';
    const whose = role !== 'other' && isMissed ? UNSURE : SOMEBODY_ELSE;
    const why = kind === undefined ? 'matches nothing' : isOnly ? ONLY_ONE : whose;
    found.set(at, { why, isMissed, isOnly, fills: fills === '' ? [] : [fills] });
  }
  return found;
}

/** Indexes of the columns that are the guest's; undefined where nothing says which group comes. */
function guestsAmong({ plain, named, loose }: Groups): ReadonlySet<number> | undefined {
  const said = [plain, ...named].filter(({ columns }) => columns.some((column) => column.said === 'used'));
  const main = said.length === 1 ? said[0] : mainGroup(plain, named);
  if (main === undefined) return undefined;
  if (main === plain) {
    // Beside plain names `Contact e-mail` is the guest's own, and so is `Person / First name` beside a last one.
    const alike = named.filter(
      (group) => group.columns.every(({ known }) => known) && !overlap(group, plain),
    );
    return indexes([plain, ...alike.filter(({ role }) => role === 'unsure'), loose]);
  }
  const isCertain = main.role === 'comes' || said.length === 1;
  if (!overlap(main, plain)) return indexes([main, plain]);
  if (!hasName(plain)) return isCertain ? indexes([main]) : undefined;
  if (hasName(main)) return said.length === 1 ? indexes([main]) : undefined;
  // The names stand in one group, and an address in both.
  const isTwice = ({ kind }: { kind: PersonKind }): boolean =>
    [main, plain].every(({ columns }) => columns.some((column) => column.kind === kind));
  const once = { ...plain, columns: plain.columns.filter((column) => !isTwice(column)) };
  const own = { ...main, columns: main.columns.filter((column) => said.length === 1 || !isTwice(column)) };
  return indexes([own, once]);
}

interface Groups {
  /** Names and addresses without a word for anybody. */
  plain: Group;
  named: readonly Group[];
  /** Addresses beside other words: `Company phone`. */
  loose: Group;
}

/** Words that speak of nobody make a group, too, where they stand beside a name and an address, or beside the name of such a group. */
function groupsOf(people: Group['columns']): Groups {
  const of = (keyed: string): Group['columns'] =>
    people.filter(({ role, key }) => `${role} ${key}` === keyed);
  const keys = [...new Set(people.map(({ role, key }) => `${role} ${key}`))];
  const groups = keys.map((key): Group => ({ role: of(key)[0]?.role ?? 'plain', columns: of(key) }));
  const plain = groups.find(({ columns }) => columns[0]?.role === 'plain' && columns[0].key === '');
  const isWhole = (group: Group): boolean =>
    hasName(group) && group.columns.some(({ kind }) => kind !== 'name');
  const isPerson = (group: Group): boolean => {
    if (group.role !== 'plain') return true;
    const rivals = groups.filter((other) => other !== group && overlap(group, other));
    const hasRival = isWhole(group)
      ? rivals.length > 0
      : rivals.some((one) => one.role === 'plain' && one !== plain && isWhole(one));
    return hasName(group) && hasRival;
  };
  const others = groups.filter((group) => group !== plain);
  return {
    plain: plain ?? { role: 'plain', columns: [] },
    named: others
      .filter(isPerson)
      .map((group) => (group.role === 'plain' ? { ...group, role: 'unsure' } : group)),
    loose: {
      role: 'plain',
      columns: others.flatMap((group) =>
        isPerson(group) ? [] : group.columns.filter(({ kind }) => kind !== 'name'),
      ),
    },
  };
}

/** The group that speaks of who comes, the plain one unless another is only numbered, or the only one that has names. */
function mainGroup(plain: Group, named: readonly Group[]): Group | undefined {
  const [comes, anotherOne] = named.filter(({ role }) => role === 'comes');
  if (comes !== undefined) return anotherOne === undefined ? comes : undefined;
  const [only, another] = named.filter(hasName);
  if (hasName(plain))
    return named.some(({ columns: [one] }) => COUNTED.test(one?.key ?? '')) ? undefined : plain;
  // Who is reached in one way only, and nobody else, is the guest.
  const isAlone = named.length === 1 && !plain.columns.some(({ kind }) => kind !== 'phone');
  if (only === undefined) return isAlone ? named[0] : plain;
  return another === undefined ? only : undefined;
}

const isOfName = ({ kind }: Pick<PersonColumn, 'kind'>): boolean => kind === 'name';
const hasName = ({ columns }: Group): boolean => columns.some(isOfName);

function indexes(groups: readonly Group[]): ReadonlySet<number> {
  return new Set(groups.flatMap(({ columns }) => columns.map(({ at }) => at)));
}

/** Whether both say the same of somebody: a first name beside a last one does not. */
function overlap(one: Group, other: Group): boolean {
  return one.columns.some(({ concept, kind }) =>
    other.columns.some(
      (rival) =>
        rival.kind === kind &&
        (kind !== 'name' || rival.concept === concept || [rival.concept, concept].includes('full_name')),
    ),
  );
}

/** What headings say of people, with what is said of them: of companions, and of what is left out, nothing counts. */
export function personColumns(
  columns: readonly string[],
  wishes: readonly ColumnWish[],
  reader: HeadingReader,
): readonly PersonColumn[] {
  const read = columns.map((column) => personWith(column, reader.knows(column)));
  const people = withLastNames(withBareNames(withoutSections(columns, read)));
  return columns.map((column, at): PersonColumn => {
    const person = people[at] ?? personOf(column);
    const { name = column, overridden = false, ignored = false } = wishes[at] ?? {};
    const isNobody =
      ignored || (companionColumn(column)?.number ?? 0) > 0 || isOwnName(at, columns, people, reader);
    const parts = reader.targetsSaying(person.concept);
    const fills = parts.join(BOTH);
    if (!overridden)
      return { ...person, fills, said: isNobody ? 'none' : undefined, known: reader.knows(column) };
    const isUsed = partsOf(name).some((part) => parts.includes(part));
    return { ...person, fills, said: isUsed ? 'used' : 'none', known: true };
  });
}

/** Above other headings `Contact` without a name is a part of the list, and nobody. */
function withoutSections(
  columns: readonly string[],
  people: readonly HeadingPerson[],
): readonly HeadingPerson[] {
  const named = new Set(people.flatMap(({ kind, key }) => (kind === 'name' ? [key] : [])));
  return people.map((person, at) => {
    const isSection = person.role === 'unsure' && columns[at]?.includes(HEADING_JOINT) === true;
    return isSection && !named.has(person.key) ? { ...person, role: 'plain', key: '' } : person;
  });
}

/** Beside one of the names of somebody, what is just called their name is the other: `Prénom acheteur`, `Nom acheteur`. */
const withLastNames = (people: readonly HeadingPerson[]): readonly HeadingPerson[] =>
  people.map((person) => {
    const own = people.filter(({ role, key }) => role === person.role && key === person.key);
    const has = (concept: Concept): boolean => own.some((one) => one.concept === concept);
    const [isFirst, isLast] = [has('last_name'), has('first_name')];
    if (person.concept !== 'full_name' || isFirst === isLast) return person;
    return { ...person, concept: isLast ? 'last_name' : 'first_name' };
  });

/** A field may be called `Emergency phone`: then such a column is that, unless another one may be the same field. */
function isOwnName(
  at: number,
  columns: readonly string[],
  people: readonly HeadingPerson[],
  reader: HeadingReader,
): boolean {
  const column = columns[at] ?? '';
  if (people[at]?.role === 'plain' || people[at]?.kind === undefined || !reader.isOwnName(column))
    return false;
  const own = reader.targetsOf(column);
  return people.every(
    ({ concept }, other) => other === at || !reader.targetsSaying(concept).some((one) => own.includes(one)),
  );
}
