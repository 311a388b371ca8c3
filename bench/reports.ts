// The report of a push of 10,000 rows in a browser: `npm run bench`, or `npm run bench -- reports`.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeHtmlReport } from '../src/report/html/write-html.ts';
import { reportOf, rowOf } from '../test/report/html/report-fixture.ts';
import { findChromium, NO_CHROMIUM, openChromium } from '../test/support/browser.ts';

const ROWS = 10_000;
const TIMES = 5;

/** Typed letter by letter, the slowest of which is told. */
const SEARCH = `(word) => {
  const search = document.getElementById('search');
  const times = Array.from(word, (_, at) => {
    const startedAt = performance.now();
    search.value = word.slice(0, at + 1);
    search.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    return performance.now() - startedAt;
  });
  return Math.max(...times);
}`;

const median = (times: number[]): string => (times.toSorted((a, b) => a - b)[TIMES >> 1] ?? 0).toFixed(0);

async function benchReport(chromium: string, directory: string): Promise<void> {
  const file = join(directory, 'report.html');
  const rows = Array.from({ length: ROWS }, (_, n) => rowOf(n));
  const startedAt = performance.now();
  await writeHtmlReport(file, reportOf(rows), { showValues: false });
  const writtenMs = performance.now() - startedAt;
  const browser = await openChromium(chromium);
  const [loads, searches]: [number[], number[]] = [[], []];
  for (let time = 0; time < TIMES; time += 1) {
    const page = await browser.newPage();
    const before = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.locator('tbody tr').nth(99).waitFor();
    loads.push(performance.now() - before);
    searches.push(await page.evaluate<number>(`(${SEARCH})('company new 77')`));
    await page.close();
  }
  await browser.close();
  const size = (statSync(file).size / 1e6).toFixed(2);
  process.stdout.write(
    `a report of ${ROWS} rows: ${size} MB written in ${writtenMs.toFixed(0)} ms; shown after ${median(loads)} ms (at most 1500), ` +
      `searched in ${median(searches)} ms a key (at most 100)\n`,
  );
}

const chromium = findChromium();
const directory = mkdtempSync(join(tmpdir(), 'eventreg-bench-'));
try {
  if (chromium === undefined) process.stdout.write(`${NO_CHROMIUM}\n`);
  else await benchReport(chromium, directory);
} finally {
  rmSync(directory, { recursive: true });
}
