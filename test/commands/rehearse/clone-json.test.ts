import { describe } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import type { Bench } from '../../sync/push-bench.ts';
import { type Case, holdToContract, SECRET, unreachable } from '../json-cases.ts';
import { application } from '../webhooks/listen-bench.ts';

const CLONE = ['sandbox', 'clone', '--as', 'fair'];
const HOOK = ['--url', 'https://hooks.example.com/a', '--trigger', 'registration.updated', '--event', '4711'];
const stopped = { stopping: AbortSignal.abort(new InterruptedError()) };

const pushed = async (bench: Bench): Promise<unknown> => await bench.push(['a.csv', '--no-audit']);
const cloned = async (bench: Bench): Promise<unknown> => await bench.run(CLONE);

const CLONES: Case[] = [
  {
    argv: CLONE,
    exit: 0,
    is: 'sandbox-clone',
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
  },
  {
    argv: [...CLONE, '--registrations', 'as-they-are', '--yes'],
    exit: 0,
    is: 'sandbox-clone',
    after: pushed,
    has: { kept: 'as-they-are', registrations: 3 },
  },
  {
    argv: [...CLONE, '--registrations', 'none'],
    exit: 0,
    is: 'sandbox-clone',
    after: pushed,
    has: { registrations: 0 },
  },
  { argv: [...CLONE, '--yes'], exit: 0, is: 'sandbox-clone', after: cloned },
  { argv: CLONE, exit: 7, is: '!confirmation', after: cloned },
  { argv: ['sandbox', 'clone', '--as', '../x'], exit: 2, is: '!usage' },
  { argv: [...CLONE, '--registrations', 'some'], exit: 2, is: '!usage' },
  { argv: [...CLONE, '--limit', '0'], exit: 2, is: '!usage' },
  { argv: CLONE, exit: 4, is: '!unauthorised', switches: { auth: '401' } },
  { argv: CLONE, exit: 1, is: '!service', switches: { event: '404' } },
  { argv: CLONE, exit: 1, is: '!service', overrides: { env: unreachable } },
  { argv: CLONE, exit: 130, is: '!interrupted', overrides: stopped },
  { argv: ['sandbox', 'clones'], exit: 0, is: 'sandbox-clones', has: { clones: [] } },
  {
    argv: ['sandbox', 'clones'],
    exit: 0,
    is: 'sandbox-clones',
    after: cloned,
    has: { clones: [{ name: 'fair', kept: 'masked', registrations: 0 }] },
  },
  { argv: ['sandbox', 'reset', 'fair', '--yes'], exit: 0, is: 'sandbox-reset', after: cloned },
  { argv: ['sandbox', 'reset', 'fair'], exit: 7, is: '!confirmation', after: cloned },
  { argv: ['sandbox', 'reset', 'other', '--yes'], exit: 2, is: '!usage', after: cloned },
  { argv: ['event', '--sandbox=other'], exit: 2, is: '!usage', after: cloned },
];

const MASKS: Case[] = [
  {
    argv: ['sandbox', 'mask', 'a.csv'],
    exit: 0,
    is: 'sandbox-mask',
    after: cloned,
    has: { rows: 3, clone: 'fair' },
  },
  { argv: ['sandbox', 'mask', 'a.csv', '--to', 'b.csv'], exit: 7, is: '!confirmation', after: cloned },
  { argv: ['sandbox', 'mask', 'none.csv'], exit: 2, is: '!input', after: cloned },
  { argv: ['sandbox', 'mask', 'broken.json'], exit: 2, is: '!input', after: cloned },
  { argv: ['sandbox', 'mask', 'a.csv'], exit: 2, is: '!usage' },
  { argv: ['sandbox', 'mask', 'a.csv', '--sandbox=other'], exit: 2, is: '!usage', after: cloned },
  { argv: ['sandbox', 'mask', '-'], exit: 2, is: '!usage', after: cloned },
  {
    argv: ['sandbox', 'mask', 'a.csv'],
    exit: 2,
    is: '!usage',
    after: (bench) => bench.run([...CLONE, '--registrations', 'as-they-are', '--yes']),
  },
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
  { argv: ['sandbox', 'deliveries'], exit: 0, is: 'sandbox-deliveries', has: { deliveries: [] } },
  {
    argv: ['sandbox', 'deliveries'],
    exit: 0,
    is: 'sandbox-deliveries',
    after: told(200),
    has: { deliveries: [{ number: 1, state: 'delivered', attempts: [{ status: 200 }] }] },
  },
  {
    argv: ['sandbox', 'deliveries', '--dead'],
    exit: 0,
    is: 'sandbox-deliveries',
    after: told(410),
    has: { deliveries: [{ number: 1, state: 'dead', attempts: [{ status: 410 }] }] },
  },
  { argv: ['sandbox', 'deliveries', '--data', 'odd.sqlite'], exit: 1, is: '!service', after: unusable },
  { argv: ['sandbox', 'deliveries', '--sandbox=other'], exit: 2, is: '!usage' },
  {
    argv: ['sandbox', 'redeliver', '1'],
    exit: 0,
    is: 'sandbox-redeliver',
    after: told(200),
    has: { delivery: { number: 1, state: 'delivered', attempts: [{ status: 200 }, { status: 200 }] } },
  },
  {
    argv: ['sandbox', 'redeliver', '1'],
    exit: 1,
    is: 'sandbox-redeliver',
    code: 'service',
    after: told(500),
    has: { delivery: { state: 'waiting', attempts: [{ status: 500 }, { status: 500 }] } },
  },
  { argv: ['sandbox', 'redeliver', '2'], exit: 2, is: '!usage', after: told(200) },
  { argv: ['sandbox', 'redeliver', 'x'], exit: 2, is: '!usage' },
  { argv: ['sandbox', 'redeliver', '1', '--data', 'odd.sqlite'], exit: 1, is: '!service', after: unusable },
];

describe.each([
  ['clone, clones and reset', CLONES],
  ['mask', MASKS],
  ['deliveries and redeliver', DELIVERIES],
])('with --json sandbox %s is one document', (_, cases) => {
  holdToContract(cases);
});
