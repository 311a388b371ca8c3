import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../../support/fake-clock.ts';
import { listenBench } from './listen-bench.ts';
import { endpointsOf, type Shape, shapedService } from './shaped-service.ts';

const ALL = {
  event: ['nowhere', 'asked', 'silent', 'path'],
  update: ['PUT', 'PATCH', 'silent PATCH', 'POST /update'],
  remove: ['DELETE', 'POST /delete', 'DELETE ?id='],
  idKey: ['id', '_id', 'uuid', 'null-and-_id'],
  list: ['all', 'wrapped', 'empty', 'no-ids', 'absent', 'host-only'],
  answer: ['record', 'wrapped', 'empty', 'id-only'],
  missing: [404, 200],
} as const satisfies { [Part in keyof Shape]: readonly Shape[Part][] };

/** Every way to say where operations are, each with two of the ways to show what is there. */
const SHAPES: Shape[] = ALL.event.flatMap((event, a) =>
  ALL.update.flatMap((update, b) =>
    ALL.remove.flatMap((remove, c) =>
      [0, 1].map((nth): Shape => {
        const at = a * 24 + b * 6 + c * 2 + nth;
        const turn = <Word>(words: readonly Word[], by: number): Word =>
          words[(at * by + a) % words.length] as Word;
        return {
          event,
          update,
          remove,
          idKey: turn(ALL.idKey, 1),
          list: nth === 0 ? ('all' as const) : turn(ALL.list, 5),
          answer: turn(ALL.answer, 3),
          missing: turn(ALL.missing, 7),
        };
      }),
    ),
  ),
);

const URL_A = 'https://hooks.example.com/in';
const WHOLE = ['--url', URL_A, '--trigger', 'registration.updated', '--name', 'Mine', '--event', '4711'];
const SAYS = /set \w+Webhooks?|(?:listWebhooks|updateWebhook|deleteWebhook)|Give --/;

/** A machine whose profile has these endpoints, and a service of that shape. */
async function machine(shape: Shape, endpoints: Record<string, string>) {
  const service = await shapedService(shape);
  const bench = await listenBench(
    {},
    { clock: fakeClock({ auto: true }), env: { EVENTREG_INTEG_URL: service.url } },
  );
  const { config } = bench.here.runtime.paths;
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const profiles = JSON.stringify({ profiles: { default: { endpoints } } });
  writeFileSync(join(config, 'profiles.json'), profiles, { mode: 0o600 });
  const foreign = structuredClone(service.hooks);
  const run = async (...argv: string[]) => {
    const { code, out, err } = await bench.run(['webhooks', ...argv]);
    // Those of others.
    expect(service.hooks.slice(0, 2)).toEqual(foreign);
    return { code, out: out(), err: err() };
  };
  return { service, run, mine: () => service.hooks.slice(2) };
}

/** Works, or says what to set; never says what is not so. */
async function live(shape: Shape, endpoints: Record<string, string>) {
  const { service, run, mine } = await machine(shape, endpoints);
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
    const id = service.idOf(hook);
    const updated = await run('update', id, ...WHOLE, '--inactive', '--config', '{}', '--yes');
    note('update', updated);
    if (updated.code === 0) expect(hook['active']).toBe(false);
    const deleted = await run('delete', id, '--yes', '--json');
    note('delete', deleted);
    // It was there.
    expect(deleted.code).not.toBe(3);
    if (deleted.code === 0) expect(mine()).toEqual([]);
    if (deleted.out.includes('"deleted"')) expect(mine()).toEqual([]);
    const again = await run('delete', id, '--yes', '--json');
    if (mine().length > 0) expect(again.code).toBe(1);
    if (again.code !== 3) expect(again.err).toMatch(SAYS);
    service.hooks.splice(2);
  }
  const listened = await run('listen', '--port', '0', '--for', '1s');
  codes['listen'] = listened.code;
  const isOn = (): boolean => mine().some(({ active }) => active === true);
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

const isProvable = ({ list, answer, missing }: Shape): boolean =>
  !(list === 'empty' || list === 'absent' || list === 'no-ids') ||
  ((answer === 'record' || answer === 'wrapped') && missing === 404);

describe(`${SHAPES.length} shapes of webhook operations`, () => {
  test.each(SHAPES)('as the profile says them: %j', async (shape) => {
    const codes = await live(shape, endpointsOf(shape));
    const { list } = shape;
    const canUpdate = list === 'all' || list === 'wrapped' || list === 'host-only';
    expect(codes).toMatchObject({
      create: 0,
      list: list === 'absent' ? 1 : 0,
      ...(canUpdate && { update: 0 }),
    });
    if (isProvable(shape)) expect(codes).toMatchObject({ listen: 0, delete: 0 });
  });

  test.each(SHAPES)('as they are found out, or asked for: %j', async (shape) => {
    const codes = await live(shape, {});
    const isFound =
      (shape.event === 'nowhere' || shape.event === 'asked') &&
      shape.update.startsWith('P') &&
      shape.update !== 'POST /update';
    if (isFound && shape.list === 'all') expect(codes).toMatchObject({ list: 0, create: 0, update: 0 });
  });
});
