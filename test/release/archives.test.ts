// What `npm run release` has made, in out/release: for the night, as it has to be made first.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { formatOf, TARGETS } from '../../release/targets.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const OUT = 'out/release';
const { version } = manifest;

const titleOf = ({ name, isUnsigned }: (typeof TARGETS)[number]): string =>
  `eventreg-${version}-${name}${isUnsigned ? '-unsigned' : ''}`;

/** Names of the files below a folder. */
function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

test('there is an archive for every system, with what it takes to trust and to install it', () => {
  expect(readdirSync(OUT).sort()).toEqual(
    [
      'SHA256SUMS',
      'THIRD-PARTY-NOTICES.txt',
      `eventreg-${version}.cdx.json`,
      'install.ps1',
      'install.sh',
      ...TARGETS.map((target) => `${titleOf(target)}.${target.archive}`),
    ].sort(),
  );
  for (const script of ['install.ps1', 'install.sh']) {
    const text = readFileSync(join(OUT, script), 'utf8');
    expect(text).toContain(version);
    expect(text).not.toContain('@VERSION@');
  }
});

test('every file has its sum', () => {
  const names = readdirSync(OUT).filter((name) => name !== 'SHA256SUMS');
  const sums = names.map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(OUT, name)));
    return `${digest.digest('hex')}  ${name}`;
  });
  expect(readFileSync(join(OUT, 'SHA256SUMS'), 'utf8').trimEnd().split('\n').sort()).toEqual(sums.sort());
});

describe.each(TARGETS)('the archive for $name', (target) => {
  const { archive, format } = target;
  const title = titleOf(target);

  test('has a program for that system, what completes words, and the licences', () => {
    const folder = temporaryDirectory();
    const file = join(OUT, `${title}.${archive}`);
    if (archive === 'zip') execFileSync('unzip', ['-q', file, '-d', folder]);
    else execFileSync('tar', ['-xzf', file, '-C', folder]);
    const program = archive === 'zip' ? 'eventreg.exe' : 'eventreg';
    expect(filesBelow(folder)).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'README.txt',
        'SECURITY.md',
        'THIRD-PARTY-NOTICES.txt',
        ...filesBelow('docs')
          .filter((name) => !/^pictures.*\.js(?:on)?$/.test(name))
          .map((name) => join('docs', name)),
        'completions/_eventreg',
        'completions/eventreg.bash',
        'completions/eventreg.fish',
        'completions/eventreg.ps1',
        program,
      ]
        .map((name) => join(title, name))
        .sort(),
    );
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.txt']) {
      const told = name === 'LICENSE' ? name : join(OUT, name);
      expect(readFileSync(join(folder, title, name), 'utf8')).toBe(readFileSync(told, 'utf8'));
    }
    const bytes = readFileSync(join(folder, title, program));
    expect(formatOf(bytes)).toBe(format);
    if (format.startsWith('ELF')) expect(bytes.length).toBeLessThanOrEqual(130_000_000);
    const isOwn = process.platform === 'linux' && title.endsWith(`linux-${process.arch}`);
    if (isOwn)
      expect(execFileSync(join(folder, title, program), ['--version']).toString()).toBe(`${version}\n`);
  });
});

test('the licences are those of all that is inside, and nothing else', () => {
  const bill = JSON.parse(readFileSync(join(OUT, `eventreg-${version}.cdx.json`), 'utf8')) as {
    components: { name: string; version: string }[];
  };
  const notices = readFileSync(join(OUT, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const titles = notices.match(/^[@a-z\d][^ ]* \d[^ ]* \([^)]+\)$/gm) ?? [];
  const named = titles.map((title) => title.replace(/ \(.*$/, ''));
  const told = new Set(bill.components.map(({ name, version: of }) => `${name} ${of}`));
  expect(named.filter((one) => !told.has(one.replace(/^node-linux-\w+ /, 'node ')))).toEqual([]);
  // Node.js has SQLite itself.
  const { '@photostructure/sqlite': _sqlite, ...used } = manifest.dependencies;
  const needed = Object.entries(used).map(([name, of]) => `${name} ${of}`);
  expect(needed.filter((one) => !named.includes(one))).toEqual([]);
});
