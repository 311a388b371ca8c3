import { hidesRows, isToldBlind } from '../blind.ts';
import type { Habits } from '../habits.ts';
import { isNamedAlike, isSamePerson } from '../link-rows.ts';
import type { LinkedRow, ObservedPush, ObservedUndo } from '../observe.ts';
import { readBody } from '../read-body.ts';
import { names, tellsOfNotVerified, tellsOfSentBefore } from '../said.ts';
import type { FileRow } from '../scenario.ts';
import { sentencesAreTrue } from './sentences.ts';
import { has, sameBarcode, wantedOf } from '../wanted.ts';
import { changesOf, missingIn } from '../world.ts';

/** What the file says of the guest before goes to nobody who has the ticket now. */
export function nobodyGetsAnothersValues(observed: ObservedPush): string[] {
  if (has(observed, '--overwrite') || isToldBlind(observed)) return [];
  return substitutes(observed).flatMap(({ place, ids: [id = ''] }) => {
    const [there, now] = [observed.world.get(id), observed.after.get(id)];
    if (there === undefined || now === undefined) return [];
    return changesOf(there, now)
      .filter(({ attribute }) => attribute !== 'enable_comms')
      .map(
        ({ attribute, after }) => `${place}: ${attribute} of a substitute became ${JSON.stringify(after)}`,
      );
  });
}

/** Exit 0 is not for a list whose guest is another person in the service, before that was told. */
export function substitutesAreTold(observed: ObservedPush): string[] {
  if (observed.said.code !== 0 || has(observed, '--overwrite') || isToldBlind(observed)) return [];
  // That it was sent before is all that is said then.
  if (hidesRows(observed) && tellsOfSentBefore(observed.said)) return [];
  return substitutes(observed)
    .filter(({ ids: [id = ''] }) => observed.model.substituted.get(id) === 'untold')
    .map(({ place }) => `${place}: exit 0, and its ticket has another person now`);
}

/** Rows that say somebody else than who has their ticket now, as far as anything shows who that is. */
export function substitutes(observed: ObservedPush): LinkedRow[] {
  const { rows, model, world } = observed;
  const hidden = new Set(hiddenRows(observed).map(({ row }) => row));
  return rows.filter(({ row, ids }) => {
    if (hidden.has(row)) return false;
    const [id, ...more] = ids;
    const one = id === undefined || more.length > 0 ? undefined : world.get(id);
    return (
      one !== undefined && row.barcode !== '' && model.substituted.has(one.id) && !isSamePerson(one, row)
    );
  });
}

/** Whoever is there under another barcode is not registered once more, without somebody having said so. */
export function nobodyIsDoubled(observed: ObservedPush): string[] {
  const { rows, world, after, model } = observed;
  const made = isToldBlind(observed) ? [] : missingIn(world, after);
  return rows.flatMap(({ row, ids, place }) => {
    const there = world.get(model.links.get(row.guest) ?? '');
    if (row.barcode === '' || ids.length > 0 || there === undefined || !isSamePerson(there, row)) return [];
    if (rows.some((other) => other.row !== row && isNamedAlike(other.row, row))) return [];
    const double = made.find(({ barcode }) => sameBarcode(barcode, row.barcode, observed));
    return double === undefined ? [] : [`${place}: is there as ${there.barcode}, and was made once more`];
  });
}

/** What somebody changes after a row was sent, and a later list shows, is told. */
function lateEditsAreTold(observed: ObservedPush): string[] {
  const { foreign, requests, firstRequest, said, after, rows, push } = observed;
  if (tellsOfNotVerified(said)) return [];
  if (push.during?.isLate !== true || has(observed, '--no-audit') || observed.switches.readLagMs > 0)
    return [];
  return foreign.flatMap(({ id, change, after: at }) => {
    const one = after.get(id);
    const place = rows.find(({ ids, row }) => ids.includes(id) || row.barcode === one?.barcode)?.place;
    const isListed = requests
      .slice(at - firstRequest)
      .some(({ method, path }) => method === 'GET' && path.endsWith('/registration'));
    if (change === undefined || one === undefined || place === undefined || !isListed) return [];
    const isWanted = rows.some(
      (linked) => linked.place === place && wantedOf(linked.row, observed).has(change.attribute),
    );
    if (!isWanted || (said.code !== 0 && names(said, one, place))) return [];
    return [
      `${place}: ${change.attribute} was changed after it was sent, and that is not told (exit ${said.code})`,
    ];
  });
}

