import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeHtmlReport } from '../../../src/report/html/write-html.ts';
import type { RunReport } from '../../../src/report/views/run-report.ts';
import { visible } from '../../../src/report/words/escape.ts';
import { findChromium, NO_CHROMIUM, openChromium } from '../../support/browser.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { reportOf, rowOf } from './report-fixture.ts';
import { listed } from '../../support/tables.ts';

const CHROMIUM = findChromium();
if (CHROMIUM === undefined) process.stderr.write(`${NO_CHROMIUM}\n`);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ROWS = Array.from({ length: 240 }, (_, n) => rowOf(n));

/** Writes a report to a file of its own, and returns its path. */
async function writeReport(report: RunReport, showValues = false): Promise<string> {
  const file = join(temporaryDirectory(), 'report.html');
  await writeHtmlReport(file, report, { showValues });
  return file;
}

test('there is a browser to look at reports in', ({ skip }) => {
  if (CHROMIUM !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_CHROMIUM);
  skip(NO_CHROMIUM);
});

describe.skipIf(CHROMIUM === undefined)('a report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium(CHROMIUM ?? '');
  });
  afterAll(() => browser.close());

  const everything = (): Promise<string> => writeReport(reportOf(ROWS));

  /** Opens a file, does something with it, and expects one request and not a word in the console. */
  async function look<T>(
    file: string | Promise<string>,
    work: (page: Page) => Promise<T>,
    options: BrowserContextOptions = {},
  ): Promise<T> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      const told: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => told.push(message.text()));
      page.on('pageerror', (error) => told.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(await file).href);
      const result = await work(page);
      expect(told).toEqual([]);
      expect(requests).toHaveLength(1);
      return result;
    } finally {
      await context.close();
    }
  }

  const lines = (page: Page): Promise<string[]> =>
    page.locator('tbody tr:not(.story) th button').allInnerTexts();
  const status = (page: Page): Promise<string> => page.locator('#status').innerText();
  const textOf = (page: Page): Promise<string> => page.locator('body').innerText();

  test('tells what was done, where, when and by which file', async () => {
    const text = await look(everything(), textOf);
    for (const told of [
      '"E-mail" has no @; write it as name@example.com\n"a••.e••••••.c••" (line 5)',
      'uncertain: no answer came\n2 rows: guests.csv:6 (barcode EV-4), guests.csv:12 (barcode EV-10)',
      ...listed(`
        Push of guests.csv | Harbour Trade Fair at https://events.example.com/v1 | 2027-03-01 08:15:00 UTC |
        after 1 min | 20270301-4f9a2c | Goes on from run 20270228-000000 | Values of persons are masked |
        40 new | 1 of 240 rows of guests.csv cannot be sent | 12 registrations were read back. |
        stored otherwise than sent: company (1 row) | 90 requests for rows in 50 s | 1 wait, 30 s in all |
        30 in 10 s
      `),
    ])
      expect(text).toContain(told);
  });

  test('shows a hundred rows at once, page by page', async () => {
    await look(everything(), async (page) => {
      expect(await lines(page)).toHaveLength(100);
      expect(await status(page)).toBe('Rows 1 to 100 of 240; 240 in all');
      await page.getByRole('button', { name: 'Last' }).click();
      expect(await lines(page)).toHaveLength(40);
      expect(await page.locator('#page').innerText()).toBe('Page 3 of 3');
      await page.getByRole('button', { name: 'Next' }).click({ force: true });
      expect(await page.locator('#page').innerText()).toBe('Page 3 of 3');
      await page.getByRole('button', { name: 'Previous' }).click();
      expect((await lines(page))[0]).toBe('guests.csv:102');
      await page.getByRole('button', { name: 'First' }).click();
      expect((await lines(page))[0]).toBe('guests.csv:2');
    });
  });

  test('finds rows by whatever is told of them', async () => {
    await look(everything(), async (page) => {
      const find = async (wanted: string): Promise<string[]> => {
        await page.getByLabel('Search').fill(wanted);
        return await lines(page);
      };
      expect((await find('EV-17')).slice(0, 2)).toEqual(['guests.csv:19', 'guests.csv:172']);
      expect(await find('visitor reg-31')).toEqual(['guests.csv:33']);
      expect(await find('REQUEST-31')).toEqual(['guests.csv:33']);
      expect(await find('nobody')).toEqual([]);
      expect(await status(page)).toBe('No such row; 240 in all');
      expect(await find('')).toHaveLength(100);
    });
  });

  test('leaves those of one result, and sorts by a column', async () => {
    await look(everything(), async (page) => {
      await page.getByLabel('Show').selectOption('changed');
      expect(await status(page)).toBe('Rows 1 to 40 of 40; 240 in all');
      const heading = page.getByRole('columnheader', { name: 'Barcode' });
      await heading.getByRole('button').click();
      expect(await heading.getAttribute('aria-sort')).toBe('ascending');
      expect((await lines(page)).slice(0, 2)).toEqual(['guests.csv:3', 'guests.csv:9']);
      await heading.getByRole('button').click();
      expect(await heading.getAttribute('aria-sort')).toBe('descending');
      expect((await lines(page)).slice(0, 2)).toEqual(['guests.csv:237', 'guests.csv:231']);
      await page.getByRole('columnheader', { name: 'Guest' }).getByRole('button').click();
      expect((await lines(page))[0]).toBe('guests.csv:3');
    });
  });

  test('calls people by their names, masked, and leaves out columns in which nothing stands', async () => {
    const rows = [rowOf(0, { who: 'Ada Lane', barcode: undefined }), rowOf(1, { barcode: undefined })];
    await look(writeReport(reportOf(rows)), async (page) => {
      expect(await lines(page)).toEqual(['A•• L•••', 'guests.csv:3']);
      expect(await page.locator('tbody tr').first().innerText()).toContain('guests.csv:2');
      expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
        'Guest',
        'Result',
        'Persona',
        'What there is to say',
      ]);
      await page.getByLabel('Search').fill('guests.csv:2');
      expect(await lines(page)).toEqual(['A•• L•••']);
    });
    await look(writeReport(reportOf(rows), true), async (page) => {
      expect((await lines(page))[0]).toBe('Ada Lane');
    });
  });

  test('shows both values of a conflict, of each row its own, and has one red', async () => {
    const conflict = (n: number, found: string) => ({
      place: `guests.csv:${n}`,
      state: 'conflict' as const,
      barcode: undefined,
      who: 'Ada Lane',
      message: 'only you can tell',
      differences: [{ field: 'meal', kind: 'disputed' as const, expected: 'Fish', found }],
    });
    const problems = [conflict(2, 'Meat'), conflict(3, 'Vegan')];
    const results = [
      { name: 'rejected', tone: 'bad' as const, rows: 1 },
      { name: 'in conflict', tone: 'bad' as const, rows: 2 },
    ];
    await look(writeReport(reportOf(ROWS, { problems, results }), true), async (page) => {
      const text = await page.locator('main').innerText();
      expect(text).toContain('Ada Lane (guests.csv:2): meal: "Fish" in the file, "Meat" in the service');
      expect(text).toContain('Ada Lane (guests.csv:3): meal: "Fish" in the file, "Vegan" in the service');
      const colours = await page.evaluate(
        `[...document.querySelectorAll('.bar rect')].map((part) => {
          const { fill, fillOpacity } = getComputedStyle(part);
          return fill + fillOpacity;
        }).join(' ')`,
      );
      expect(colours).toMatch(/^(.+) \1$/);
    });
  });

  test.each([
    [undefined, ''],
    [{ limit: 30 }, ' The service allows 30 in a time that is not known.'],
    [{ limit: 90 }, ' The limit was not reached: 90 in a time that is not known.'],
  ])('says of the limit %j what is known', async (limit, told) => {
    const report = reportOf(ROWS);
    const pace = report.pace && { ...report.pace, limit };
    await look(writeReport(reportOf(ROWS, { pace })), async (page) => {
      expect(await page.locator('figcaption').innerText()).toMatch(new RegExp(`30 s in all\\.${told}$`));
    });
  });

  test('opens the story of a row, and everything is done with keys alone', async () => {
    await look(everything(), async (page) => {
      await page.keyboard.press('Tab');
      await page.keyboard.type('EV-31');
      expect(await lines(page)).toEqual(['guests.csv:33']);
      // The choice of results, the table that can be scrolled, five headings, and then the row.
      for (let key = 0; key < 8; key += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const story = page.locator('.story');
      expect(await story.innerText()).toBe(
        [
          'registration\nreg-31\nplan\nupdate: the service listed it with other values',
          'company: "O•• 3• L••" → "N•• 3• L••"\n2027-03-01 08:15:01.240 sent attempt 1 (request request-31)',
          '2027-03-01 08:15:01.249 answered 201, done\n2027-03-01 08:15:06.240 read back',
        ].join('\n'),
      );
      await page.keyboard.press('Space');
      expect(await story.count()).toBe(0);
    });
  });

  test.each(['light', 'dark'] as const)('has nothing that axe has against it, %s', async (colorScheme) => {
    await look(
      everything(),
      async (page) => {
        await page.locator('tbody button').nth(1).click();
        await page.evaluate(AXE);
        const { violations } = await page.evaluate<AxeResults>('axe.run()');
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      },
      { colorScheme, bypassCSP: true },
    );
  });

  test('is printed with every row that is chosen, forty and more to a page', async () => {
    const long = 'its request was refused because of something that takes very many words to tell '.repeat(3);
    const rows = Array.from({ length: 400 }, (_, n) => rowOf(n, { message: long }));
    await look(await writeReport(reportOf(rows)), async (page) => {
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
      const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      expect(pages).toBeGreaterThan(400 / 80);
      expect(pages).toBeLessThanOrEqual(400 / 40 + 2);
      expect(await lines(page)).toHaveLength(100);
      // The headings alone are bold: every page with rows is written in two fonts.
      expect(fontsOf(pdf).filter((fonts) => fonts >= 2)).toHaveLength(pages);
    });
  });

  test('keeps the open story within a narrow window', async () => {
    await look(
      everything(),
      async (page) => {
        await page.locator('tbody th button').first().click();
        const box = await page.locator('.story dl').first().boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
      },
      { viewport: { width: 360, height: 700 } },
    );
  });

  /** How many fonts each page of a PDF is written in. */
  function fontsOf(pdf: string): number[] {
    const streams = [...pdf.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].map(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    });
    return streams.filter((text) => /\bBT\b/.test(text)).map((text) => new Set(text.match(/\/F\d+/g)).size);
  }

  const HOSTILE = [
    '</script><script>window.hit = 1</script>',
    '<!-- <script>',
    '<img src=x onerror="window.hit = 1">',
    '"\'&lt;&amp;`${1}',
    'a\u2028b\u2029c',
    'right\u202Eto left',
    '\u001B[31mred\u0007\u0000',
    'half \uD800 a pair \uDC00',
    'x'.repeat(1_000_000),
  ];

  test('shows whatever a cell holds as a text', async () => {
    const rows = HOSTILE.map((text, n) =>
      rowOf(n, {
        barcode: text,
        persona: text,
        registrationId: text,
        message: text,
        findings: [text],
        changes: [{ field: text, before: text, after: undefined }],
        values: [{ field: 'company', before: undefined, after: text }],
      }),
    );
    const more: Partial<RunReport> = {
      event: HOSTILE.join(' '),
      files: HOSTILE,
      remarks: HOSTILE,
      problems: HOSTILE.map((text) => ({ place: text, state: 'failed', barcode: text, message: text })),
    };
    const file = await writeReport(reportOf(rows, more), true);
    const told = await look(file, async (page) => {
      for (const button of await page.locator('tbody button').all()) await button.click();
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(await page.locator('img, script').count()).toBe(2);
      return await textOf(page);
    });
    for (const text of HOSTILE) {
      const times = told.split(visible(text).slice(0, 200)).length - 1;
      expect([text.slice(0, 20), times]).toEqual([text.slice(0, 20), expect.toSatisfy((n) => n >= 8)]);
    }
    expect(statSync(file).size).toBeLessThan(100_000);
  });
});
