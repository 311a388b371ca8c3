import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { type PageReading, readRecord } from '../../src/service/contracts.ts';
import { PageWalk, type Step } from '../../src/service/page-walk.ts';

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

  test.each<[string, PageReading[]]>([
    ['a full first page', [page(1, 100), page(1, 100)]],
    ['a later page', [page(1, 50), page(51, 50), page(51, 50)]],
    ['a page that promised another', [page(1, 5, { hasNext: true }), page(1, 5)]],
  ])('is in doubt, and an error, when %s comes again', (_what, pages) => {
    expect(() => steps(pages)).toThrow(ServiceError);
    expect(() => steps(pages)).toThrow(`Page ${pages.length} of the list is the same as an earlier one`);
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
