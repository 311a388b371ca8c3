import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const FOLDER = join(import.meta.dirname, '..', '..', '.github', 'workflows');

const WORKFLOWS = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** A value that is nothing else than it looks like: a word or more, a text in quotes, a list on one line, or nothing at all. */
const PLAIN = /^(?:|\{\}|\[[^[\]]*\]|'[^']*'|[\w.$](?:(?!: | #).)*)$/;

/** The lines that are not a key with a plain value, or that are further in than the line above them allows. */
function strayLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  let most = 0;
  return lines.filter((line) => {
    const key = /^( *(?:- )?)[\w-]+:(?: (.*?))?(?: # .*)?$/.exec(line);
    const [, { length: depth } = '', value] = key ?? [];
    const isStray = key === null || depth > most || depth % 2 === 1 || !PLAIN.test(value ?? '');
    most = value === undefined ? depth + 4 : depth;
    return isStray;
  });
}

describe.each(WORKFLOWS)('$name', ({ text }) => {
  test('is plain YAML', () => {
    expect(strayLines(text)).toEqual([]);
  });

  test('names what it uses by its content', () => {
    const used = all(text, /uses: (.*)/g);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((one) => !/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))).toEqual([]);
  });

  test('runs scripts of package.json, and none of other packages as they are installed', () => {
    const lines = all(text, /run: (.*)/g);
    const scripts = lines.flatMap((line) => all(line, /^npm (?:run )?([a-z:]+)$/g));
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
    const others = lines.filter((line) => !/^npm (?:run )?[a-z:]+$/.test(line));
    expect(others.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });

  test('may read, and no more: only what publishes may say to npm who it is', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n[^ ]/m);
    expect(all(text, /(\S+: write)/g)).toEqual(text.includes('npm publish') ? ['id-token: write'] : []);
  });

  test('ends what hangs', () => {
    expect(all(text, /(timeout-minutes): \d+/g)).toHaveLength(all(text, /(runs-on):/g).length);
  });
});

test('what publishes runs nothing of a checkout', () => {
  const { text = '' } = WORKFLOWS.find(({ name }) => name === 'release.yml') ?? {};
  const [, publish = ''] = text.split(/^ {2}publish:$/m);
  expect(publish).toContain('id-token: write');
  expect(publish).not.toContain('checkout');
  expect(all(publish, /run: (.*)/g)).toHaveLength(1);
});
