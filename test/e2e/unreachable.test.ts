import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { type CliResult, createCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TOKEN = 'tok-4f9a2c77e1-secret';
const FILE = 'fixtures/attendees/attendees.csv';

async function push(baseUrl: string, more: string[] = []): Promise<CliResult> {
  const cli = createCli(temporaryDirectory(), { EVENTREG_BASE_URL: baseUrl, EVENTREG_TOKEN: TOKEN });
  return await cli.run(['push', FILE, ...more]);
}

async function sandboxUrl(switches: Partial<Switches>): Promise<string> {
  const sandbox = await startSandbox({ file: ':memory:', token: TOKEN, switches });
  onTestFinished(() => sandbox.close());
  return sandbox.baseUrl;
}

/** Lines of the error: what it says, and what to do about it. */
function errorOf({ out, err }: CliResult): string[] {
  expect(out).toBe('');
  expect(err).not.toContain(TOKEN);
  return err.trimEnd().split('\n');
}

describe('a service that cannot be used is told in one line with a hint', () => {
  test('nothing listens there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const result = await push(`http://127.0.0.1:${port}/api`);
    expect(result.code).toBe(1);
    expect(errorOf(result)).toEqual([
      `eventreg: Could not read the event: http://127.0.0.1:${port}: nothing listens there (connection refused).`,
      'hint: Check the address with `eventreg profiles show`, and the way to it with `eventreg doctor`.',
    ]);
  });

  test('the token is not accepted', async () => {
    const result = await push(await sandboxUrl({ auth: '401' }));
    expect(result.code).toBe(4);
    const [line, hint, ...rest] = errorOf(result);
    expect(line).toMatch(
      /^eventreg: Could not read the event: the service did not accept the token \(401: .+\)\.$/,
    );
    expect(hint).toBe('hint: Log in again with `eventreg login`, or set EVENTREG_TOKEN.');
    expect(rest).toEqual([]);
  });

  test('the address is wrong', async () => {
    const url = await sandboxUrl({});
    const result = await push(url.replace('/api', '/elsewhere'));
    expect(result.code).toBe(1);
    const [line, hint, ...rest] = errorOf(result);
    expect(line).toMatch(/^eventreg: Could not read the event: the service answered 404: /);
    expect(hint).toBe(
      'hint: Nothing is found at /elsewhere/event: check base_url with `eventreg profiles show`.',
    );
    expect(rest).toEqual([]);
  });

  test('a login page answers with status 200', async () => {
    const url = await sandboxUrl({ event: 'html' });
    const result = await push(url);
    expect(result.code).toBe(1);
    const [line, hint, ...rest] = errorOf(result);
    expect(line).toMatch(
      /^eventreg: Could not read the event: http:\/\/127\.0\.0\.1:\d+\/api\/event answered 200 with a web page titled ".+" where JSON was expected\.$/,
    );
    expect(hint).toContain('check base_url');
    expect(rest).toEqual([]);
  });

  test('a redirect is not followed', async () => {
    const result = await push(await sandboxUrl({ event: 'redirect' }));
    expect(result.code).toBe(1);
    const [line, hint, ...rest] = errorOf(result);
    expect(line).toMatch(
      /^eventreg: Could not read the event: .+\/api\/event redirects to .*\/login \(302\)\.$/,
    );
    expect(hint).toContain('Redirects are never followed');
    expect(rest).toEqual([]);
  });

  test('a service that repeats the token in its answer does not get it printed', async () => {
    const server = createServer((request, response) => {
      response.statusCode = 403;
      response.end(JSON.stringify({ message: `no entry with ${request.headers.authorization}` }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const result = await push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ['--verbose']);
    expect(result.code).toBe(4);
    expect(errorOf(result).join('\n')).toContain('no entry with Bearer [token]');
  });

  test('nothing is configured', async () => {
    const cli = createCli(temporaryDirectory());
    const result = await cli.run(['push', FILE]);
    expect(result.code).toBe(2);
    expect(result.err).toContain(
      'hint: Run `eventreg login`, or set EVENTREG_BASE_URL, or rehearse with --sandbox.',
    );
  });
});
