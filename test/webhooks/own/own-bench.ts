import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { DEMO_EVENT } from '../../../src/sandbox/demo-event.ts';
import { Store } from '../../../src/sandbox/store/store.ts';
import { DEFAULT_SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { WebhookStore } from '../../../src/sandbox/store/webhook-store.ts';
import { answerWebhooks } from '../../../src/sandbox/webhook-routes.ts';
import { type Network, TransportError } from '../../../src/service/http/http.ts';
import type { WebhookBody } from '../../../src/service/contracts/webhook.ts';
import type { OwnParts } from '../../../src/webhooks/own/find-own.ts';
import type { OwnBooks, OwnIntent } from '../../../src/webhooks/own/own-books.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { clientOver } from '../../support/service-client.ts';

/**
 * The process is killed before its request leaves, or before it hears of the answer; `lost`: only the answer is;
 * `refused`: what was done is answered with 422; `conflict`: nothing was done, and it is answered with 409.
 */
export type Fate = 'serve' | 'before' | 'after' | 'lost' | 'refused' | 'conflict';

export class Killed extends Error {}

/** A service with webhooks of others, without sockets, and what is asked of it. */
export function ownBench(switches: Partial<Switches> = {}) {
  const store = new Store(':memory:');
  const webhooks = new WebhookStore(store.file);
  onTestFinished(() => store.close());
  const parts = { event: DEMO_EVENT, webhooks, switches: { ...DEFAULT_SWITCHES, ...switches } };
  const clock = fakeClock({ auto: true });
  const state = { fate: (_nth: number): Fate => 'serve', asked: [] as string[], touched: [] as string[] };
  let isDead = false;

  const network: Network = ({ method, url, body = '' }) => {
    if (isDead) return Promise.reject(new Killed());
    const id = url.pathname.split('/').at(-1) ?? '';
    state.asked.push(method);
    const fate = state.fate(state.asked.length);
    isDead = fate === 'before' || fate === 'after';
    if (fate === 'before') return Promise.reject(new Killed());
    if (fate === 'conflict') return Promise.resolve({ status: 409, headers: {}, body: '{}' });
    if (method === 'PUT' || method === 'DELETE') state.touched.push(id);
    const path = url.pathname.replace(/^.*(?=\/v1\/)/, '');
    const answer = answerWebhooks(parts, {
      method,
      path,
      query: url.searchParams,
      body: body === '' ? undefined : JSON.parse(body),
    });
    if (fate === 'after') return Promise.reject(new Killed());
    if (fate === 'refused') return Promise.resolve({ status: 422, headers: {}, body: '{}' });
    if (fate === 'lost') {
      return Promise.reject(new TransportError('lost', { code: 'ECONNRESET', sent: true }));
    }
    return Promise.resolve({ status: answer.status, headers: {}, body: answer.body });
  };
  const { client } = clientOver(network, { clock });
  const signal = new AbortController().signal;
  return {
    webhooks,
    state,
    clock,
    /** The next process. */
    revive(): void {
      isDead = false;
      state.fate = () => 'serve';
    },
    partsWith: (books: OwnBooks): OwnParts => ({
      client: client.webhooks,
      books,
      clock,
      stopping: signal,
      aborting: signal,
    }),
    /** A webhook of somebody else. */
    addForeign: (name: string, url = 'https://other.example/in') =>
      webhooks.create({ ...bodyOf(name), webhook_url: url }),
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** As random as it would be, and the same each time. */
export const listenOf = (seed: string): string => digestOf(`listen ${seed}`).slice(0, 16);

export const bodyOf = (name: string): WebhookBody => ({
  event_id: DEMO_EVENT.event_id,
  name,
  webhook_url: `https://here.example/${digestOf(name)}`,
  triggers: ['registration.updated'],
  active: true,
  config: {},
  signing_secret_encrypted: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
});

export const intentOf = (listen: string): OwnIntent => ({
  listen,
  service: 'here',
  name: `eventreg listen ${listen}`,
  url: bodyOf(`eventreg listen ${listen}`).webhook_url,
  at: Date.UTC(2026, 0, 15),
});
