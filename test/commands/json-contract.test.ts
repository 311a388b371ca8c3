import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { type Bench, visitors } from '../sync/push-bench.ts';
import { readDocument } from '../support/documents.ts';
import type { Fault } from '../support/faulty-service.ts';
import { carryOut, type Case, holdToContract, TOKEN, unreachable } from './json-cases.ts';

const HOOK = ['--url', 'https://hooks.example.com/a', '--trigger', 'registration.updated', '--event', '4711'];

const pushed = (bench: Bench): Promise<unknown> => bench.push(['a.csv', '--no-audit']);
const answer = (status: number, body = '{}'): Fault => ({ answer: { status, body } });
const posts =
  (fault: Fault | undefined): NonNullable<Case['fault']> =>
  () =>
  ({ method }) =>
    method === 'POST' ? fault : undefined;
const withProfile = async (bench: Bench): Promise<unknown> =>
  bench.run(['login', '--base-url', 'https://a.example.com', '--token-stdin'], { stdinText: `${TOKEN}\n` });

const MISTAKES: Case[] = [
  { argv: [], exit: 2, is: '!usage' },
  { argv: ['pusg'], exit: 2, is: '!usage' },
  { argv: ['runs', 'shwo'], exit: 2, is: '!usage' },
  { argv: ['push', 'a.csv', '--bogus'], exit: 2, is: '!usage' },
  { argv: ['push'], exit: 2, is: '!usage' },
  { argv: ['push', 'missing.csv'], exit: 2, is: '!input' },
  { argv: ['sandbox', 'redeliver', '1'], exit: 2, is: '!usage' },
  { argv: ['push', 'a.csv', '--max-delete', 'x'], exit: 2, is: '!usage' },
  { argv: ['push', 'broken.json'], exit: 2, is: '!input' },
  { argv: ['push', 'open.csv'], exit: 2, is: '!questions' },
  { argv: ['push', 'a.csv', '--only', 'Z'], exit: 2, is: '!input' },
  { argv: ['push', 'a.csv', '--plan-out', 'no/such/p.plan'], exit: 2, is: '!usage' },
  { argv: ['push', 'a.csv', '--events', 'no/such/events'], exit: 2, is: '!usage' },
  { argv: ['list', '--all', '--page', '2'], exit: 2, is: '!usage' },
  { argv: ['list', '--persona', 'nobody'], exit: 2, is: '!usage' },
  { argv: ['event', 'fields', 'nobody'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'update', '99', '--name', 'x'], exit: 2, is: '!usage' },
  { argv: ['webhooks', 'list'], exit: 2, is: '!usage', overrides: { env: unreachable } },
  { argv: ['runs', 'show', 'nope'], exit: 2, is: '!usage' },
  { argv: ['runs', 'why', 'nope'], exit: 2, is: '!usage' },
  { argv: ['runs', 'bundle', 'nope'], exit: 2, is: '!usage' },
  { argv: ['runs', 'undo'], exit: 2, is: '!usage', after: pushed },
  { argv: ['profiles', 'show', 'nope'], exit: 2, is: '!usage' },
  { argv: ['login'], exit: 2, is: '!usage' },
  { argv: ['logout', '--sandbox'], exit: 2, is: '!usage' },
  { argv: ['completion', 'tcsh'], exit: 2, is: '!usage' },
  { argv: ['sandbox', '--set', 'nope=1'], exit: 2, is: '!usage' },
];

const FAILURES: Case[] = [
  { argv: ['list'], exit: 4, is: '!unauthorised', switches: { auth: '401' } },
  { argv: ['push', 'a.csv'], exit: 4, is: '!unauthorised', switches: { auth: '401' } },
  {
    argv: ['event'],
    exit: 4,
    is: '!unauthorised',
    overrides: { env: { ...unreachable, EVENTREG_TOKEN: '' } },
  },
  { argv: ['doctor'], exit: 4, is: 'doctor', switches: { auth: '401' } },
  { argv: ['list', '--output', 'xml', '--json'], exit: 2, is: '!usage' },
  {
    argv: ['doctor'],
    exit: 2,
    is: 'doctor',
    overrides: { env: { EVENTREG_BASE_URL: 'ftp://nowhere', EVENTREG_TOKEN: TOKEN } },
    has: { error: null },
  },
  { argv: ['event'], exit: 1, is: '!service', switches: { event: '404' } },
  { argv: ['list'], exit: 1, is: '!service', overrides: { env: unreachable } },
  { argv: ['push', 'a.csv'], exit: 1, is: '!service', overrides: { env: unreachable } },
  {
    argv: ['push', 'a.csv'],
    exit: 1,
    is: 'push',
    code: 'service',
    fault: posts(answer(404)),
    has: { state: 'stopped' },
  },
  {
    argv: ['list', '--all'],
    exit: 130,
    is: '!interrupted',
    overrides: { stopping: AbortSignal.abort(new InterruptedError()) },
  },
  {
    argv: ['push', 'a.csv', '--max-wait', '1s'],
    exit: 6,
    is: 'push',
    code: 'gave-up',
    switches: { limit: 3, windowMs: 60_000 },
    has: { state: 'stopped' },
  },
];

