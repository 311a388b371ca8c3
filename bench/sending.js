// A push to a service without a limit, beside a bare loop over undici that sends the same requests.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { Pool } from 'undici';
import { requestBody, writeCsv } from './attendees.js';
import { directory, report, run, start, stateDir } from './process.js';

const ROWS = 20_000;
const CONCURRENCY = 8;

let services = 0;

/** A service of its own for each measurement: none reads what another one left there. */
async function withService(work) {
  const file = join(directory, `service-${(services += 1)}.sqlite`);
  const sandbox = start(['sandbox', '--port', '0', '--set', 'limit=0', '--file', file]);
  const text = await new Promise((resolve) => sandbox.stdout.once('data', (chunk) => resolve(String(chunk))));
  const setting = (name) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1];
  try {
    return await work({ baseUrl: setting('EVENTREG_BASE_URL'), token: setting('EVENTREG_TOKEN') });
  } finally {
    sandbox.kill();
    await new Promise((resolve) => sandbox.once('close', resolve));
  }
}

/** Requests per second. */
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
      if (response.statusCode !== 201)
        throw new Error(`The sandbox answered ${response.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const perSecond = (ROWS * 1000) / (performance.now() - startedAt);
  await pool.close();
  return perSecond;
}

/** Seconds from the first intent of the last run to its last outcome, as the journal has them. */
function readSendingSeconds() {
  const journal = new DatabaseSync(join(stateDir, 'journal.sqlite'), { readOnly: true });
  const { ms, rows } = journal
    .prepare(
      `SELECT max(at) FILTER (WHERE what = 'answered') - min(at) FILTER (WHERE what = 'sent') AS ms,
         count(*) FILTER (WHERE what = 'answered') AS rows
       FROM step WHERE run = (SELECT id FROM run ORDER BY started_at DESC LIMIT 1)`,
    )
    .get();
  journal.close();
  if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} rows were answered.`);
  return ms / 1000;
}

function push(file, { baseUrl, token }) {
  const options = ['--concurrency', String(CONCURRENCY), '--quiet'];
  return run(['push', file, ...options], { EVENTREG_BASE_URL: baseUrl, EVENTREG_TOKEN: token });
}

export async function benchSending() {
  const file = join(directory, 'send.csv');
  await writeCsv(file, ROWS);
  const before = await withService(bareLoop);
  const ours = await withService((service) => push(file, service));
  const after = await withService(bareLoop);
  const bare = (before + after) / 2;
  const figures = (seconds) =>
    `${Math.round(ROWS / seconds)} rows/s, ${(ROWS / seconds / bare).toFixed(2)} of a bare loop`;
  report(`send ${ROWS} rows to a service without a limit, ${CONCURRENCY} at once, journal durable`, [
    `from start to exit ${figures(ours.seconds)}`,
    `from the first intent to the last outcome ${figures(readSendingSeconds())}`,
    `bare loop before and after ${Math.round(before)} and ${Math.round(after)} requests/s`,
    `peak memory ${ours.memory.toFixed(0)} MB`,
  ]);
}
