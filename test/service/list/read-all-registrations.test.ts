import { describe, expect, test } from 'vitest';
import type { ListFilter } from '../../../src/service/list/list-registrations.ts';
import type { WholePage } from '../../../src/service/list/read-all-registrations.ts';
import { answer, script } from '../../support/http-answers.ts';
import { clientOver, sandboxClient } from '../../support/service-client.ts';
import { type MovingList, movingList, numbered } from '../moving-list.ts';
import { barcodesOf, everyPair, fill, keepVisitors, words } from '../visitors.ts';

/** Reads a list as its callers do: what came before a restart is forgotten. */
async function readAll(send: MovingList['send'], filter: ListFilter = {}) {
  const pages: WholePage[] = [];
  let kept: (string | undefined)[] = [];
  const { registrations } = clientOver(send).client;
  const { moved } = await registrations.readAll(filter, (page) => {
    pages.push(page);
    if (page.restart) kept = [];
    kept.push(...page.records.map((record) => record.barcode));
  });
  return { kept, moved, restarts: pages.filter((page) => page.restart).length, pages };
}

const barcodes = (first: number, count: number): (string | null)[] =>
  numbered(first, count).map((record) => record.barcode);

describe('a list that stands still', () => {
  test.each(everyPair(words('pageShape'), words('listOrder')))(
    'is read once, whole, in the shape %s with the %s first',
    async (pageShape, listOrder) => {
      const { client, sandbox, asked } = await sandboxClient({ pageShape, listOrder });
      const sent = keepVisitors(sandbox, 205);
      const seen: (string | undefined)[] = [];
      const { moved } = await client.registrations.readAll({}, (page) => {
        expect([page.restart, page.unverified]).toEqual([false, 0]);
        seen.push(...page.records.map((record) => record.barcode));
      });
      expect(moved).toBe(false);
      expect(seen).toEqual(listOrder === 'oldest' ? sent : sent.toReversed());
      expect(asked()).toHaveLength(3);
    },
  );

  test('tells the count of the service with each page', async () => {
    const { pages } = await readAll(movingList(numbered(1, 150)).send);
    expect(pages.map((page) => [page.records.length, page.total])).toEqual([
      [100, 150],
      [50, 150],
    ]);
    const silent = await readAll(movingList(numbered(1, 150), { counts: false }).send);
    expect(silent.pages.map((page) => page.total)).toEqual([undefined, undefined]);
  });

  test('that is empty is one page without records', async () => {
    expect(await readAll(movingList([]).send)).toMatchObject({
      moved: false,
      pages: [{ records: [], total: undefined, restart: false, unverified: 0 }],
    });
  });

  test('is filtered, and says what it cannot check', async () => {
    const page = {
      data: [{ id: 1, persona: 'visitor' }, { id: 2 }, { id: 3, persona: 'speaker' }],
      total: 900,
    };
    const { pages, moved } = await readAll(script(answer(200, page), answer(200, [])).send, {
      persona: 'visitor',
    });
    expect(moved).toBe(false);
    expect(pages.map((one) => [one.records.map((record) => record.id), one.unverified])).toEqual([
      [['1', '2'], 1],
    ]);
  });

  test('may hold two records without an id that are alike', async () => {
    const records = [...numbered(1, 100), { barcode: 'X' }, ...numbered(101, 99), { barcode: 'X' }];
    const { kept, moved } = await readAll(movingList(records).send);
    expect([kept.length, kept.filter((barcode) => barcode === 'X').length, moved]).toEqual([201, 2, false]);
  });

  test('may call something else an id than what tells records apart', async () => {
    const records = numbered(1, 150).map(({ barcode }) => ({ id: 1, barcode }));
    const { kept, moved } = await readAll(movingList(records).send);
    expect([kept, moved]).toEqual([barcodes(1, 150), false]);
  });
});

