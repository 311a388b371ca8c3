import { describe, expect, test } from 'vitest';
import { GuardError } from '../../src/errors.ts';
import { buildUrl } from '../../src/service/endpoints.ts';
import { listed, paired } from '../support/tables.ts';

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

  test.each(['reg-1', '42', 'a.b', '...', 'A_b-9~', 'x'.repeat(200)])('takes the id %s as it is', (id) => {
    expect(buildUrl(base, '/registration/{id}', id).pathname).toBe(`/api/registration/${id}`);
  });

  test.each([
    [' ', '%20'],
    ['\u202E1', '%E2%80%AE1'],
    ['1\n', '1%0A'],
    ['é'.repeat(300), '%C3%A9'.repeat(300)],
    ...paired(`
      a/b → a%2Fb | ../event → ..%2Fevent | a?b → a%3Fb | a#b → a%23b | a b → a%20b | a\\b → a%5Cb |
      MTc= → MTc%3D | a+b@c~d → a%2Bb%40c~d | urn:x:1 → urn%3Ax%3A1 | ä → %C3%A4 | %2e%2e → %252e%252e |
      $&' → %24%26' | {id} → %7Bid%7D | \u{1F600} → %F0%9F%98%80
    `),
  ])('sends the id %j as one segment', (id, segment) => {
    const url = buildUrl(base, '/registration/{id}', id);
    expect(url.href).toBe(`https://events.example/api/registration/${segment}`);
    expect(decodeURIComponent(url.pathname.split('/').at(-1) ?? '')).toBe(id);
  });

  test.each(['..', '.', '', '\uD83D', 'a\uDE00'])('refuses the id %j', (id) => {
    expect(() => buildUrl(base, '/registration/{id}', id)).toThrow(GuardError);
  });

  test('does not repeat a long id in full', () => {
    expect(() => buildUrl(base, '/registration', 'x'.repeat(100_000))).toThrow(/^.{1,120}$/);
  });

  test.each([
    ['/v2/attendees/{id}', '/api/v2/attendees/7'],
    ['/attendees/{id}/record', '/api/attendees/7/record'],
    ['/{id}/copies/{id}', '/api/7/copies/7'],
    ['/registration?id={id}&x=1', '/api/registration'],
  ])('fills the overridden path %s', (template, path) => {
    expect(buildUrl(base, template, '7').pathname).toBe(path);
  });

  test.each(
    listed(`
      /registration | /registration?id=x{id} | /registration#{id} | /registration-{id} | /x/{id}/..
    `),
  )('refuses a path that has no place of its own for the id: %s', (template) => {
    expect(() => buildUrl(base, template, '7')).toThrow(GuardError);
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
