// A push to a service without a limit that does no work, beside a bare loop over undici that sends the same requests.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { Pool } from 'undici';
import { requestBody, writeCsv } from './attendees.js';
import { directory, median, report, run, start, stateDir, takeSamples } from './process.js';

const ROWS = 20_000;
const CONCURRENCY = 8;

const SERVICE = fileURLToPath(new URL('./trivial-service.js', import.meta.url));

/** The first line that a process prints. */
async function firstLine(child) {
  return await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
}

async function stop(child) {
  child.kill();
  await new Promise((resolve) => child.once('close', resolve));
}

/** What the sandbox answers to GET /event. */
async function readEvent() {
  const sandbox = start(['sandbox', '--port', '0', '--data', join(directory, 'service.sqlite')]);
  const text = await firstLine(sandbox);
  const setting = (name) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1];
  const headers = { authorization: `Bearer ${setting('EVENTREG_TOKEN')}` };
  const response = await fetch(`${setting('EVENTREG_BASE_URL')}/event`, { headers });
  const event = await response.text();
  await stop(sandbox);
  return event;
}

/** A service of its own for each measurement: none reads what another one left there. */
async function withService(event, work) {
  const service = spawn(process.execPath, [SERVICE, event]);
  try {
    return await work({
      baseUrl: `http://127.0.0.1:${await firstLine(service)}/api`,
      token: 'token-for-the-bench',
    });
  } finally {
    await stop(service);
  }
}

/** Seconds for all of them. */
async function bareLoop({ baseUrl, token }) {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: CONCURRENCY });
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'bare-loop',
    'content-type': 'application/json',
  };
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    for (let n = next++; n < ROWS; n = next++) {
      const path = `${pathname}/registration`;
      const response = await pool.request({ method: 'POST', path, headers, body: requestBody(n) });
      const text = await response.body.text();
      if (response.statusCode !== 200)
        throw new Error(`The service answered ${response.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return seconds;
}

/** Seconds from the first intent of the last run to its last outcome, as the journal has them. */
function readSendingSeconds() {
  const journal = new DatabaseSync(join(stateDir, 'journal.sqlite'), { readOnly: true });
  const { ms, rows } = journal
    .prepare(
      `SELECT max(done_at) - min(sent_at) AS ms, count(done_at) AS rows
       FROM operation WHERE run = (SELECT id FROM run ORDER BY started_at DESC LIMIT 1)`,
    )
    .get();
  journal.close();
  if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} rows were answered.`);
  return ms / 1000;
}

function push(file, { baseUrl, token }) {
  // Another service: nothing that was known of the last one helps.
  rmSync(stateDir, { recursive: true, force: true });
  const options = ['--concurrency', String(CONCURRENCY), '--quiet'];
  return run(['push', file, ...options], { EVENTREG_BASE_URL: baseUrl, EVENTREG_TOKEN: token });
}

export async function benchSending() {
  const file = join(directory, 'send.csv');
  await writeCsv(file, ROWS);
  const event = await readEvent();
  const samples = await takeSamples(async () => {
    const bare = await withService(event, bareLoop);
    const ours = await withService(event, (service) => push(file, service));
    const sending = readSendingSeconds();
    return { bare, ours: ours.seconds, sending, memory: ours.memory };
  });
  const [whole, sending] = [
    median(samples, (one) => one.ours / one.bare),
    median(samples, (one) => one.sending / one.bare),
  ];
  report(`send ${ROWS} rows to a service without a limit, ${CONCURRENCY} at once, journal durable`, [
    `from start to exit ${whole.toFixed(1)} × a bare loop`,
    `from the first intent to the last outcome ${sending.toFixed(1)} ×`,
    `bare loop ${median(samples, ({ bare }) => bare).toFixed(1)} s`,
    `peak memory ${median(samples, ({ memory }) => memory).toFixed(0)} MB`,
  ]);
}
