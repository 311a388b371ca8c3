import { imageOf, type RecordImage, type RegistrationRecord } from '../../registration/model/registration.ts';
import { Lookup } from '../../sync/decide/lookup.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';

/** A member that is not to be deleted itself, with its parent's barcode. */
type StayingMember = RegistrationRecord & { parentBarcode: string };

/** Listed members of anybody that are not on a list, by what registrations are known by there: id, else barcode. */
export function* stayingMembers(
  { listed }: Pick<ListReading, 'listed'>,
  chosen: ReadonlySet<string>,
): Generator<StayingMember> {
  for (const record of listed.all()) {
    const { id, barcode, parentBarcode } = record;
    if (parentBarcode === undefined || parentBarcode === barcode || chosen.has(id ?? barcode ?? '')) continue;
    yield { ...record, parentBarcode };
  }
}

/** What a service may delete together with what is on a list: members that are not on it, and their members. */
export function membersOf(
  reading: Pick<ListReading, 'listed'>,
  chosen: readonly { id: string; barcode: string | undefined }[],
): RecordImage[] {
  const byParent = new Lookup<string, RecordImage>();
  for (const member of stayingMembers(reading, new Set(chosen.map(({ id }) => id))))
    byParent.add(member.parentBarcode, imageOf(member));
  const members: RecordImage[] = [];
  const parents = new Set(chosen.map(({ barcode }) => barcode));
  // Grows while it is walked through: members have members.
  for (const parent of parents) {
    for (const member of byParent.of(parent)) {
      members.push(member);
      parents.add(member.barcode);
    }
  }
  return members;
}
