import { expect, describe, test } from 'vitest';
import { SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { changeOwn, makeOwn } from '../../../src/webhooks/own/make-own.ts';
import { OwnBooks, type OwnWebhook } from '../../../src/webhooks/own/own-books.ts';
import { removeOwn } from '../../../src/webhooks/own/remove-own.ts';
import { random } from '../../model/random.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { bodyOf, type Fate, intentOf, Killed, listenOf, ownBench } from './own-bench.ts';

/** Deaths tried of each shape; all 48 of them at night. By day one shape in many is enough. */
const DEATHS = Number(process.env['EVENTREG_DEATHS'] ?? 2);
const SHAPES_TRIED = Number(process.env['EVENTREG_SHAPES'] ?? (process.env['EVENTREG_DEATHS'] ? 41 : 211));

const ONE = listenOf('one');
const TAKEN = { name: 'Badge printer', webhook_url: 'https://other.example/in' };

const words = (name: keyof Switches): readonly string[] => {
  const { allowed } = SWITCHES.find((one) => one.name === name) ?? { allowed: [] };
  return 'min' in allowed ? [] : allowed;
};

/** Every shape that the paths and answers of webhooks may have. */
const SHAPES = (
  ['webhookList', 'webhookShown', 'webhookStart', 'webhookDelete', 'webhookUpdate', 'webhookAnswer'] as const
).reduce<Record<string, string>[]>(
  (shapes, name) => shapes.flatMap((shape) => words(name).map((word) => ({ ...shape, [name]: word }))),
  [{}],
);

describe('a listen that lives', () => {
  test('makes a webhook switched off, switches it on, and proves that it is gone', async () => {
    const { webhooks, state, partsWith } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    expect([webhooks.list()[0]?.active, made.webhookId, state.asked]).toEqual([
      true,
      '1',
      ['POST', 'GET', 'PUT', 'GET'],
    ]);
    expect(books.find(ONE)).toMatchObject({ webhookId: '1' });
    expect(await removeOwn(made, partsWith(books))).toEqual({ result: 'deleted' });
    expect([webhooks.list(), books.find(ONE)]).toEqual([[], undefined]);
    books.close();
  });

  test('is deleted by the id that its answer has shown, though it was killed before it read a list', async () => {
    const bench = ownBench({ webhookList: 'empty' });
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    bench.state.fate = (nth) => (nth === 2 ? 'before' : 'serve');
    await expect(makeOwn(intent, bodyOf(intent.name), bench.partsWith(books))).rejects.toThrow(Killed);
    bench.revive();
    const [own] = [books.find(ONE)].flatMap((one) => one ?? []);
    expect(own?.webhookId).toBe('1');
    expect(own && (await removeOwn(own, bench.partsWith(books)))).toEqual({ result: 'deleted' });
    expect(bench.webhooks.list()).toEqual([]);
    books.close();
  });

  test.each(['done', 'ignored'] as const)(
    'reads the list after a move to another address, which is %s',
    async (webhookUpdate) => {
      const { state, partsWith } = ownBench({ webhookUpdate });
      const books = new OwnBooks(temporaryDirectory());
      const intent = intentOf(ONE);
      const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
      const url = intent.url.replace('here', 'there');
      books.note(ONE, { url, shownUrl: undefined });
      const asked = state.asked.length;
      expect(await changeOwn(made, { ...made.body, webhook_url: url }, partsWith(books))).toBe(undefined);
      const [isMoved, looks] = webhookUpdate === 'done' ? [true, ['GET']] : [false, ['GET', 'GET']];
      expect(state.asked.slice(asked)).toEqual(['PUT', ...looks]);
      expect(books.find(ONE)?.shownUrl).toBe(isMoved ? url : intent.url);
      books.close();
    },
  );

  test('finds by its name what a lost answer hides', async () => {
    const { webhooks, state, partsWith } = ownBench();
    state.fate = (nth) => (nth === 1 ? 'lost' : 'serve');
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    expect([webhooks.list().length, made.webhookId, webhooks.list()[0]?.active]).toEqual([1, '1', true]);
    books.close();
  });

  test('forgets an intent that the service has refused', async () => {
    const { partsWith, state } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    const body = { ...bodyOf(intent.name), event_id: 1 };
    await expect(makeOwn(intent, body, partsWith(books))).rejects.toThrow('422');
    expect([books.find(ONE), state.asked]).toEqual([undefined, ['POST', 'GET']]);
    books.close();
  });

  test.each([
    ['where the list shows all: nothing is left', { webhookList: 'shown' }, true],
    ['where it shows nothing: one may be left', { webhookList: 'empty' }, false],
    ['where it cannot be read: one may be left', { webhookList: 'absent' }, false],
  ] as const)('a create refused with 409, %s', async (_, shape, isForgotten) => {
    const { partsWith, state, addForeign } = ownBench(shape);
    addForeign('Badge printer');
    state.fate = (nth) => (nth === 1 ? 'conflict' : 'serve');
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    await expect(makeOwn(intent, bodyOf(intent.name), partsWith(books))).rejects.toThrow('409');
    expect(books.find(ONE) === undefined).toBe(isForgotten);
    books.close();
  });

  test.each<[string, object, string, boolean]>([
    ['renamed and aimed elsewhere is left alone', TAKEN, 'renamed', true],
    ['renamed still calls here, and goes', { name: 'Badge printer' }, 'deleted', false],
  ])('what somebody has %s', async (_, change, result, isLeft) => {
    const { webhooks, partsWith } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    webhooks.update(1, change);
    expect(await removeOwn(made, partsWith(books))).toEqual({ result });
    expect([webhooks.list().some(({ active }) => active), books.find(ONE)]).toEqual([isLeft, undefined]);
    books.close();
  });

  test('is found where its create was refused all the same', async () => {
    const { webhooks, partsWith, state } = ownBench();
    state.fate = (nth) => (nth === 1 ? 'refused' : 'serve');
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    expect([made.webhookId, webhooks.list().map(({ active }) => active)]).toEqual(['1', [true]]);
    books.close();
  });

  test('never takes the id of an answer for that of its webhook', async () => {
    const { webhooks, partsWith, state, addForeign } = ownBench({
      webhookAnswer: 'number',
      webhookList: 'absent',
    });
    const foreign = addForeign('Badge printer');
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf(ONE);
    await expect(makeOwn(intent, bodyOf(intent.name), partsWith(books))).rejects.toThrow('does not show');
    expect(await removeOwn(books.find(ONE) as OwnWebhook, partsWith(books))).toMatchObject({
      result: 'left',
    });
    expect([webhooks.list()[0], state.touched, books.find(ONE)?.isMade]).toEqual([foreign, [], true]);
    books.close();
  });

  test('is not taken for a leftover by another', async () => {
    const directory = temporaryDirectory();
    const [mine, other] = [new OwnBooks(directory), new OwnBooks(directory)];
    mine.begin(intentOf(ONE));
    expect(other.leftovers(0)).toEqual([]);
    mine.close();
    expect(other.leftovers(0)).toMatchObject([{ listen: ONE, service: 'here' }]);
    other.close();
  });
});

describe('a listen that lives or is killed', () => {
  /** One from its beginning to its end; then what `--cleanup` does. What the service holds is looked at after each. */
  async function live(bench: ReturnType<typeof ownBench>, seed: string, fate: (nth: number) => Fate) {
    const listen = listenOf(seed);
    const intent = intentOf(listen);
    const directory = temporaryDirectory();
    bench.state.asked.length = 0;
    bench.state.fate = fate;
    const held = (): boolean[] =>
      bench.webhooks
        .list()
        .filter(({ webhook_url: url }) => url === intent.url)
        .map(({ active }) => active);
    const first = new OwnBooks(directory);
    let result: string | undefined;
    try {
      const made = await makeOwn(intent, bodyOf(intent.name), bench.partsWith(first));
      result = (await removeOwn(made, bench.partsWith(first))).result;
    } catch {
      // It fails for another reason, and puts things in order unless it is killed at that.
      const own = first.find(listen);
      const fate = own && (await removeOwn(own, bench.partsWith(first)).catch(() => undefined));
      result = fate?.result;
    }
    const ended = { result, held: held(), isKnown: first.find(listen) !== undefined };
    first.close();
    bench.revive();
    const second = new OwnBooks(directory);
    const left = second.leftovers(intent.at);
    const results = [];
    for (const own of left) results.push((await removeOwn(own, bench.partsWith(second))).result);
    const cleaned = { result: results[0], held: held(), isKnown: second.leftovers(intent.at).length > 0 };
    second.close();
    return { ended, cleaned };
  }

  /** What must hold of what is told, by what the service holds. */
  function wrongsOf({ result, held, isKnown }: Awaited<ReturnType<typeof live>>['ended']): string[] {
    const isOn = held.includes(true);
    return [
      held.length > 0 && !isKnown ? 'forgotten' : [],
      (result === 'deleted' || result === 'absent') && held.length > 0 ? 'said to be gone' : [],
      (result === 'inactive' || result === 'unseen' || result === 'renamed') && isOn ? 'on, and exit 0' : [],
    ].flat();
  }

  test.each(SHAPES.filter((_, at) => at % SHAPES_TRIED === 0))(
    'is cleaned up after, and nobody else is touched: %j',
    async (shape) => {
      const bench = ownBench(shape);
      const foreign = [
        bench.addForeign('Badge printer'),
        bench.addForeign('eventreg listen'),
        bench.addForeign('eventreg listen somebody-else', 'https://here.example/x'),
      ];
      const choose = random(SHAPES.indexOf(shape));
      const points = Array.from({ length: 16 }, (_, nth) => nth + 1).flatMap((nth) =>
        (['before', 'after', 'lost'] as const).map((fate) => ({ nth, fate })),
      );
      const { webhookDelete, webhookList, webhookShown } = shape;
      const isPlain = webhookDelete === 'done' && webhookList === 'shown' && webhookShown === 'as-sent';
      for (const { nth, fate } of [{ nth: 0, fate: 'lost' as const }, ...choose.some(points, DEATHS)]) {
        const { ended, cleaned } = await live(bench, `${nth}-${fate}`, (at) => (at === nth ? fate : 'serve'));
        const wrongs = [...wrongsOf(ended), ...wrongsOf(cleaned)];
        expect([wrongs, { nth, fate, ended, cleaned }]).toEqual([[], expect.anything()]);
        // What the service can delete, and shows, is gone.
        if (isPlain) expect([nth, fate, cleaned.held]).toEqual([nth, fate, []]);
      }
      expect(bench.webhooks.list().slice(0, foreign.length)).toEqual(foreign);
      const theirs = foreign.map(({ webhook_id: id }) => String(id));
      expect(bench.state.touched.filter((id) => theirs.includes(id))).toEqual([]);
    },
  );
});
