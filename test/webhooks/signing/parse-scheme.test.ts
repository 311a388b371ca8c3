import { describe, expect, test } from 'vitest';
import type { UsageError } from '../../../src/errors.ts';
import { parseScheme, specOf } from '../../../src/webhooks/signing/parse-scheme.ts';
import { NAMED, SCHEME_NAMES } from '../../../src/webhooks/signing/scheme.ts';
import { schemeOf } from './samples.ts';
import { paired } from '../../support/tables.ts';

describe('a scheme by name', () => {
  test.each(SCHEME_NAMES)('%s', (name) => {
    expect(parseScheme(name)).toEqual({ name, ways: NAMED[name] });
  });

  test('auto is to be found out', () => {
    expect(parseScheme('auto')).toBe('auto');
  });

  test.each(['', 'gitlab', 'toString', '__proto__', 'hmac-sha256'])('%j is none', (name) => {
    expect(() => parseScheme(name)).toThrow(`There is no scheme of signatures ${JSON.stringify(name)}.`);
  });
});

describe('a scheme by SPEC', () => {
  test('says what the way is', () => {
    expect(schemeOf('hmac-sha256:X-Signature:hex').ways).toEqual([
      {
        algorithm: 'hmac-sha256',
        header: 'x-signature',
        prefix: '',
        encoding: 'hex',
        signed: 'body',
        key: 'text',
        toleranceSeconds: 300,
      },
    ]);
    expect(
      schemeOf(
        'hmac-sha1:x-sig:base64:v0:id:timestamp:body;key=hex;prefix=v0=;timestamp=X-Sig/t;id=x-id;tolerance=60',
      ).ways,
    ).toEqual([
      {
        algorithm: 'hmac-sha1',
        header: 'x-sig',
        prefix: 'v0=',
        encoding: 'base64',
        signed: 'v0:id:timestamp:body',
        id: 'x-id',
        timestamp: { header: 'x-sig', key: 't' },
        key: 'hex',
        toleranceSeconds: 60,
      },
    ]);
  });

  test('has its time beside the signature unless it says where', () => {
    const [way] = schemeOf('hmac-sha256:acme-signature-256:hex:id.timestamp.body').ways;
    expect([way.id, way.timestamp]).toEqual(['acme-id', { header: 'acme-timestamp' }]);
  });

  test.each(
    Object.values(NAMED)
      .flat()
      .map((way) => [specOf(way), way] as const),
  )('every named way can be said so: %s', (spec, way) => {
    expect(schemeOf(spec)).toEqual({ name: spec, ways: [way] });
  });

  test.each([
    ['hmac-sha256:x-mac:hex;key=rot13', /^key "rot13" is none of text, base64/],
    ...paired(`
      md5:x-signature:hex → the algorithm "md5" is none of hmac-sha1, hmac-sha256, hmac-sha512, ed25519 |
      hmac-sha256:x signature:hex → "x signature" is no name of a header |
      hmac-sha256:x-signature → the encoding "" is none of hex, base64, base64url, base64hex |
      hmac-sha256:x-signature:hex:timestamp → what is signed must hold the body |
      hmac-sha256:x-signature:hex:timestmp.body → what is signed is made of id, timestamp, url and body with signs between them, not "timestmp." |
      hmac-sha256:x-mac:hex:timestamp.body → it does not say where the timestamp stands: add ;timestamp=HEADER |
      hmac-sha256:x-mac:hex:timestamp.body;timestamp=a b → "a b" is no name of a header |
      hmac-sha256:x-mac:hex;timestamp=x-time → the timestamp has a place, but is not signed |
      hmac-sha256:x-mac:hex;keys=hex → "keys=hex" is none of key=…, prefix=…, timestamp=…, id=…, tolerance=… |
      hmac-sha256:x-mac:hex;tolerance=long → tolerance is not a whole number of seconds
    `),
  ])('%s is refused', (spec, why) => {
    const reason = typeof why === 'string' ? why : (why.exec(messageOf(spec).slice(42))?.[0] ?? '');
    expect(messageOf(spec)).toContain(`The scheme of signatures cannot be read: ${reason}`);
  });

  test('names everything that is wrong at once', () => {
    const error = errorOf('md5:x y:hex:body;key=q');
    expect([error.message, error.details, error.hint]).toEqual([
      expect.stringContaining('"md5"'),
      [expect.stringContaining('"q"'), expect.stringContaining('"x y"')],
      expect.stringContaining('hmac-sha256:x-signature:hex:timestamp.body'),
    ]);
  });
});

function errorOf(spec: string): UsageError {
  try {
    parseScheme(spec);
  } catch (error) {
    return error as UsageError;
  }
  throw new Error('it was read');
}

const messageOf = (spec: string): string => errorOf(spec).message;
