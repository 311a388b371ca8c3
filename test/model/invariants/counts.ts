import type { ObservedPush } from '../observe.ts';
import { countOf, names, notVerified, tellsOfNotProven, type ToldEntry } from '../said.ts';
import { changesBetween, missingIn } from '../world.ts';
import { isSame } from '../values.ts';

/** The counts of new and changed are those of the service. */
export function countsAreTrue(observed: ObservedPush): string[] {
  const { said, world, after, resumed, foreign } = observed;
  if (said.code !== 0 || resumed || foreign.length > 0) return [];
  const created = missingIn(world, after).length;
  const updated = new Set(changesBetween(world, after).map(({ id }) => id)).size;
  const wrong = (name: string, expected: number): string[] => {
    const told = countOf(said, name);
    if (told === undefined || told === expected) return [];
    if (told < expected && tellsOfNotProven(said)) return [];
    if (told > expected && told - expected <= notVerified(said)) return [];
    // Sent, taken, and written as before: that is said beside the count.
    if (told > expected && /own way|own values|not shown by/.test(said.text)) return [];
    return [`${name}: ${told} told, ${expected} found`];
  };
  // A link that is another at each reading, a group that is not shown, and what is not taken are sent, and change nothing.
  const { columns, hasParents } = observed.push.file;
  const { uploads, recordParent, recordBarcode, misstored } = observed.switches;
  const isClear =
    (uploads === 'as-sent' || !columns.includes('photo')) &&
    ((recordParent === 'shown' && recordBarcode !== 'hidden') || !hasParents) &&
    (misstored !== 'dropped' || !columns.includes('company'));
  return [...wrong('created', created), ...(isClear ? wrong('updated', updated) : [])];
}

/** What the dry run shows is what the run does: no more, and no less where it ends well. */
export function dryRunIsTheRun(observed: ObservedPush): string[] {
  const { told, said, world, after, rows } = observed;
  if (told === undefined || told.some(({ action }) => action === 'unknown' || action === 'uncertain'))
    return [];
  // Messages that are taken back are counted, not shown.
  const { recordParent: parents, recordComms: comms } = observed.switches;
  const hidesParents = parents === 'hidden';
  const actual = changesBetween(world, after).filter(
    ({ attribute, before, after: now }) =>
      !isSame(before, now) &&
      (attribute !== 'enable_comms' || (now === 'true' && comms === 'shown')) &&
      (attribute !== 'parent_barcode' || !hidesParents),
  );
  const shown = told.filter(({ action }) => action === 'update');
  const key = (id: string, attribute: string): string => `${id} ${attribute}`;
  const expected = new Set(
    shown.flatMap((one) => one.changes.map(({ field }) => key(idOf(one, observed) ?? '', field))),
  );
  const found = actual
    .filter(({ id, attribute }) => !expected.has(key(id, attribute)))
    .filter(({ id, barcode, attribute }) => {
      const place = rows.find(({ ids }) => ids.includes(id))?.place;
      return said.code === 0 || !names(said, { id, barcode }, place, attribute);
    })
    .map(({ barcode, attribute }) => `${barcode} ${attribute} changed, and the dry run had not shown it`);
  if (said.code !== 0) return found;
  // What is not shown may be as it is to be, and is shown as sent.
  const { recordParent, recordBarcode, uploads } = observed.switches;
  const isHidden = (field: string): boolean =>
    (field === 'photo' && uploads !== 'as-sent') ||
    (field === 'company' && observed.switches.misstored === 'dropped') ||
    (field === 'parent_barcode' && (recordParent === 'hidden' || recordBarcode === 'hidden'));
  const done = new Set(actual.map(({ id, attribute }) => key(id, attribute)));
  for (const entry of shown) {
    const { changes, barcode } = entry;
    const id = idOf(entry, observed);
    for (const { field, before, after: then } of changes) {
      if (id === undefined || isHidden(field) || done.has(key(id, field)) || isSame(before, then)) continue;
      found.push(`${barcode ?? id} ${field} did not change, and the dry run had shown it`);
    }
  }
  const creates = told.filter(({ action }) => action === 'create').length;
  const made = missingIn(world, after).length;
  if (creates !== made) found.push(`${made} made, ${creates} shown by the dry run`);
  return found;
}

/** The id as it is shown; else that of the registration with the barcode. */
function idOf({ registration_id: id, barcode }: ToldEntry, { world }: ObservedPush): string | undefined {
  return id ?? [...world.values()].find((one) => one.barcode === barcode)?.id;
}
