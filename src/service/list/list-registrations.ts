import type { RawRecord } from '../../registration/model/registration.ts';
import { type Caller, type HttpResponse, isSuccess, TransportError } from '../http/http.ts';
import { type PageReading, readPage } from '../contracts/read-records.ts';
import { readDenial } from '../contracts/read-create-answer.ts';
import { answerError, shapeError, silenceError } from '../http/failure.ts';
import { readJson } from '../contracts/json.ts';
import { PageWalk, PAST_THE_END, PER_PAGE_MAX, saysNext } from './page-walk.ts';

export interface ListFilter {
  persona?: string;
  barcode?: string;
}

/** One page of the list, already checked against the filter. */
export interface ListedPage {
  records: RawRecord[];
  /** Records left out because they do not match the filter: the service ignored it. */
  mismatched: number;
  /** Records kept although they do not show what was filtered by. */
  unverified: number;
  /** The service's own count of all records, when it gives one. */
  total: number | undefined;
  /** Whether the service says that more pages follow; undefined when it does not say. */
  hasNext: boolean | undefined;
}

export interface RegistrationList {
  page(filter: ListFilter, page: number, perPage: number): Promise<ListedPage>;
  /**
   * Every page in turn. Ends on a short or empty page or by what the pages say. Throws PagingError on a
   * page that came before, and when the service has more records than it shows. Returns whether the list changed
   * meanwhile: records may be missing, or have come twice.
   */
  pages(filter: ListFilter): AsyncGenerator<ListedPage, boolean>;
}

/** What reads a whole list with care builds on. */
export interface ListReader extends RegistrationList {
  /** As `pages`, but whoever brought the walk judges afterwards whether the list was complete. */
  walk(filter: ListFilter, walk: PageWalk): AsyncIterable<ListedPage>;
  /** Whether the list goes on beyond the page of this number, as far as that one request can show. */
  reaches(filter: ListFilter, page: number, walk: PageWalk): Promise<boolean>;
}

const DOING = 'list registrations';

/** Sees records as the service shows them. */
export type RecordsWatch = (records: readonly RawRecord[]) => void;

interface ListOptions {
  onRecords?: RecordsWatch | undefined;
  /** A record with the slugs of its persona and fields, in whatever way it names them. */
  named?: ((record: RawRecord) => RawRecord) | undefined;
}

/** GET /registration, page by page. */
export function createRegistrationList(
  call: Caller,
  url: URL,
  { onRecords, named = (record) => record }: ListOptions = {},
): ListReader {
  const fetchPage = createPageFetcher(call, url);
  const settled = (reading: PageReading): PageReading => ({
    ...reading,
    records: reading.records.map(named),
  });

  const readOnce = async (filter: ListFilter, page: number, perPage: number) => {
    const response = await fetchPage(filter, page, perPage);
    if (!isSuccess(response)) return { response, reading: undefined };
    const reading = readListBody(response);
    if (reading !== undefined) onRecords?.(reading.records);
    if (reading === undefined) throw shapeError(response, { doing: DOING, url });
    return { response, reading: settled(reading) };
  };

  // That nobody is of a persona is believed once the list without a filter shows nobody of it either.
  const read = async (filter: ListFilter, page: number, perPage: number) => {
    const answer = await readOnce(filter, page, perPage);
    const { persona, ...rest } = filter;
    if (persona === undefined || page > 1 || answer.reading?.records.length !== 0) return answer;
    const { reading } = await readOnce(rest, page, PER_PAGE_MAX);
    if (reading?.records.some((record) => record.persona === persona) !== true) return answer;
    fetchPage.withoutPersona();
    return await readOnce(filter, page, perPage);
  };

  async function* walkPages(filter: ListFilter, walk: PageWalk): AsyncGenerator<ListedPage> {
    for (let page = 1, step = 'more'; step === 'more'; page += 1) {
      const { response, reading } = await read(filter, page, PER_PAGE_MAX);
      if (reading === undefined) {
        if (page > 1 && PAST_THE_END.has(response.status) && !walk.promised) break;
        throw answerError(response, { doing: DOING, url });
      }
      step = walk.take(reading);
      if (step === 'repeated') await checkEnd(filter, walk);
      else if (step !== 'over') yield listedPage(reading, filter, page);
    }
  }

  const checkEnd = async (filter: ListFilter, walk: PageWalk): Promise<void> => {
    const { page, perPage } = walk.endOfList;
    const { response, reading } = await read(filter, page, perPage);
    if (reading === undefined && !PAST_THE_END.has(response.status))
      throw answerError(response, { doing: DOING, url });
    walk.confirmEnd(reading);
  };

  const list: ListReader = {
    walk: walkPages,
    async reaches(filter, page, walk) {
      const { reading } = await read(filter, page, PER_PAGE_MAX);
      return reading !== undefined && walk.isFurther(reading);
    },
    async *pages(filter) {
      const walk = newWalk(filter);
      let count = 0;
      for await (const page of walkPages(filter, walk)) {
        count += page.records.length;
        yield page;
      }
      if (await isShort(list, filter, { walk, count })) walk.checkComplete();
      return walk.changed;
    },
    async page(filter, page, perPage) {
      const { response, reading } = await read(filter, page, perPage);
      if (reading === undefined) throw answerError(response, { doing: DOING, url });
      return listedPage(reading, filter, page);
    },
  };
  return list;
}

