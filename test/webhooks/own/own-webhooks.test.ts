import { expect, describe, test } from 'vitest';
import { SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { makeOwn } from '../../../src/webhooks/own/make-own.ts';
import { OwnBooks } from '../../../src/webhooks/own/own-books.ts';
import { removeOwn } from '../../../src/webhooks/own/remove-own.ts';
import { random } from '../../model/random.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { bodyOf, type Fate, intentOf, Killed, ownBench } from './own-bench.ts';

/** Deaths tried of each shape; all 48 of them at night. By day one shape in five is enough. */
const DEATHS = Number(process.env['EVENTREG_DEATHS'] ?? 2);
const SHAPES_TRIED = process.env['EVENTREG_DEATHS'] === undefined ? 5 : 1;

const words = (name: keyof Switches): readonly string[] => {
  const { allowed } = SWITCHES.find((one) => one.name === name) ?? { allowed: [] };
  return 'min' in allowed ? [] : allowed;
};

/** Every shape that the paths and answers of webhooks may have. */
const SHAPES = (['webhookList', 'webhookDelete', 'webhookUpdate', 'webhookAnswer'] as const).reduce<
  Record<string, string>[]
>((shapes, name) => shapes.flatMap((shape) => words(name).map((word) => ({ ...shape, [name]: word }))), [{}]);

describe('a listen that lives', () => {
  test('makes a webhook switched off, switches it on, and proves that it is gone', async () => {
    const { webhooks, state, partsWith } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf('one');
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    expect([webhooks.list()[0]?.active, made.webhookId, state.asked]).toEqual([true, '1', ['POST', 'PUT']]);
    expect(books.find('one')).toMatchObject({ webhookId: '1', canUpdate: true });
    expect(await removeOwn(made, partsWith(books))).toEqual({ result: 'deleted' });
    expect([webhooks.list(), books.find('one')]).toEqual([[], undefined]);
    books.close();
  });

  test('finds by its name what a lost answer hides', async () => {
    const { webhooks, state, partsWith } = ownBench();
    state.fate = (nth) => (nth === 1 ? 'lost' : 'serve');
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf('one');
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    expect([webhooks.list().length, made.webhookId, webhooks.list()[0]?.active]).toEqual([1, '1', true]);
    books.close();
  });

  test('forgets an intent that the service has refused', async () => {
    const { partsWith, state } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf('one');
    const body = { ...bodyOf(intent.name), event_id: 1 };
    await expect(makeOwn(intent, body, partsWith(books))).rejects.toThrow('422');
    expect([books.find('one'), state.asked]).toEqual([undefined, ['POST']]);
    books.close();
  });

  test('leaves alone what somebody has renamed', async () => {
    const { webhooks, partsWith } = ownBench();
    const books = new OwnBooks(temporaryDirectory());
    const intent = intentOf('one');
    const made = await makeOwn(intent, bodyOf(intent.name), partsWith(books));
    webhooks.update(1, { name: 'Badge printer' });
    expect(await removeOwn(made, partsWith(books))).toEqual({ result: 'renamed' });
    expect([webhooks.list()[0], books.find('one')]).toMatchObject([{ active: true }, undefined]);
    books.close();
  });

  test('is not taken for a leftover by another', async () => {
    const directory = temporaryDirectory();
    const [mine, other] = [new OwnBooks(directory), new OwnBooks(directory)];
    mine.begin(intentOf('one'));
    expect(other.leftovers('here', 0)).toEqual([]);
    mine.close();
    expect(other.leftovers('here', 0)).toMatchObject([{ listen: 'one' }]);
    expect(other.leftovers('elsewhere', 0)).toEqual([]);
    other.close();
  });
});

describe('a listen that is killed', () => {
  /** Kills one at a request, looks what is left, and cleans up. */
  async function kill(bench: ReturnType<typeof ownBench>, listen: string, nth: number, fate: Fate) {
    const directory = temporaryDirectory();
    const first = new OwnBooks(directory);
    const intent = intentOf(listen);
    bench.state.asked.length = 0;
    bench.state.fate = (at) => (at === nth ? fate : 'serve');
    try {
      const made = await makeOwn(intent, bodyOf(intent.name), bench.partsWith(first));
      await removeOwn(made, bench.partsWith(first));
    } catch (error) {
      const own = error instanceof Killed ? undefined : first.find(listen);
      // It fails for another reason, and puts things in order until it is killed at that.
      if (own !== undefined) await removeOwn(own, bench.partsWith(first)).catch(() => undefined);
    }
    first.close();
    bench.state.fate = () => 'serve';
    const left = bench.webhooks.list().filter(({ name }) => name === intent.name);
    const second = new OwnBooks(directory);
    const known = second.leftovers('here', intent.at);
    const fates = [];
    for (const own of known) fates.push((await removeOwn(own, bench.partsWith(second))).result);
    const stillKnown = second.leftovers('here', intent.at).length > 0;
    second.close();
    const after = bench.webhooks.list().filter(({ name }) => name === intent.name);
    return { left: left.length, known: known.length, fates, after, stillKnown };
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
      const { webhookDelete, webhookList, webhookUpdate } = shape;
      for (const { nth, fate } of choose.some(points, DEATHS)) {
        const { left, known, fates, after, stillKnown } = await kill(bench, `${nth}-${fate}`, nth, fate);
        const about = JSON.stringify({ nth, fate, fates, left });
        // What is left is named, before and after.
        if (left > 0) expect([about, known]).toEqual([about, 1]);
        if (after.length > 0) expect([about, stillKnown]).toEqual([about, true]);
        // What the service can delete, and shows, is gone.
        if (webhookDelete === 'done' && webhookList === 'shown') expect([about, after]).toEqual([about, []]);
        // What is told is so.
        if (fates.includes('deleted') || fates.includes('absent'))
          expect([about, after]).toEqual([about, []]);
        if (fates.includes('inactive') && webhookUpdate === 'done') {
          expect([about, after.map(({ active }) => active)]).toEqual([about, [false]]);
        }
      }
      expect(bench.webhooks.list().slice(0, foreign.length)).toEqual(foreign);
    },
  );
});
