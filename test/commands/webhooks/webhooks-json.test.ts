import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { OwnBooks } from '../../../src/webhooks/own/own-books.ts';
import type { Bench } from '../../sync/push-bench.ts';
import { type Case, holdToContract, NAME, on, SECRET, unreachable } from '../json-cases.ts';
import { application } from './listen-bench.ts';

const LISTEN = 'webhooks listen --port 0';
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
  on(`${LISTEN} --for 1s --secret-stdin`, 0, 'webhooks-listen', {
    ...withSecret,
    has: { deliveries: 0, scheme: null, retries_ms: null, webhook: 'deleted' },
  }),
  on(`${LISTEN} --for 1s --count 1`, 6, 'webhooks-listen', {
    code: 'gave-up',
    has: { deliveries: 0, webhook: 'deleted' },
  }),
  on(LISTEN, 130, '!interrupted', { overrides: stopped }),
  on(`${LISTEN} --respond never`, 2, '!usage'),
  on(`${LISTEN} --verify nonsense`, 2, '!usage'),
  on(LISTEN, 2, '!usage', { overrides: { env: { ...env, EVENTREG_INTEG_URL: 'https://hooks.example' } } }),
  on(LISTEN, 4, '!unauthorised', { switches: { auth: '401' } }),
  on(LISTEN, 1, '!service', { overrides: { env } }),
  on([...LISTEN.split(' '), '--tunnel', 'exit 3'], 1, '!service'),
  on(`${LISTEN} --for 1m`, 1, '!service', { switches: { webhookDelete: 'absent', webhookUpdate: 'absent' } }),
  on(LISTEN, 1, '!machine', { after: broken }),
  on(`${LISTEN} --cleanup`, 0, 'webhooks-cleanup', { has: { results: [] } }),
  on(`${LISTEN} --cleanup`, 0, 'webhooks-cleanup', {
    after: left,
    has: { results: [{ id: '1', result: 'deleted', why: null }] },
  }),
  on(`${LISTEN} --cleanup`, 1, 'webhooks-cleanup', {
    code: 'service',
    after: left,
    switches: { webhookDelete: 'absent', webhookUpdate: 'absent' },
    has: { results: [{ result: 'left' }] },
  }),
  on(`${LISTEN} --cleanup`, 7, '!confirmation', { after: left, switches: { webhookList: 'absent' } }),
];

const STORED: Case[] = [
  on('webhooks deliveries', 0, 'webhooks-deliveries', { has: { deliveries: [] } }),
  on('webhooks deliveries', 0, 'webhooks-deliveries', {
    after: received,
    has: {
      deliveries: [
        { delivery: 1, barcode: 'A', verdict: 'valid', why: 'It fits.', answer: 200, answer_why: null },
        { trigger: null },
      ],
    },
  }),
  on('webhooks deliveries show 1', 0, 'webhooks-deliveries-show', {
    after: received,
    has: {
      headers: [
        ['Authorization', '[redacted]'],
        ['webhook-id', 'm1'],
      ],
      body_base64: null,
    },
  }),
  on('webhooks deliveries show 1 --show-values', 0, 'webhooks-deliveries-show', {
    after: received,
    personal: true,
    has: { body: BODY, body_base64: Buffer.from(BODY).toString('base64') },
  }),
  on('webhooks deliveries show 2', 0, 'webhooks-deliveries-show', { after: received, has: { body: null } }),
  on('webhooks deliveries show 3', 2, '!usage', { after: received }),
  on('webhooks deliveries show x', 2, '!usage'),
  on('webhooks deliveries shwo', 2, '!usage'),
  on('webhooks deliveries', 1, '!machine', { after: broken }),
];

const SENT: Case[] = [
  on('webhooks replay 2 1 --to {made}', 0, 'webhooks-replay', {
    after: withTarget(200),
    has: { results: [{ delivery: 2, status: 200, error: null }, { delivery: 1 }] },
  }),
  on('webhooks replay 1 --to {made} --sign standard --secret-stdin', 1, 'webhooks-replay', {
    code: 'service',
    ...withSecret,
    after: withTarget(500),
    has: { results: [{ delivery: 1, status: 500, error: null }] },
  }),
  on('webhooks replay 1 --to http://127.0.0.1:9/', 1, 'webhooks-replay', {
    code: 'service',
    after: received,
    has: { results: [{ delivery: 1, status: null, error: 'nothing listens at http://127.0.0.1:9' }] },
  }),
  on('webhooks replay 3 --to http://127.0.0.1:9/', 2, '!usage', { after: received }),
  on('webhooks replay 1', 2, '!usage', { after: received }),
  on('webhooks trigger --to {made} --sign github --secret-stdin', 0, 'webhooks-trigger', {
    ...withSecret,
    after: withTarget(204),
    has: {
      results: [{ trigger: 'registration.updated', barcode: expect.any(String), status: 204, error: null }],
    },
  }),
  on('webhooks trigger --barcode B --to {made}', 1, 'webhooks-trigger', {
    code: 'service',
    after: withTarget(404),
    has: { results: [{ barcode: 'B', status: 404 }] },
  }),
  on('webhooks trigger', 2, '!usage'),
  on('webhooks trigger --sandbox --body broken.json', 2, '!usage'),
  on('webhooks trigger --body none.json --to http://127.0.0.1:9/', 2, '!input'),
  on('webhooks trigger --body broken.json --override a=1 --to http://127.0.0.1:9/', 2, '!input'),
  on('webhooks trigger --to http://127.0.0.1:9/', 4, '!unauthorised', { switches: { auth: '401' } }),
  on('webhooks trigger --to http://127.0.0.1:9/', 1, '!service', { overrides: { env } }),
  on('webhooks trigger --to http://127.0.0.1:9/', 130, '!interrupted', { overrides: stopped }),
];

const HEADER = ['--header', 'x-hub-signature-256: sha256={made}', '--secret-stdin'];
const signedBody = async (bench: Bench): Promise<string> => {
  bench.write('body.json', BODY);
  return createHmac('sha256', SECRET).update(BODY).digest('hex');
};
const VERIFIED: Case[] = [
  on(['webhooks', 'verify', '--body', 'body.json', ...HEADER], 0, 'webhooks-verify', {
    ...withSecret,
    after: signedBody,
    has: { verdict: 'valid', scheme: 'github' },
  }),
  on(['webhooks', 'verify', '--body', 'a.csv', ...HEADER], 3, 'webhooks-verify', {
    ...withSecret,
    after: signedBody,
    has: { verdict: 'wrong', scheme: null },
  }),
  on(['webhooks', 'verify', '--body', 'body.json', '--header', 'x-signature: ab'], 3, 'webhooks-verify', {
    after: signedBody,
    has: { verdict: 'signed but no secret given' },
  }),
  on('webhooks verify', 2, '!usage'),
  on('webhooks verify --body a.csv --header x', 2, '!usage'),
  on('webhooks verify --body a.csv --scheme x', 2, '!usage'),
  on('webhooks verify --body a.csv --secret-stdin', 2, '!usage'),
  on('webhooks verify --body none.json', 2, '!input'),
];

describe.each([
  ['listen', LISTENING],
  ['deliveries', STORED],
  ['replay and trigger', SENT],
  ['verify', VERIFIED],
])('with --json webhooks %s is one document', (_, cases) => {
  holdToContract(cases);
});
