import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { firstOf } from '../decide/lookup.ts';
import { type PersonKey, sharedKey } from '../decide/near.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { ClaimFacts } from './claim.ts';
import { inSendingOrder, type PersonRow as Row } from './rows.ts';

/** A registration that the service may take a row for which registers somebody new. */
export interface Neighbour {
  key: PersonKey;
  /** Undefined: another row of the files will register it. */
  listed: Listed | undefined;
  /** It is not like the row yet: its owner makes it so. */
  becomes?: true;
  /** The row of the files that stands for it, if one does. */
  owner: Row | undefined;
}

/** So many that are like a row tell enough. */
const MOST = 20;

/**
 * Whom the service may take a row for that registers somebody new, besides those that nobody stands for: registrations of
 * other rows, such as those give its e-mail to, and of each key the first row that is new, too, and is sent before.
 */
export function neighboursOf({ rows, listed, fields }: ClaimFacts, row: Row): Neighbour[] {
  const alike = (other: Registration | RecordImage, one: Omit<Neighbour, 'key'>): Neighbour[] => {
    const key = sharedKey(row.registration, other, fields);
    return key === undefined ? [] : [{ key, ...one }];
  };
  const isOwned = (one: Listed): boolean => !rows.isFree(one);
  const there = new Set([
    ...firstOf(listed.withEmail(row.email), MOST, isOwned),
    ...firstOf(listed.withFolded(row.barcode), MOST, isOwned),
  ]);
  const own = [...there]
    .toSorted((one, other) => one.no - other.no)
    .flatMap((one) => alike(one.record, { listed: one, owner: rows.ownerOf(one) }));
  const owners = new Set(own.map(({ owner }) => owner));
  const becoming = rows
    .withEmail(row.email)
    .filter((one) => one.seq !== row.seq && !rows.isOpen(one))
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, MOST)
    .filter((owner) => !owners.has(owner))
    .flatMap((owner) =>
      alike(owner.registration, { listed: rows.ownedBy(owner).at(-1), becomes: true, owner }),
    );
  const isTwin = (one: Row): boolean => inSendingOrder(one, row) < 0 && !one.inDoubt && rows.isOpen(one);
  const twins = new Set([
    ...firstOf(rows.withEmail(row.email), MOST, isTwin),
    ...firstOf(rows.withFolded(row.barcode), MOST, isTwin),
  ]);
  const before = [...twins]
    .toSorted(inSendingOrder)
    .flatMap((owner) => alike(owner.registration, { listed: undefined, owner }));
  const firsts = before.filter(({ key }, at) => before.findIndex((one) => one.key === key) === at);
  return [...own, ...becoming, ...firsts];
}
