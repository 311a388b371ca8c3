// Bundles src/ into dist/ with the packages it uses: one entry, one chunk a command, so that little is found,
// read and run before a command begins.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { APART } from './release/apart.js';

/** What conf would check and carry over files with, were it asked to: an eighth of all there is. */
const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:ajv\/.*|ajv-formats|semver)$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /^/, namespace: 'unused' }, () => ({
      contents: 'export let Ajv2020; export default {};',
    }));
  },
};

rmSync('dist', { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: ['src/start.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  external: APART,
  // All that bundled CommonJS packages require are modules of Node.
  banner: { js: 'const require = process.getBuiltinModule;' },
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  minify: true,
  charset: 'utf8',
  sourcemap: 'external',
  sourcesContent: false,
  plugins: [unused],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
// They go into reports as they are.
for (const part of ['report-page.js', 'report-page.css'])
  cpSync(join('src/report/html', part), join('dist', part));
writeFileSync(join('dist', 'THIRD-PARTY.txt'), thirdParty(packageFolders(metafile)));

/** Folders of the packages of which something is in the bundle, in the order of their names. */
function packageFolders({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Name, version and licence of each package. Fails for one that brings no licence along. */
function thirdParty(folders) {
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (texts.length === 0) throw new Error(`${folder} has no text of its licence (${license}).`);
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const head = 'The files beside this one hold parts of these packages, under the licences below.\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
