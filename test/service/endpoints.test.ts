import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { buildUrl } from '../../src/service/endpoints.ts';

const base = new URL('https://events.example/api/');

describe('buildUrl', () => {
  test.each([
    ['https://events.example', '/registration', 'https://events.example/registration'],
    ['https://events.example/', 'registration', 'https://events.example/registration'],
    ['https://events.example/api', '/registration', 'https://events.example/api/registration'],
    ['https://events.example/api//', '//registration', 'https://events.example/api/registration'],
    ['https://events.example:8443/a/b', '/event', 'https://events.example:8443/a/b/event'],
    [
      'https://events.example/api',
      '/event?expand=personas',
      'https://events.example/api/event?expand=personas',
    ],
  ])('appends to %s the path %s', (from, template, url) => {
    expect(buildUrl(new URL(from), template).href).toBe(url);
  });

  test.each(['reg-1', '42', 'a.b', '...', 'urn:x:1', 'A_b-9', 'x'.repeat(200)])('takes the id %s', (id) => {
    expect(buildUrl(base, '/registration/{id}', id).pathname).toBe(`/api/registration/${id}`);
  });

  test.each([
    '..',
    '.',
    'a/b',
    'a?b',
    'a#b',
    '%2e%2e',
    '',
    ' ',
    'a b',
    'a\\b',
    'ä',
    '\u202E1',
    '1\n',
    '$&',
    '{id}',
    'x'.repeat(201),
    'x'.repeat(300),
  ])('refuses the id %j', (id) => {
    expect(() => buildUrl(base, '/registration/{id}', id)).toThrow(ServiceError);
  });

  test('does not repeat a long id in full', () => {
    expect(() => buildUrl(base, '/registration/{id}', '/'.repeat(100_000))).toThrow(/^.{1,120}$/);
  });

  test.each([
    ['/v2/attendees/{id}', '/api/v2/attendees/7'],
    ['/attendees/{id}/record', '/api/attendees/7/record'],
    ['/{id}/copies/{id}', '/api/7/copies/7'],
  ])('fills the overridden path %s', (template, path) => {
    expect(buildUrl(base, template, '7').pathname).toBe(path);
  });

  test.each([
    '/registration',
    '/registration?id={id}',
    '/registration#{id}',
    '/registration-{id}',
    '/x/{id}/..',
  ])('refuses a path that has no place of its own for the id: %s', (template) => {
    expect(() => buildUrl(base, template, '7')).toThrow(ServiceError);
  });

  test('does not take a part of the base address for the id', () => {
    expect(() => buildUrl(base, '/registration', 'api')).toThrow('no place');
  });

  test.each(['https://evil.example/x', '//evil.example/x', '\\\\evil.example\\x', '@evil.example/'])(
    'never leaves the origin: %s',
    (template) => {
      expect(buildUrl(base, template).origin).toBe('https://events.example');
    },
  );
});
