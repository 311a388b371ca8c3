import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billOfMaterials } from '../../release/bill-of-materials.ts';
import { NODE_VERSION } from '../../release/targets.ts';

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
}

test('the bill of materials names everything that the program needs, with its licence, and nothing else', () => {
  const { metadata, components, dependencies } = billOfMaterials();
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const needed = Object.entries(packages)
    .filter(([path, { dev = false }]) => path !== '' && !dev)
    .map(([path, { version, license = 'none' }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return `${name} ${version} ${license}`;
    });
  const told = components.map(({ name, version, licenses }) => {
    const words = licenses.map((one) => ('license' in one ? one.license.id : one.expression));
    return `${name} ${version} ${words.join(' ')}`;
  });
  expect(told.sort()).toEqual([...needed, `node ${NODE_VERSION} MIT`].sort());
  // What tools of the checkout use too.
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['zod', 'commander']));
  expect(metadata.component.name).toBe('eventreg');
  const names = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
  expect(
    dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !names.has(ref)),
  ).toEqual([]);
});