/** What no list ever shows was taken once, and is not sent again by the same list. */
export function nothingHiddenIsSentAgain(observed: ObservedPush): string[] {
  if (has(observed, '--overwrite') || observed.resumed) return [];
  return hiddenRows(observed)
    .filter(({ row }) => observed.model.hiddenSent.get(row.guest) === JSON.stringify(row))
    .filter(({ row }) => postsOf(row.barcode, observed) > 0)
    .map(({ place }) => `${place}: is never shown, was sent before just so, and is sent again`);
}

function hiddenRows({ habits: { hides }, rows }: ObservedPush): LinkedRow[] {
  if (hides === undefined || hides.byBarcode) return [];
  return rows.filter(({ row }) => row.barcode !== '' && isHidden(row, hides));
}

const isHidden = (
  { persona, parent }: Pick<FileRow, 'persona' | 'parent'>,
  { who }: NonNullable<Habits['hides']>,
): boolean => (who === 'exhibitors' ? persona === 'exhibitor' : parent !== '');

/** A list of nobody is taken for all there is, be it that a barcode would find somebody. */
const isListOfNobody = ({ habits: { hides }, world }: ObservedPush): boolean =>
  hides !== undefined &&
  [...world.values()].every((one) => isHidden({ ...one, parent: one.parentBarcode ?? '' }, hides));

/** Requests that the service has taken. */
const postsOf = (barcode: string, { requests }: ObservedPush): number =>
  requests.filter((request) => request.status < 300 && readBody(request)?.barcode === barcode).length;

/** Nobody's update fails for a field that the service holds and requires: it is sent along. */
function nobodyIsRefusedNeedlessly(observed: ObservedPush): string[] {
  const { rows, world, said, push } = observed;
  const { requires } = observed.habits;
  if (requires === undefined || push.file.columns.includes(requires) || isListOfNobody(observed)) return [];
  return rows
    .filter(({ ids: [id = ''] }) => (world.get(id)?.fields[requires] ?? '') !== '')
    .filter(({ place }) =>
      said.lines.some((line) => line.startsWith(`${place} `) && line.includes(' failed: ')),
    )
    .map(({ place }) => `${place}: was refused for ${requires}, which the service holds`);
}

/** Whoever has got the ticket since keeps it. */
function undoLeavesSubstitutes({ world, after, model }: ObservedUndo): string[] {
  return missingIn(after, world)
    .filter(({ id }) => model.substituted.has(id))
    .map(({ barcode }) => `undo deleted a substitute: ${barcode}`);
}

/** What a push has told of people, and what it has sent of those whom no list shows. */
export function learnOfPeople(observed: ObservedPush): void {
  const { said, model, world } = observed;
  for (const { ids, place } of substitutes(observed)) {
    const one = world.get(ids[0] ?? '');
    if (one === undefined) continue;
    // What somebody has said that counts is no question any more.
    if (has(observed, '--overwrite')) model.substituted.delete(one.id);
    else if (said.code !== 0 && names(said, one, place)) model.substituted.set(one.id, 'told');
  }
  for (const { row } of hiddenRows(observed))
    if (postsOf(row.barcode, observed) > 0) model.hiddenSent.set(row.guest, JSON.stringify(row));
}

/** What is to hold besides, and does not yet. */
export const OF_STRICT_PUSHES = {
  nobodyGetsAnothersValues,
  substitutesAreTold,
  nobodyIsDoubled,
  lateEditsAreTold,
  nothingHiddenIsSentAgain,
  nobodyIsRefusedNeedlessly,
  sentencesAreTrue,
};
export const OF_STRICT_UNDOS = { undoLeavesSubstitutes };
