import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import type { RawRecord } from '../../registration/model/registration.ts';
import type { PageReading } from '../contracts/read-records.ts';

/** Most records a page, as the interface has it. */
export const PER_PAGE_MAX = 100;
/** Records a page when none are asked for, as the interface has it: no service will cap pages below that. */
const PER_PAGE_DEFAULT = 5;

/** What services answer to a page number past the end; all that changed is the number. */
export const PAST_THE_END = new Set([400, 404, 416, 422]);

/** No event holds more registrations: a list that is longer never ends. */
const REGISTRATIONS_MAX = 2_000_000;
/** How far a service may be out that counts only some of its registrations, such as the heads of groups. */
const MISCOUNT_MAX = 10;

/**
 * `more`: ask for the next page. `last`: these records, and no further page. `over`: nothing new on
 * this page, so the one before was the last. `repeated`: a page that came before, so the one before was
 * the last if its end is that of the list: ask for `endOfList` and hand it to `confirmEnd`.
 */
export type Step = 'more' | 'last' | 'over' | 'repeated';

type Listed = 'registrations' | 'webhooks';

const HINTS: Readonly<Record<Listed, string>> = {
  registrations:
    'The list read so far may be incomplete. `eventreg list` reads a part of it with --persona or --barcode.',
  webhooks: 'The list read so far may be incomplete.',
};

/** The pages of a list do not add up to a list. */
export class PagingError extends ServiceError {}

/** A page that came before, where a new one was asked for. */
export class RepeatedPageError extends PagingError {
  constructor(page: number, listed: Listed = 'registrations') {
    super(`Page ${page} of the list is the same as an earlier one: the service does not page as described.`, {
      hint: HINTS[listed],
    });
  }
}

/** Decides from the pages of one list, taken in order, where it ends. Does no I/O. */
export class PageWalk {
  readonly #lookup: boolean;
  readonly #listed: Listed;
  readonly #seen = new Set<string>();
  /** What was on the last page that was new, a text for each record. */
  #latest: readonly string[] = [];
  #pages = 0;
  #received = 0;
  #firstLength = 0;
  #total: number | undefined;
  /** The fewest that a page counted: so many were there all the time, whatever came meanwhile. */
  #leastTotal = Number.POSITIVE_INFINITY;
  #lastPage: number | undefined;
  /** Two pages counted the list differently: it has moved between them. */
  changed = false;
  /** The last page taken was the last of the list. */
  ended = false;
  /** The last page said in so many words that another one follows. */
  promised = false;
  /** The next page is asked for although the service says that there is none. */
  #distrusted = false;
  /** More records came than the service counts: its counts say nothing. */
  #miscounted = false;

  /** `lookup`: the list is expected to hold one record or none, so that a page of one is all there is. */
  constructor({ lookup, listed = 'registrations' }: { lookup: boolean; listed?: Listed }) {
    this.#lookup = lookup;
    this.#listed = listed;
  }

  /** The service counted more records, with each page, than its pages held. */
  get short(): boolean {
    return this.#total !== undefined && this.#received < this.#leastTotal;
  }

  /**
   * Books the next page. Throws PagingError when there is more than an event can hold, RepeatedPageError when
   * a page came before although another one was promised, or the list has moved: it would never end.
   */
  take(reading: PageReading): Step {
    const step = this.#book(reading);
    this.ended = step !== 'more';
    return step;
  }

  /**
   * Whether a page that was asked for out of turn is one of a list that is as long as its number says. A page
   * past the end may be the first or the last one again: one that is known or short proves nothing.
   */
  isFurther(reading: PageReading): boolean {
    return (
      reading.records.length >= this.#firstLength && !this.#seen.has(printOf(reading.records.map(nameOf)))
    );
  }

