import type { SandboxRegistration } from '../../../src/sandbox/store/stored-row.ts';
import { hidesRows, isToldBlind } from '../blind.ts';
import type { LinkedRow, ObservedPush } from '../observe.ts';
import { isSamePerson, mayBeRenamed } from '../link-rows.ts';
import { substitutes } from './strict.ts';
import { isToldOfField, isToldUnseen, unkeptFields } from '../unkept.ts';
import { isSame } from '../values.ts';
import { names, tellsOfNotVerified, tellsOfSentBefore } from '../said.ts';
import { has, sameBarcode, wantedOf } from '../wanted.ts';
import { type Attribute, attributeOf } from '../world.ts';

/** Exit 0: the service holds every row as the file has it, but for edits that are kept. */
export function exitZeroIsTrue(observed: ObservedPush): string[] {
  if (observed.said.code !== 0 || isUnread(observed)) return [];
  const used = new Set<string>();
  // Without a barcode it is not known whom a push has changed that did not look.
  const others = substitutes(observed);
  const rows = observed.rows.filter(
    (linked) =>
      (linked.row.barcode !== '' || !(isToldBlind(observed) || mayBeRenamed(linked.row, observed))) &&
      !others.includes(linked),
  );
  const judged = rows.map((linked) => {
    const candidates = candidatesOf(linked, observed);
    return { linked, found: candidates.map((one) => ({ one, wrong: wrongIn(one, linked, observed) })) };
  });
  // Those that are there as they should be come first: none of them may be taken by a row that is not.
  const isThere = ({ found }: (typeof judged)[number]): boolean =>
    found.some(({ wrong }) => wrong.length === 0);
  return [...judged.filter(isThere), ...judged.filter((one) => !isThere(one))].flatMap(
    ({ linked, found }) => {
      const free = found.filter(({ one }) => !used.has(one.id));
      const best = free.sort((a, b) => a.wrong.length - b.wrong.length)[0];
      if (best === undefined)
        return mayBeGone(linked, observed) ? [] : [`${linked.place}: exit 0, and it is not in the service`];
      used.add(best.one.id);
      return best.wrong.map((what) => `${linked.place}: exit 0, and ${what}`);
    },
  );
}

/** Somebody has deleted it or its barcode meanwhile; or before, and nobody looked at those that were sent before. */
function mayBeGone({ row }: LinkedRow, observed: ObservedPush): boolean {
  const { foreign, model } = observed;
  if (foreign.some(({ change }) => change === undefined)) return true;
  const link = model.links.get(row.guest);
  const wasDeleted =
    link !== undefined && (model.deletedByOthers.has(link) || model.touched.has(`${link} barcode`));
  const isBlind = hidesRows(observed) || row.barcode === '';
  // Or the service took another row for the same person, which nobody saw either.
  const mayBeHit = observed.switches.recognise.includes('email');
  return (wasDeleted || mayBeHit) && isBlind && tellsOfSentBefore(observed.said);
}

/** What the killed command sent without looking is not looked at later; and a service may show no values at all. */
function isUnread(observed: ObservedPush): boolean {
  const { resumed, switches, said } = observed;
  if (has(observed, '--no-audit')) return true;
  const isHidden = hidesRows(observed);
  if ((isHidden || !observed.push.file.hasBarcodes) && tellsOfNotVerified(said)) return true;
  if (isHidden && tellsOfSentBefore(said)) return true;
  return (resumed || switches.recordShape === 'no-fields') && isToldBlind(observed);
}

/** In a service that only looks odd, where nobody else acts, everything is done. */
export function calmEndsWell(observed: ObservedPush): string[] {
  const { calm, said, rows, world } = observed;
  // Whoever moves to another persona loses what only the old one had, and that is named.
  const moves = rows.some(({ row, ids }) => ids.some((id) => world.get(id)?.persona !== row.persona));
  if (!calm || moves || said.code === 0 || rows.some((linked) => isAsked(linked, observed))) return [];
  return [`nothing stands in the way, but it ended with ${said.code}: ${said.text.trim().slice(-600)}`];
}

/** Somebody new has the name of a registration that no row stands for any more: whose it is was asked. */
function isAsked({ row, ids, place }: LinkedRow, { rows, world, said }: ObservedPush): boolean {
  const isNobodys = ({ id }: SandboxRegistration): boolean => rows.every((other) => !other.ids.includes(id));
  const alike = [...world.values()].filter((one) => isNobodys(one) && isSamePerson(one, row));
  return said.code === 3 && ids.length === 0 && alike.some((one) => names(said, one, place));
}

function candidatesOf({ row, ids }: LinkedRow, observed: ObservedPush): SandboxRegistration[] {
  const all = [...observed.after.values()];
  if (row.barcode !== '') return all.filter(({ barcode }) => sameBarcode(barcode, row.barcode, observed));
  const linked = all.filter(({ id }) => ids.includes(id));
  const made = all.filter(({ id }) => !observed.world.has(id));
  // Of those whom a service has doubled, any may be who is meant.
  const same = all.filter((one) => isSamePerson(one, row));
  return [...new Set([...linked, ...made, ...same])];
}

function wrongIn(one: SandboxRegistration, linked: LinkedRow, observed: ObservedPush): string[] {
  const wrong = [...wantedOf(linked.row, observed)].flatMap(([attribute, cell]) => {
    const now = attributeOf(one, attribute);
    if (isSame(now, cell) || isKept(one, attribute, cell, observed)) return [];
    if (isTolerated(one.id, attribute, cell, observed)) return [];
    return [`${attribute} is ${JSON.stringify(now ?? '')}, not ${JSON.stringify(cell)}`];
  });
  const { persona } = linked.row;
  if (one.persona !== persona) wrong.push(`the persona is ${one.persona}, not ${persona}`);
  return wrong;
}

/** Only the service changed the value. */
function isKept(
  { id }: SandboxRegistration,
  attribute: Attribute,
  cell: string,
  observed: ObservedPush,
): boolean {
  const { model, world, before, after, foreign } = observed;
  // Whatever somebody did meanwhile, nobody could know whether before or after.
  if (foreign.some((one) => one.id === id && one.change?.attribute === attribute)) return true;
  const base = model.base(id, attribute);
  if (base === undefined || !isSame(base.file, cell)) return false;
  if (!base.sure) return true;
  const valueIn = (registrations: ObservedPush['world']): string => {
    const one = registrations.get(id);
    return one === undefined ? '' : String(attributeOf(one, attribute) ?? '');
  };
  const [there, earlier, now] = [valueIn(world), valueIn(before), valueIn(after)];
  return now === there && (there !== String(base.seen ?? '') || earlier !== there);
}

/** A value that the service does not take, once that was told. */
function isTolerated(id: string, attribute: Attribute, cell: string, observed: ObservedPush): boolean {
  if (isToldUnseen(attribute, observed)) return true;
  const hidesParents = observed.switches.recordParent === 'hidden';
  if (attribute === 'parent_barcode' && hidesParents && tellsOfNotVerified(observed.said)) return true;
  if (observed.model.wasNotAccepted(id, attribute, cell)) return true;
  const slug = unkeptFields(observed).find((one) => one === attribute);
  return slug !== undefined && isToldOfField(slug, observed);
}
