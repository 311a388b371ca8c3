// Bundles src/ into dist/: one entry, one chunk a command, so that `--help` loads little.
// Packages stay outside the bundle and come from node_modules.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: ['src/runtime.ts', 'src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.18',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
});
