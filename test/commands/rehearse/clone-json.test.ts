import { describe } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import type { Bench } from '../../sync/push-bench.ts';
import { type Case, holdToContract, on, SECRET, unreachable } from '../json-cases.ts';
import { application } from '../webhooks/listen-bench.ts';

const CLONE = 'sandbox clone --as fair';
const HOOK = ['--url', 'https://hooks.example.com/a', '--trigger', 'registration.updated', '--event', '4711'];
const stopped = { stopping: AbortSignal.abort(new InterruptedError()) };

const pushed = async (bench: Bench): Promise<unknown> => await bench.push(['a.csv', '--no-audit']);
const cloned = async (bench: Bench): Promise<unknown> => await bench.run(CLONE.split(' '));

const CLONES: Case[] = [
  on(CLONE, 0, 'sandbox-clone', {
    async after(bench) {
      await pushed(bench);
      await bench.run(['webhooks', 'create', ...HOOK, '--secret-stdin'], { stdinText: SECRET });
    },
    has: {
      name: 'fair',
      kept: 'masked',
      registrations: 3,
      webhooks: [{ url: 'https://hooks.example.com/a' }],
    },
  }),
  on(`${CLONE} --registrations as-they-are --yes`, 0, 'sandbox-clone', {
    after: pushed,
    has: { kept: 'as-they-are', registrations: 3 },
  }),
  on(`${CLONE} --registrations none`, 0, 'sandbox-clone', { after: pushed, has: { registrations: 0 } }),
  on(`${CLONE} --yes`, 0, 'sandbox-clone', { after: cloned }),
  on(CLONE, 7, '!confirmation', { after: cloned }),
  on('sandbox clone --as ../x', 2, '!usage'),
  on(`${CLONE} --registrations some`, 2, '!usage'),
  on(`${CLONE} --limit 0`, 2, '!usage'),
  on(CLONE, 4, '!unauthorised', { switches: { auth: '401' } }),
  on(CLONE, 1, '!service', { switches: { event: '404' } }),
  on(CLONE, 1, '!service', { overrides: { env: unreachable } }),
  on(CLONE, 130, '!interrupted', { overrides: stopped }),
  on('sandbox clones', 0, 'sandbox-clones', { has: { clones: [] } }),
  on('sandbox clones', 0, 'sandbox-clones', {
    after: cloned,
    has: { clones: [{ name: 'fair', kept: 'masked', registrations: 0 }] },
  }),
  on('sandbox reset fair --yes', 0, 'sandbox-reset', { after: cloned }),
  on('sandbox reset fair', 7, '!confirmation', { after: cloned }),
  on('sandbox reset other --yes', 2, '!usage', { after: cloned }),
  on('event --sandbox=other', 2, '!usage', { after: cloned }),
];

const MASKS: Case[] = [
  on('sandbox mask a.csv', 0, 'sandbox-mask', { after: cloned, has: { rows: 3, clone: 'fair' } }),
  on('sandbox mask a.csv --to b.csv', 7, '!confirmation', { after: cloned }),
  on('sandbox mask none.csv', 2, '!input', { after: cloned }),
  on('sandbox mask broken.json', 2, '!input', { after: cloned }),
  on('sandbox mask a.csv', 2, '!usage'),
  on('sandbox mask a.csv --sandbox=other', 2, '!usage', { after: cloned }),
  on('sandbox mask -', 2, '!usage', { after: cloned }),
  on('sandbox mask a.csv', 2, '!usage', {
    after: (bench) => bench.run(`${CLONE} --registrations as-they-are --yes`.split(' ')),
  }),
];

/** What the sandbox has told a receiver, which answers so. */
const told =
  (status: number) =>
  async (bench: Bench): Promise<string> => {
    const { url } = await application(() => ({ status }));
    const hook = ['--url', url, '--trigger', 'registration.updated', '--secret-stdin', '--sandbox'];
    await bench.run(['webhooks', 'create', ...hook], { stdinText: SECRET });
    bench.write('told.json', '{"event":"registration.updated","name":"Zanzibara"}');
    await bench.run(['webhooks', 'trigger', '--sandbox', '--body', 'told.json']);
    return url;
  };

const unusable = async (bench: Bench): Promise<unknown> =>
  Promise.resolve(bench.write('odd.sqlite', 'no database at all, but a file of some length'));

const DELIVERIES: Case[] = [
  on('sandbox deliveries', 0, 'sandbox-deliveries', { has: { deliveries: [] } }),
  on('sandbox deliveries', 0, 'sandbox-deliveries', {
    after: told(200),
    has: { deliveries: [{ number: 1, state: 'delivered', attempts: [{ status: 200 }] }] },
  }),
  on('sandbox deliveries --dead', 0, 'sandbox-deliveries', {
    after: told(410),
    has: { deliveries: [{ number: 1, state: 'dead', attempts: [{ status: 410 }] }] },
  }),
  on('sandbox deliveries --data odd.sqlite', 1, '!service', { after: unusable }),
  on('sandbox deliveries --sandbox=other', 2, '!usage'),
  on('sandbox redeliver 1', 0, 'sandbox-redeliver', {
    after: told(200),
    has: { delivery: { number: 1, state: 'delivered', attempts: [{ status: 200 }, { status: 200 }] } },
  }),
  on('sandbox redeliver 1', 1, 'sandbox-redeliver', {
    code: 'service',
    after: told(500),
    has: { delivery: { state: 'waiting', attempts: [{ status: 500 }, { status: 500 }] } },
  }),
  on('sandbox redeliver 2', 2, '!usage', { after: told(200) }),
  on('sandbox redeliver x', 2, '!usage'),
  on('sandbox redeliver 1 --data odd.sqlite', 1, '!service', { after: unusable }),
];

describe.each([
  ['clone, clones and reset', CLONES],
  ['mask', MASKS],
  ['deliveries and redeliver', DELIVERIES],
])('with --json sandbox %s is one document', (_, cases) => {
  holdToContract(cases);
});
