import type { ColumnTarget } from '../../registration/model/columns.ts';
import { targetName } from './column-names.ts';
import type { ColumnWish } from './heading-reader.ts';

/**
 * Of several columns that somebody has mapped to one field, the first that is filled in a row counts, in the order in which
 * they were named. Only what is said makes an order: columns that are called alike are a question.
 */
export function columnsInOrder(
  targets: readonly ColumnTarget[],
  wishes: readonly ColumnWish[],
): readonly ColumnTarget[] {
  const named = [...targets.entries()].filter(
    ([at, { kind }]) => kind === 'field' && wishes[at]?.order !== undefined,
  );
  const orderOf = (at: number): number => wishes[at]?.order ?? 0;
  return targets.map((target, at) => {
    if (target.kind !== 'field' || wishes[at]?.order === undefined) return target;
    const among = named.filter(([, one]) => targetName(one) === targetName(target)).map(([index]) => index);
    if (among.length < 2) return target;
    return { ...target, among: among.sort((one, other) => orderOf(one) - orderOf(other)) };
  });
}
