import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { type PageReading, readRecord } from '../../../src/service/contracts/read-records.ts';
import { PageWalk, type Step } from '../../../src/service/list/page-walk.ts';

type Facts = Partial<Omit<PageReading, 'records'>>;

/** A page with the records numbered from `first`. */
function page(first: number, count: number, facts: Facts = {}): PageReading {
  const records = Array.from({ length: count }, (_, index) => readRecord({ id: first + index }));
  return { records, total: undefined, lastPage: undefined, hasNext: undefined, ...facts };
}

function steps(pages: PageReading[], lookup = false): Step[] {
  const walk = new PageWalk({ lookup });
  return pages.map((one) => walk.take(one));
}

describe('where a list ends', () => {
  test.each<[string, PageReading[], Step[]]>([
    ['an empty first page', [page(1, 0)], ['over']],
    ['a shorter second page', [page(1, 100), page(101, 1)], ['more', 'last']],
    ['an empty page after full ones', [page(1, 100), page(101, 100), page(201, 0)], ['more', 'more', 'over']],
    ['a short first page and an empty one', [page(1, 5), page(6, 0)], ['more', 'over']],
    ['a short first page that comes again', [page(1, 5), page(1, 5)], ['more', 'over']],
    ['pages capped without a word', [page(1, 50), page(51, 50), page(101, 3)], ['more', 'more', 'last']],
    ['everything at once, page ignored', [page(1, 250), page(1, 250)], ['more', 'over']],
    ['what has_more says', [page(1, 3, { hasNext: true }), page(4, 1, { hasNext: false })], ['more', 'last']],
    ['what the last page says', [page(1, 3, { lastPage: 2 }), page(4, 1, { lastPage: 2 })], ['more', 'last']],
    ['a single last page', [page(1, 4, { lastPage: 1 })], ['last']],
    ['nothing after a full last page', [page(1, 100, { lastPage: 1 }), page(101, 0)], ['more', 'over']],
    [
      'a full last page that comes again',
      [page(1, 100, { lastPage: 1 }), page(1, 100, { lastPage: 1 })],
      ['more', 'over'],
    ],
    ['what the total says', [page(1, 50, { total: 80 }), page(51, 30, { total: 80 })], ['more', 'last']],
    [
      'a total that is reached by a full page',
      [page(1, 100, { total: 100 }), page(101, 0, { total: 100 })],
      ['more', 'over'],
    ],
    [
      'pages alone, once there is more than the total says',
      [1, 21, 41, 61].map((first) => page(first, first === 61 ? 3 : 20, { total: 20, lastPage: 1 })),
      ['more', 'more', 'more', 'last'],
    ],
    [
      'a total that grows',
      [page(1, 100, { total: 100, hasNext: true }), page(101, 1, { total: 101 })],
      ['more', 'last'],
    ],
    [
      'the sign of more when signs differ',
      [page(1, 5, { hasNext: false, total: 9 }), page(6, 4, { hasNext: false, total: 9 })],
      ['more', 'last'],
    ],
  ])('is shown by %s', (_what, pages, expected) => {
    expect(steps(pages)).toEqual(expected);
  });

  test('is a page of one where one was looked for', () => {
    expect(steps([page(1, 1)], true)).toEqual(['last']);
    expect(steps([page(1, 5), page(6, 0)], true)).toEqual(['more', 'over']);
  });

  test('is in doubt, and an error, when a page that promised another comes again', () => {
    const pages = [page(1, 5, { hasNext: true }), page(1, 5)];
    expect(() => steps(pages)).toThrow(ServiceError);
    expect(() => steps(pages)).toThrow('Page 2 of the list is the same as an earlier one');
  });
});

describe('a list that never ends', () => {
  /** Reads page after page, never twice the same, until it is refused. */
  const readOn = (pageLength: number, facts: Facts): void => {
    const walk = new PageWalk({ lookup: false });
    // With a barcode no more than that is looked at: there are two million of it.
    const records = Array.from({ length: pageLength }, () => readRecord({ id: 0, barcode: 'B' }));
    for (let first = 1; first < 3_000_000; first += pageLength) {
      records[0] = readRecord({ id: first, barcode: `B${first}` });
      if (walk.take({ ...page(0, 0, facts), records: [...records] }) === 'last') return;
    }
  };

  test.each<[number, Facts, string]>([
    [50_000, {}, '2050000 registrations, but no event holds so many'],
    [50_000, { total: 50_000 }, '2050000 registrations, but no event holds so many'],
    [50_000, { hasNext: true, total: 1_000_000 }, '2050000 registrations, but the service counts 1000000'],
    [100, { total: 250 }, '2600 registrations, but the service counts 250'],
    [5, { hasNext: true, total: 6 }, '110 registrations, but the service counts 6'],
    [1, { hasNext: true, total: 100 }, '201 registrations, but the service counts 100'],
  ])('ends by what the event can hold: %i a page, %j', (pageLength, facts, expected) => {
    expect(() => readOn(pageLength, facts)).toThrow(`The list did not end after ${expected}`);
  });
});

