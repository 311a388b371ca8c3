import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEMO_EVENT } from '../../../src/sandbox/demo-event.ts';
import { DEFAULT_SWITCHES, SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { shownWebhookId } from '../../../src/sandbox/webhook-routes.ts';
import { coveringRows, type Factors } from '../../model/covering-rows.ts';
import { random } from '../../model/random.ts';
import { casesOf } from '../../support/night.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { listenBench } from './listen-bench.ts';

/** What a service may have its own way in. */
const WAYS = [
  'webhookScope',
  'webhookUpdateBy',
  'webhookDeleteBy',
  'webhookId',
  'webhookAnswer',
  'webhookList',
  'webhookShown',
  'webhookRead',
  'deleteAgain',
] as const;
type Shape = Pick<Switches, (typeof WAYS)[number]>;

/** Lists that are cut and names that are not shown have tests of their own. */
const LEFT_OUT = /^(?:active-only|cut|other-|no-[an]|neither)/;

const words = (name: keyof Switches): readonly string[] => {
  const { allowed } = SWITCHES.find((one) => one.name === name) ?? { allowed: [] };
  return 'min' in allowed ? [] : allowed.filter((word) => !LEFT_OUT.test(word));
};

const tables = (names: readonly (keyof Switches)[]): Factors =>
  new Map(names.map((name) => [name, words(name)]));
const choose = random(1);

/** Every way to say where operations are. */
const PLACES = words('webhookScope').flatMap((webhookScope) =>
  words('webhookUpdateBy').flatMap((webhookUpdateBy) =>
    words('webhookDeleteBy').map((webhookDeleteBy) => ({
      webhookScope,
      webhookUpdateBy,
      webhookDeleteBy,
      webhookId: choose.pick(words('webhookId')),
      webhookAnswer: choose.pick(words('webhookAnswer')),
    })),
  ),
);

/** Every two of all ways together stand in one of these, at any time of the day. */
const SHAPES = [
  ...casesOf(PLACES, 8),
  ...coveringRows(tables(WAYS), choose).map((row) => Object.fromEntries(row)),
].map(
  (shape) => ({ ...Object.fromEntries(WAYS.map((way) => [way, DEFAULT_SWITCHES[way]])), ...shape }) as Shape,
);

const UPDATES: Readonly<Record<Switches['webhookUpdateBy'], string>> = {
  PUT: 'PUT /{id}',
  PATCH: 'PATCH /{id}',
  'PATCH-untold': 'PATCH /{id}',
  'POST-update': 'POST /{id}/update',
};
const DELETES: Readonly<Record<Switches['webhookDeleteBy'], string>> = {
  DELETE: 'DELETE /{id}',
  'POST-delete': 'POST /{id}/delete',
  'DELETE-query': 'DELETE ?id={id}',
  'DELETE-body': 'DELETE  {"id": {id}}',
};

/** The endpoints of a profile that says all of a shape. */
function endpointsOf({ webhookScope, webhookUpdateBy, webhookDeleteBy }: Shape): Record<string, string> {
  const base = webhookScope === 'path' ? '/v1/events/{event_id}/webhooks' : '/v1/webhooks';
  const event = webhookScope.startsWith('query') ? 'event_id={event_id}' : '';
  const placed = (text: string): string => {
    const [, method = '', tail = '', query = '', body = ''] =
      /^(\w+) ([^? ]*)(?:\?(\S+))?( \{.*)?$/.exec(text) ?? [];
    const queries = [query, event].filter((part) => part !== '').join('&');
    return `${method} ${base}${tail}${queries && `?${queries}`}${body}`;
  };
  return {
    listWebhooks: placed('GET '),
    createWebhook: base,
    updateWebhook: placed(UPDATES[webhookUpdateBy]),
    deleteWebhook: placed(DELETES[webhookDeleteBy]),
  };
}

const URL_A = 'https://hooks.example.com/in';
const FOREIGN = ['Badge printer', 'eventreg listen'].map((name, at) => ({
  event_id: DEMO_EVENT.event_id,
  name,
  webhook_url: `https://other.example/${at}`,
  triggers: ['registration.updated'],
  active: true,
  config: {},
  signing_secret_encrypted: '',
}));
const WHOLE = ['--url', URL_A, '--trigger', 'registration.updated', '--name', 'Mine', '--event', '4711'];
const SAYS = /set \w+Webhooks?|(?:listWebhooks|updateWebhook|deleteWebhook)|Give --/;

/** A sandbox of that shape with two webhooks of others, and a machine whose profile has these endpoints. */
async function machine(shape: Shape, endpoints: Record<string, string>) {
  const { here, run: runMain } = await listenBench(shape, { clock: fakeClock({ auto: true }) });
  const { sandbox } = here;
  const { config } = here.runtime.paths;
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const profiles = JSON.stringify({ profiles: { default: { endpoints } } });
  writeFileSync(join(config, 'profiles.json'), profiles, { mode: 0o600 });
  const made = endpointsOf(shape)['createWebhook']?.replace('{event_id}', String(DEMO_EVENT.event_id));
  for (const body of FOREIGN) {
    const headers = { authorization: `Bearer ${sandbox.token}` };
    await fetch(`${sandbox.integUrl}${made}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
  const foreign = sandbox.webhooks();
  expect(foreign.length).toBe(FOREIGN.length);
  const run = async (...argv: string[]) => {
    const { code, out, err } = await runMain(['webhooks', ...argv]);
    expect(sandbox.webhooks().slice(0, FOREIGN.length)).toEqual(foreign);
    return { code, out: out(), err: err() };
  };
  return { run, mine: () => sandbox.webhooks().slice(FOREIGN.length) };
}

/** Works, or says what to set; never says what is not so. */
async function live(shape: Shape, endpoints: Record<string, string>) {
  const { run, mine } = await machine(shape, endpoints);
  const codes: Record<string, number> = {};
  const note = (what: string, { code, err }: { code: number; err: string }): void => {
    codes[what] = code;
    if (code !== 0) expect([what, err]).toEqual([what, expect.stringMatching(SAYS)]);
  };
  note('list', await run('list'));
  const created = await run('create', ...WHOLE);
  note('create', created);
  expect(mine().length).toBe(created.code === 0 ? 1 : 0);
  const [hook] = mine();
  if (hook !== undefined) {
    const id = shownWebhookId(hook, shape);
    const updated = await run('update', id, ...WHOLE, '--inactive', '--config', '{}', '--yes');
    note('update', updated);
    if (updated.code === 0) expect(mine()).toMatchObject([{ active: false }]);
    const deleted = await run('delete', id, '--yes', '--json');
    note('delete', deleted);
    // It was there.
    expect(deleted.code).not.toBe(3);
    if (deleted.code === 0) expect(mine()).toEqual([]);
    if (deleted.out.includes('"deleted"')) expect(mine()).toEqual([]);
    const again = await run('delete', id, '--yes', '--json');
    if (mine().length > 0) expect(again.code).toBe(1);
    if (again.code !== 3) expect(again.err).toMatch(SAYS);
  }
  const listened = await run('listen', '--port', '0', '--for', '1s');
  codes['listen'] = listened.code;
  const isOn = (): boolean => mine().some(({ active, name }) => active && name !== 'Mine');
  if (listened.code === 0) expect(isOn()).toBe(false);
  else {
    expect(listened.err).toMatch(
      /set (?:list|create|update|delete)Webhooks? in endpoints|in the service itself/,
    );
    // What is told to help is not to tell the same again.
    if (listened.err.includes('what is left with')) {
      const { code } = await run('listen', '--cleanup', '--yes');
      expect([code, isOn()]).toEqual([0, false]);
    }
  }
  return codes;
}

const isListed = ({ webhookList }: Shape): boolean => webhookList === 'shown' || webhookList === 'array';

const isProvable = (shape: Shape): boolean =>
  isListed(shape) || (['record', 'wrapped'].includes(shape.webhookAnswer) && isReadable(shape));

const isReadable = ({ webhookRead, webhookUpdateBy, webhookDeleteBy }: Shape): boolean =>
  webhookRead === 'shown' && (webhookDeleteBy === 'DELETE' || webhookUpdateBy !== 'POST-update');

describe(`${SHAPES.length} shapes of webhook operations`, () => {
  test.each(casesOf(SHAPES, 3))('as the profile says them: %j', async (shape) => {
    const codes = await live(shape, endpointsOf(shape));
    expect(codes).toMatchObject({
      create: 0,
      list: shape.webhookList === 'absent' ? 1 : 0,
      ...(isListed(shape) && { update: 0 }),
    });
    if (isProvable(shape)) expect(codes).toMatchObject({ listen: 0, delete: 0 });
  });

  test.each(casesOf(SHAPES, 3))('as they are found out, or asked for: %j', async (shape) => {
    const codes = await live(shape, {});
    const isFound =
      ['none', 'query'].includes(shape.webhookScope) && ['PUT', 'PATCH'].includes(shape.webhookUpdateBy);
    if (isFound && isListed(shape)) expect(codes).toMatchObject({ list: 0, create: 0, update: 0 });
  });
});
