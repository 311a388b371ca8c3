import { EventregError, EXIT } from '../../errors.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import type { ListReader, RegistrationList } from './list-registrations.ts';
import { PagingError, PER_PAGE_MAX } from './page-walk.ts';
import { readAllRegistrations } from './read-all-registrations.ts';

/** `isLong`: the list is known to have more pages than there are barcodes. */
export type FindByBarcode = (
  barcodes: readonly string[],
  isLong?: boolean,
) => Promise<Map<string, RawRecord[]>>;

type Found = Map<string, RawRecord[]>;

/** Whether a registration is there cannot be told by its barcode. */
export class BarcodesHiddenError extends EventregError {
  constructor(
    message = 'The service does not show the barcodes of its registrations, so none can be looked up by barcode.',
  ) {
    super(EXIT.failed, message, {}, 'service');
  }
}

/** A list that cannot be read whole is one that is too long, as long as there is the filter. */
function unreadable(error: unknown): ListReading {
  if (!(error instanceof PagingError)) throw error;
  return { found: new Map(), end: 'cut', pages: Number.POSITIVE_INFINITY, sample: undefined };
}

interface ListReading {
  found: Found;
  /** `cut`: too long to be worth it. `moved`: what is not found may be there all the same. */
  end: 'steady' | 'moved' | 'cut';
  /** Length of the list in pages, or how many of them were read when it does not say. */
  pages: number;
  /** Some of the registrations that are there. */
  sample: readonly RawRecord[] | undefined;
}

/**
 * Finds registrations by the filter of the service, one request a barcode, or by reading the list, whichever
 * takes fewer requests; only by the list once the filter is seen not to work. Barcodes are compared exactly,
 * on our side, always. The function throws BarcodesHiddenError when it cannot tell whether they are there.
 */
export function createBarcodeFinder(list: ListReader): FindByBarcode {
  const filter = createBarcodeFilter(list);
  /** As it was last seen; nothing is known of a list that was never read. */
  let pagesOfList = 0;

  const lookUpAll = async (found: Found, sample?: readonly RawRecord[]): Promise<boolean> => {
    for (const [barcode, records] of found) {
      if (records.length > 0) continue;
      const answer = await filter.lookUp(barcode, sample);
      if (answer === undefined) return false;
      records.push(...answer);
    }
    return true;
  };

  const find: FindByBarcode = async (barcodes, isLong = false) => {
    const nothing = emptyMap(barcodes);
    if (nothing.size === 0) return nothing;
    const lookUps = filter.broken ? Number.POSITIVE_INFINITY : nothing.size + filter.proofCost;
    // A single one is there more often than not, which takes no proof.
    const byList = filter.broken || (nothing.size > 1 && !isLong && pagesOfList < lookUps);
    if (!byList) return (await lookUpAll(nothing)) ? nothing : await find(barcodes);
    const reading = readList(list, barcodes, lookUps);
    const { found, end, pages, sample } = await (filter.broken ? reading : reading.catch(unreadable));
    pagesOfList = pages;
    // Of a list that was cut not even what was found is told: there may be more of the same barcode.
    const all = end === 'cut' ? nothing : found;
    if (end === 'steady' || [...all.values()].every((records) => records.length > 0)) return all;
    if (filter.broken) throw new BarcodesHiddenError(RESTLESS);
    return (await lookUpAll(all, sample)) ? all : await find(barcodes);
  };
  return find;
}

const RESTLESS =
  'The list of registrations changed each time it was read, and the service cannot filter it by barcode: what is not in it may be there all the same.';

const emptyMap = (barcodes: readonly string[]): Found => new Map(barcodes.map((barcode) => [barcode, []]));

