import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { casesOf } from '../support/night.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'release', 'check-tag.js');

/** A checkout whose changelog has these lines, with all of it committed. */
function checkout(lines: string): string {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'package.json'), '{"version":"1.2.0"}');
  writeFileSync(join(cwd, 'CHANGELOG.md'), `# Changelog\n\n${lines}\n\n- All of it.\n`);
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    [...author, 'commit', '-qm', 'Release'],
  ])
    execFileSync('git', words, { cwd });
  return cwd;
}

function check(cwd: string, tag: string) {
  const env = { ...process.env, GITHUB_REF_NAME: tag };
  const ended = spawnSync(process.execPath, [SCRIPT], { cwd, env, encoding: 'utf8' });
  return { status: ended.status, said: ended.stderr };
}

const TAGS = [
  ['v1.2.0', '## 1.2.0 (1 May 2027)', 0, ''],
  ['v1.2.0', '## Unreleased\n\n## 1.2.0', 0, ''],
  ['v1.2.1', '## 1.2.0', 1, 'The tag is v1.2.1, and package.json has 1.2.0.\n'],
  ['v1.2.0', '## 1.1.0', 1, 'CHANGELOG.md has no heading 1.2.0.\n'],
  ['v1.2.0', '## 1.2.0\n\n## Unreleased', 1, 'CHANGELOG.md has news under Unreleased.\n'],
] as const;

test.each(casesOf(TAGS, 2))(
  'the tag %s, with %j in the changelog, ends with %i',
  (tag, lines, status, said) => {
    expect(check(checkout(lines), tag)).toEqual({ status, said });
  },
);

test('what is not committed is not released', () => {
  const cwd = checkout('## 1.2.0');
  writeFileSync(join(cwd, 'more.ts'), '');
  expect(check(cwd, 'v1.2.0')).toEqual({
    status: 1,
    said: 'The checkout is not what is committed:\n?? more.ts\n',
  });
});
