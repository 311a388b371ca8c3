import { describe, expect, test } from 'vitest';
import { BarcodesHiddenError } from '../../../src/service/list/find-by-barcode.ts';
import { answer, notSent, script } from '../../support/http-answers.ts';
import { clientOver, sandboxClient } from '../../support/service-client.ts';
import { movingList, numbered } from '../moving-list.ts';
import { barcodesOf, everyPair, fill, keepVisitors, noop, visitor, words } from '../visitors.ts';
import { listed } from '../../support/tables.ts';

const names = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `B${first + index}`);

/** How many registrations each barcode has. */
async function countFound(find: ReturnType<typeof finder>, barcodes: string[]): Promise<[string, number][]> {
  return [...(await find(barcodes))].map(([barcode, records]) => [barcode, records.length]);
}

const finder = (send: Parameters<typeof clientOver>[0]) =>
  clientOver(send).client.registrations.findByBarcode;

describe('barcodes in the sandbox', () => {
  test.each(everyPair(words('barcodeFilter'), words('pageShape')))(
    'are found exactly where the filter is %s and pages are %s',
    async (barcodeFilter, pageShape) => {
      const { client, sandbox } = await sandboxClient({ barcodeFilter, pageShape, upsert: 'double' });
      keepVisitors(sandbox, 105);
      await fill(client, 1, 'b');
      await fill(client, 1);
      for (const wanted of [['B1', 'absent', 'B105', 'b1'], ['B105'], ['absent'], ['B1', 'b1']]) {
        const found = await client.registrations.findByBarcode(wanted);
        expect([...found].map(([barcode, records]) => [barcode, barcodesOf(records)])).toEqual(
          wanted.map((barcode) => [
            barcode,
            barcode === 'absent' ? [] : barcode === 'B1' ? ['B1', 'B1'] : [barcode],
          ]),
        );
      }
    },
  );

  test('may be named __proto__', async () => {
    const { client } = await sandboxClient();
    await client.registrations.send(visitor('__proto__'), noop);
    expect((await client.registrations.findByBarcode(['__proto__'])).get('__proto__')).toHaveLength(1);
  });
});

