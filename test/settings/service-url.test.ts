import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { checkServiceUrl } from '../../src/settings/service-url.ts';
import { paired } from '../support/tables.ts';

describe('checkServiceUrl', () => {
  test.each([
    ['https://events.example.com', 'https://events.example.com/'],
    ['https://events.example.com///', 'https://events.example.com/'],
    ['https://events.example.com/api/v2/', 'https://events.example.com/api/v2'],
    ['HTTPS://Events.Example.com:8443/api', 'https://events.example.com:8443/api'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
    ['http://127.255.1.2', 'http://127.255.1.2/'],
    ['http://[::1]:3000/x/', 'http://[::1]:3000/x'],
  ])('takes %s', (text, href) => {
    expect(checkServiceUrl(text, '--base-url').href).toBe(href);
  });

  test.each([
    ['https://exam\nple.com', 'not a web address'],
    ['', 'not a web address'],
    ...paired(`
      http://events.example.com → unencrypted to events.example.com |
      http://127.0.0.1.example.com → unencrypted | http://localhost.example.com → unencrypted |
      http://128.0.0.1 → unencrypted | http://[::2] → unencrypted | http://0.0.0.0 → unencrypted |
      https://events.example.com/?a=1 → query | https://events.example.com/? → query |
      https://events.example.com/#a → fragment | https://events.example.com/# → fragment |
      ftp://events.example.com → not a web address | events.example.com → not a web address |
      https:events.example.com → not a web address | https:// → not a web address |
      https://a b.example.com → not a web address | https:\\\\events.example.com → not a web address
    `),
  ])('refuses %j and says why', (text, why) => {
    const check = (): unknown => checkServiceUrl(text, '--base-url');
    expect(check).toThrow(UsageError);
    expect(check).toThrow(/^--base-url /);
    expect(check).toThrow(why);
  });

  test.each([
    'https://user:hunter2@example.com',
    'https://hunter2@example.com',
    'https://:hunter2@example.com',
  ])('refuses %s without repeating the password', (text) => {
    const check = (): unknown => checkServiceUrl(text, 'EVENTREG_BASE_URL');
    expect(check).toThrow('contains a user name or password');
    expect(check).not.toThrow('hunter2');
  });

  test('takes an @ in the path, where it is no password', () => {
    expect(checkServiceUrl('https://example.com/@team', 'x').pathname).toBe('/@team');
  });
});
