import { isToldBlind } from '../blind.ts';
import { couldBeSeen } from '../could-be-seen.ts';
import { isSamePerson } from '../link-rows.ts';
import type { LinkedRow, ObservedPush } from '../observe.ts';
import { names, notVerified, tellsOfMessagesTakenBack } from '../said.ts';
import { isSame } from '../values.ts';
import { has, wantedOf } from '../wanted.ts';
import { type Change, changesBetween, missingIn } from '../world.ts';

/** What the file does not say stays as it is, or the program says that it did not. */
export function nothingUnsentChangesUntold(observed: ObservedPush): string[] {
  const untold = changesBetween(observed.world, observed.after)
    .filter((change) => !isExplained(change, observed) && !isTold(change, observed))
    // Sent along, it may be spelt as the service spells.
    .filter(({ before, after }) => !isSame(before, after))
    .filter(({ id, attribute }) => couldBeSeen(id, attribute, undefined, observed));
  // Of as many as nobody has seen it is said that they are not verified: their barcodes may be others by now.
  const isAnew = ({ attribute }: Change): boolean =>
    attribute === 'barcode' && observed.switches.ownBarcodes === 'reissued';
  const anew = untold.filter(isAnew);
  const told = anew.length <= notVerified(observed.said) ? anew : [];
  return untold
    .filter((change) => !told.includes(change))
    .map(({ barcode, attribute, before, after }) => {
      const was = JSON.stringify(before ?? '');
      return `${barcode}: ${attribute} went from ${was} to ${JSON.stringify(after ?? '')}, unsaid by file and program (exit ${observed.said.code})`;
    });
}

/** Nobody is deleted but by a mirror, and then nobody who is in the file. */
export function nobodyIsGoneUntold(observed: ObservedPush): string[] {
  const personas = new Set(observed.push.file.rows.map(({ persona }) => persona));
  return missingIn(observed.after, observed.world).flatMap((gone) => {
    const row = rowOf(gone.id, observed);
    if (has(observed, '--prune') && row === undefined && personas.has(gone.persona)) return [];
    const isTruth = observed.said.code !== 0 && names(observed.said, gone, row?.place);
    return isTruth ? [] : [`${gone.barcode} is gone, and nobody asked for that`];
  });
}

function rowOf(id: string, { rows }: ObservedPush): LinkedRow | undefined {
  return rows.find(({ ids }) => ids.includes(id));
}

function isExplained({ id, barcode, attribute, after }: Change, observed: ObservedPush): boolean {
  const told = observed.told?.find(
    (entry) =>
      entry.action === 'update' &&
      (entry.registration_id ?? entry.barcode) === (entry.registration_id === null ? barcode : id),
  );
  if (told?.changes.some(({ field }) => field === attribute) === true) return true;
  const now = observed.after.get(id);
  return observed.rows.some(({ row, ids }) => {
    // Of rows that nothing tells apart, each may stand for it.
    const isAlike = row.barcode === '' && now !== undefined && isSamePerson(now, row);
    if (!ids.includes(id) && !isAlike) return false;
    if (attribute === 'persona') return after === row.persona;
    if (attribute === 'enable_comms') return row.comms && after === 'true';
    const wanted = wantedOf(row, observed).get(attribute);
    return wanted !== undefined && isSame(wanted, after);
  });
}

function isTold({ id, barcode, attribute, after }: Change, observed: ObservedPush): boolean {
  const { said, rows, switches, habits } = observed;
  if (isToldBlind(observed)) return true;
  // What the service makes by itself shows at the end alone.
  if (attribute === 'remarks' && habits.computes === true && has(observed, '--no-audit')) return true;
  // Who is never shown a parent does not know that there is one.
  if (attribute === 'parent_barcode' && switches.recordParent === 'hidden') return true;
  // Nobody can tell how many get messages, who is never shown it.
  if (attribute === 'enable_comms' && after !== 'true' && switches.recordComms === 'hidden') return true;
  if (attribute === 'enable_comms' && after !== 'true' && tellsOfMessagesTakenBack(said)) return true;
  const place = rows.find(({ ids }) => ids.includes(id))?.place;
  if (
    said.code !== 0 &&
    /perhaps what it does not say/.test(said.text) &&
    names(said, { id, barcode }, place)
  ) {
    return true;
  }
  // Found by its e-mail, and told by the barcode that it is known by.
  const isByEmail = rows.some(
    (one) =>
      one.row.barcode !== '' && one.ids.length === 0 && names(said, { id, barcode }, one.place, 'barcode'),
  );
  if (said.code !== 0 && isByEmail) return true;
  // Where each update gives another barcode, or a push was killed, a row that was lost sight of is told as a whole.
  const isWhole = switches.ownBarcodes === 'reissued' || observed.resumed;
  const what = isWhole ? undefined : attribute;
  return said.code !== 0 && names(said, { id, barcode }, place, what);
}
