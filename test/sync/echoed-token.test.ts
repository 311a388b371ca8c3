import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';

const TOKEN = 'bench-token-1234';
const HEADER = `Bearer ${TOKEN}`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What of the token must not be found anywhere, whoever wrote it. */
const TRACES = [
  TOKEN,
  Buffer.from(TOKEN).toString('hex'),
  base64(HEADER).slice(8, 24),
  base64(TOKEN).slice(0, 20),
];

const WAYS: readonly [string, string][] = [
  ['as Gson and .NET escape it', TOKEN.replaceAll('-', '\\u002D')],
  ['in escapes only', Array.from(TOKEN, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')],
  ['as JSON within JSON', TOKEN.replaceAll('-', '\\\\u002d')],
  ['partly percent-encoded', TOKEN.replace('-', '%2D')],
  ['in hex', Buffer.from(TOKEN).toString('hex')],
  ['in base64 of its header', base64(HEADER)],
];

/** Everything that the program has written into its directory of state. */
function stateOf({ directory }: Bench): string {
  const state = join(directory, 'state');
  const files = readdirSync(state, { withFileTypes: true, recursive: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

/** A text, and what a reader of JSON or URLs makes of it. */
function readings(text: string): string {
  const once = text.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return `${text}\n${once}\n${once.replaceAll(/%2d/gi, '-')}`;
}

test.each(WAYS)('A service that repeats the token %s puts it nowhere', async (_, written) => {
  const bench = await pushBench();
  const headers = { 'content-type': 'application/json', 'x-request-id': written, location: written };
  const record = `{"id":"1","persona":"visitor","barcode":"Z","fields":{"email":"${written}","${written}":"x"},"${written}":1}`;
  const answers: Record<string, string> = {
    POST: `{"message":"refused ${written}","errors":{"${written}":["is ${written}"]}}`,
    registration: `{"data":[${record}],"meta":{"total":1,"last_page":1}}`,
    webhooks: `{"data":[{"id":"1","name":"${written}","${written}":{"a":["${written}"]}}]}`,
  };
  bench.service.fault = ({ method, path }) => {
    const name = method === 'POST' ? method : path.replace(/\?.*/, '').split('/').at(-1);
    const body = answers[name ?? ''];
    return body === undefined
      ? undefined
      : { answer: { status: method === 'POST' ? 422 : 200, body, headers } };
  };
  const pushed = await bench.push([bench.write('a.csv', visitors('A')), '--verbose']);
  expect(pushed).toMatchObject({ code: EXIT.rejected, summary: { failed: 1 } });
  expect(pushed.summary.problems[0]?.message).toContain('[token]');
  const told = [pushed.out, pushed.err];
  for (const argv of [
    ['runs', 'show', bench.runs()[0]?.id ?? ''],
    ['runs', 'why', 'A'],
    ['list'],
    ['list', '--json'],
    ['list', '--output', 'csv'],
    ['webhooks', 'list', '--json'],
    ['delete', '--barcode', 'Z', '--yes'],
    ['doctor', '--verbose'],
  ]) {
    const { out, err } = await bench.run(argv);
    told.push(out, err);
  }
  const everything = readings([...told, stateOf(bench)].join('\n'));
  expect(TRACES.filter((trace) => everything.toLowerCase().includes(trace.toLowerCase()))).toEqual([]);
});
