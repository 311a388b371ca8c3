// Speed and memory of the built program, each beside a bare loop over the same data in the same run:
// trust the ratios, not the absolute figures. `npm run bench`, or `npm run bench -- 100000` rows of CSV at most.
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx';
import { Pool } from 'undici';

const BIN = fileURLToPath(new URL('../bin/eventreg.js', import.meta.url));
const ROWS_TO_READ = Number(process.argv[2] ?? 1_000_000);
const ROWS_OF_SHEET = 100_000;
const ROWS_TO_SEND = 5_000;
const WORKERS = 8;
/** Makes a process tell its peak memory as it ends. */
const TELL_MEMORY = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nmaxRSS '+process.resourceUsage().maxRSS+'\\n'))`;

const directory = mkdtempSync(join(tmpdir(), 'eventreg-bench-'));
const env = {
  ...process.env,
  EVENTREG_STATE_DIR: join(directory, 'state'),
  EVENTREG_CONFIG_DIR: join(directory, 'config'),
};

function start(args, more = {}) {
  return spawn(process.execPath, ['--import', TELL_MEMORY, BIN, ...args], { env: { ...env, ...more } });
}

/** Runs a command to its end: seconds and peak memory in MB. */
async function run(args, more) {
  const startedAt = performance.now();
  const child = start(args, more);
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`eventreg ${args.join(' ')} ended with ${code}: ${err}`);
  const memory = Number(/maxRSS (\d+)/.exec(err)?.[1]) / 1024;
  return { seconds: (performance.now() - startedAt) / 1000, memory };
}

const attendee = (n) => ({
  barcode: `B${String(n).padStart(7, '0')}`,
  first: 'Íñigo',
  last: `García ${n}`,
  email: `guest${n}@example.com`,
  phone: `+346${String(n).padStart(8, '0')}`,
});

const HEADER =
  'persona,barcode,First name,Last name,E-mail,Mobile phone,Country,Company,Ticket type,Lunch,Date of birth,Number of guests'.split(
    ',',
  );

async function writeCsv(file, rows) {
  const handle = await open(file, 'w');
  const lines = [HEADER.join(',')];
  for (let n = 0; n < rows; n += 1) {
    const { barcode, first, last, email, phone } = attendee(n);
    lines.push(
      `visitor,${barcode},${first},${last},${email},${phone},ES,"Quay, Sons",Standard,Fish,1990-01-02,1`,
    );
    if (lines.length === 10_000) await handle.write(`${lines.splice(0).join('\n')}\n`);
  }
  await handle.write(`${lines.join('\n')}\n`);
  await handle.close();
}

async function bareParse(file) {
  const startedAt = performance.now();
  let rows = 0;
  for await (const _ of createReadStream(file).pipe(parse())) rows += 1;
  return { seconds: (performance.now() - startedAt) / 1000, rows };
}

async function writeSheet(file, rows) {
  const lines = function* () {
    yield HEADER;
    for (let n = 0; n < rows; n += 1) {
      const { barcode, first, last, email, phone } = attendee(n);
      const birthday = new Date(Date.UTC(1990, 0, 1 + (n % 9000)));
      const texts = ['visitor', barcode, first, last, email, phone, 'ES', 'Quay, Sons', 'Standard', 'Fish'];
      yield [...texts, birthday, 1];
    }
  };
  const stream = writeXlsxStream(lines(), { name: 'Guests', inlineStrings: false });
  await pipeline(Readable.fromWeb(stream), createWriteStream(file));
}

async function bareSheet(file) {
  const startedAt = performance.now();
  let rows = 0;
  for await (const _ of streamXlsxRows(Readable.toWeb(createReadStream(file)))) rows += 1;
  return { seconds: (performance.now() - startedAt) / 1000, rows };
}

async function benchSheets() {
  for (const rows of [ROWS_OF_SHEET / 10, ROWS_OF_SHEET]) {
    const file = join(directory, `read-${rows}.xlsx`);
    await writeSheet(file, rows);
    const bare = await bareSheet(file);
    const ours = await run(['push', file, '--sandbox', '--dry-run', '--quiet']);
    report(`read, check and plan a workbook of ${rows} rows × 12`, [
      `${Math.round(rows / ours.seconds)} rows/s`,
      `${((bare.seconds / ours.seconds) * 100).toFixed(0)} % of a bare reader (${Math.round(rows / bare.seconds)} rows/s)`,
      `peak memory ${ours.memory.toFixed(0)} MB`,
    ]);
  }
}

async function benchReading() {
  for (const rows of [ROWS_TO_READ / 10, ROWS_TO_READ]) {
    const file = join(directory, `read-${rows}.csv`);
    await writeCsv(file, rows);
    const bare = await bareParse(file);
    const ours = await run(['push', file, '--sandbox', '--dry-run', '--quiet']);
    report(`read, check and plan ${rows} rows × 12`, [
      `${Math.round(rows / ours.seconds)} rows/s`,
      `${((bare.seconds / ours.seconds) * 100).toFixed(0)} % of the bare parser (${Math.round(rows / bare.seconds)} rows/s)`,
      `peak memory ${ours.memory.toFixed(0)} MB`,
    ]);
  }
}

async function startSandbox() {
  const sandbox = start([
    'sandbox',
    '--port',
    '0',
    '--set',
    'limit=0',
    '--file',
    join(directory, 'service.sqlite'),
  ]);
  const text = await new Promise((resolve) => sandbox.stdout.once('data', (chunk) => resolve(String(chunk))));
  const setting = (name) => new RegExp(`${name}=(\\S+)`).exec(text)?.[1];
  return { sandbox, baseUrl: setting('EVENTREG_BASE_URL'), token: setting('EVENTREG_TOKEN') };
}

async function bareLoop(baseUrl, token) {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin);
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    for (let n = next++; n < ROWS_TO_SEND; n = next++) {
      const { barcode, first, last, email } = attendee(n + 1_000_000);
      const fields = { first_name: first, last_name: last, email };
      const { body } = await pool.request({
        method: 'POST',
        path: `${pathname}/registration`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ persona: 'visitor', barcode, fields }),
      });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  await pool.close();
  return (performance.now() - startedAt) / 1000;
}

async function benchSending() {
  const { sandbox, baseUrl, token } = await startSandbox();
  const file = join(directory, 'send.csv');
  await writeCsv(file, ROWS_TO_SEND);
  const ours = await run(['push', file, '--quiet'], { EVENTREG_BASE_URL: baseUrl, EVENTREG_TOKEN: token });
  const bare = await bareLoop(baseUrl, token);
  sandbox.kill();
  report(`send ${ROWS_TO_SEND} rows to a service without a limit, journal durable`, [
    `${Math.round(ROWS_TO_SEND / ours.seconds)} rows/s`,
    `${((bare / ours.seconds) * 100).toFixed(0)} % of a bare loop of ${WORKERS} (${Math.round(ROWS_TO_SEND / bare)} rows/s)`,
    `peak memory ${ours.memory.toFixed(0)} MB`,
  ]);
}

function report(what, figures) {
  process.stdout.write(`${what}: ${figures.join(' · ')}\n`);
}

try {
  await benchReading();
  await benchSheets();
  await benchSending();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
