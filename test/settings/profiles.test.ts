import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { openProfiles, type Profile, readProfiles } from '../../src/settings/profiles.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const onPosix = process.platform !== 'win32';

describe('profiles', () => {
  test('start empty, with default as the current one, and create nothing', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    const store = await openProfiles(configDir);
    expect([store.names(), store.current(), store.get('default')]).toEqual([[], 'default', undefined]);
    expect(existsSync(configDir)).toBe(false);
  });

  test('are kept for the next time', async () => {
    const configDir = temporaryDirectory();
    const profile: Profile = {
      baseUrl: 'https://a.example.com/api',
      integUrl: 'https://b.example.com',
      timeout: 2.5,
      settleSeconds: 0,
      refuses503: true,
      registrationId: 'barcode',
      endpoints: { registration: '/v2/registration/{id}', event: '/v2/event' },
    };
    (await openProfiles(configDir)).set('staging', profile);
    const again = await openProfiles(configDir);
    expect(again.get('staging')).toEqual(profile);
    again.use('staging');
    expect(readProfiles(configDir).current()).toBe('staging');
    again.set('a.b', {});
    expect(readProfiles(configDir).names()).toEqual(['a.b', 'staging']);
    expect(readProfiles(configDir).current()).toBe('staging');
  });

  test('fall back to default when the current one is removed', async () => {
    const store = await openProfiles(temporaryDirectory());
    store.set('staging', {});
    store.set('other', {});
    store.use('staging');
    expect(store.remove('other')).toBe(true);
    expect(store.current()).toBe('staging');
    expect(store.remove('staging')).toBe(true);
    expect(store.current()).toBe('default');
    expect(store.remove('staging')).toBe(false);
  });

  test('names of what every object inherits are plain names', async () => {
    const store = await openProfiles(temporaryDirectory());
    expect(store.get('constructor')).toBeUndefined();
    expect(store.get('__proto__')).toBeUndefined();
    store.set('constructor', { timeout: 1 });
    expect(store.get('constructor')).toEqual({ timeout: 1 });
    expect(store.names()).toEqual(['constructor']);
  });

  test.each(['', '.', '..', '__proto__', '-x', 'a/b', 'a@b', 'a b', 'é', 'a\n', 'x'.repeat(65)])(
    'cannot be called %j',
    async (name) => {
      const store = await openProfiles(temporaryDirectory());
      expect(() => store.set(name, {})).toThrow(UsageError);
      expect(() => store.use(name)).toThrow(UsageError);
    },
  );

  test('an unknown one cannot be chosen, and the error lists the known ones', async () => {
    const store = await openProfiles(temporaryDirectory());
    store.set('a', {});
    store.set('b', {});
    expect(() => store.use('c')).toThrow(expect.objectContaining({ hint: expect.stringContaining('a, b') }));
  });

  test.each<[string, unknown]>([
    ['a misspelt key', { baseurl: 'https://a.example.com' }],
    ['a time of no length', { timeout: 0 }],
    ['a time that is no number', { timeout: Number.NaN }],
    ['an address with control characters', { baseUrl: 'https://a.example.com/\u001b[2J' }],
    ['a path without its id', { endpoints: { registration: '/registration' } }],
    ['a path with two ids', { endpoints: { deleteWebhook: '/{id}/{id}' } }],
    ['an operation with another method', { endpoints: { updateWebhook: 'TRACE /a/{id}' } }],
    ['an operation whose query climbs', { endpoints: { listWebhooks: '/a?x=#b' } }],
    ['an operation that climbs', { endpoints: { deleteWebhook: 'POST /a/../{id}' } }],
    ['an operation on another host', { endpoints: { listWebhooks: '//evil.example.com/a' } }],
    ['a list of one', { endpoints: { listWebhooks: '/a/{id}' } }],
    ['an operation without its id', { endpoints: { deleteWebhook: '/a?event_id={event_id}' } }],
    ['an id where there is none', { endpoints: { event: '/event/{id}' } }],
    ['another placeholder', { endpoints: { registration: '/{event}/{id}' } }],
    ['a path that climbs', { endpoints: { event: '/a/../event' } }],
    ['a path with a query', { endpoints: { event: '/event?x=1' } }],
    ['a path that is another host', { endpoints: { event: '//evil.example.com/event' } }],
    ['a path without a slash', { endpoints: { event: 'event' } }],
    ['another word for what names a registration', { registrationId: 'code' }],
    ['an unknown endpoint', { endpoints: { events: '/event' } }],
  ])('with %s is refused, on writing and on reading', async (_what, profile) => {
    const configDir = temporaryDirectory();
    const store = await openProfiles(configDir);
    expect(() => store.set('a', profile as Profile)).toThrow(UsageError);
    expect(existsSync(store.file)).toBe(false);
    writeFileSync(store.file, JSON.stringify({ profiles: { a: profile } }));
    expect(() => readProfiles(configDir)).toThrow(UsageError);
  });
});

