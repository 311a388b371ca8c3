import { ServiceError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import type { Registration, RegistrationRecord } from '../registration/registration.ts';
import { type Caller, isSuccess } from './caller.ts';
import { type PageReading, readCreateAnswer, readError, readPage, registrationBody } from './contracts.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, shapeError, silenceError } from './failure.ts';
import { type HttpResponse, TransportError } from './http.ts';
import { parseJson } from './json.ts';
import { classifyOutcome, type OutcomePolicy } from './outcome.ts';

/** What became of one create or update. */
export type SendOutcome =
  | { kind: 'done'; status: number; id: string | undefined; action: 'created' | 'updated' | undefined }
  | { kind: 'accepted'; status: number }
  | { kind: 'conflict'; status: number; message: string }
  | { kind: 'failed'; status: number; message: string }
  /** `stop` is set when no further request should follow. */
  | { kind: 'uncertain'; status: number | undefined; message: string; stop: Error | undefined }
  /** The row is as pending as before; nothing of this run can succeed. */
  | { kind: 'stopped'; error: Error };

export interface ListFilter {
  persona?: string;
  barcode?: string;
}

/** One page of the list, already checked against the filter. */
export interface ListedPage {
  records: RegistrationRecord[];
  /** Records left out because they do not match the filter: the service ignored it. */
  mismatched: number;
  /** Records kept although they do not show what was filtered by. */
  unverified: number;
  /** The service's own count of all records, when it gives one. */
  total: number | undefined;
  /** Whether the service says that more pages follow; undefined when it does not say. */
  hasNext: boolean | undefined;
}

export interface RegistrationsClient {
  /** Creates or updates. `onSending` runs right before the request may leave this machine. */
  send(registration: Registration, onSending: () => void): Promise<SendOutcome>;
  page(filter: ListFilter, page: number, perPage: number): Promise<ListedPage>;
  /** Every page in turn. Ends on a short or empty page or by what the pages say; throws on a repeated page. */
  pages(filter: ListFilter): AsyncIterable<ListedPage>;
  /** The registrations with exactly these barcodes, whatever the service makes of the filter. */
  findByBarcode(barcodes: readonly string[]): Promise<Map<string, RegistrationRecord[]>>;
  /** Deletes one; `absent` when there was none with this id. */
  remove(id: string): Promise<'deleted' | 'absent'>;
}

export const PER_PAGE_MAX = 100;
/** A list longer than this is taken for one that never ends. */
const PAGES_MAX = 100_000;

/** Names under which the persona filter may go: the interface spells it both ways. */
const SPELLINGS: readonly (readonly string[])[] = [['persona', 'pesona'], ['persona'], ['pesona']];

export interface RegistrationsOptions {
  call: Caller;
  baseUrl: URL;
  endpoints: Endpoints;
  policy: OutcomePolicy;
  clock: Clock;
  signal: AbortSignal;
}

/** The operations on /registration in the words of the domain. */
export function createRegistrationsClient(options: RegistrationsOptions): RegistrationsClient {
  const { call, baseUrl, endpoints, policy } = options;
  const listUrl = buildUrl(baseUrl, endpoints.registrations);
  let spelling: readonly string[] | undefined;

  const send: RegistrationsClient['send'] = async (registration, onSending) => {
    const doing = 'send a registration';
    try {
      const response = await call('POST', listUrl, JSON.stringify(registrationBody(registration)), onSending);
      return readSendOutcome(response, policy, listUrl);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      const failure = silenceError(error, doing, listUrl);
      if (!error.sent) return { kind: 'stopped', error: failure };
      return { kind: 'uncertain', status: undefined, message: error.message, stop: undefined };
    }
  };

  /** Asks with one spelling of the filter. */
  const ask = async (filter: ListFilter, page: number, perPage: number, names: readonly string[]) => {
    const url = new URL(listUrl);
    url.searchParams.set('page', String(page));
    url.searchParams.set('per_page', String(perPage));
    if (filter.barcode !== undefined) url.searchParams.set('barcode', filter.barcode);
    if (filter.persona !== undefined) for (const name of names) url.searchParams.set(name, filter.persona);
    return await call('GET', url);
  };

  /** Asks, learning from a 400 or 422 which spelling of the persona filter the service takes. */
  const fetchPage = async (filter: ListFilter, page: number, perPage: number): Promise<HttpResponse> => {
    if (filter.persona === undefined || spelling !== undefined) {
      return await ask(filter, page, perPage, spelling ?? []);
    }
    let first: HttpResponse | undefined;
    for (const names of SPELLINGS) {
      const response = await ask(filter, page, perPage, names);
      if (response.status !== 400 && response.status !== 422) {
        if (isSuccess(response)) spelling = names;
        return response;
      }
      first ??= response;
    }
    return first as HttpResponse;
  };

  const readListed = async (filter: ListFilter, page: number, perPage: number) => {
    const response = await silenceNamed(fetchPage(filter, page, perPage), 'list registrations', listUrl);
    if (!isSuccess(response)) return { response, reading: undefined };
    const reading = readListBody(response);
    if (reading === undefined) throw shapeError(response, 'list registrations', listUrl);
    return { response, reading };
  };

  async function* pages(filter: ListFilter): AsyncGenerator<ListedPage> {
    const seen = new Set<string>();
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const { response, reading } = await readListed(filter, page, PER_PAGE_MAX);
      if (reading === undefined) {
        // A page number past the end is an error for some services; all that changed is the number.
        if (page > 1 && [400, 404, 416, 422].includes(response.status)) return;
        throw answerError(response, 'list registrations', listUrl);
      }
      if (reading.records.length === 0) return;
      const print = JSON.stringify(reading.records.map((record) => record.raw));
      if (seen.has(print)) throw repeatedPage(page);
      seen.add(print);
      const hasNext = expectsNext(reading, page);
      yield { ...applyFilter(reading, filter), total: reading.total, hasNext };
      if (hasNext === false || (hasNext === undefined && reading.records.length < PER_PAGE_MAX)) return;
    }
    throw new ServiceError(`The list did not end after ${PAGES_MAX} pages.`);
  }

  return {
    send,
    pages,
    async page(filter, page, perPage) {
      const { response, reading } = await readListed(filter, page, perPage);
      if (reading === undefined) throw answerError(response, 'list registrations', listUrl);
      return { ...applyFilter(reading, filter), total: reading.total, hasNext: expectsNext(reading, page) };
    },
    findByBarcode: (barcodes) => findByBarcode(pages, barcodes),
    remove: (id) => removeRegistration(options, id),
  };
}