const ROWS: Case[] = [
  {
    argv: ['push', 'bad.csv'],
    exit: 3,
    is: 'push',
    has: {
      state: 'refused',
      problems: [
        {
          line: 3,
          column: 'persona',
          field: null,
          code: 'persona-unknown',
          value: 'nobody',
          state: 'rejected',
        },
        { line: 3, column: 'E-mail', field: 'email', code: 'email-invalid', value: 'z•••••••• a•' },
      ],
    },
  },
  { argv: ['push', 'bad.csv', '--invalid', 'skip'], exit: 3, is: 'push', has: { sent: 1, rejected: 1 } },
  { argv: ['push', 'bad.csv', '--dry-run', '--diff'], exit: 3, is: 'push', has: { plan: null, rejected: 1 } },
  {
    argv: ['push', 'a.csv', '--no-audit'],
    exit: 3,
    is: 'push',
    fault:
      () =>
      ({ method, nth }) =>
        method === 'POST' && nth === 1 ? answer(422) : undefined,
    has: { sent: 2, failed: 1, problems: [{ code: 'failed', state: 'failed', column: null, value: null }] },
  },
  {
    argv: ['push', 'nobarcode.csv'],
    exit: 5,
    is: 'push',
    fault: posts(answer(200, '{"ok":false}')),
    has: { uncertain: 1, problems: [{ code: 'uncertain', line: 2 }] },
  },
  {
    argv: ['delete', '--barcode', 'A', '--barcode', 'Z', '--yes'],
    exit: 3,
    is: 'delete',
    after: pushed,
    has: { deleted: 1, absent: 1 },
  },
  {
    argv: ['delete', '--barcode', 'A', '--yes'],
    exit: 3,
    is: 'delete',
    after: pushed,
    fault:
      () =>
      ({ method }) =>
        method === 'DELETE' ? answer(422) : undefined,
    has: { results: [{ barcode: 'A', result: 'failed' }] },
  },
];

const GUARDS: Case[] = [
  { argv: ['delete'], exit: 7, is: '!nothing-chosen' },
  { argv: ['delete', '--barcode', 'A'], exit: 7, is: '!confirmation', after: pushed },
  {
    argv: ['delete', '--persona', 'visitor', '--max-delete', '1', '--yes'],
    exit: 7,
    is: '!max-delete',
    after: pushed,
  },
  {
    argv: ['push', 'b.csv', '--prune', '--max-delete', '1', '--yes'],
    exit: 7,
    is: 'push',
    stoppedBy: 'max-delete',
    after: pushed,
  },
  { argv: ['push', 'b.csv', '--prune'], exit: 7, is: 'push', stoppedBy: 'confirmation', after: pushed },
  {
    argv: ['push', 'a.csv', '--leave', '10'],
    exit: 7,
    is: '!leave',
    switches: { limit: 10, windowMs: 60_000 },
  },
  {
    argv: ['push', 'a.csv', '--max-failures', '0'],
    exit: 7,
    is: 'push',
    stoppedBy: 'max-failures',
    fault: posts(answer(422)),
    has: { state: 'stopped' },
  },
  { argv: ['runs', 'undo', '{run}'], exit: 7, is: '!confirmation', after: pushed },
  {
    argv: ['runs', 'undo', '{run}', '--max-delete', '1', '--yes'],
    exit: 7,
    is: '!max-delete',
    after: pushed,
  },
  { argv: ['webhooks', 'delete', '1'], exit: 7, is: '!confirmation' },
  { argv: ['sandbox', 'reset'], exit: 7, is: '!confirmation' },
  { argv: ['sandbox', 'sample', 'a.csv'], exit: 7, is: '!confirmation' },
  { argv: ['event', 'template', 'visitor', '--to', 'a.csv'], exit: 7, is: '!confirmation' },
  {
    argv: ['push', '--plan', 'p.plan', '--sandbox'],
    exit: 7,
    is: '!other-service',
    after: (bench) => bench.push(['a.csv', '--plan-out', 'p.plan']),
  },
  {
    argv: ['push', '--plan', 'p.plan'],
    exit: 7,
    is: 'push',
    stoppedBy: 'plan',
    after: async (bench) => {
      await bench.push(['a.csv', '--plan-out', 'p.plan']);
      bench.write('a.csv', visitors('A', 'D'));
    },
  },
];