describe('the filter of the service', () => {
  test('costs one request for a single barcode that is there', async () => {
    const list = movingList(numbered(1, 950));
    expect(await countFound(finder(list.send), ['B700'])).toEqual([['B700', 1]]);
    expect(list.asked).toEqual(['barcode B700']);
  });

  test('is proven by three requests, once, before it is believed that a barcode is absent', async () => {
    const list = movingList(numbered(1, 950));
    const find = finder(list.send);
    expect(await countFound(find, ['absent'])).toEqual([['absent', 0]]);
    expect(list.asked).toEqual(['barcode absent', 'page 1', 'barcode B1', 'barcode b1']);
    await find(['gone']);
    await find(['lost']);
    expect(list.asked.slice(4)).toEqual(['barcode gone', 'barcode lost']);
  });

  test('is proven once for all lookups that go on at the same time', async () => {
    const list = movingList(numbered(1, 950));
    const find = finder(list.send);
    await Promise.all([find(['lost']), find(['gone']), find(['out'])]);
    expect(list.asked.filter((query) => query === 'page 1')).toHaveLength(1);
    expect(list.asked).toHaveLength(3 + 3);
  });

  test('is proven anew when proving it failed', async () => {
    const list = movingList(numbered(1, 950));
    let down = true;
    const find = finder(async (request) => {
      if (down && request.url.searchParams.get('barcode') === 'B1') throw notSent('CERT_HAS_EXPIRED');
      return await list.send(request);
    });
    await expect(find(['absent'])).rejects.toMatchObject({ exitCode: 1 });
    down = false;
    expect(await countFound(find, ['absent'])).toEqual([['absent', 0]]);
  });

  test('proves nothing on an empty service, and is proven later', async () => {
    const list = movingList([]);
    const find = finder(list.send);
    expect(await countFound(find, ['B1'])).toEqual([['B1', 0]]);
    list.records.push(...numbered(1, 950));
    list.asked.length = 0;
    await find(['absent']);
    expect(list.asked).toEqual(['barcode absent', 'page 1', 'barcode B1', 'barcode b1']);
  });

  test.each([
    ['is ignored', () => true, numbered(1, 250)],
    ['finds nothing', () => false, numbered(1, 250)],
    [
      'ignores case',
      (asked: string, barcode: string | null) => asked.toLowerCase() === barcode?.toLowerCase(),
      numbered(1, 250),
    ],
    [
      'takes what begins alike',
      (asked: string, barcode: string | null) => barcode?.startsWith(asked) === true,
      numbered(1, 250),
    ],
    [
      'takes digits for numbers',
      (asked: string, barcode: string | null) => Number(asked) === Number(barcode),
      numbered(1, 250).map(({ id }) => ({ id: Number(id), barcode: `${5000 + Number(id)}` })),
    ],
    [
      'gives everything when nothing matches',
      (asked: string, barcode: string | null) => asked === barcode || !/^B\d+$/.test(asked),
      numbered(1, 250),
    ],
  ])('that %s is noticed, and never asked again', async (_what, matches, records) => {
    const list = movingList(records, { matches });
    const find = finder(list.send);
    const known = records[199]?.barcode ?? '';
    expect(await countFound(find, ['absent'])).toEqual([['absent', 0]]);
    expect(list.asked.length).toBeLessThanOrEqual(4 + 3);
    list.asked.length = 0;
    expect(await countFound(find, [known, 'b'])).toEqual([
      [known, 1],
      ['b', 0],
    ]);
    expect(list.asked).toEqual(['page 1', 'page 2', 'page 3']);
  });

  test('that finds more than what was asked for is noticed before any proof', async () => {
    const list = movingList(numbered(1, 250), { matches: () => true });
    expect(await countFound(finder(list.send), ['B200'])).toEqual([['B200', 1]]);
    expect(list.asked).toEqual(['barcode B200', 'page 1', 'page 2', 'page 3']);
  });

  test('whose records do not show what was asked for cannot be believed', async () => {
    const network = script(answer(200, [{ id: 1, persona: 'visitor' }]));
    await expect(finder(network.send)(['B1'])).rejects.toBeInstanceOf(BarcodesHiddenError);
    await expect(finder(network.send)(['B1', 'B2', 'B3', 'B4'])).rejects.toThrow(
      'does not show the barcodes',
    );
  });

  test('cannot be proven by registrations without a barcode, so the list is read', async () => {
    const records = [
      ...Array.from({ length: 100 }, (_, id) => ({ id, barcode: null })),
      ...numbered(101, 50),
    ];
    const list = movingList(records);
    expect(await countFound(finder(list.send), ['absent'])).toEqual([['absent', 0]]);
    expect(list.asked).toEqual(['barcode absent', 'page 1', 'page 1', 'page 2']);
  });
});

describe('many barcodes', () => {
  test('cost nothing when there are none', async () => {
    const list = movingList(numbered(1, 250));
    expect(await finder(list.send)([])).toEqual(new Map());
    expect(list.asked).toEqual([]);
  });

  test('are picked from the list where that is cheaper, and nothing is to be proven', async () => {
    const list = movingList(numbered(1, 950));
    const wanted = [...names(1, 20), 'absent', 'B1'];
    const found = await countFound(finder(list.send), wanted);
    expect(found).toEqual([...names(1, 20).map((name) => [name, 1]), ['absent', 0]]);
    expect(list.asked).toEqual(Array.from({ length: 10 }, (_, index) => `page ${index + 1}`));
  });

  test('are looked up where the count of the first page says that the list is longer', async () => {
    const list = movingList(numbered(1, 2500));
    const find = finder(list.send);
    expect(await countFound(find, names(7, 5))).toEqual(names(7, 5).map((name) => [name, 1]));
    expect(list.asked).toEqual(['page 1', ...names(7, 5).map((name) => `barcode ${name}`)]);
    list.asked.length = 0;
    // The length of the list is remembered, and its first page has not yet had to prove the filter.
    await find([...names(7, 2), 'absent']);
    expect(list.asked).toEqual([
      ...names(7, 2).map((name) => `barcode ${name}`),
      'barcode absent',
      'page 1',
      'barcode B1',
      'barcode b1',
    ]);
  });

  test('are looked up one by one then, whatever the first page held: there may be two of one', async () => {
    const list = movingList([...numbered(1, 2500), { id: 9999, barcode: 'B1' }]);
    expect(await countFound(finder(list.send), ['B1', 'B2', 'B3'])).toEqual([
      ['B1', 2],
      ['B2', 1],
      ['B3', 1],
    ]);
  });

  test('prove the filter with the first page that they have read', async () => {
    const list = movingList(numbered(1, 2500));
    await finder(list.send)(['absent', 'B9', 'gone']);
    expect(list.asked).toEqual(
      listed('page 1 | barcode absent | barcode B1 | barcode b1 | barcode B9 | barcode gone'),
    );
  });

  test.each([100, 20])('count pages as long as they come, not as they were asked for (%d)', async (cap) => {
    const list = movingList(numbered(1, 400), { cap });
    await finder(list.send)(names(1, 10));
    expect(list.asked.slice(0, 2)).toEqual(cap === 100 ? ['page 1', 'page 2'] : ['page 1', 'barcode B1']);
    expect(list.asked).toHaveLength(cap === 100 ? 5 : 11);
  });

  test('without a count: no more pages are read than lookups would take', async () => {
    const list = movingList(numbered(1, 2500), { counts: false });
    expect(await countFound(finder(list.send), names(2001, 4))).toEqual(
      names(2001, 4).map((name) => [name, 1]),
    );
    expect(list.asked).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((page) => `page ${page}`),
      ...names(2001, 4).map((name) => `barcode ${name}`),
    ]);
  });

  test('without a count: a list that ends just there is not looked up again', async () => {
    const list = movingList(numbered(1, 550), { counts: false });
    await countFound(finder(list.send), names(1, 4));
    expect(list.asked).toEqual([1, 2, 3, 4, 5, 6].map((page) => `page ${page}`));
  });
});