  /** The end of the list as it was seen, to be asked for in a smaller page: one that no page so far began with. */
  get endOfList(): { page: number; perPage: number } {
    const length = this.#latest.length;
    let parts = 2;
    while (parts < length && length % parts > 0) parts += 1;
    const perPage = Math.max(1, Math.floor(length / parts));
    return { page: ((this.#pages - 1) * length) / perPage, perPage };
  }

  /**
   * Takes what came for `endOfList`. Throws RepeatedPageError unless it is the end of the last page: then the
   * service pays no heed to page numbers, or the list has moved.
   */
  confirmEnd(reading: PageReading | undefined): void {
    const records = reading?.records.map(nameOf) ?? [];
    const { perPage } = this.endOfList;
    // Whoever pays no heed to the length has shown with two pages that the number counts.
    const isWhole = this.#pages > 2 && records.length === this.#latest.length;
    const end = isWhole ? this.#latest : this.#latest.slice(-perPage);
    if (records.join() !== end.join()) throw new RepeatedPageError(this.#pages, this.#listed);
  }

  #book(reading: PageReading): Step {
    this.#pages += 1;
    this.count(reading);
    const { length } = reading.records;
    if (length === 0) return 'over';
    const names = reading.records.map(nameOf);
    if (this.#isRepeated(names)) {
      const isUnpaged = this.#pages === 2 && this.#firstLength !== PER_PAGE_MAX && !this.promised;
      if (isUnpaged || this.#distrusted) return 'over';
      if (this.promised || this.changed) throw new RepeatedPageError(this.#pages, this.#listed);
      return 'repeated';
    }
    this.#latest = names;
    this.#received += length;
    if (this.#pages === 1) this.#firstLength = length;
    this.#refuseEndless();
    if (this.#total !== undefined && this.#received > this.#total) this.#miscounted = true;
    this.promised = saysNext(reading, this.#pages) === true;
    const expected = this.#expectsMore(reading, length);
    this.#distrusted = !expected && this.#isFull(length);
    return expected || this.#distrusted ? 'more' : 'last';
  }

  /** Throws PagingError when the list is short. */
  checkComplete(): void {
    if (!this.short) return;
    throw new PagingError(
      `The list ended after ${this.#received} of ${this.#leastTotal} ${this.#listed}: the service does not page as described.`,
    );
  }

  /** Books what a page says of the length of the list, be it a page of another walk through the same list. */
  count({ total, lastPage }: Pick<PageReading, 'total' | 'lastPage'>): void {
    if (total !== undefined && this.#total !== undefined && total !== this.#total) this.changed = true;
    if (lastPage !== undefined && this.#lastPage !== undefined && lastPage !== this.#lastPage) {
      this.changed = true;
    }
    this.#total = total ?? this.#total;
    this.#leastTotal = Math.min(this.#leastTotal, total ?? this.#leastTotal);
    this.#lastPage = lastPage ?? this.#lastPage;
  }

  #isRepeated(names: readonly string[]): boolean {
    const print = printOf(names);
    if (this.#seen.has(print)) return true;
    this.#seen.add(print);
    return false;
  }

  #refuseEndless(): void {
    const total = this.#total ?? 0;
    // A count of no more than the first page may be that of each page.
    const isCounted = total > this.#firstLength;
    const most = isCounted ? Math.max(total * MISCOUNT_MAX, total + PER_PAGE_MAX) : REGISTRATIONS_MAX;
    // Pages of single records would go on a hundred times as long.
    const received = Math.max(this.#received, this.#pages * PER_PAGE_DEFAULT);
    if (received <= Math.min(most, REGISTRATIONS_MAX)) return;
    const told = isCounted ? `the service counts ${total}` : 'no event holds so many';
    throw new PagingError(
      `The list did not end after ${this.#received} ${this.#listed}, but ${told}: the service does not page as described.`,
      { hint: HINTS[this.#listed] },
    );
  }

  /**
   * One sign of more is enough: asking once too often costs a request, once too little loses records.
   * Without any sign the first page sets the size, as a service may cap pages without a word; a later
   * page that is shorter is the last.
   */
  #expectsMore(reading: PageReading, length: number): boolean {
    const next = saysNext(reading, this.#pages);
    const counted = reading.total === undefined ? undefined : this.#received < reading.total;
    if (next === true || counted === true) return true;
    if ((next === false || counted === false) && !this.#miscounted) return false;
    if (this.#pages > 1) return length >= this.#firstLength;
    return !(this.#lookup && length < PER_PAGE_DEFAULT);
  }

  /**
   * A count that is too low ends a list early, and what is not listed may be sent twice. So a page that holds
   * as many records as any is followed by a request for another, whatever the service says.
   */
  #isFull(length: number): boolean {
    return length >= Math.max(this.#firstLength, PER_PAGE_DEFAULT);
  }
}

/** Whether a page says that another one follows; undefined when it does not say. */
export function saysNext({ hasNext, lastPage }: PageReading, page: number): boolean | undefined {
  return hasNext ?? (lastPage === undefined ? undefined : page < lastPage);
}

/** What tells a page from others, by the names of its records. */
const printOf = (names: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(names)).digest('base64');

/**
 * What tells a record from others: its id and barcode, else all that it shows but for what a service may write anew
 * for each request, such as times of change and signed links.
 */
function nameOf({ id, barcode, persona, parentBarcode, fields, raw }: RawRecord): string {
  if (id === undefined) {
    const all = JSON.stringify(raw);
    return MAY_MOVE.test(all) ? JSON.stringify(raw, withoutWhatMoves) : all;
  }
  // What a service calls an id may be that of something else, such as the persona.
  return barcode === undefined
    ? JSON.stringify([id, persona, parentBarcode, fields], withoutWhatMoves)
    : JSON.stringify([id, barcode]);
}

const TIME_OF_CHANGE = /^(?:last_?)?(?:updated|modified|changed|synced)(?:_?(?:at|on|time|date))?$/i;
const LINK = /^https?:\/\//i;
/** Most records hold neither, and to look at each of their values takes longer than all else about them. */
const MAY_MOVE = /https?:\/\/|updated|modified|changed|synced/i;

/** Leaves out times of change, and what a link is signed with. */
function withoutWhatMoves(key: string, value: unknown): unknown {
  if (TIME_OF_CHANGE.test(key)) return undefined;
  return typeof value === 'string' && LINK.test(value) ? value.replace(/[?#].*$/s, '') : value;
}