describe('a list that moves while it is read', () => {
  /** Changes the list once, before its page is answered for the first time. */
  const once = (list: MovingList, query: string, change: () => void): void => {
    let done = false;
    list.before = (asked) => {
      if (done || asked !== query) return;
      done = true;
      change();
    };
  };

  test('because one went: none is missed, and it is read anew', async () => {
    const list = movingList(numbered(1, 250));
    // What was the 101st is now the 100th: the second page begins after it.
    once(list, 'page 2', () => list.records.shift());
    const { kept, moved, restarts } = await readAll(list.send);
    expect([kept, moved, restarts]).toEqual([barcodes(2, 249), false, 1]);
    expect(list.asked).toEqual(['page 1', 'page 2', 'page 1', 'page 2', 'page 3']);
  });

  test('because one came in front: none is given twice', async () => {
    const list = movingList(numbered(1, 250));
    once(list, 'page 2', () => list.records.unshift({ id: 999, barcode: 'NEW' }));
    const { kept, moved, restarts } = await readAll(list.send);
    expect([kept, moved, restarts]).toEqual([['NEW', ...barcodes(1, 250)], false, 1]);
  });

  test('without a count: a record that comes twice gives it away', async () => {
    const list = movingList(numbered(1, 250), { counts: false });
    once(list, 'page 2', () => list.records.unshift({ id: 999, barcode: 'NEW' }));
    const { kept, moved, restarts } = await readAll(list.send);
    expect([kept, moved, restarts]).toEqual([['NEW', ...barcodes(1, 250)], false, 1]);
  });

  test('by as many as a page holds: a page that came before is no error where the count changed', async () => {
    const list = movingList(numbered(1, 250));
    once(list, 'page 2', () => list.records.unshift(...numbered(1001, 100)));
    const { kept, moved, restarts } = await readAll(list.send);
    expect([kept.length, moved, restarts]).toEqual([350, false, 1]);
  });

  test('at its end, where only the last page of the numbers shows it', async () => {
    const page = (data: object[], last_page: number) => answer(200, { data, last_page });
    const network = script(
      page([{ id: 1 }], 2),
      page([{ id: 2 }], 3),
      page([{ id: 1 }], 2),
      page([{ id: 2 }], 2),
    );
    const { moved, restarts } = await readAll(network.send);
    expect([moved, restarts, network.requests.length]).toEqual([false, 1, 4]);
  });

  test('to nothing: the restart is told although there is no record to tell it with', async () => {
    const list = movingList(numbered(1, 150));
    once(list, 'page 2', () => (list.records.length = 0));
    const { kept, pages, restarts } = await readAll(list.send);
    expect([kept, pages.length, restarts]).toEqual([[], 2, 1]);
  });

  test('always: after three readings it is told that it never stood still', async () => {
    const list = movingList(numbered(1, 250));
    list.before = (query) => {
      if (query !== 'page 1') list.records.push({ id: 1000 + list.asked.length, barcode: 'NEW' });
    };
    const { kept, moved, restarts } = await readAll(list.send);
    expect([moved, restarts, kept.slice(0, 250)]).toEqual([true, 2, barcodes(1, 250)]);
    expect(list.asked).toEqual(['page 1', 'page 2', 'page 1', 'page 2', 'page 1', 'page 2', 'page 3']);
  });

  test('always, by a page at a time: the last reading ends where it must, and says so', async () => {
    const list = movingList(numbered(1, 150));
    list.before = (query) => {
      if (query === 'page 2') list.records.unshift(...numbered(1000 * list.asked.length, 100));
    };
    const { moved, restarts } = await readAll(list.send);
    expect([moved, restarts, list.asked.length]).toEqual([true, 2, 6]);
  });
});

