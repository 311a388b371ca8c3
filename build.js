// Bundles src/ into dist/ with the packages it uses: one entry, one chunk a command, so that little is found,
// read and run before a command begins.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { APART, unused } from './release/apart.js';
import { packageFolders, thirdParty } from './release/third-party.js';

/** Beside dist: a command that runs meanwhile still finds all that it has yet to load. */
const made = `dist.${process.pid}`;
/** No command runs longer on chunks of a build before. */
const KEPT_MS = 3_600_000;

const options = {
  entryPoints: ['src/start.ts'],
  outdir: made,
  bundle: true,
  splitting: true,
  chunkNames: '[hash]',
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
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** The files that are read before a command is known. */
const { inputs } = (await build({ ...options, write: false, plugins: [unused] })).metafile;
const starting = new Set(['src/start.ts']);
for (const file of starting)
  for (const { path, kind } of inputs[file]?.imports ?? []) if (kind !== 'dynamic-import') starting.add(path);

/**
 * What every start needs becomes one file, and what every command needs a second one, instead of one for each set of
 * commands that share it: whatever is loaded needs the start, and all that it does not read needs the program.
 */
const together = {
  name: 'together',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const isStarting = starting.has(relative(import.meta.dirname, path).replaceAll('\\', '/'));
      const before = ['start.ts', ...(isStarting ? [] : ['program.ts'])];
      const imports = before.map(
        (name) => `import ${JSON.stringify(join(import.meta.dirname, 'src', name))};`,
      );
      return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: 'ts' };
    });
  },
};

const { metafile } = await build({ ...options, plugins: [unused, together] });
// They go into reports as they are.
for (const part of ['report-page.js', 'report-page.css'])
  cpSync(join('src/report/html', part), join(made, part));
writeFileSync(join(made, 'THIRD-PARTY.txt'), thirdParty(packageFolders(metafile)));

// Each file takes the place of the one before at once, the entry last; all of one build have one time.
const now = new Date();
const isEntry = (name) => Number(name.startsWith('start.'));
const names = readdirSync(made).sort((one, other) => isEntry(one) - isEntry(other));
mkdirSync('dist', { recursive: true });
for (const name of names) {
  utimesSync(join(made, name), now, now);
  renameSync(join(made, name), join('dist', name));
}
rmSync(made, { recursive: true });
for (const name of readdirSync('dist')) {
  const file = join('dist', name);
  if (now.getTime() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { recursive: true });
}
