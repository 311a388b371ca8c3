import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { NODE_VERSION } from './targets.ts';

/** A package that the program is made of, as CycloneDX names it. */
interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  licenses: ({ license: { id: string } } | { expression: string })[];
  properties?: { name: string; value: string }[];
}

interface Bill {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * What the packages are made of, by package-lock.json, with Node.js itself, which the executables bring along. npm lists
 * all, and what only a checkout needs is left out here: `--omit dev` leaves out what such packages use as well, be it
 * used by the program too.
 */
export function billOfMaterials(): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include', 'dev'];
  const options = { encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 2 ** 26 } as const;
  const told = execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  const { metadata, components, dependencies, ...head } = JSON.parse(told) as Bill;
  const ofCheckout = new Set(components.filter(isOfCheckout).map((one) => one['bom-ref']));
  return {
    ...head,
    // npm takes the name of the folder.
    metadata: { ...metadata, component: { ...metadata.component, name: nameOfPackage() } },
    components: [...components.filter((one) => !ofCheckout.has(one['bom-ref'])), NODE],
    dependencies: dependencies
      .filter(({ ref }) => !ofCheckout.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !ofCheckout.has(one)) })),
  };
}

const isOfCheckout = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');

const NODE: Component = {
  'bom-ref': `node@${NODE_VERSION}`,
  type: 'platform',
  name: 'node',
  version: NODE_VERSION,
  purl: `pkg:github/nodejs/node@v${NODE_VERSION}`,
  licenses: [{ license: { id: 'MIT' } }],
};

function nameOfPackage(): string {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
  return name;
}
