import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { PageReading } from './contracts.ts';

/** Most records a page, as the interface has it. */
export const PER_PAGE_MAX = 100;
/** Records a page when none are asked for, as the interface has it: no service will cap pages below that. */
const PER_PAGE_DEFAULT = 5;

/**
 * `more`: ask for the next page. `last`: these records, and no further page. `over`: nothing new on
 * this page, so the one before was the last.
 */
export type Step = 'more' | 'last' | 'over';

/** The pages of a list do not add up to a list. */
export class PagingError extends ServiceError {}

/** A page that came before, where a new one was asked for. */
export class RepeatedPageError extends PagingError {
  constructor(page: number) {
    super(`Page ${page} of the list is the same as an earlier one: the service does not page as described.`, {
      hint: 'The list read so far may be incomplete. Narrow it with --persona or --barcode.',
    });
  }
}

/** Decides from the pages of one list, taken in order, where it ends. Does no I/O. */
export class PageWalk {
  readonly #lookup: boolean;
  readonly #seen = new Set<string>();
  #pages = 0;
  #received = 0;
  #firstLength = 0;
  #total: number | undefined;
  #lastPage: number | undefined;
  #changed = false;
  #ended = false;
  /** The last page said in so many words that another one follows. */
  #promised = false;
  /** The next page is asked for although the service says that there is none. */
  #distrusted = false;
  /** More records came than the service counts: its counts say nothing. */
  #miscounted = false;

  /** `lookup`: the list is expected to hold one record or none, so that a page of one is all there is. */
  constructor({ lookup }: { lookup: boolean }) {
    this.#lookup = lookup;
  }

  get promised(): boolean {
    return this.#promised;
  }

  /** The last page taken was the last of the list. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Two pages counted the list differently: it has moved between them. */
  get changed(): boolean {
    return this.#changed;
  }

  /** The service counts more records than its pages held. */
  get short(): boolean {
    return this.#total !== undefined && this.#received < this.#total;
  }

  /** Books the next page. Throws RepeatedPageError when it is one that came before: the list would never end. */
  take(reading: PageReading): Step {
    const step = this.#book(reading);
    this.#ended = step !== 'more';
    return step;
  }

  #book(reading: PageReading): Step {
    this.#pages += 1;
    this.#count(reading);
    const { length } = reading.records;
    if (length === 0) return 'over';
    if (this.#isRepeated(reading)) {
      const isUnpaged = this.#pages === 2 && this.#firstLength !== PER_PAGE_MAX && !this.#promised;
      if (isUnpaged || this.#distrusted) return 'over';
      throw new RepeatedPageError(this.#pages);
    }
    this.#received += length;
    if (this.#pages === 1) this.#firstLength = length;
    if (this.#total !== undefined && this.#received > this.#total) this.#miscounted = true;
    this.#promised = saysNext(reading, this.#pages) === true;
    const expected = this.#expectsMore(reading, length);
    this.#distrusted = !expected && this.#isFull(length);
    return expected || this.#distrusted ? 'more' : 'last';
  }

  /** Throws PagingError when the service counts more records than its pages held. Not for filtered lists: some services count all. */
  checkComplete(): void {
    if (!this.short) return;
    throw new PagingError(
      `The list ended after ${this.#received} of ${this.#total} registrations: the service does not page as described.`,
    );
  }

  #count({ total, lastPage }: PageReading): void {
    if (total !== undefined && this.#total !== undefined && total !== this.#total) this.#changed = true;
    if (lastPage !== undefined && this.#lastPage !== undefined && lastPage !== this.#lastPage) {
      this.#changed = true;
    }
    this.#total = total ?? this.#total;
    this.#lastPage = lastPage ?? this.#lastPage;
  }

  #isRepeated({ records }: PageReading): boolean {
    const print = createHash('sha256')
      .update(JSON.stringify(records.map((record) => record.raw)))
      .digest('base64');
    if (this.#seen.has(print)) return true;
    this.#seen.add(print);
    return false;
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
