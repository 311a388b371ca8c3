// Bundles src/ into dist/ with the packages it uses: one entry, one chunk a command, so that little is found,
// read and run before a command begins.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { APART, unused } from './release/apart.js';
import { packageFolders, thirdParty } from './release/third-party.js';

rmSync('dist', { recursive: true, force: true });

/**
 * What every command needs becomes one file, instead of one for each set of commands that share it: whatever is loaded
 * needs the start.
 */
const withStart = {
  name: 'with-start',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: `import ${JSON.stringify(join(import.meta.dirname, 'src/start.ts'))};${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }));
  },
};

const { metafile } = await build({
  entryPoints: ['src/start.ts'],
  outdir: 'dist',
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
  plugins: [unused, withStart],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
// They go into reports as they are.
for (const part of ['report-page.js', 'report-page.css'])
  cpSync(join('src/report/html', part), join('dist', part));
writeFileSync(join('dist', 'THIRD-PARTY.txt'), thirdParty(packageFolders(metafile)));
