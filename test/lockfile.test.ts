import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

/** A package as package-lock.json has it. */
interface Locked {
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> };
const { '': _root, ...locked } = packages;

const REGISTRY = 'https://registry.npmjs.org/';

test('every package has the sum that npm holds it against, and comes from the registry', () => {
  expect(Object.keys(locked).length).toBeGreaterThan(100);
  const doubtful = Object.entries(locked).filter(
    ([, { integrity = '', resolved = REGISTRY }]) =>
      !integrity.startsWith('sha512-') || !resolved.startsWith(REGISTRY),
  );
  expect(doubtful).toEqual([]);
});

test('every package that would run a script where it is installed is refused that', () => {
  const running = Object.entries(locked)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(manifest.allowScripts).toEqual(Object.fromEntries(running.map((name) => [name, false])));
});

test('one package that is installed with the program has such a script: npm warns of it', () => {
  const running = Object.entries(locked).filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev);
  expect(running.map(([path]) => path)).toEqual(['node_modules/@photostructure/sqlite']);
});

test('package.json names exact versions', () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
