import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { type Bench, visitors } from '../sync/push-bench.ts';
import { readDocument } from '../support/documents.ts';
import type { Fault } from '../support/faulty-service.ts';
import { carryOut, type Case, holdToContract, on, TOKEN, unreachable } from './json-cases.ts';

const HOOK = '--url https://hooks.example.com/a --trigger registration.updated --event 4711';

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
  on('', 2, '!usage'),
  on('pusg', 2, '!usage'),
  on('runs shwo', 2, '!usage'),
  on('push a.csv --bogus', 2, '!usage'),
  on('push', 2, '!usage'),
  on('push missing.csv', 2, '!input'),
  on('sandbox redeliver 1', 2, '!usage'),
  on('push a.csv --max-delete x', 2, '!usage'),
  on('push broken.json', 2, '!input'),
  on('push open.csv', 2, '!questions'),
  on('push a.csv --only Z', 2, '!input'),
  on('push a.csv --plan-out no/such/p.plan', 2, '!usage'),
  on('push a.csv --events no/such/events', 2, '!usage'),
  on('list --all --page 2', 2, '!usage'),
  on('list --persona nobody', 2, '!usage'),
  on('event fields nobody', 2, '!usage'),
  on('webhooks update 99 --name x', 2, '!usage'),
  on('webhooks list', 2, '!usage', { overrides: { env: unreachable } }),
  on('runs show nope', 2, '!usage'),
  on('runs why nope', 2, '!usage'),
  on('runs bundle nope', 2, '!usage'),
  on('runs undo', 2, '!usage', { after: pushed }),
  on('profiles show nope', 2, '!usage'),
  on('login', 2, '!usage'),
  on('logout --sandbox', 2, '!usage'),
  on('completion tcsh', 2, '!usage'),
  on('sandbox --set nope=1', 2, '!usage'),
];

const FAILURES: Case[] = [
  on('list', 4, '!unauthorised', { switches: { auth: '401' } }),
  on('push a.csv', 4, '!unauthorised', { switches: { auth: '401' } }),
  on('event', 4, '!unauthorised', { overrides: { env: { ...unreachable, EVENTREG_TOKEN: '' } } }),
  on('doctor', 4, 'doctor', { switches: { auth: '401' } }),
  on('list --output xml --json', 2, '!usage'),
  on('doctor', 2, 'doctor', {
    overrides: { env: { EVENTREG_BASE_URL: 'ftp://nowhere', EVENTREG_TOKEN: TOKEN } },
    has: { error: null },
  }),
  on('event', 1, '!service', { switches: { event: '404' } }),
  on('list', 1, '!service', { overrides: { env: unreachable } }),
  on('push a.csv', 1, '!service', { overrides: { env: unreachable } }),
  on('push a.csv', 1, 'push', { code: 'service', fault: posts(answer(404)), has: { state: 'stopped' } }),
  on('list --all', 130, '!interrupted', {
    overrides: { stopping: AbortSignal.abort(new InterruptedError()) },
  }),
  on('push a.csv --max-wait 1s', 6, 'push', {
    code: 'gave-up',
    switches: { limit: 3, windowMs: 60_000 },
    has: { state: 'stopped' },
  }),
];

const ROWS: Case[] = [
  on('push bad.csv', 3, 'push', {
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
  }),
  on('push bad.csv --invalid skip', 3, 'push', { has: { sent: 1, rejected: 1 } }),
  on('push bad.csv --dry-run --diff', 3, 'push', { has: { plan: null, rejected: 1 } }),
  on('push a.csv --no-audit', 3, 'push', {
    fault:
      () =>
      ({ method, nth }) =>
        method === 'POST' && nth === 1 ? answer(422) : undefined,
    has: { sent: 2, failed: 1, problems: [{ code: 'failed', state: 'failed', column: null, value: null }] },
  }),
  on('push nobarcode.csv', 5, 'push', {
    fault: posts(answer(200, '{"ok":false}')),
    has: { uncertain: 1, problems: [{ code: 'uncertain', line: 2 }] },
  }),
  on('delete --barcode A --barcode Z --yes', 3, 'delete', { after: pushed, has: { deleted: 1, absent: 1 } }),
  on('delete --barcode A --yes', 3, 'delete', {
    after: pushed,
    fault:
      () =>
      ({ method }) =>
        method === 'DELETE' ? answer(422) : undefined,
    has: { results: [{ barcode: 'A', result: 'failed' }] },
  }),
];

const GUARDS: Case[] = [
  on('delete', 7, '!nothing-chosen'),
  on('delete --barcode A', 7, '!confirmation', { after: pushed }),
  on('delete --persona visitor --max-delete 1 --yes', 7, '!max-delete', { after: pushed }),
  on('push b.csv --prune --max-delete 1 --yes', 7, 'push', { stoppedBy: 'max-delete', after: pushed }),
  on('push b.csv --prune', 7, 'push', { stoppedBy: 'confirmation', after: pushed }),
  on('push a.csv --leave 10', 7, '!leave', { switches: { limit: 10, windowMs: 60_000 } }),
  on('push a.csv --max-failures 0', 7, 'push', {
    stoppedBy: 'max-failures',
    fault: posts(answer(422)),
    has: { state: 'stopped' },
  }),
  on('runs undo {run}', 7, '!confirmation', { after: pushed }),
  on('runs undo {run} --max-delete 1 --yes', 7, '!max-delete', { after: pushed }),
  on('webhooks delete 1', 7, '!confirmation'),
  on('sandbox reset', 7, '!confirmation'),
  on('sandbox sample a.csv', 7, '!confirmation'),
  on('event template visitor --to a.csv', 7, '!confirmation'),
  on('push --plan p.plan --sandbox', 7, '!other-service', {
    after: (bench) => bench.push(['a.csv', '--plan-out', 'p.plan']),
  }),
  on('push --plan p.plan', 7, 'push', {
    stoppedBy: 'plan',
    after: async (bench) => {
      await bench.push(['a.csv', '--plan-out', 'p.plan']);
      bench.write('a.csv', visitors('A', 'D'));
    },
  }),
];

