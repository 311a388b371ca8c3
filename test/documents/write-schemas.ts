import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from './schema-files.ts';

// `npm run schemas`: makes docs/schema anew.
const folder = join(import.meta.dirname, '../../docs/schema');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of schemaFiles()) writeFileSync(join(folder, name), text);
