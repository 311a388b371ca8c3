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

/** Whom the service may take a row for that registers somebody new, besides those that nobody stands for. */
export class Neighbours {
  readonly #facts: ClaimFacts;

  constructor(facts: ClaimFacts) {
    this.#facts = facts;
  }

  /** Registrations of other rows, and rows before it, that a row which registers somebody new may be taken for. */
  of(row: Row): Neighbour[] {
    const { rows, listed, fields } = this.#facts;
    const isOwned = (one: Listed): boolean => !rows.isFree(one);
    const alike = new Set([
      ...firstOf(listed.withEmail(row.email), MOST, isOwned),
      ...firstOf(listed.withFolded(row.barcode), MOST, isOwned),
    ]);
    const own = [...alike]
      .toSorted((one, other) => one.no - other.no)
      .flatMap((one): Neighbour[] => {
        const key = sharedKey(row.registration, one.record, fields);
        return key === undefined ? [] : [{ key, listed: one, owner: rows.ownerOf(one) }];
      });
    const owners = new Set(own.map(({ owner }) => owner));
    return [...own, ...this.#becoming(row).filter(({ owner }) => !owners.has(owner)), ...this.#twins(row)];
  }

  /** Registrations that rows of the files stand for and give the e-mail of a row. */
  #becoming(row: Row): Neighbour[] {
    const { rows, fields } = this.#facts;
    const owners = rows.withEmail(row.email).filter((one) => one.seq !== row.seq && !rows.isOpen(one));
    return owners
      .toSorted((one, other) => one.seq - other.seq)
      .slice(0, MOST)
      .flatMap((owner): Neighbour[] => {
        const key = sharedKey(row.registration, owner.registration, fields);
        return key === undefined ? [] : [{ key, listed: rows.ownedBy(owner).at(-1), becomes: true, owner }];
      });
  }

  /** The first row of each key that is new, too, and is sent before. */
  #twins(row: Row): Neighbour[] {
    const { rows, fields } = this.#facts;
    const isTwin = (one: Row): boolean => inSendingOrder(one, row) < 0 && !one.inDoubt && rows.isOpen(one);
    const twins = new Set([
      ...firstOf(rows.withEmail(row.email), MOST, isTwin),
      ...firstOf(rows.withFolded(row.barcode), MOST, isTwin),
    ]);
    const firsts = new Map<PersonKey, Neighbour>();
    for (const owner of [...twins].toSorted(inSendingOrder)) {
      const key = sharedKey(row.registration, owner.registration, fields);
      if (key !== undefined && !firsts.has(key)) firsts.set(key, { key, listed: undefined, owner });
    }
    return [...firsts.values()];
  }
}
