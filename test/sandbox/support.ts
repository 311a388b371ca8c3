import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { FAST_PLACE } from '../support/fast-place.ts';

/** One answer, read to its end. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed body; undefined when it is not JSON. */
  json: unknown;
}

/** What is sent besides method and path. A body that is no text is sent as JSON. */
export interface CallOptions {
  body?: unknown;
  authorization?: string | undefined;
  requestId?: string;
  signal?: AbortSignal;
}

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Runs after the test, last registered first. */
export function afterTest(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** A sandbox in memory with the limiter off unless the options say otherwise; closed after the test. */
export async function start(
  switches: Partial<Switches> = {},
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const sandbox = await startSandbox({ file: ':memory:', switches: { limit: 0, ...switches }, ...options });
  afterTest(() => sandbox.close());
  return sandbox;
}

/** A path in a folder of its own that is gone after the test. */
export function temporaryFile(name = 'sandbox.db'): string {
  const folder = mkdtempSync(join(FAST_PLACE, 'eventreg-sandbox-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** One request over a real socket; redirects are not followed. */
export async function call(
  sandbox: Sandbox,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  const authorization = 'authorization' in options ? options.authorization : `Bearer ${sandbox.token}`;
  const { body } = options;
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
    },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates a visitor. */
export function post(sandbox: Sandbox, body: Record<string, unknown> = {}): Promise<Reply> {
  const whole = { persona: 'visitor', fields: { first_name: 'Ada' }, ...body };
  return call(sandbox, 'POST', '/api/registration', { body: whole });
}

/** Lists registrations with the query. */
export function list(sandbox: Sandbox, query = ''): Promise<Reply> {
  return call(sandbox, 'GET', `/api/registration${query}`);
}

/** Creates visitors with the barcodes B1, B2, … */
export async function fill(sandbox: Sandbox, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) await post(sandbox, { barcode: `B${number}` });
}

/** The barcodes of a page in the default shape. */
export function barcodes(reply: Reply): string[] {
  return (reply.json as { data: { barcode: string }[] }).data.map((record) => record.barcode);
}
