import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'release', 'check-tag.js');

test.each([
  ['v1.2.0', '## 1.2.0 (1 May 2027)', 0, ''],
  ['v1.2.1', '## 1.2.0', 1, 'The tag is v1.2.1, and package.json has 1.2.0.\n'],
  ['v1.2.0', '## Unreleased', 1, 'CHANGELOG.md has no heading 1.2.0.\n'],
])('the tag %s, with %s in the changelog, ends with %i', (tag, heading, status, said) => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'package.json'), '{"version":"1.2.0"}');
  writeFileSync(join(cwd, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n\n- All of it.\n`);
  const env = { ...process.env, GITHUB_REF_NAME: tag };
  const ended = spawnSync(process.execPath, [SCRIPT], { cwd, env, encoding: 'utf8' });
  expect({ status: ended.status, said: ended.stderr }).toEqual({ status, said });
});
