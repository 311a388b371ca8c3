/**
 * Has as many workers at once as `wanted` says, at least one, until the first ends by itself: nothing is left to take
 * then. Each asks `goesOn` before it takes anything; one that is too many hears no, and ends. Workers must not reject.
 */
export async function workTogether(
  wanted: () => number,
  work: (goesOn: () => boolean) => Promise<void>,
): Promise<void> {
  const working = new Set<Promise<void>>();
  let count = 0;
  let isOver = false;

  const begin = async (): Promise<void> => {
    count += 1;
    let isTooMany = false;
    // None takes anything before all that are wanted have been begun.
    await Promise.resolve();
    await work(() => {
      isTooMany = count > adjust();
      if (isTooMany) count -= 1;
      return !isTooMany;
    });
    if (isTooMany) return;
    count -= 1;
    isOver = true;
  };
  const adjust = (): number => {
    const most = Math.max(1, wanted());
    const missing = isOver ? 0 : most - count;
    for (let nth = 0; nth < missing; nth += 1) {
      const worker = begin().finally(() => working.delete(worker));
      working.add(worker);
    }
    return most;
  };

  adjust();
  while (working.size > 0) await Promise.all(working);
}
