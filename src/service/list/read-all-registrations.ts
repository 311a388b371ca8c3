import type { RawRecord } from '../../registration/model/registration.ts';
import { isShort, type ListedPage, type ListFilter, type ListReader, newWalk } from './list-registrations.ts';
import { type PageWalk, PER_PAGE_MAX, RepeatedPageError } from './page-walk.ts';

export interface WholePage {
  /** Without those that came on an earlier page of the same walk. */
  records: RawRecord[];
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
  /** It ended early, as `ReadingEnd` says. */
  cut: boolean;
  /** How many pages the list has, or has at least when it was cut. */
  pages: number;
}

type OnPage = (page: WholePage) => void;

export interface ReadingEnd {
  /** The list is not worth reading when it has more pages than this: no limit unless given. */
  pagesMax?: number;
  /** Asked after each page but the last whether to read the next one. */
  goOn?: () => boolean;
}

const WALKS = 3;
/** So few pages are read rather than asking first whether there are more. */
const FEW_PAGES = 10;

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
  { pagesMax = Number.POSITIVE_INFINITY, goOn = () => true }: ReadingEnd = {},
): Promise<WholeReading> {
  for (let walkNo = 1; ; walkNo += 1) {
    const last = walkNo === WALKS;
    const { end, pages } = await walkOnce(list, filter, {
      restart: walkNo > 1,
      last,
      onPage,
      pagesMax,
      goOn,
    });
    if (end !== 'moved' || last) return { moved: end === 'moved', cut: end === 'cut', pages };
  }
}

interface WalkOptions extends Required<ReadingEnd> {
  restart: boolean;
  last: boolean;
  onPage: OnPage;
}

async function walkOnce(
  list: ListReader,
  filter: ListFilter,
  { restart, last, onPage, pagesMax, goOn }: WalkOptions,
): Promise<{ end: 'steady' | 'moved' | 'cut'; pages: number }> {
  const walk = newWalk(filter);
  const looks = new Looks();
  let pages = 0;
  let count = 0;
  let moved = false;
  try {
    for await (const page of list.walk(filter, walk)) {
      const records = looks.takeNew(page.records);
      moved ||= walk.changed || records.length < page.records.length;
      if (moved && !last) return { end: 'moved', pages };
      pages += 1;
      count += records.length;
      onPage({ records, total: page.total, restart: restart && pages === 1, unverified: page.unverified });
      if (walk.ended) continue;
      if (!goOn()) return { end: 'cut', pages };
      const known = await pagesAtLeast(list, filter, { walk, page, pages, pagesMax });
      if (known > pagesMax) return { end: 'cut', pages: known };
    }
  } catch (error) {
    if (!(error instanceof RepeatedPageError && walk.changed)) throw error;
    moved = true;
  }
  if (pages === 0) onPage({ records: [], total: undefined, restart, unverified: 0 });
  if (moved || walk.changed) return { end: 'moved', pages };
  const short = await isShort(list, filter, { walk, count });
  if (!short && !walk.changed) return { end: 'steady', pages };
  if (short && last) walk.checkComplete();
  return { end: 'moved', pages };
}

/**
 * How many pages a list has at least, of which some are read: by its own count, else by asking once for the
 * first page too many.
 */
async function pagesAtLeast(
  list: ListReader,
  filter: ListFilter,
  { walk, page, pages, pagesMax }: { walk: PageWalk; page: ListedPage; pages: number; pagesMax: number },
): Promise<number> {
  const { total, records, mismatched } = page;
  const length = records.length + mismatched;
  if (total !== undefined) return length === 0 ? pages : Math.max(pages, Math.ceil(total / length));
  // A first page that is not full is most often the last one.
  const isTime = pages === (length === PER_PAGE_MAX ? 1 : 2);
  if (!isTime || pagesMax <= FEW_PAGES || !Number.isFinite(pagesMax)) return pages;
  return (await list.reaches(filter, pagesMax + 1, walk)) ? pagesMax + 1 : pages;
}

/** Which records of a list have come before. One that shows no id cannot be told from another. */
class Looks {
  readonly #seen = new Set<string>();

  /** The records that are new; two alike on one page are both. */
  takeNew(records: readonly RawRecord[]): RawRecord[] {
    const fresh = records.filter((record) => !this.#seen.has(keyOf(record) ?? ''));
    for (const key of fresh.map(keyOf)) if (key !== undefined) this.#seen.add(key);
    return fresh;
  }
}

/** With its barcode: what a service calls an id may be that of something else, such as the persona. */
function keyOf({ id, barcode }: RawRecord): string | undefined {
  return id === undefined ? undefined : JSON.stringify([id, barcode]);
}
