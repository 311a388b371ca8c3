import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import type { ObservedDelete, ObservedUndo } from '../observe.ts';
import { names, tellsOfHiddenGroups } from '../said.ts';
import { isSame } from '../values.ts';
import { changesBetween, changesOf, missingIn, withForeign } from '../world.ts';

/** Undo deletes only what that run made. */
export function undoDeletesOnlyWhatIsNew({ world, after, runBefore }: ObservedUndo): string[] {
  return missingIn(after, world)
    .filter(({ id }) => runBefore.has(id))
    .map(({ barcode }) => `undo deleted ${barcode}, which was there before the run`);
}

/** Everything is as before the run, or it is said what is not. */
export function undoIsExactOrSaysSo(observed: ObservedUndo): string[] {
  const { world, after, runBefore, runAfter, since, during, said, places } = observed;
  const target = withForeign(runBefore, since);
  // A push that went on from others is undone with them, each by the id that is told.
  const isChain = said.text.includes('is one of several that went on from each other');
  const isSaid = (one: SandboxRegistration): boolean =>
    isChain ||
    (said.code !== 0 && [one, after.get(one.id) ?? one].some((as) => names(said, as, places.get(one.id))));
  const found: string[] = [];
  for (const one of missingIn(runBefore, runAfter)) {
    if (after.has(one.id) && !isSaid(one)) found.push(`${one.barcode}, made by the run, is still there`);
  }
  for (const one of missingIn(runAfter, runBefore)) {
    if (since.some(({ id }) => id === one.id)) continue;
    const back = [...after.values()].find(({ barcode }) => barcode === one.barcode);
    const wrong =
      back === undefined
        ? ['all']
        : changesOf(one, back)
            .filter((change) => !isSame(change.before, change.after))
            .map(({ attribute }) => attribute);
    if (wrong.some((what) => what !== 'enable_comms') && !isSaid(one)) {
      found.push(`${one.barcode}, deleted by the run, is not back as it was: ${wrong.join(', ')}`);
    }
  }
  for (const { id, barcode, attribute, before, after: now } of changesBetween(target, after)) {
    const one = runBefore.get(id);
    if (one === undefined || isSame(before, now)) continue;
    if (attribute === 'enable_comms' && now !== 'true') continue;
    if (attribute === 'parent_barcode' && tellsOfHiddenGroups(said)) continue;
    const isOfRun = since.slice(0, during).some((c) => c.id === id && c.change?.attribute === attribute);
    const was = changesBetween(runBefore, after).some((c) => c.id === id && c.attribute === attribute);
    if (isOfRun && !was) continue;
    const wasDone = changesBetween(runBefore, runAfter).some((c) => c.id === id && c.attribute === attribute);
    const undid = changesBetween(world, after).some((c) => c.id === id && c.attribute === attribute);
    if ((!wasDone && !undid) || isSaid(one)) continue;
    found.push(
      `${barcode} ${attribute} is ${JSON.stringify(now ?? '')} after undo, and was ${JSON.stringify(before ?? '')} (exit ${said.code})`,
    );
  }
  return found;
}

/** A delete takes those who were named, and says what went with them. */
export function onlyTheChosenAreGone({ world, after, barcode, said }: ObservedDelete): string[] {
  const found: string[] = [];
  for (const gone of missingIn(after, world)) {
    if (gone.barcode === barcode || (said.code !== 0 && names(said, gone, undefined))) continue;
    found.push(`${gone.barcode} is gone with ${barcode}, and that was not said (exit ${said.code})`);
  }
  for (const { id, barcode: own, attribute } of changesBetween(world, after)) {
    if (said.code !== 0 && names(said, { id, barcode: own }, undefined, attribute)) continue;
    if (attribute === 'parent_barcode' && tellsOfHiddenGroups(said)) continue;
    found.push(`${own} ${attribute} changed, and that was not said (exit ${said.code})`);
  }
  const left = [...after.values()].filter((one) => one.barcode === barcode && world.has(one.id));
  if (said.code === 0 && left.length > 0) found.push(`exit 0, and ${barcode} is still there`);
  return found;
}
