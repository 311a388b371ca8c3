import { describe, expect, test } from 'vitest';
import { AuthorisationError, ServiceError } from '../../../src/errors.ts';
import type { WebhookBody, WebhookRecord } from '../../../src/service/contracts/webhook.ts';
import type { WebhooksClient } from '../../../src/service/webhooks.ts';
import { whyTellsNothing } from '../../../src/webhooks/own/evidence.ts';
import { makeOwn } from '../../../src/webhooks/own/make-own.ts';
import { OwnBooks } from '../../../src/webhooks/own/own-books.ts';
import { removeOwn } from '../../../src/webhooks/own/remove-own.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { bodyOf, intentOf, listenOf, ownBench } from './own-bench.ts';

const ONE = listenOf('one');
const OTHERS = ['Badge printer', 'CRM sync'];

type Held = Partial<WebhookBody> & { name: string };

interface Ways {
  /** `place`: how far up it is, the newest first. */
  ids: 'number' | 'place';
  /** Whether a webhook can be read at its own address. */
  reads: boolean;
  /** What it does when it is told to delete. */
  deletes?: 'done' | 'ignored' | 'missing';
}

/** A service that lists nothing, and makes anew what it is told to change and does not have. */
function unlisted({ ids, reads, deletes = 'done' }: Ways) {
  const held = new Map<string, Held>(OTHERS.map((name, at) => [String(at + 1), { name }]));
  const keyOf = (id: string): string =>
    ids === 'number' ? id : ([...held.keys()].toReversed()[Number(id) - 1] ?? '');
  const shown = (id: string, { name, webhook_url: url = `https://other.example/${name}`, active }: Held) =>
    ({ id, shownId: id, name, url, triggers: [], active, raw: {} }) satisfies WebhookRecord;
  const asked: string[] = [];
  const client: WebhooksClient = {
    list: () => Promise.resolve([]),
    create(body) {
      held.set('3', body);
      return Promise.resolve(shown(ids === 'number' ? '3' : '1', body));
    },
    update(id, body) {
      asked.push(`PUT ${id}`);
      held.set(keyOf(id) || id, { name: '', ...held.get(keyOf(id)), ...body });
      return Promise.resolve(undefined);
    },
    remove(id) {
      asked.push(`DELETE ${id}`);
      if (deletes !== 'ignored') held.delete(keyOf(id));
      const status = deletes === 'missing' ? 404 : 204;
      return Promise.resolve({ status, url: new URL(`https://here.example/v1/webhooks/${id}`) });
    },
    read(id) {
      const one = held.get(keyOf(id));
      if (!reads) return Promise.reject(new ServiceError('There is no such path.'));
      return Promise.resolve(one && shown(id, one));
    },
  };
  return { client, held, asked };
}

