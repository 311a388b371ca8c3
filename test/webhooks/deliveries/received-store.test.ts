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

test('a file of the first shape gets what it lacks, and keeps what it has', async () => {
  const directory = temporaryDirectory();
  const old = new ReceivedStore(directory, arrival.atMs);
  await old.add(arrival, about('a'));
  old.close();
  const database = new DatabaseSync(webhookFile(directory));
  database.exec('ALTER TABLE delivery DROP COLUMN why; ALTER TABLE delivery DROP COLUMN error;');
  for (const column of ['shown_name', 'shown_url', 'is_made', 'is_listed', 'is_settled']) {
    database.exec(`ALTER TABLE own_webhook DROP COLUMN ${column}`);
  }
  database.exec('DROP TABLE own_shown');
  database.exec('PRAGMA user_version = 1');
  database.close();
  const store = new ReceivedStore(directory, arrival.atMs);
  onTestFinished(() => store.close());
  await store.add(arrival, about('a'));
  await store.noteAnswer(2, 502, 'nothing listens');
  expect(store.last(10)).toMatchObject([
    { no: 1, why: undefined, error: undefined },
    { no: 2, why: 'It has no header.', error: 'nothing listens', nth: 2 },
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
