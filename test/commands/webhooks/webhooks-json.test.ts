import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { OwnBooks } from '../../../src/webhooks/own/own-books.ts';
import type { Bench } from '../../sync/push-bench.ts';
import { type Case, holdToContract, NAME, SECRET, unreachable } from '../json-cases.ts';
import { application } from './listen-bench.ts';

const LISTEN = ['webhooks', 'listen', '--port', '0'];
const PERSON = { first_name: NAME, email: 'a@example.com' };
const BODY = JSON.stringify({
  event: 'registration.updated',
  registration: { barcode: 'A', fields: PERSON },
});
const env = { ...unreachable, EVENTREG_INTEG_URL: 'http://127.0.0.1:9' };
const stopped = { stopping: AbortSignal.abort(new InterruptedError()) };

const stateOf = ({ directory }: Bench): string => join(directory, 'state');

/** Deliveries 1 and 2, of which the second is no text. */
async function received(bench: Bench): Promise<void> {
  const store = new ReceivedStore(stateOf(bench), bench.clock.now());
  const about = {
    service: bench.sandbox.baseUrl,
    listen: 'a',
    verdict: 'valid',
    why: 'It fits.',
    answer: 200,
  };
  const headers = ['Authorization', 'Basic eDp5', 'webhook-id', 'm1'];
  for (const body of [Buffer.from(BODY), Buffer.of(0xff)]) {
    await store.add({ atMs: bench.clock.now(), headers, body }, about);
  }
  store.close();
}

/** With where they may be sent on to. */
const withTarget =
  (status: number) =>
  async (bench: Bench): Promise<string> => {
    await received(bench);
    await bench.push(['a.csv', '--no-audit']);
    return (await application(() => ({ status }))).url;
  };

const broken = async (bench: Bench): Promise<void> => {
  await received(bench);
  const db = new DatabaseSync(join(stateOf(bench), 'webhooks.sqlite'));
  db.exec('DROP TABLE delivery; CREATE TABLE delivery (no INTEGER)');
  db.close();
};

/** What a killed listen has left. */
async function left(bench: Bench): Promise<void> {
  const name = 'eventreg listen 0123456789abcdef';
  const url = 'http://127.0.0.1:9/0123';
  await bench.run(['webhooks', 'create', '--url', url, '--trigger', 'registration.updated', '--name', name]);
  const books = new OwnBooks(stateOf(bench));
  const service = `${bench.env['EVENTREG_INTEG_URL']}/v1/webhooks`;
  const at = bench.clock.now();
  books.begin({ listen: '0123456789abcdef', service, name, url, at });
  books.note('0123456789abcdef', { webhookId: '1', isMade: true });
  books.close();
}

const withSecret = { overrides: { stdinText: SECRET } };

const LISTENING: Case[] = [
  {
    argv: [...LISTEN, '--for', '1s', '--secret-stdin'],
    exit: 0,
    is: 'webhooks-listen',
    ...withSecret,
    has: { deliveries: 0, scheme: null, retries_ms: null, webhook: 'deleted' },
  },
  {
    argv: [...LISTEN, '--for', '1s', '--count', '1'],
    exit: 6,
    is: 'webhooks-listen',
    code: 'gave-up',
    has: { deliveries: 0, webhook: 'deleted' },
  },
  { argv: [...LISTEN], exit: 130, is: '!interrupted', overrides: stopped },
  { argv: [...LISTEN, '--respond', 'never'], exit: 2, is: '!usage' },
  { argv: [...LISTEN, '--verify', 'nonsense'], exit: 2, is: '!usage' },
  {
    argv: [...LISTEN],
    exit: 2,
    is: '!usage',
    overrides: { env: { ...env, EVENTREG_INTEG_URL: 'https://hooks.example' } },
  },
  { argv: [...LISTEN], exit: 4, is: '!unauthorised', switches: { auth: '401' } },
  { argv: [...LISTEN], exit: 1, is: '!service', overrides: { env } },
  { argv: [...LISTEN, '--tunnel', 'exit 3'], exit: 1, is: '!service' },
  {
    argv: [...LISTEN, '--for', '1m'],
    exit: 1,
    is: '!service',
    switches: { webhookDelete: 'absent', webhookUpdate: 'absent' },
  },
  { argv: [...LISTEN], exit: 1, is: '!machine', after: broken },
  { argv: [...LISTEN, '--cleanup'], exit: 0, is: 'webhooks-cleanup', has: { results: [] } },
  {
    argv: [...LISTEN, '--cleanup'],
    exit: 0,
    is: 'webhooks-cleanup',
    after: left,
    has: { results: [{ id: '1', result: 'deleted', why: null }] },
  },
  {
    argv: [...LISTEN, '--cleanup'],
    exit: 1,
    is: 'webhooks-cleanup',
    code: 'service',
    after: left,
    switches: { webhookDelete: 'absent', webhookUpdate: 'absent' },
    has: { results: [{ result: 'left' }] },
  },
  {
    argv: [...LISTEN, '--cleanup'],
    exit: 7,
    is: '!confirmation',
    after: left,
    switches: { webhookList: 'absent' },
  },
];

