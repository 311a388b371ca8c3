import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { start } from './support.ts';
import { listed } from '../support/tables.ts';

/** One request under a name of the machine. */
function ask(
  sandbox: Sandbox,
  host: string,
  method = 'GET',
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(sandbox.url);
    const headers = { host, authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' };
    const sent = request(
      { host: '127.0.0.1', port, path: '/api/registration', method, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      },
    );
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify({ persona: 'visitor', fields: {} }) : undefined);
  });
}

test.each(['127.0.0.1', '127.0.0.1:80', 'localhost', 'LOCALHOST:8787', '[::1]', '[::1]:1'])(
  'the sandbox answers as %s',
  async (host) => {
    expect((await ask(await start(), host)).status).toBe(200);
  },
);

test.each(
  listed(`
    evil.example | evil.example:8787 | localhost.evil.example | 127.0.0.1.evil.example |
    evil.example@localhost | 127.0.0.2 | localhost:8787:1
  `),
)('the sandbox does not answer as "%s", whatever the token', async (host) => {
  const sandbox = await start();
  const { status, text } = await ask(sandbox, host, 'POST');
  // What is no name at all is a bad request.
  expect([400, 403]).toContain(status);
  expect(sandbox.counts().registrations).toBe(0);
  if (status === 403) expect(text).toContain('127.0.0.1, localhost and [::1] only');
});
