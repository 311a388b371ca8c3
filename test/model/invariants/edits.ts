import { isToldBlind } from '../blind.ts';
import { couldBeSeen } from '../could-be-seen.ts';
import type { LinkedRow, ObservedPush } from '../observe.ts';
import { isSame } from '../values.ts';
import { has, wantedOf } from '../wanted.ts';
import { type Attribute, attributeOf, changesBetween } from '../world.ts';

/** Where no values are shown, nobody who was there is changed without a yes. */
export function nobodyIsChangedUnseen({ switches, push, world, after }: ObservedPush): string[] {
  const { recordShape, recognise } = switches;
  if (recordShape !== 'no-fields' || !recognise.startsWith('barcode') || push.flags.includes('--yes'))
    return [];
  return changesBetween(world, after).map(
    ({ barcode, attribute }) => `${barcode} ${attribute} changed, which nobody can see, and nobody was asked`,
  );
}

/** A value that somebody else changed since it was last seen is not overwritten unasked. */
export function editsAreKept(observed: ObservedPush): string[] {
  if (has(observed, '--overwrite')) return [];
  return observed.rows.flatMap((linked) =>
    linked.ids.length !== 1
      ? []
      : [...wantedOf(linked.row, observed)].flatMap(([attribute, cell]) => {
          const lost = lostEdit(linked, attribute, cell, observed);
          return lost === undefined ? [] : [`${linked.place} ${attribute}: ${lost}`];
        }),
  );
}

function lostEdit(
  { ids: [id = ''], row }: LinkedRow,
  attribute: Attribute,
  cell: string,
  observed: ObservedPush,
): string | undefined {
  const [there, now] = [observed.world.get(id), observed.after.get(id)];
  if (there === undefined || now === undefined) return undefined;
  const [before, after] = [attributeOf(there, attribute), attributeOf(now, attribute)];
  if (attribute === 'parent_barcode' && !showsParents(observed)) return undefined;
  // Fields that nobody sent are another promise.
  if (isSame(before, after) || !isSame(after, cell)) return undefined;
  const text = `${JSON.stringify(before ?? '')} became ${JSON.stringify(after ?? '')}`;
  const base = observed.model.base(id, attribute);
  if (base === undefined) {
    const asked = has(observed, '--yes') || isSame(before, '') || isToldBlind(observed);
    const isAsSeen = String(observed.model.seenBefore(id, attribute) ?? '') === String(before ?? '');
    const isLate = !couldBeSeen(id, attribute, row.barcode, observed);
    return asked || isAsSeen || isLate ? undefined : `${text} without a base and without a yes`;
  }
  if (!base.sure || String(base.seen ?? '') === String(before ?? '')) return undefined;
  if (isToldBlind(observed) || !couldBeSeen(id, attribute, row.barcode, observed)) return undefined;
  const seen = JSON.stringify(base.seen ?? '');
  return isSame(base.file, cell)
    ? `${text}: an edit of somebody else (before it ${seen}) was overwritten, the file had not changed`
    : `${text}: both had changed since ${seen}, and nobody was asked`;
}

function showsParents({ switches: { recordParent, recordBarcode } }: ObservedPush): boolean {
  return recordParent === 'shown' && recordBarcode === 'shown';
}