describe('a list that is not worth reading', () => {
  const readUpTo = async (pagesMax: number, list: MovingList) => {
    const { registrations } = clientOver(list.send).client;
    const { cut, pages } = await registrations.readAll({}, () => undefined, { pagesMax });
    return { cut, pages, asked: list.asked };
  };
  const uncounted = (count: number) => movingList(numbered(1, count), { counts: false });
  const firstPages = (count: number) => Array.from({ length: count }, (_, at) => `page ${at + 1}`);

  test('because its count says so, is cut after the first page, and not by a page more than is allowed', async () => {
    const counted = (count: number) => movingList(numbered(1, count));
    expect(await readUpTo(20, counted(2001))).toEqual({ cut: true, pages: 21, asked: ['page 1'] });
    expect(await readUpTo(20, counted(2000))).toMatchObject({ cut: false, pages: 20 });
  });

  test('without a count, is cut as soon as the first page too many is seen to be there', async () => {
    expect(await readUpTo(20, uncounted(2100))).toEqual({
      cut: true,
      pages: 21,
      asked: ['page 1', 'page 21'],
    });
    expect((await readUpTo(20, uncounted(1950))).asked).toEqual([
      'page 1',
      'page 21',
      ...firstPages(20).slice(1),
    ]);
    // The page too many is the last and short: it might be the end of a shorter list.
    expect(await readUpTo(20, uncounted(2050))).toMatchObject({ cut: false, pages: 21 });
  });

  test('without a count, is not asked how long it is where a few pages are all that is allowed', async () => {
    expect(await readUpTo(10, uncounted(2100))).toEqual({ cut: true, pages: 11, asked: firstPages(11) });
    expect((await readUpTo(20, uncounted(50))).asked).toEqual(['page 1', 'page 2']);
  });

  test('without a count and with short pages, is asked how long it is once there is a second page', async () => {
    const short = movingList(numbered(1, 2100), { counts: false, cap: 50 });
    expect(await readUpTo(20, short)).toEqual({
      cut: true,
      pages: 21,
      asked: ['page 1', 'page 2', 'page 21'],
    });
  });

  test.each(words('pageOverflow'))(
    'is told from a short one where a page past the last is %s',
    async (pageOverflow) => {
      const { client, asked } = await sandboxClient({
        pageOverflow,
        listTotal: 'hidden',
        pageShape: 'array',
        perPageCap: 10,
      });
      await fill(client, 25);
      asked();
      const seen: (string | undefined)[] = [];
      const reading = await client.registrations.readAll(
        {},
        ({ records }) => seen.push(...barcodesOf(records)),
        { pagesMax: 20 },
      );
      expect([reading.cut, seen.length, asked().length]).toEqual([false, 25, 4]);
    },
  );
});

describe('a list that is not paged as described', () => {
  test('ends short of its count each time: an error, after it was looked at three times', async () => {
    const network = script(
      ...[1, 2, 3].flatMap(() => [
        answer(200, { data: [{ id: 1 }], total: 250 }),
        answer(200, { data: [], total: 250 }),
      ]),
    );
    await expect(readAll(network.send)).rejects.toThrow('after 1 of 250');
    expect(network.requests).toHaveLength(6);
  });

  test('was short once, because one was between two pages: no error', async () => {
    const list = movingList(numbered(1, 101));
    const shortOnce = (): void => {
      list.before = () => undefined;
      list.records = [...numbered(1, 101)];
    };
    // The second page is empty, and yet the count is what it was.
    const network: MovingList['send'] = async (request) =>
      list.asked.length === 1
        ? (list.asked.push('page 2'), shortOnce(), answer(200, { data: [], meta: { total: 101 } }))
        : await list.send(request);
    const { kept, moved, restarts } = await readAll(network);
    expect([kept, moved, restarts]).toEqual([barcodes(1, 101), false, 1]);
  });

  test('repeats a full page whatever is asked for: an error', async () => {
    const network = script(answer(200, numbered(1, 100)));
    await expect(readAll(network.send)).rejects.toThrow('Page 2 of the list is the same');
    expect(network.requests).toHaveLength(3);
  });

  test('is not read further when the caller fails', async () => {
    const list = movingList(numbered(1, 250));
    const { registrations } = clientOver(list.send).client;
    const full = new Error('the journal is full');
    const reading = registrations.readAll({}, () => {
      throw full;
    });
    await expect(reading).rejects.toBe(full);
    expect(list.asked).toEqual(['page 1']);
  });
});
