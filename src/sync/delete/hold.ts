import { UNFINISHED } from '../../registration/model/row-states.ts';
import {
  BARCODE,
  fieldAspect,
  type FieldsOf,
  MESSAGES,
  PARENT,
  PERSONA,
} from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import { decide, knownByImage } from '../decide/decide.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { type DeleteRow, deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { membersSent } from '../journal/sent-facts.ts';
import { hasShownLike } from '../snapshot/read-now.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { findHolders, listedAs, nameOf, type Names, nameProblem, wordForBarcodes } from './names.ts';

type Reading = Pick<ListReading, 'listed' | 'kinds'>;

/**
 * Holds what a run is about to delete against what the service lists now. What is gone is settled; what was changed
 * since it was put on the list, cannot be named any more, or has a member that stays where `keepParents` says so, is
 * kept, and says so. Of members only those are known that were read.
 */
export function holdBack(
  context: SendContext,
  reading: Reading,
  { keepParents }: { keepParents: boolean },
  rows: readonly DeleteRow[] = deletions(context.journal, context.run, UNFINISHED),
): void {
  const word = wordForBarcodes(context);
  const held = new Map<DeleteRow, RowOutcome>();
  for (const row of rows) {
    const problem = nameProblem(word, row.before, (barcode) => reading.listed.byBarcode(barcode));
    const outcome =
      problem === undefined
        ? judge(row, listedAs(reading.listed, row.before), fieldsOf(context.event))
        : keep(problem);
    if (outcome !== undefined) held.set(row, outcome);
  }
  const all = withMembers(context, reading, rows);
  if (keepParents) holdParents(all, rows, held, (member) => keep(memberStays(member)));
  context.journal.transaction(() => {
    for (const [row, outcome] of held) writeDeletionOutcome(context, row, outcome, 'looked');
  });
  for (const [row, { state }] of held) row.state = state;
}

/** Adds to what was looked up who has as barcodes what some are to be named by. */
export async function addHolders(
  context: Session,
  { how, listed }: ListReading,
  rows: readonly DeleteRow[],
): Promise<void> {
  if (how === 'list') return;
  const images = rows.map(({ before }) => before);
  const holders = await findHolders(context, images, (name) => listed.hasBarcode(name));
  for (const records of holders.values()) listed.add(records);
}

/** Adds to what is held the parents of members that stay: such a parent may itself be a member, whose parent is held then. */
export function holdParents<Row extends Names, Why>(
  all: Iterable<RecordImage>,
  rows: readonly Row[],
  held: Map<Row, Why>,
  why: (member: RecordImage) => Why,
  isMember?: IsMember,
): void {
  const members = stayingMembers(all, [], isMember);
  const going = new Set(rows.filter((row) => !held.has(row)).map(nameOf));
  for (let size = -1; size !== held.size; ) {
    size = held.size;
    for (const row of rows.filter((one) => !held.has(one))) {
      const member = members.of(row.barcode).find((one) => !going.has(nameOf(one)));
      if (member === undefined) continue;
      held.set(row, why(member));
      going.delete(nameOf(row));
    }
  }
}

/** Why a parent stays. */
export const memberStays = (member: Names): string => `its member, registration ${nameOf(member)}, stays`;

/** Whether one that is listed as a member stays one. */
type IsMember = (record: RecordImage, parent: string) => boolean;

/** All that is listed, and members whom this machine has sent, where no list shows any of their kind. */
export function withMembers(
  session: Session,
  { listed, kinds }: Reading,
  chosen: readonly Names[],
): RecordImage[] {
  const asListed = unseenMembers(session, { kinds }, chosen).map((one) => ({
    ...one,
    ...listed.byBarcode(one.barcode ?? '')[0],
    parentBarcode: one.parentBarcode,
  }));
  return [...listed.all(), ...asListed];
}

/** Members of these, besides themselves, that this machine has sent and no list shows. */
export function unseenMembers(
  { journal, target }: Session,
  reading: Pick<Reading, 'kinds'>,
  chosen: readonly Names[],
): RecordImage[] {
  const names = new Set(chosen.flatMap(({ barcode }) => barcode ?? []));
  const isUnseen = (one: RecordImage): boolean =>
    !names.has(one.barcode ?? '') && !hasShownLike(reading, one);
  return membersSent(journal, target, [...names]).filter(isUnseen);
}

/** Members that are not on a list, by the barcodes of their parents. */
export function stayingMembers(
  all: Iterable<RecordImage>,
  chosen: readonly Names[],
  isMember: IsMember = () => true,
): Lookup<string, RecordImage> {
  const names = new Set(chosen.map(nameOf));
  const members = new Lookup<string, RecordImage>();
  for (const record of all) {
    const { parentBarcode: parent, barcode } = record;
    if (parent === undefined || parent === barcode || names.has(nameOf(record))) continue;
    if (isMember(record, parent)) members.add(parent, record);
  }
  return members;
}

/** What a service may delete together with what is on a list: members that are not on it, and their members. */
export function membersOf(context: Session, reading: Reading, chosen: readonly Names[]): RecordImage[] {
  const staying = stayingMembers(withMembers(context, reading, chosen), chosen);
  const found: RecordImage[] = [];
  const parents = new Set(chosen.map(({ barcode }) => barcode));
  // Grows while it is walked through: members have members.
  for (const parent of parents) {
    for (const member of staying.of(parent)) {
      found.push(imageOf(member));
      parents.add(member.barcode);
    }
  }
  return found;
}

/** Undefined: it is as it was, and may go. */
function judge(
  { before, id }: DeleteRow,
  [found, ...others]: readonly RegistrationRecord[],
  fields: FieldsOf,
): RowOutcome | undefined {
  if (found === undefined)
    return { state: 'unchanged', message: `Registration ${id} was gone before it was asked for.` };
  if (others.length > 0)
    return keep(`several registrations show its ${before.id === undefined ? 'barcode' : 'id'}`);
  if (found.fields === undefined)
    return before.fields === undefined ? undefined : keep('the service does not show its values any more');
  const own = fields(before.persona ?? '');
  const slugs = new Set([...Object.keys(before.fields ?? {}), ...Object.keys(found.fields)]);
  const aspects = [PERSONA, PARENT, BARCODE, MESSAGES, ...[...slugs].map((slug) => fieldAspect(slug, own))];
  const { values } = decide({ want: undefined, have: found, had: knownByImage(before), aspects });
  const changed = values.flatMap(({ aspect, decision }) => (decision === 'conflict' ? aspect.field : []));
  return changed.length === 0 ? undefined : keep(`changed in the service since: ${changed.join(', ')}`);
}

const keep = (why: string): RowOutcome => ({ state: 'conflict', message: `kept: ${why}` });
