import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse } from '../../service/http/http.ts';
import { isObject, type Json, readJson } from '../../service/contracts/json.ts';
import { readPage } from '../../service/contracts/read-records.ts';
import type { Switches } from '../../sandbox/store/switches.ts';

/** What is read at the time that an answer comes. */
type Reading = 'event' | 'list' | 'webhooks';

/** What the answers of a service have shown of their shape. Holds no values of persons. */
export class SeenAnswers {
  reading: Reading = 'event';
  requests = 0;
  /** The body of the event, as it came. */
  event: unknown;
  hasRateHeaders = false;
  pageShape: Switches['pageShape'] | undefined;
  /** Of all registrations; undefined where the list does not tell. */
  total: number | undefined;
  /** Records on the fullest page; undefined as long as no other page has shown that there were more. */
  perPage: number | undefined;
  pages = 0;
  pageOverflow: Switches['pageOverflow'] | undefined;
  errorShape: Switches['errorShape'] | undefined;
  webhookStatus: number | undefined;
  pastLimit: Switches['pastLimit'] | undefined;
  #first: readonly unknown[] = [];

  add(url: URL, answer: HttpResponse): void {
    this.requests += 1;
    const { status, headers } = answer;
    this.hasRateHeaders ||= headers['x-ratelimit-limit'] !== undefined;
    const json = readJson(answer.body);
    if (status >= 400 && status < 500 && status !== 429) this.errorShape ??= errorShapeOf(answer, json);
    if (status === 429) this.pastLimit ??= pastLimitOf(headers['retry-after']);
    if (this.reading === 'webhooks') this.webhookStatus = status;
    if (this.reading === 'event' && status < 300) this.event = json;
    if (this.reading === 'list') this.#addPage(Number(url.searchParams.get('page') ?? 1), answer, json);
  }

  #addPage(number: number, { status, headers }: HttpResponse, json: unknown): void {
    const page = status < 300 ? readPage(json, headers) : undefined;
    if (page === undefined) {
      if (number > 1 && (status === 404 || status === 422))
        this.pageOverflow = status === 404 ? '404' : '422';
      return;
    }
    this.pageShape ??= pageShapeOf(json, headers);
    this.total ??= page.total;
    const records = page.records.map(({ raw }) => raw);
    if (number === 1) this.#first = records;
    else if (records.length === 0) this.pageOverflow = 'empty';
    // Past the end some services show the first page again.
    else if (!isDeepStrictEqual(records, this.#first))
      this.perPage = Math.max(this.#first.length, records.length);
    this.pages = Math.max(this.pages, number);
  }
}

function pastLimitOf(retryAfter: string | undefined): Switches['pastLimit'] {
  if (retryAfter === undefined) return '429';
  return /^\d+$/.test(retryAfter) ? '429-retry-after' : '429-retry-after-date';
}

function pageShapeOf(json: unknown, headers: HttpResponse['headers']): Switches['pageShape'] {
  if (!isObject(json)) {
    if (headers['x-total-count'] !== undefined) return 'header-total';
    return headers['link'] === undefined ? 'array' : 'link-header';
  }
  if ('next_page_url' in json) return 'laravel';
  if ('registrations' in json) return 'registrations-pagination';
  if ('items' in json) return 'items-flat';
  return 'results' in json ? 'results-links' : 'data-meta';
}

function errorShapeOf({ body, headers }: HttpResponse, json: unknown): Switches['errorShape'] {
  if (body.trim() === '') return 'empty';
  if (!isObject(json)) return 'html';
  if (headers['content-type']?.includes('problem+json') === true) return 'problem';
  return shapeOfErrors(json);
}

function shapeOfErrors({ error, errors }: Json): Switches['errorShape'] {
  if (typeof error === 'string') return 'error-string';
  if (Array.isArray(errors)) return 'errors-list';
  return isObject(errors) ? 'errors-map' : 'message';
}