describe('profiles.json', () => {
  test.each([
    ['cut off', '{"profiles": {"a": {"baseUrl": "https://secret-part'],
    ['empty', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['something else', '{"servers": {}}'],
  ])('when %s is an error that names it, and stays as it is', async (_what, text) => {
    const configDir = temporaryDirectory();
    const store = await openProfiles(configDir);
    writeFileSync(store.file, text);
    for (const use of [
      () => store.set('a', {}),
      () => store.remove('a'),
      () => store.names(),
      () => readProfiles(configDir),
    ]) {
      expect(use).toThrow(UsageError);
      expect(use).toThrow(store.file);
      expect(use).not.toThrow('secret-part');
    }
    await expect(openProfiles(configDir)).rejects.toMatchObject({ hint: expect.stringContaining('login') });
    expect(readFileSync(store.file, 'utf8')).toBe(text);
  });

  test('may begin with a byte order mark, as editors on Windows write it', () => {
    const configDir = temporaryDirectory();
    writeFileSync(join(configDir, 'profiles.json'), '\uFEFF{"profiles":{"a":{}}}');
    expect(readProfiles(configDir).names()).toEqual(['a']);
  });

  test.each([
    ['{"profiles":{"a":{"timeout":"5"}}}', 'cannot be read: profiles.a.timeout: '],
    [
      '{"profiles":{"a":{"endpoints":{"listWebhooks":"GETS /hooks"}}}}',
      'profiles.a.endpoints.listWebhooks: must be like "PATCH /v1/webhooks/{id}?event_id={event_id}"',
    ],
    ['{\n"profiles": {\n},\n}', 'cannot be read: it is no JSON (line 4)'],
  ])('says what is wrong and where: %s', (text, why) => {
    const configDir = temporaryDirectory();
    writeFileSync(join(configDir, 'profiles.json'), text);
    expect(() => readProfiles(configDir)).toThrow(why);
    expect(() => readProfiles(configDir)).not.toThrow('damaged');
  });

  test.each([
    ['listWebhooks', ['/hooks?event_id={event_id}', 'POST /events/{event_id}/hooks/list', '/a/b?x=1&y=z']],
    ['createWebhook', ['/events/{event_id}/hooks', 'PUT /hooks']],
    ['updateWebhook', ['PATCH /hooks/{id}?event_id={event_id}', '/hooks?id={id}', 'POST /v1/{id}/update']],
    ['deleteWebhook', ['POST /hooks/{id}/delete', 'DELETE /events/{event_id}/hooks/{id}']],
  ] as const)('say the shape of %s: %j', (name, shapes) => {
    for (const shape of shapes) {
      const configDir = temporaryDirectory();
      writeFileSync(
        join(configDir, 'profiles.json'),
        JSON.stringify({ profiles: { a: { endpoints: { [name]: shape } } } }),
      );
      expect(readProfiles(configDir).get('a')?.endpoints?.[name]).toBe(shape);
    }
  });

  test('that cannot be written is a UsageError', async () => {
    const place = join(temporaryDirectory(), 'a-file');
    writeFileSync(place, '');
    const store = await openProfiles(join(place, 'config'));
    expect(() => store.set('a', {})).toThrow(UsageError);
  });

  test.runIf(onPosix)('and its directory are for their owner only', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    const store = await openProfiles(configDir);
    store.set('a', {});
    expect(modeOf(configDir)).toBe(0o700);
    expect(modeOf(store.file)).toBe(0o600);
  });

  test.runIf(onPosix)('and its directory are closed when they were open to others', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    mkdirSync(configDir);
    chmodSync(configDir, 0o775);
    const store = await openProfiles(configDir);
    writeFileSync(store.file, '{"profiles":{}}');
    chmodSync(store.file, 0o664);
    store.set('a', {});
    expect(modeOf(configDir)).toBe(0o700);
    expect(modeOf(store.file)).toBe(0o600);
  });

  test.runIf(onPosix)('leaves a shared directory such as /tmp as it is', async () => {
    const configDir = temporaryDirectory();
    chmodSync(configDir, 0o1777);
    (await openProfiles(configDir)).set('a', {});
    expect(statSync(configDir).mode & 0o7777).toBe(0o1777);
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