/** Reads a complete answer to POST /registration. */
function readSendOutcome(response: HttpResponse, policy: OutcomePolicy, url: URL): SendOutcome {
  const { status, headers, body } = response;
  const reading = isSuccess(response) ? readCreateAnswer(status, body) : undefined;
  const outcome = classifyOutcome(
    { answer: true, status, headers, body, ...(reading === undefined ? {} : { reading }) },
    policy,
  );
  if (outcome === 'done' && reading?.kind === 'record') {
    return { kind: 'done', status, id: reading.record.id, action: reading.action };
  }
  if (outcome === 'done' || outcome === 'accepted') return { kind: 'accepted', status };
  if (outcome === 'stop')
    return { kind: 'stopped', error: answerError(response, 'send a registration', url) };
  if (outcome === 'uncertain') return readUncertain(response, reading, url);
  const error = readError(status, body);
  const message = [error.message, ...error.details].join('; ');
  return { kind: outcome === 'conflict' ? 'conflict' : 'failed', status, message };
}

function readUncertain(
  response: HttpResponse,
  reading: ReturnType<typeof readCreateAnswer> | undefined,
  url: URL,
): SendOutcome {
  const { status } = response;
  const redirect = status >= 300 && status < 400;
  const page = reading?.kind === 'unreadable';
  const message = page ? `answered ${status} with ${reading.why}` : `answered ${status}`;
  const stop = redirect
    ? answerError(response, 'send a registration', url)
    : page
      ? shapeError(response, 'send a registration', url)
      : undefined;
  return { kind: 'uncertain', status, message, stop };
}

