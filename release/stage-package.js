// Makes out/npm, the folder that is published: what `files` names, under a package.json without what only a checkout
// needs. `npm run package`
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APART } from './apart.js';

const FOLDER = join('out', 'npm');
const OF_A_CHECKOUT = ['private', 'scripts', 'devDependencies', 'allowScripts', 'overrides'];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const published = {
  ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !OF_A_CHECKOUT.includes(key))),
  dependencies: Object.fromEntries(APART.map((name) => [name, manifest.dependencies[name]])),
};
const parts = manifest.files.filter((part) => !part.startsWith('!'));

/** dist keeps chunks of earlier builds for a while. */
const builtAt = statSync(join('dist', 'start.js')).mtimeMs;
const isOfBuild = (from) => !/^dist[\\/]/.test(from) || statSync(from).mtimeMs === builtAt;

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const part of ['README.md', 'LICENSE', ...parts])
  cpSync(part, join(FOLDER, part), { recursive: true, filter: isOfBuild });
writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