/** A walk through the pages of a list with this filter. */
export const newWalk = ({ barcode }: ListFilter): PageWalk => new PageWalk({ lookup: barcode !== undefined });

/**
 * Whether a list that was walked through to its end lacks some that the service counts. Some services count all,
 * whatever the filter: then the list without the filter tells how many of the persona there are. Throws PagingError
 * where that one is short itself. What came between the two readings shows as a change of the walk, and proves nothing.
 */
export async function isShort(
  list: RegistrationList,
  { persona, barcode }: ListFilter,
  { walk, count }: { walk: PageWalk; count: number },
): Promise<boolean> {
  if (!walk.short || barcode !== undefined) return false;
  if (persona === undefined) return true;
  let there = 0;
  for await (const { records, total } of list.pages({})) {
    walk.count({ total, lastPage: undefined });
    there += records.filter((record) => record.persona === persona).length;
  }
  return there > count && !walk.changed;
}

/** Names under which the persona filter may go: the interface spells it both ways. */
const SPELLINGS: readonly (readonly string[])[] = [['persona', 'pesona'], ['persona'], ['pesona']];

/** Asks for a page, learning from a 400 or 422 which spelling of the persona filter the service takes. */
function createPageFetcher(call: Caller, listUrl: URL) {
  let learnt: readonly string[] | undefined;

  const ask = async (filter: ListFilter, page: number, perPage: number, names: readonly string[]) => {
    const url = new URL(listUrl);
    url.searchParams.set('page', String(page));
    url.searchParams.set('per_page', String(perPage));
    if (filter.barcode !== undefined) url.searchParams.set('barcode', filter.barcode);
    if (filter.persona !== undefined) for (const name of names) url.searchParams.set(name, filter.persona);
    try {
      return await call('GET', url);
    } catch (error) {
      throw error instanceof TransportError ? silenceError(error, { doing: DOING, url: listUrl }) : error;
    }
  };

  const fetchPage = async (filter: ListFilter, page: number, perPage: number): Promise<HttpResponse> => {
    if (filter.persona === undefined || learnt !== undefined) {
      return await ask(filter, page, perPage, learnt ?? []);
    }
    let first: HttpResponse | undefined;
    for (const names of SPELLINGS) {
      const response = await ask(filter, page, perPage, names);
      if (response.status !== 400 && response.status !== 422) {
        if (isSuccess(response)) learnt = names;
        return response;
      }
      first ??= response;
    }
    return first as HttpResponse;
  };
  /** From here on it asks for all, whatever their persona. */
  const withoutPersona = (): void => {
    learnt = [];
  };
  return Object.assign(fetchPage, { withoutPersona });
}

/** A list body as JSON; undefined when it is no JSON or holds no list. 204 is an empty list. */
function readListBody(response: HttpResponse): PageReading | undefined {
  const body = response.body.trim() === '' && response.status === 204 ? '[]' : response.body;
  const json = readJson(body);
  return readDenial(json) === undefined ? readPage(json, response.headers) : undefined;
}

/** Keeps the records that match the filter, and counts those that do not or cannot show it. */
function listedPage(reading: PageReading, filter: ListFilter, page: number): ListedPage {
  const wanted = (['persona', 'barcode'] as const).filter((key) => filter[key] !== undefined);
  const contradicts = (record: RawRecord): boolean =>
    wanted.some((key) => record[key] !== undefined && record[key] !== filter[key]);
  const records = reading.records.filter((record) => !contradicts(record));
  return {
    records,
    mismatched: reading.records.length - records.length,
    unverified: records.filter((record) => wanted.some((key) => record[key] === undefined)).length,
    total: reading.total,
    hasNext: saysNext(reading, page),
  };
}