/** A list body as JSON; undefined when it is no JSON or holds no list. 204 is an empty list. */
function readListBody(response: HttpResponse): PageReading | undefined {
  const body = response.body.trim() === '' && response.status === 204 ? '[]' : response.body;
  try {
    return readPage(parseJson(body), response.headers);
  } catch {
    return undefined;
  }
}

function expectsNext(reading: PageReading, page: number): boolean | undefined {
  if (reading.hasNext !== undefined) return reading.hasNext;
  return reading.lastPage === undefined ? undefined : page < reading.lastPage;
}

/** Keeps the records that match the filter, and counts those that do not or cannot show it. */
function applyFilter(reading: PageReading, filter: ListFilter): Omit<ListedPage, 'total' | 'hasNext'> {
  const wanted = (['persona', 'barcode'] as const).filter((key) => filter[key] !== undefined);
  const contradicts = (record: RegistrationRecord): boolean =>
    wanted.some((key) => record[key] !== undefined && record[key] !== filter[key]);
  const records = reading.records.filter((record) => !contradicts(record));
  return {
    records,
    mismatched: reading.records.length - records.length,
    unverified: records.filter((record) => wanted.some((key) => record[key] === undefined)).length,
  };
}

/**
 * Looks barcodes up one by one, until an answer shows that the filter is ignored; then it reads the
 * whole list once. Exact comparison on our side, always.
 */
async function findByBarcode(
  pages: RegistrationsClient['pages'],
  barcodes: readonly string[],
): Promise<Map<string, RegistrationRecord[]>> {
  const found = new Map<string, RegistrationRecord[]>(barcodes.map((barcode) => [barcode, []]));
  const collect = (records: readonly RegistrationRecord[]): void => {
    for (const record of records) {
      if (record.barcode !== undefined) found.get(record.barcode)?.push(record);
    }
  };
  for (const barcode of barcodes) {
    for await (const page of pages({ barcode })) {
      if (page.mismatched > 0) {
        for (const list of found.values()) list.length = 0;
        for await (const whole of pages({})) collect(whole.records);
        return found;
      }
      collect(page.records);
    }
  }
  return found;
}

/** A DELETE may be sent again; a 404 after one of ours went unanswered means that it worked. */
async function removeRegistration(
  { call, baseUrl, endpoints, clock, signal }: RegistrationsOptions,
  id: string,
): Promise<'deleted' | 'absent'> {
  const url = buildUrl(baseUrl, endpoints.registration, id);
  const doing = `delete registration ${id}`;
  for (let attempt = 1, doubt = false; ; attempt += 1) {
    try {
      const response = await call('DELETE', url);
      if (isSuccess(response)) return 'deleted';
      if (response.status === 404 || response.status === 410) return doubt ? 'deleted' : 'absent';
      if (response.status < 500 || attempt === 3) throw answerError(response, doing, url);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (!error.sent || error.code === 'ABORTED' || attempt === 3) throw silenceError(error, doing, url);
    }
    doubt = true;
    await clock.sleep(1000 * attempt, signal);
  }
}

function repeatedPage(page: number): ServiceError {
  return new ServiceError(
    `Page ${page} of the list is the same as an earlier one: the service does not page as described.`,
    {
      hint: 'The list read so far may be incomplete. Narrow it with --persona or --barcode.',
    },
  );
}

async function silenceNamed<T>(answer: Promise<T>, doing: string, url: URL): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TransportError ? silenceError(error, doing, url) : error;
  }
}
