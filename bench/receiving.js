// How many deliveries a second a listen stores and answers, beside a server that does nothing but answer.
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { directory, median, report, start, takeSamples } from './process.js';

const DELIVERIES = 3_000;
const LANES = 32;
const BODY = Buffer.from(JSON.stringify({ event: 'registration.updated', text: 'x'.repeat(500) }));

function post(url, agent, nth) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': BODY.length, 'webhook-id': `m${nth}` };
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject).end(BODY);
  });
}

/** Deliveries a second. */
async function rateOf(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const startedAt = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < DELIVERIES) {
      const status = await post(url, agent, (next += 1));
      if (status !== 200) throw new Error(`A delivery was answered with ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
  return DELIVERIES / ((performance.now() - startedAt) / 1000);
}

async function bareRate() {
  const server = createServer((incoming, outgoing) => incoming.resume().on('end', () => outgoing.end()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rate = await rateOf(`http://127.0.0.1:${server.address().port}/`);
  server.close();
  return rate;
}

async function ourRate() {
  const args = ['webhooks', 'listen', '--sandbox', '--port', '0', '--json'];
  const child = start(args, { EVENTREG_STATE_DIR: join(directory, 'receiving') });
  child.stderr.resume();
  const ended = new Promise((resolve) => child.on('close', resolve));
  const url = await new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text = `${text}${part}`.slice(0, 2_000);
      const [, found] = /"type":"ready".*?"url":"([^"]+)"/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const rate = await rateOf(url);
  child.kill('SIGINT');
  await ended;
  return rate;
}

export async function benchReceiving() {
  const samples = await takeSamples(async () => ({ bare: await bareRate(), ours: await ourRate() }));
  report(`receive ${DELIVERIES} deliveries, each on the disk before it is answered`, [
    `${median(samples, ({ ours }) => ours).toFixed(0)} deliveries/s`,
    `${(median(samples, ({ bare, ours }) => ours / bare) * 100).toFixed(0)} % of a server that only answers`,
  ]);
}
