import { describe, expect, test } from 'vitest';
import { makeKey, parseAddress, parseKey } from '../../src/settings/state-address.ts';

const VERIFIED = { rejectUnauthorized: true };

describe('where a space is', () => {
  test.each([
    [
      'postgres://ana:s%40crt@db.example.com:5433/eventreg?space=fair-2027',
      {},
      'fair-2027',
      VERIFIED,
      'db.example.com:5433/eventreg',
    ],
    ['postgresql://localhost/x', {}, 'default', false, 'localhost/x'],
    ['postgres://127.0.0.1/x?sslmode=require', {}, 'default', VERIFIED, '127.0.0.1/x'],
    ['postgres://db.example.com/x?sslmode=disable', {}, 'default', false, 'db.example.com/x'],
    [
      'postgres:?space=Messe',
      { PGHOST: 'db.example.com', PGPORT: '5433', PGDATABASE: 'x' },
      'Messe',
      VERIFIED,
      'db.example.com:5433/x',
    ],
    ['postgres:', {}, 'default', false, 'localhost/'],
    ['postgres:///x?host=/run/postgresql', {}, 'default', false, '/run/postgresql/x'],
  ] as const)('%s', (text, env, space, ssl, label) => {
    const address = parseAddress(text, env);
    expect(address).toMatchObject({ space, label, connection: { ssl } });
    expect(address.label).not.toContain('crt');
  });

  test('the password is as it was meant', () => {
    expect(parseAddress('postgres://ana:s%40crt@h/x').connection).toMatchObject({
      user: 'ana',
      password: 's@crt',
    });
  });

  test.each(['mysql://h/x', 'db.example.com', 'postgres://h/x?space=', 'postgres://h/x?space=a%20b'])(
    '%s is none',
    (text) => {
      expect(() => parseAddress(text)).toThrow(/EVENTREG_STATE/);
    },
  );

  test('a key is long, another one each time, and read as it was made', () => {
    const key = makeKey();
    expect(parseKey(key)).toHaveLength(32);
    expect(makeKey()).not.toBe(key);
    for (const wrong of [key.slice(4), key.slice(0, -3), `${key}AAAA`])
      expect(() => parseKey(wrong)).toThrow('is no key of a space');
    expect(() => parseKey('')).toThrow('EVENTREG_STATE_KEY is not set');
  });
});
