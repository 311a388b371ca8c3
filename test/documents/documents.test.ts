import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, GUARD_CODES, PROBLEM_CODES } from '../../src/codes.ts';
import { documentSchemas } from '../../src/documents/documents.ts';
import { schemaFiles } from './schema-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/json.md'), 'utf8');

/** The rows of the table that follows a heading of the page: what stands in code, and what beside it. */
function rowsBelow(heading: string): [string, string][] {
  const [, section = ''] = PAGE.split(`${heading}\n`);
  const [table = ''] = section.split(/^#/m);
  return [...table.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, code = '', text = '']) => [code, text]);
}

test('the schemas in docs are those of the documents: npm run schemas', () => {
  const made = schemaFiles();
  const folder = join(ROOT, 'docs/schema');
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort(),
  ).toEqual([...made.keys()].sort());
  const stored = [...made.keys()].map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  expect(stored).toEqual([...made]);
});

describe('docs/json.md', () => {
  test.each([
    ['### Guards', GUARD_CODES],
    ['## Errors', ERROR_CODES],
  ])('has every code below %s, with what it says', (heading, codes) => {
    expect(rowsBelow(heading)).toEqual(Object.entries(codes));
  });

  test('has every code of a problem, with what it says', () => {
    const rows = rowsBelow('## Problems');
    expect(rows.filter(([code]) => code in PROBLEM_CODES)).toEqual(Object.entries(PROBLEM_CODES));
  });

  test('has every document', () => {
    const named = rowsBelow('## One document a command').map(([name]) => name);
    const documents = named.filter((name) => name.includes('@'));
    expect(documents.sort()).toEqual(Object.keys(documentSchemas()).sort());
  });

  test('has every type of event', () => {
    const types = rowsBelow('## Events').map(([name]) => name);
    const schema = schemaFiles().get('events@1.0.json') ?? '';
    const known = [...schema.matchAll(/"type": \{\s*"type": "string",\s*"const": "(\w+)"/g)].map(
      ([, type]) => type,
    );
    expect(types.sort()).toEqual(known.sort());
  });
});