const STORED: Case[] = [
  { argv: ['webhooks', 'deliveries'], exit: 0, is: 'webhooks-deliveries', has: { deliveries: [] } },
  {
    argv: ['webhooks', 'deliveries'],
    exit: 0,
    is: 'webhooks-deliveries',
    after: received,
    has: {
      deliveries: [
        { delivery: 1, barcode: 'A', verdict: 'valid', why: 'It fits.', answer: 200, answer_why: null },
        { trigger: null },
      ],
    },
  },
  {
    argv: ['webhooks', 'deliveries', 'show', '1'],
    exit: 0,
    is: 'webhooks-deliveries-show',
    after: received,
    has: {
      headers: [
        ['Authorization', '[redacted]'],
        ['webhook-id', 'm1'],
      ],
      body_base64: null,
    },
  },
  {
    argv: ['webhooks', 'deliveries', 'show', '1', '--show-values'],
    exit: 0,
    is: 'webhooks-deliveries-show',
    after: received,
    personal: true,
    has: { body: BODY, body_base64: Buffer.from(BODY).toString('base64') },
  },
  {
    argv: ['webhooks', 'deliveries', 'show', '2'],
    exit: 0,
    is: 'webhooks-deliveries-show',
    after: received,
    has: { body: null },
  },
  { argv: ['webhooks', 'deliveries', 'show', '3'], exit: 2, is: '!usage', after: received },
  { argv: ['webhooks', 'deliveries', 'show', 'x'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'deliveries', 'shwo'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'deliveries'], exit: 1, is: '!machine', after: broken },
];

const SENT: Case[] = [
  {
    argv: ['webhooks', 'replay', '2', '1', '--to', '{made}'],
    exit: 0,
    is: 'webhooks-replay',
    after: withTarget(200),
    has: { results: [{ delivery: 2, status: 200, error: null }, { delivery: 1 }] },
  },
  {
    argv: ['webhooks', 'replay', '1', '--to', '{made}', '--sign', 'standard', '--secret-stdin'],
    exit: 1,
    is: 'webhooks-replay',
    code: 'service',
    ...withSecret,
    after: withTarget(500),
    has: { results: [{ delivery: 1, status: 500, error: null }] },
  },
  {
    argv: ['webhooks', 'replay', '1', '--to', 'http://127.0.0.1:9/'],
    exit: 1,
    is: 'webhooks-replay',
    code: 'service',
    after: received,
    has: { results: [{ delivery: 1, status: null, error: 'nothing listens at http://127.0.0.1:9' }] },
  },
  {
    argv: ['webhooks', 'replay', '3', '--to', 'http://127.0.0.1:9/'],
    exit: 2,
    is: '!usage',
    after: received,
  },
  { argv: ['webhooks', 'replay', '1'], exit: 2, is: '!usage', after: received },
  {
    argv: ['webhooks', 'trigger', '--to', '{made}', '--sign', 'github', '--secret-stdin'],
    exit: 0,
    is: 'webhooks-trigger',
    ...withSecret,
    after: withTarget(204),
    has: {
      results: [{ trigger: 'registration.updated', barcode: expect.any(String), status: 204, error: null }],
    },
  },
  {
    argv: ['webhooks', 'trigger', '--barcode', 'B', '--to', '{made}'],
    exit: 1,
    is: 'webhooks-trigger',
    code: 'service',
    after: withTarget(404),
    has: { results: [{ barcode: 'B', status: 404 }] },
  },
  { argv: ['webhooks', 'trigger'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'trigger', '--sandbox', '--body', 'broken.json'], exit: 2, is: '!usage' },
  {
    argv: ['webhooks', 'trigger', '--body', 'none.json', '--to', 'http://127.0.0.1:9/'],
    exit: 2,
    is: '!input',
  },
  {
    argv: [
      'webhooks',
      'trigger',
      '--body',
      'broken.json',
      '--override',
      'a=1',
      '--to',
      'http://127.0.0.1:9/',
    ],
    exit: 2,
    is: '!input',
  },
  {
    argv: ['webhooks', 'trigger', '--to', 'http://127.0.0.1:9/'],
    exit: 4,
    is: '!unauthorised',
    switches: { auth: '401' },
  },
  {
    argv: ['webhooks', 'trigger', '--to', 'http://127.0.0.1:9/'],
    exit: 1,
    is: '!service',
    overrides: { env },
  },
  {
    argv: ['webhooks', 'trigger', '--to', 'http://127.0.0.1:9/'],
    exit: 130,
    is: '!interrupted',
    overrides: stopped,
  },
];

const HEADER = ['--header', 'x-hub-signature-256: sha256={made}', '--secret-stdin'];
const signedBody = async (bench: Bench): Promise<string> => {
  bench.write('body.json', BODY);
  return createHmac('sha256', SECRET).update(BODY).digest('hex');
};
const VERIFIED: Case[] = [
  {
    argv: ['webhooks', 'verify', '--body', 'body.json', ...HEADER],
    exit: 0,
    is: 'webhooks-verify',
    ...withSecret,
    after: signedBody,
    has: { verdict: 'valid', scheme: 'github' },
  },
  {
    argv: ['webhooks', 'verify', '--body', 'a.csv', ...HEADER],
    exit: 3,
    is: 'webhooks-verify',
    ...withSecret,
    after: signedBody,
    has: { verdict: 'wrong', scheme: null },
  },
  {
    argv: ['webhooks', 'verify', '--body', 'body.json', '--header', 'x-signature: ab'],
    exit: 3,
    is: 'webhooks-verify',
    after: signedBody,
    has: { verdict: 'signed but no secret given' },
  },
  { argv: ['webhooks', 'verify'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'verify', '--body', 'a.csv', '--header', 'x'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'verify', '--body', 'a.csv', '--scheme', 'x'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'verify', '--body', 'a.csv', '--secret-stdin'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'verify', '--body', 'none.json'], exit: 2, is: '!input' },
];

describe.each([
  ['listen', LISTENING],
  ['deliveries', STORED],
  ['replay and trigger', SENT],
  ['verify', VERIFIED],
])('with --json webhooks %s is one document', (_, cases) => {
  holdToContract(cases);
});