const SUCCESSES: Case[] = [
  {
    argv: ['push', 'a.csv'],
    exit: 0,
    is: 'push',
    has: { state: 'finished', sent: 3, audit: { checked: 3 } },
  },
  { argv: ['push', 'a.csv'], exit: 0, is: 'push', after: pushed, has: { unchanged: 3 } },
  { argv: ['push', 'a.csv', '--dry-run'], exit: 0, is: 'push', has: { state: 'planned', to_create: 3 } },
  {
    argv: ['push', 'a.csv', '--dry-run', '--diff'],
    exit: 0,
    is: 'push',
    has: { plan: [{ action: 'create' }, {}, {}] },
  },
  { argv: ['push', 'a.csv', '--plan-out', 'p.plan'], exit: 0, is: 'push' },
  { argv: ['push', 'a.csv', '--output', 'json'], exit: 0, is: 'push' },
  { argv: ['list'], exit: 0, is: 'list', has: { registrations: [] } },
  {
    argv: ['list', '--all'],
    exit: 0,
    is: 'list',
    after: pushed,
    personal: true,
    has: { registrations: [{}, {}, {}] },
  },
  { argv: ['list', '--raw'], exit: 0, is: 'list', after: pushed, personal: true },
  {
    argv: ['delete', '--barcode', 'A', '--dry-run'],
    exit: 0,
    is: 'delete',
    after: pushed,
    personal: true,
    has: { state: 'planned', registrations: [{ barcode: 'A' }] },
  },
  {
    argv: ['delete', '--barcode', 'A', '--yes'],
    exit: 0,
    is: 'delete',
    after: pushed,
    has: { results: [{ barcode: 'A', result: 'deleted' }], deleted: 1 },
  },
  { argv: ['event'], exit: 0, is: 'event', has: { event_id: 4711 } },
  { argv: ['event', 'personas'], exit: 0, is: 'event-personas' },
  { argv: ['event', 'fields', 'visitor'], exit: 0, is: 'event-fields' },
  { argv: ['event', 'schema', 'visitor'], exit: 0, is: 'event-schema' },
  {
    argv: ['event', 'template', 'visitor'],
    exit: 0,
    is: 'event-template',
    personal: true,
    has: { file: null },
  },
  {
    argv: ['event', 'template', 'visitor', '--to', 't.csv'],
    exit: 0,
    is: 'event-template',
    has: { file: 't.csv', registrations: null },
  },
  { argv: ['webhooks', 'list'], exit: 0, is: 'webhooks', has: { webhooks: [] } },
  { argv: ['webhooks', 'create', ...HOOK], exit: 0, is: 'webhooks-create', has: { webhook: { id: 1 } } },
  {
    argv: ['webhooks', 'update', '1', '--name', 'x'],
    exit: 0,
    is: 'webhooks-update',
    after: (bench) => bench.run(['webhooks', 'create', ...HOOK]),
  },
  {
    argv: ['webhooks', 'delete', '1', '--yes'],
    exit: 0,
    is: 'webhooks-delete',
    after: (bench) => bench.run(['webhooks', 'create', ...HOOK]),
  },
  {
    argv: ['webhooks', 'verify', '--body', 'a.csv'],
    exit: 3,
    is: 'webhooks-verify',
    has: { verdict: 'unsigned', scheme: null },
  },
  { argv: ['runs'], exit: 0, is: 'runs', has: { runs: [] } },
  { argv: ['runs'], exit: 0, is: 'runs', after: pushed, has: { runs: [{ kind: 'push', new: 3 }] } },
  {
    argv: ['runs', 'show', '{run}'],
    exit: 0,
    is: 'runs-show',
    after: pushed,
    has: { rows: [{ line: 2 }, {}, {}] },
  },
  {
    argv: ['runs', 'why', 'A'],
    exit: 0,
    is: 'runs-why',
    after: pushed,
    has: { stories: [{ barcode: 'A' }] },
  },
  {
    argv: ['runs', 'bundle', '{run}', '--to', 'it.zip'],
    exit: 0,
    is: 'runs-bundle',
    after: pushed,
    has: { file: 'it.zip', parts: null },
  },
  {
    argv: ['runs', 'bundle', '{run}', '--print'],
    exit: 0,
    is: 'runs-bundle',
    after: pushed,
    has: { file: null, parts: [{ name: 'README.txt' }, {}, {}, {}, {}] },
  },
  {
    argv: ['runs', 'why', 'A', '--offline'],
    exit: 0,
    is: 'runs-why',
    after: pushed,
    has: { stories: [{ in_service: null }] },
  },
  {
    argv: ['runs', 'undo', '{run}', '--dry-run'],
    exit: 0,
    is: 'runs-undo',
    after: pushed,
    has: { undone: [{ state: 'planned', deleted: 3 }] },
  },
  {
    argv: ['runs', 'undo', '{run}', '--yes'],
    exit: 0,
    is: 'runs-undo',
    after: pushed,
    has: { results: [{ result: 'deleted' }, {}, {}] },
  },
  { argv: ['runs', 'purge'], exit: 0, is: 'runs-purge', after: pushed, has: { forgotten: 0 } },
  { argv: ['runs', 'purge', '{run}'], exit: 0, is: 'runs-purge', after: pushed, has: { forgotten: 1 } },
  { argv: ['doctor'], exit: 0, is: 'doctor' },
  {
    argv: ['login', '--base-url', 'https://a.example.com', '--token-stdin'],
    exit: 0,
    is: 'login',
    overrides: { stdinText: `${TOKEN}\n` },
  },
  { argv: ['profiles'], exit: 0, is: 'profiles', has: { profiles: [] } },
  { argv: ['profiles', 'show'], exit: 0, is: 'profiles-show', after: withProfile },
  { argv: ['profiles', 'use', 'default'], exit: 0, is: 'profiles-use', after: withProfile },
  {
    argv: ['profiles', 'remove', 'default'],
    exit: 0,
    is: 'profiles-remove',
    after: withProfile,
    has: { had_token: true },
  },
  { argv: ['logout'], exit: 0, is: 'logout', after: withProfile, has: { removed: true } },
  { argv: ['sandbox', 'deliveries'], exit: 0, is: 'sandbox-deliveries', has: { deliveries: [] } },
  { argv: ['sandbox', 'reset', '--yes'], exit: 0, is: 'sandbox-reset' },
  { argv: ['sandbox', 'sample', 'g.csv'], exit: 0, is: 'sandbox-sample', has: { guests: 40 } },
  { argv: ['completion', 'bash'], exit: 0, is: 'completion', has: { shell: 'bash' } },
];

describe.each([
  ['a mistake', MISTAKES],
  ['a failure', FAILURES],
  ['rows that fail', ROWS],
  ['a guard', GUARDS],
  ['a success', SUCCESSES],
])('with --json %s is one document', (_, cases) => {
  holdToContract(cases);
});

test('a reader of the list takes none that was cut off for a whole one', async () => {
  const [bench] = await carryOut({ argv: ['push', 'a.csv'], exit: 0, is: 'push' });
  const { out } = await bench.run(['list', '--all', '--json']);
  bench.write('whole.json', out);
  expect((await bench.push(['whole.json'])).summary).toMatchObject({ unchanged: 3 });
  const failed = { code: 'service', message: 'Gone.', hint: null, details: [], exit: 1 };
  bench.write('part.json', JSON.stringify({ ...readDocument(out), exit: 1, error: failed }));
  const ended = await bench.push(['part.json', '--prune', '--yes']);
  expect([ended.code, ended.err]).toEqual([
    2,
    expect.stringContaining('part.json:1: this list is not whole'),
  ]);
  expect(bench.kept()).toHaveLength(3);
});