describe('a list that is not paged as described', () => {
  /** Gives its first page, which is full, for ever. */
  const endless = (filterWorks: boolean) => {
    const list = movingList(numbered(1, 100), {
      counts: false,
      ...(filterWorks ? {} : { matches: () => true }),
    });
    const asked: string[] = [];
    const send: typeof list.send = async (request) => {
      asked.push(request.url.searchParams.get('barcode') ?? 'page');
      const url = new URL(request.url);
      url.searchParams.set('page', '1');
      return await list.send({ ...request, url });
    };
    return { send, asked };
  };

  test('is left alone as long as there is the filter', async () => {
    const { send, asked } = endless(true);
    const find = finder(send);
    expect(await countFound(find, ['B1', 'absent', 'B3'])).toEqual([
      ['B1', 1],
      ['absent', 0],
      ['B3', 1],
    ]);
    asked.length = 0;
    await find(['B1', 'B2']);
    expect(asked).toEqual(['B1', 'B2']);
  });

  test('is an error where there is no other way', async () => {
    await expect(finder(endless(false).send)(['B1', 'absent'])).rejects.toThrow('same as an earlier one');
  });

  test('is told from one that cannot be read at all', async () => {
    const network = script(answer(403, { message: 'No.' }));
    await expect(finder(network.send)(['B1', 'B2'])).rejects.toMatchObject({ exitCode: 4 });
    expect(network.requests).toHaveLength(1);
  });
});

describe('a list that moves meanwhile', () => {
  const restless = (matches?: (asked: string, barcode: string | null) => boolean) => {
    const list = movingList(numbered(1, 250), matches === undefined ? {} : { matches });
    list.before = (query) => {
      if (query.startsWith('page') && query !== 'page 1') {
        list.records.push({ id: 1000 + list.asked.length, barcode: `N${list.asked.length}` });
      }
    };
    return list;
  };

  test('is read again, and counts as it stood at last', async () => {
    const list = movingList(numbered(1, 250));
    list.before = (query) => {
      if (query === 'page 2' && list.records.length === 250) list.records.shift();
    };
    const found = await countFound(finder(list.send), ['B1', 'B101', 'B102', 'B103']);
    expect(found).toEqual([
      ['B1', 0],
      ['B101', 1],
      ['B102', 1],
      ['B103', 1],
    ]);
  });

  test('all the time: what is found is found, and what is not is looked up', async () => {
    const list = restless();
    const found = await countFound(finder(list.send), ['B1', 'B2', 'B3', 'absent', 'B5']);
    expect(found).toEqual(
      ['B1', 'B2', 'B3', 'absent', 'B5'].map((name) => [name, name === 'absent' ? 0 : 1]),
    );
    expect(list.asked.filter((query) => query.startsWith('barcode'))).toEqual([
      'barcode absent',
      'barcode B1',
      'barcode b1',
    ]);
  });

  test('all the time, without a filter that works: what is not found is not called absent', async () => {
    const find = finder(restless(() => true).send);
    expect(await countFound(find, ['B5'])).toEqual([['B5', 1]]);
    await expect(find(['B5', 'absent'])).rejects.toThrow(BarcodesHiddenError);
    await expect(find(['absent'])).rejects.toThrow('changed each time it was read');
  });
});
