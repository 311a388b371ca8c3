/** Makes the pictures of a report: pushes a list twice, the second time edited, and looks at the report of that. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, '..', '..', 'bin', 'eventreg.js');

const NAMES = ['Ada', 'Ben', 'Carla', 'Dmitri', 'Eva', 'Fatima', 'Georg'];
const FAMILIES = ['Lane', 'Rossi', 'Nuñez', 'Orlov', 'Sanz'];
const COMPANIES = ['Quay & Sons', 'Nordlicht', 'Harbour Freight', 'Meridian'];

function guest(n, edited) {
  const company = COMPANIES[(n + (edited && n < 20 ? 1 : 0)) % COMPANIES.length];
  const email = edited && n % 29 === 3 ? `guest${n}.example.com` : `guest${n}@example.com`;
  const name = `${NAMES[n % NAMES.length]},${FAMILIES[n % FAMILIES.length]}`;
  return `visitor,HTF27-${1000 + n},${name},${email},${company}`;
}

const listOf = (count, edited) =>
  [
    'Persona,Barcode,First name,Last name,E-mail,Company',
    ...Array.from({ length: count }, (_, n) => guest(n, edited)),
    '',
  ].join('\n');

const home = mkdtempSync(join(tmpdir(), 'eventreg-picture-'));
try {
  const list = join(home, 'guests.csv');
  const argv = ['push', list, '--sandbox', '--yes', '--quiet', '--invalid', 'skip'];
  const env = { PATH: process.env.PATH, EVENTREG_STATE_DIR: home, EVENTREG_CONFIG_DIR: home };
  const push = (...more) => {
    try {
      execFileSync(process.execPath, [bin, ...argv, ...more], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
      // Some rows are rejected.
      if (error.status !== 3) throw error;
    }
  };
  writeFileSync(list, listOf(100, false));
  push();
  writeFileSync(list, listOf(180, true));
  push('--report', `html=${join(home, 'report.html')}`);
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 960, height: 1560 } });
    await page.goto(pathToFileURL(join(home, 'report.html')).href);
    await page.locator('tbody button').nth(1).click();
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: join(here, `report-${colorScheme}.png`) });
  }
  await browser.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
