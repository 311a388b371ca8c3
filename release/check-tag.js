// Holds the tag that is released, in GITHUB_REF_NAME, against package.json and CHANGELOG.md, and the checkout against
// what is committed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const headings = changelog.match(/^## .*$/gm) ?? [];
const tag = process.env.GITHUB_REF_NAME;
const changes = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trimEnd();
const wrong = [
  tag === `v${version}` ? [] : `The tag is ${tag}, and package.json has ${version}.`,
  headings.some((heading) => heading.split(' ')[1] === version)
    ? []
    : `CHANGELOG.md has no heading ${version}.`,
  /^## Unreleased\s+(?!## |$)/m.test(changelog) ? 'CHANGELOG.md has news under Unreleased.' : [],
  changes === '' ? [] : `The checkout is not what is committed:\n${changes}`,
].flat();
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exitCode = 1;
}
