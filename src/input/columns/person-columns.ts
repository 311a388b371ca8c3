import type { Concept } from './aliases.ts';
import { BOTH, partsOf } from './column-names.ts';
import { type HeadingPerson, personOf } from './heading-person.ts';
import type { ColumnWish, HeadingReader } from './heading-reader.ts';
import { targetsOf } from './heading-words.ts';
import type { PersonColumn } from './whose-columns.ts';

/** What headings say of people, with what is said of them: of companions, and of what is left out, nothing counts. */
export function personColumns(
  columns: readonly string[],
  wishes: readonly ColumnWish[],
  reader: HeadingReader,
): readonly PersonColumn[] {
  const people = columns.map(personOf);
  return columns.map((column, at): PersonColumn => {
    const person = people[at] ?? personOf(column);
    const { name = column, overridden = false, ignored = false } = wishes[at] ?? {};
    const isNobody =
      ignored || reader.companion(column) !== undefined || isOwnName(at, columns, people, reader);
    const parts = targetsSaying(person.concept, reader);
    const fills = parts.join(BOTH);
    if (!overridden)
      return { ...person, fills, said: isNobody ? 'none' : undefined, known: reader.knows(column) };
    const isUsed = partsOf(name).some((part) => parts.includes(part));
    return { ...person, fills, said: isUsed ? 'used' : 'none', known: true };
  });
}

/** Fields that hold what a heading says of a person. */
export function targetsSaying(concept: Concept | undefined, reader: HeadingReader): readonly string[] {
  if (concept === undefined) return [];
  const both = concept === 'full_name' ? (['first_name', 'last_name'] as const) : [concept];
  return both.flatMap((one) => targetsOf(one, reader));
}

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
  const own = targetsOf(column, reader);
  return people.every(
    ({ concept }, other) => other === at || !targetsSaying(concept, reader).some((one) => own.includes(one)),
  );
}
