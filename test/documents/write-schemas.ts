import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFiles } from './schema-files.ts';

// `npm run schemas`: makes the JSON Schemas of docs/schema anew. That of JUnit beside them is written by hand.
const folder = join(import.meta.dirname, '../../docs/schema');
for (const name of readdirSync(folder)) if (name.endsWith('.json')) rmSync(join(folder, name));
for (const [name, text] of schemaFiles()) writeFileSync(join(folder, name), text);
