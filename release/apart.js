import { readFileSync } from 'node:fs';

/**
 * The packages that stay packages, and so all that npm brings along with ours: machine code, what is large and few
 * commands need, and saxes, which brings no text of its licence.
 */
export const APART = [
  '@hono/node-server',
  '@napi-rs/keyring',
  '@photostructure/sqlite',
  'csv-parse',
  'hono',
  'libphonenumber-js',
  'pg',
  'saxes',
  'undici',
  'yauzl',
];

/**
 * What conf would check and carry over files with, were it asked to: an eighth of all there is; colours, which our tables
 * have none of from cli-table3; and all spinners but the two that ora takes unless told otherwise.
 */
export const unused = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:ajv\/.*|ajv-formats|semver|@colors\/colors\/safe)$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }));
    onLoad({ filter: /^/, namespace: 'unused' }, () => ({
      contents: 'export let Ajv2020; export default {};',
    }));
    onLoad({ filter: /cli-spinners.spinners\.json$/ }, ({ path }) => {
      const { dots, line } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ dots, line }), loader: 'json' };
    });
  },
};