describe('what a list never shows', () => {
  test.each<[string, Ways, object, string[]]>([
    ['is gone', { ids: 'number', reads: true }, { result: 'deleted' }, ['DELETE 3']],
    ['cannot be told', { ids: 'number', reads: false }, { result: 'left', isUnsure: true }, ['DELETE 3']],
    [
      'is gone, and it said 404',
      { ids: 'number', reads: true, deletes: 'missing' },
      { result: 'deleted' },
      ['DELETE 3'],
    ],
    [
      'is still there, and goes off',
      { ids: 'number', reads: true, deletes: 'ignored' },
      { result: 'inactive', why: expect.stringContaining('it is still shown') },
      ['DELETE 3', 'PUT 3'],
    ],
    [
      'is gone, and another has its place',
      { ids: 'place', reads: true },
      { result: 'deleted' },
      ['DELETE 1'],
    ],
    ['may be gone', { ids: 'place', reads: false }, { result: 'left', isUnsure: true }, ['DELETE 1']],
  ])('%s: %j', async (_, ways, fate, writes) => {
    const { client, held, asked } = unlisted(ways);
    const parts = { ...ownBench().partsWith(new OwnBooks(temporaryDirectory())), client };
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), parts);
    asked.length = 0;
    expect([await removeOwn(made, parts), asked]).toMatchObject([fate, writes]);
    expect([...held.values()].map(({ name }) => name).slice(0, 2)).toEqual(OTHERS);
    expect(held.size).toBe(ways.deletes === 'ignored' ? 3 : 2);
    // What said that it was deleted is not deleted once more.
    if ('isUnsure' in fate) expect(await removeOwn(made, parts)).toMatchObject(fate);
    expect(asked).toEqual(writes);
    parts.books.close();
  });

  test('is left alone where the id of its answer is in the list as that of several', async () => {
    const { client, asked } = unlisted({ ids: 'number', reads: false });
    const intent = intentOf(ONE);
    const rows = [intent.name, ...OTHERS].map((name) => ({ name, raw: { id: 3 }, triggers: [] }));
    const list = (): Promise<WebhookRecord[]> => Promise.resolve(rows as unknown as WebhookRecord[]);
    const books = new OwnBooks(temporaryDirectory());
    const parts = { ...ownBench().partsWith(books), client: { ...client, list } };
    await expect(makeOwn(intent, bodyOf(intent.name), parts)).rejects.toThrow('does not show');
    const own = books.find(ONE);
    expect(own && (await removeOwn(own, parts))).toMatchObject({ result: 'left' });
    expect(asked).toEqual([]);
    books.close();
  });

  test('is not said to be there where it may never have been made', async () => {
    const { client } = unlisted({ ids: 'number', reads: true });
    const books = new OwnBooks(temporaryDirectory());
    const rows = OTHERS.map((name, at) => ({ id: String(at), name, raw: {}, triggers: [] }));
    const list = (): Promise<WebhookRecord[]> => Promise.resolve(rows as unknown as WebhookRecord[]);
    const parts = { ...ownBench().partsWith(books), client: { ...client, list } };
    const intent = intentOf(ONE);
    const create = (): Promise<undefined> => Promise.resolve(undefined);
    const making = makeOwn(intent, bodyOf(intent.name), { ...parts, client: { ...parts.client, create } });
    await expect(making).rejects.toThrow('does not show that it has made');
    const own = books.find(ONE);
    const why = expect.stringContaining('whether it was made cannot be told');
    expect(own && (await removeOwn(own, parts))).toMatchObject({ result: 'left', isUnsure: true, why });
    books.close();
  });

  test('is known by the id that is its answer, where its own address shows it', async () => {
    const { client, held } = unlisted({ ids: 'number', reads: true });
    const books = new OwnBooks(temporaryDirectory());
    const create: WebhooksClient['create'] = async (body) => {
      const made = await client.create(body);
      return made && { ...made, name: undefined, url: undefined };
    };
    const parts = { ...ownBench().partsWith(books), client: { ...client, create } };
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), parts);
    expect([made.webhookId, await removeOwn(made, parts), held.size]).toEqual([
      '3',
      { result: 'deleted' },
      2,
    ]);
    const hidden = { ...parts.client, read: () => Promise.resolve(undefined) };
    const making = makeOwn(intent, bodyOf(intent.name), { ...parts, client: hidden });
    await expect(making).rejects.toThrow('its answer names 3 alone.');
    books.close();
  });

  test.each([
    [new ServiceError('404: Not Found'), '404: Not Found.'],
    [new AuthorisationError('403.'), '403.'],
    [new ServiceError('It is silent.', { cause: new Error('silence') }), undefined],
  ])('is not proven by a list that cannot be read: %s', (error, why) => {
    expect(whyTellsNothing(error)).toBe(why);
  });

  test('is left alone where its address shows another by now', async () => {
    const { client, held, asked } = unlisted({ ids: 'place', reads: true });
    const parts = { ...ownBench().partsWith(new OwnBooks(temporaryDirectory())), client };
    const intent = intentOf(ONE);
    const made = await makeOwn(intent, bodyOf(intent.name), parts);
    held.set('4', { name: 'Newer' });
    asked.length = 0;
    expect([await removeOwn(made, parts), asked]).toMatchObject([{ result: 'left' }, []]);
    expect(parts.books.find(ONE)).toBeDefined();
    parts.books.close();
  });
});
