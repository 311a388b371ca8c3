interface Member {
  barcode?: string | undefined;
  parentBarcode?: string | undefined;
}

/**
 * How deep below its parents each of some lies, among them: members are deleted before their parents, and sent after
 * them. Those that are each other's parents have no order, and lie at the top.
 */
export function depthsAmong<One extends Member>(all: readonly One[]): Map<One, number> {
  const byBarcode = new Map(all.map((one) => [one.barcode ?? one, one]));
  const parentOf = ({ parentBarcode }: One): One | undefined =>
    parentBarcode === undefined ? undefined : byBarcode.get(parentBarcode);
  const depthOf = (one: One): number => {
    const above = new Set([one]);
    for (let next = parentOf(one); next !== undefined; next = parentOf(next)) {
      if (above.has(next)) return 0;
      above.add(next);
    }
    return above.size - 1;
  };
  return new Map(all.map((one) => [one, depthOf(one)]));
}
