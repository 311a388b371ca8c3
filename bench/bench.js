// Speed and memory of the built program, each beside a bare loop over the same data in the same run:
// trust the ratios, not the absolute figures. `npm run bench`, or `npm run bench -- 100000` rows of CSV at most,
// or `npm run bench -- sending` for the sending alone, `-- starting` for the start of small commands, `-- reports`,
// `-- signing` for the signatures of deliveries, or `-- receiving` for the deliveries themselves.
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { streamXlsxRows, writeXlsxStream } from 'hucre/xlsx';
import { attendee, HEADER, writeCsv } from './attendees.js';
import { directory, median, removeDirectory, report, run, sizeOf, stateDir, takeSamples } from './process.js';
import { benchReceiving } from './receiving.js';
import { benchSending } from './sending.js';
import { benchStarting } from './starting.js';

const [choice = '200000'] = process.argv.slice(2);
const ROWS_TO_READ = Number(choice);
const ROWS_OF_SHEET = 100_000;

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
    const samples = await takeSamples(async () => {
      const bare = await bareParse(file);
      const ours = await run(['push', file, '--sandbox', '--dry-run', '--quiet']);
      return { bare: bare.seconds, ours: ours.seconds, memory: ours.memory };
    });
    const seconds = median(samples, ({ ours }) => ours);
    report(`read, check and plan ${rows} rows × 12`, [
      `${(median(samples, ({ bare, ours }) => bare / ours) * 100).toFixed(1)} % of the speed of the bare parser`,
      `${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s`,
      `peak memory ${median(samples, ({ memory }) => memory).toFixed(0)} MB`,
      `${(sizeOf(stateDir) / 1e6).toFixed(1)} MB left behind`,
    ]);
  }
}

/** In a process of its own, as it runs the source. */
function benchSource(file) {
  const argv = ['--import', './test/crash/typescript.js', file];
  spawnSync(process.execPath, argv, { stdio: 'inherit' });
}

const isAsked = (part) =>
  choice === part || !['sending', 'starting', 'reports', 'signing', 'receiving'].includes(choice);

try {
  if (isAsked('reports')) benchSource('bench/reports.ts');
  if (isAsked('signing')) benchSource('bench/signing.ts');
  if (isAsked('starting')) benchStarting();
  if (isAsked('reading')) {
    await benchReading();
    await benchSheets();
  }
  if (isAsked('sending')) await benchSending();
  if (isAsked('receiving')) await benchReceiving();
} finally {
  removeDirectory();
}
