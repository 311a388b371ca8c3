import type { HttpResponse } from '../../src/service/http/http.ts';
import { answer, type Script } from '../support/http-answers.ts';

export interface ListedRecord {
  id?: number;
  barcode: string | null;
}

export interface MovingList {
  send: Script['send'];
  /** What is there; changes show on the next page that is asked for. */
  records: ListedRecord[];
  /** Queries that came, in order: `page 2`, `barcode B1`. */
  asked: string[];
  /** Runs before each answer. */
  before: (query: string) => void;
}

interface MovingListOptions {
  /** Pages without a count when false. */
  counts?: boolean;
  /** Most records a page. */
  cap?: number;
  /** How the barcode filter matches; undefined ignores it. */
  matches?: (asked: string, barcode: string | null) => boolean;
}

/** Registrations with the ids and barcodes from `first`: 1 is B1. */
export const numbered = (first: number, count: number): ListedRecord[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index, barcode: `B${first + index}` }));

/** A service with nothing but a list, cut into pages by position as it stands at each request. */
export function movingList(records: ListedRecord[], options: MovingListOptions = {}): MovingList {
  const { counts = true, cap = 100, matches = (asked, barcode) => asked === barcode } = options;
  const list: MovingList = { records, asked: [], before: () => undefined, send: async () => answer(500) };
  list.send = async ({ url }): Promise<HttpResponse> => {
    const page = Number(url.searchParams.get('page'));
    const barcode = url.searchParams.get('barcode');
    const query = barcode === null ? `page ${page}` : `barcode ${barcode}`;
    list.asked.push(query);
    list.before(query);
    const all = list.records.filter((one) => barcode === null || matches(barcode, one.barcode));
    const size = Math.min(cap, Number(url.searchParams.get('per_page')));
    const data = all.slice((page - 1) * size, page * size);
    return answer(200, counts ? { data, meta: { total: all.length } } : data);
  };
  return list;
}
