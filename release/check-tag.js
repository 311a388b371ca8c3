// Holds the tag that is released, in GITHUB_REF_NAME, against package.json and CHANGELOG.md.
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const headings = readFileSync('CHANGELOG.md', 'utf8').match(/^## .*$/gm) ?? [];
const tag = process.env.GITHUB_REF_NAME;
const wrong = [
  tag === `v${version}` ? [] : `The tag is ${tag}, and package.json has ${version}.`,
  headings.some((heading) => heading.split(' ')[1] === version)
    ? []
    : `CHANGELOG.md has no heading ${version}.`,
].flat();
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exitCode = 1;
}