/** Picks the barcodes from the list, as long as that takes fewer than `pagesMax` requests. */
async function readList(
  list: ListReader,
  barcodes: readonly string[],
  pagesMax: number,
): Promise<ListReading> {
  let found = emptyMap(barcodes);
  let sample: readonly RawRecord[] = [];
  let records = 0;
  let shown = 0;
  const { moved, cut, pages } = await readAllRegistrations(
    list,
    {},
    (page) => {
      if (page.restart) found = emptyMap(barcodes);
      if (page.records.length > sample.length) sample = page.records;
      records += page.records.length;
      for (const record of page.records) {
        if (record.barcode === undefined) continue;
        shown += 1;
        found.get(record.barcode)?.push(record);
      }
    },
    { pagesMax: pagesMax - 1 },
  );
  if (!cut && records > 0 && shown === 0) throw new BarcodesHiddenError();
  return { found, end: cut ? 'cut' : moved ? 'moved' : 'steady', pages, sample };
}

/** The service's own filter by barcode, as far as it can be believed. */
interface BarcodeFilter {
  /** It was seen to give what was not asked for, or not to give what is there. */
  readonly broken: boolean;
  /** Requests that it takes to believe it when it finds nothing; 0 once that is proven. */
  readonly proofCost: number;
  /**
   * The registrations with exactly this barcode; undefined when the filter cannot be believed. `sample`: any
   * registrations that are known to be there, if at hand.
   */
  lookUp(barcode: string, sample?: readonly RawRecord[]): Promise<RawRecord[] | undefined>;
}

type Proof = 'works' | 'broken' | 'nothing to see it by';

/**
 * "Not there" leads to sending again, so it is believed only of a filter that has proven itself, once a
 * client: it finds a registration that is known to be there, alone, and does not find it by a barcode that
 * is only nearly its own.
 */
function createBarcodeFilter(list: RegistrationList): BarcodeFilter {
  let broken = false;
  let proven = false;
  let proving: Promise<Proof> | undefined;

  /** Lookups that go on at the same time wait for the one proof. */
  const prove = async (sample: readonly RawRecord[] | undefined): Promise<Proof> => {
    proving ??= proveFilter(list, sample);
    try {
      const proof = await proving;
      proven ||= proof === 'works';
      return proof;
    } finally {
      if (!proven) proving = undefined;
    }
  };

  return {
    get broken() {
      return broken;
    },
    get proofCost() {
      return proven ? 0 : 2;
    },
    async lookUp(barcode, sample) {
      const found = broken ? undefined : await ask(list, barcode);
      if (found !== undefined && found.length > 0) return found;
      if (found === undefined || (await prove(sample)) === 'broken') broken = true;
      return broken ? undefined : found;
    },
  };
}

/** What the filter finds; undefined when the answer shows that it was ignored, or cannot show that it was not. */
async function ask(list: RegistrationList, barcode: string): Promise<RawRecord[] | undefined> {
  const records: RawRecord[] = [];
  for await (const page of list.pages({ barcode })) {
    if (page.mismatched > 0 || page.unverified > 0) return undefined;
    records.push(...page.records);
  }
  return records;
}

async function proveFilter(list: RegistrationList, sample: readonly RawRecord[] | undefined): Promise<Proof> {
  const records = sample ?? (await list.page({}, 1, PER_PAGE_MAX)).records;
  if (records.length === 0) return 'nothing to see it by';
  const known = records.find((record) => record.barcode !== undefined)?.barcode;
  if (known === undefined) return 'broken';
  const itself = await ask(list, known);
  if (itself === undefined || itself.length === 0) return 'broken';
  return (await ask(list, nearlyAlike(known))) === undefined ? 'broken' : 'works';
}

/**
 * A barcode that a filter confuses with this one when it ignores case, or takes digits for a number. Where it
 * is one of another registration, the filter has to find that one alone.
 */
function nearlyAlike(barcode: string): string {
  const lower = barcode.toLowerCase();
  const other = barcode === lower ? barcode.toUpperCase() : lower;
  return other === barcode ? `0${barcode}` : other;
}
