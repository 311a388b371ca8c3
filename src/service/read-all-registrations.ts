import type { RegistrationRecord } from '../registration/registration.ts';
import {
  isFiltered,
  type ListedPage,
  type ListFilter,
  type ListReader,
  newWalk,
} from './list-registrations.ts';
import { RepeatedPageError } from './page-walk.ts';

/** A page of a list that is read whole. */
export interface WholePage {
  /** Without those that came on an earlier page of the same walk. */
  records: RegistrationRecord[];
  /** The service's own count of all records, when it gives one. */
  total: number | undefined;
  /** The list moved and is read anew: what came before this page is void. */
  restart: boolean;
  /** Records of the page that do not show what was filtered by. */
  unverified: number;
}

export interface WholeReading {
  /** The list never stood still: registrations may be missing. */
  moved: boolean;
  /** `goOn` ended the reading early. */
  cut: boolean;
}

type OnPage = (page: WholePage) => void;
/** Asked after each page but the last, with its number from 1, whether to read the next one. */
export type GoOn = (page: ListedPage, pageNo: number) => boolean;

const WALKS = 3;

/**
 * Reads every page. Pages are cut by position, so that records slip between two of them when others come or
 * go meanwhile: a count that changes, a record that comes twice and a list shorter than its count all mean
 * that it moved, and it is read again, at most three times in all. Throws PagingError when it ends short of
 * its count without having moved.
 */
export async function readAllRegistrations(
  list: ListReader,
  filter: ListFilter,
  onPage: OnPage,
  goOn: GoOn = () => true,
): Promise<WholeReading> {
  for (let walkNo = 1; ; walkNo += 1) {
    const last = walkNo === WALKS;
    const end = await walkOnce(list, filter, { restart: walkNo > 1, last, onPage, goOn });
    if (end !== 'moved' || last) return { moved: end === 'moved', cut: end === 'cut' };
  }
}

async function walkOnce(
  list: ListReader,
  filter: ListFilter,
  { restart, last, onPage, goOn }: { restart: boolean; last: boolean; onPage: OnPage; goOn: GoOn },
): Promise<'steady' | 'moved' | 'cut'> {
  const walk = newWalk(filter);
  const sightings = new Sightings();
  let pages = 0;
  let moved = false;
  try {
    for await (const page of list.walk(filter, walk)) {
      const records = sightings.takeNew(page.records);
      moved ||= walk.changed || records.length < page.records.length;
      if (moved && !last) return 'moved';
      pages += 1;
      onPage({ records, total: page.total, restart: restart && pages === 1, unverified: page.unverified });
      if (!walk.ended && !goOn(page, pages)) return 'cut';
    }
  } catch (error) {
    if (!(error instanceof RepeatedPageError && walk.changed)) throw error;
    moved = true;
  }
  if (pages === 0) onPage({ records: [], total: undefined, restart, unverified: 0 });
  if (moved || walk.changed) return 'moved';
  if (isFiltered(filter) || !walk.short) return 'steady';
  if (last) walk.checkComplete();
  return 'moved';
}

/** Which records of a list have come before. One that shows no id cannot be told from another. */
class Sightings {
  readonly #seen = new Set<string>();

  /** The records that are new; two alike on one page are both. */
  takeNew(records: readonly RegistrationRecord[]): RegistrationRecord[] {
    const fresh = records.filter((record) => !this.#seen.has(keyOf(record) ?? ''));
    for (const key of fresh.map(keyOf)) if (key !== undefined) this.#seen.add(key);
    return fresh;
  }
}

/** With its barcode: what a service calls an id may be that of something else, such as the persona. */
function keyOf({ id, barcode }: RegistrationRecord): string | undefined {
  return id === undefined ? undefined : JSON.stringify([id, barcode]);
}
