import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { webhookFile } from '../../../src/webhooks/deliveries/webhook-database.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const about = (listen: string) => ({
  service: 'sandbox:1',
  listen,
  verdict: 'unsigned',
  why: 'It has no header.',
  answer: undefined,
});
const arrival = { atMs: 1_800_000_000_000, headers: ['webhook-id', 'm1'], body: Buffer.from('{}') };

test.each([
  [1, 'an older'],
  [99, 'a newer'],
])('a file of the shape %i is left as it is', (version, which) => {
  const directory = temporaryDirectory();
  const database = new DatabaseSync(webhookFile(directory));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  expect(() => new ReceivedStore(directory, arrival.atMs)).toThrow(`it was written by ${which} eventreg`);
});

test('what a delivery was answered with is kept, and why', async () => {
  const store = new ReceivedStore(temporaryDirectory(), arrival.atMs);
  onTestFinished(() => store.close());
  await store.add(arrival, about('a'));
  await store.noteAnswer(1, 502, 'nothing listens');
  expect(store.last(10)).toMatchObject([
    { no: 1, why: 'It has no header.', answer: 502, error: 'nothing listens' },
  ]);
});

test('what came to another listen makes none a second one, and none late', async () => {
  const store = new ReceivedStore(temporaryDirectory(), arrival.atMs);
  onTestFinished(() => store.close());
  const at = (minute: number, id: string) => ({
    ...arrival,
    headers: ['webhook-id', id],
    body: Buffer.from(
      JSON.stringify({ registration: { barcode: 'A', updated_at: `2027-01-01T00:0${minute}:00Z` } }),
    ),
  });
  await store.add(at(2, 'm2'), about('a'));
  await store.add(at(2, 'm2'), about('b'));
  await store.add(at(1, 'm1'), about('c'));
  await store.add(at(1, 'm1'), about('b'));
  await store.add(at(2, 'm2'), about('a'));
  const told = store.last(10).map(({ nth, lateAfter }) => [nth, lateAfter]);
  expect(told).toEqual([
    [1, undefined],
    [1, undefined],
    [1, undefined],
    [1, 2],
    [2, undefined],
  ]);
});