describe('a page that comes again', () => {
  const one = [page(1, 100), page(1, 100)];
  const two = [page(1, 100), page(101, 100), page(101, 100)];
  const three = [page(1, 33), page(34, 33), page(1, 33)];
  const prime = [page(1, 7), page(8, 7), page(8, 7)];

  const repeated = (pages: PageReading[]): PageWalk => {
    const walk = new PageWalk({ lookup: false });
    expect(pages.map((next) => walk.take(next)).at(-1)).toBe('repeated');
    return walk;
  };

  test('says so whatever else than its registrations has changed', () => {
    const at = (updated_at: string): PageReading => {
      const records = Array.from({ length: 100 }, (_, id) =>
        readRecord({ id, barcode: `B${id}`, updated_at }),
      );
      return { ...page(1, 0), records };
    };
    repeated([at('now'), at('later')]);
  });

  test.each([{}, { id: 7 }])('says so whatever it signs its links with: %o', (shown) => {
    const at = (signature: string): PageReading => {
      const photo = `https://files.example.com/a.png?signature=${signature}`;
      const records = Array.from({ length: 100 }, (_, nth) =>
        readRecord({ ...shown, fields: { name: `Ada ${nth}`, photo }, updated_at: signature }),
      );
      return { ...page(1, 0), records };
    };
    repeated([at('one'), at('two')]);
  });

  test('does not where registrations show no ids', () => {
    const at = (created_at: string): PageReading => {
      const records = Array.from({ length: 100 }, (_, id) => readRecord({ barcode: `B${id}`, created_at }));
      return { ...page(1, 0), records };
    };
    expect(steps([at('now'), at('later')])).toEqual(['more', 'more']);
  });

  test.each([
    [one, { page: 2, perPage: 50 }, page(51, 50)],
    [two, { page: 4, perPage: 50 }, page(151, 50)],
    [two, { page: 4, perPage: 50 }, page(101, 100)],
    [three, { page: 6, perPage: 11 }, page(56, 11)],
    [prime, { page: 14, perPage: 1 }, page(14, 1)],
  ])('follows the end of the list when %# shows that', (pages, asked, shown) => {
    const walk = repeated(pages);
    expect(walk.endOfList).toEqual(asked);
    walk.confirmEnd(shown);
    expect(walk.ended).toBe(true);
  });

  test.each<[string, PageReading[], PageReading | undefined]>([
    ['the first page, whatever is asked for', one, page(1, 100)],
    ['its beginning', one, page(1, 50)],
    ['a list that has grown in front', two, page(51, 50)],
    ['a list that goes on', two, page(201, 50)],
    ['nothing', two, page(1, 0)],
    ['a refusal', two, undefined],
  ])('is an error when the end of the list shows %s', (_, pages, shown) => {
    expect(() => repeated(pages).confirmEnd(shown)).toThrow(`Page ${pages.length} of the list is the same`);
  });
});

describe('whether a list is complete', () => {
  const walked = (...pages: PageReading[]): PageWalk => {
    const walk = new PageWalk({ lookup: false });
    for (const one of pages) walk.take(one);
    return walk;
  };

  test('is in doubt when the service counts more than it shows', () => {
    expect(() => walked(page(1, 50, { total: 250 }), page(51, 0)).checkComplete()).toThrow('after 50 of 250');
    expect(() => walked(page(1, 50, { total: 250 }), page(1, 50)).checkComplete()).toThrow('after 50 of 250');
  });

  test('is not when the counts agree, or there are none', () => {
    walked(page(1, 3), page(4, 0)).checkComplete();
    walked(page(1, 3, { total: 3 })).checkComplete();
    walked(page(1, 100, { total: 200 }), page(101, 99, { total: 199 })).checkComplete();
    walked(page(1, 3, { total: 2 })).checkComplete();
  });
});
