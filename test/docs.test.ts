import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const DOCS = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

const PAGES = ['README.md', ...DOCS, 'CONTRIBUTING.md'];

const README_LINES = 130;

type Read = (page: string) => string | undefined;

const onDisk: Read = (page) => {
  const path = join(root, page);
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
};

const withoutFences = (markdown: string): string => markdown.replaceAll(/^(```|~~~).*?^\1/gms, '');

/** What is linked from a page and lies beside it, as it is written there. */
function relativeLinks(markdown: string): string[] {
  const text = withoutFences(markdown).replaceAll(/`[^`]*`/g, 'code');
  const inline = [...text.matchAll(/\]\(\s*<?([^\s)>]*)/g)];
  const definitions = [...text.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]*)/gm)];
  return [...inline, ...definitions]
    .map(([, target = '']) => target)
    .filter((target) => !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target));
}

/** The names that GitHub gives to the headings of a page. */
function anchors(markdown: string): Set<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.*?)(?: +#+)? *$/gm)) {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let free = name;
    for (let again = 1; found.has(free); again += 1) free = `${name}-${again}`;
    found.add(free);
  }
  return found;
}

/** The page that a link leads to, and the heading there. */
function destination(page: string, link: string): { file: string; heading: string | undefined } {
  const [path = '', heading] = decodeURIComponent(link).split('#');
  return { file: path === '' ? page : posix.join(posix.dirname(page), path), heading };
}

/** The links of a page that lead to no file, or to no heading of it. */
function brokenLinks(page: string, read: Read): string[] {
  return relativeLinks(read(page) ?? '').filter((link) => {
    const { file, heading } = destination(page, link);
    const target = read(file);
    return target === undefined || (heading !== undefined && !anchors(target).has(heading));
  });
}

describe('reading links', () => {
  const pages = new Map([
    [
      'README.md',
      [
        '# A',
        '[a](docs/b.md) [b](docs/b.md#one-two) [c](docs/b.md#-of-this-1) [d](#a) [`e`](https://example.com/#x)',
        '[gone](docs/c.md) [gone](docs/b.md#three) [gone](#b) ![gone](a.png) [gone][1]',
        '`[code](docs/d.md)`',
        '```sh\n# not a heading\n[code](docs/e.md)\n```',
        '[1]: docs/f.md',
      ].join('\n\n'),
    ],
    [
      'docs/b.md',
      '# B\n\n## One, `two`\n\n### – of this\n\n### … of this\n\n[a](../README.md#not-a-heading)\n',
    ],
  ]);
  const read: Read = (page) => pages.get(page);

  test.each([
    ['README.md', ['docs/c.md', 'docs/b.md#three', '#b', 'a.png', 'docs/f.md']],
    ['docs/b.md', ['../README.md#not-a-heading']],
  ])('finds those of %s that lead nowhere', (page, broken) => {
    expect(brokenLinks(page, read)).toEqual(broken);
  });
});

describe('the documentation', () => {
  test.each(PAGES)('%s has no link that leads nowhere', (page) => {
    expect(brokenLinks(page, onDisk)).toEqual([]);
  });

  test('is linked from README.md, page by page', () => {
    const readme = onDisk('README.md') ?? '';
    const linked = new Set(relativeLinks(readme).map((link) => destination('README.md', link).file));
    expect(DOCS.filter((page) => !linked.has(page))).toEqual([]);
  });

  test(`begins with a README.md of no more than ${README_LINES} lines, with both set-up commands`, () => {
    const lines = (onDisk('README.md') ?? '').trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(README_LINES);
    expect(lines).toContain('npm ci && npx eventreg push fixtures/attendees/attendees.csv --sandbox');
    expect(lines).toContain('npm ci && npm test');
  });
});
