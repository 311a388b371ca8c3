import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { webhookFile } from '../../../src/webhooks/deliveries/webhook-database.ts';

const about = (listen: string) => ({
  service: 'sandbox:1',
  listen,
  verdict: 'unsigned',
  why: 'It has no header.',
  answer: undefined,
});
const arrival = { atMs: 1_800_000_000_000, headers: ['webhook-id', 'm1'], body: Buffer.from('{}') };

function stateDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'eventreg-received-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a file of the first shape gets what it lacks, and keeps what it has', async () => {
  const directory = stateDirectory();
  const old = new ReceivedStore(directory, arrival.atMs);
  await old.add(arrival, about('a'));
  old.close();
  const database = new DatabaseSync(webhookFile(directory));
  database.exec('ALTER TABLE delivery DROP COLUMN why; ALTER TABLE delivery DROP COLUMN error;');
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