const SUCCESSES: Case[] = [
  on('push a.csv', 0, 'push', { has: { state: 'finished', sent: 3, audit: { checked: 3 } } }),
  on('push a.csv', 0, 'push', { after: pushed, has: { unchanged: 3 } }),
  on('push a.csv --dry-run', 0, 'push', { has: { state: 'planned', to_create: 3 } }),
  on('push a.csv --dry-run --diff', 0, 'push', { has: { plan: [{ action: 'create' }, {}, {}] } }),
  on('push a.csv --plan-out p.plan', 0, 'push'),
  on('push a.csv --output json', 0, 'push'),
  on('list', 0, 'list', { has: { registrations: [] } }),
  on('list --all', 0, 'list', { after: pushed, personal: true, has: { registrations: [{}, {}, {}] } }),
  on('list --raw', 0, 'list', { after: pushed, personal: true }),
  on('delete --barcode A --dry-run', 0, 'delete', {
    after: pushed,
    personal: true,
    has: { state: 'planned', registrations: [{ barcode: 'A' }] },
  }),
  on('delete --barcode A --yes', 0, 'delete', {
    after: pushed,
    has: { results: [{ barcode: 'A', result: 'deleted' }], deleted: 1 },
  }),
  on('event', 0, 'event', { has: { event_id: 4711 } }),
  on('event personas', 0, 'event-personas'),
  on('event fields visitor', 0, 'event-fields'),
  on('event schema visitor', 0, 'event-schema'),
  on('event template visitor', 0, 'event-template', { personal: true, has: { file: null } }),
  on('event template visitor --to t.csv', 0, 'event-template', {
    has: { file: 't.csv', registrations: null },
  }),
  on('webhooks list', 0, 'webhooks', { has: { webhooks: [] } }),
  on(`webhooks create ${HOOK}`, 0, 'webhooks-create', { has: { webhook: { id: 1 } } }),
  on('webhooks update 1 --name x', 0, 'webhooks-update', {
    after: (bench) => bench.run(`webhooks create ${HOOK}`.split(' ')),
  }),
  on('webhooks delete 1 --yes', 0, 'webhooks-delete', {
    after: (bench) => bench.run(`webhooks create ${HOOK}`.split(' ')),
  }),
  on('webhooks verify --body a.csv', 3, 'webhooks-verify', { has: { verdict: 'unsigned', scheme: null } }),
  on('runs', 0, 'runs', { has: { runs: [] } }),
  on('runs', 0, 'runs', { after: pushed, has: { runs: [{ kind: 'push', new: 3 }] } }),
  on('runs show {run}', 0, 'runs-show', { after: pushed, has: { rows: [{ line: 2 }, {}, {}] } }),
  on('runs why A', 0, 'runs-why', { after: pushed, has: { stories: [{ barcode: 'A' }] } }),
  on('runs bundle {run} --to it.zip', 0, 'runs-bundle', {
    after: pushed,
    has: { file: 'it.zip', parts: null },
  }),
  on('runs bundle {run} --print', 0, 'runs-bundle', {
    after: pushed,
    has: { file: null, parts: [{ name: 'README.txt' }, {}, {}, {}, {}] },
  }),
  on('runs why A --offline', 0, 'runs-why', { after: pushed, has: { stories: [{ in_service: null }] } }),
  on('runs undo {run} --dry-run', 0, 'runs-undo', {
    after: pushed,
    has: { undone: [{ state: 'planned', deleted: 3 }] },
  }),
  on('runs undo {run} --yes', 0, 'runs-undo', {
    after: pushed,
    has: { results: [{ result: 'deleted' }, {}, {}] },
  }),
  on('runs purge', 0, 'runs-purge', { after: pushed, has: { forgotten: 0 } }),
  on('runs purge {run}', 0, 'runs-purge', { after: pushed, has: { forgotten: 1 } }),
  on('doctor', 0, 'doctor'),
  on('login --base-url https://a.example.com --token-stdin', 0, 'login', {
    overrides: { stdinText: `${TOKEN}\n` },
  }),
  on('profiles', 0, 'profiles', { has: { profiles: [] } }),
  on('profiles show', 0, 'profiles-show', { after: withProfile }),
  on('profiles use default', 0, 'profiles-use', { after: withProfile }),
  on('profiles remove default', 0, 'profiles-remove', { after: withProfile, has: { had_token: true } }),
  on('logout', 0, 'logout', { after: withProfile, has: { removed: true } }),
  on('sandbox deliveries', 0, 'sandbox-deliveries', { has: { deliveries: [] } }),
  on('sandbox reset --yes', 0, 'sandbox-reset'),
  on('sandbox sample g.csv', 0, 'sandbox-sample', { has: { guests: 40 } }),
  on('completion bash', 0, 'completion', { has: { shell: 'bash' } }),
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
  const [bench] = await carryOut(on('push a.csv', 0, 'push'));
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
