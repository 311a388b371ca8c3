import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listed } from './support/tables.ts';

const root = join(import.meta.dirname, '..');

/** Lines that must not stand in the file; each is one offence. */
interface Offending {
  rule: string;
  file: string;
  lines: readonly string[];
}

const IMPORTS = 'eslint(no-restricted-imports)';

const importOf = (from: string, index: number): string => `import { x as x${index} } from '${from}';`;

const OFFENCES: readonly Offending[] = [
  ...['registration', 'registration/rules', 'pacing', 'pacing/shared'].map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/outside.ts`,
    lines: ['node:fs', 'node:fs/promises', 'undici', 'node:process', 'process'].map(importOf),
  })),
  ...listed(`
    service | service/http | report | settings | sandbox/store | sync/perform | input/csv |
    commands/push
  `).map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/process-module.ts`,
    lines: ['node:process', 'process'].map(importOf),
  })),
  ...['input', 'input/xlsx', 'sync/push', 'commands', 'commands/push'].map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/drawing.ts`,
    lines: ['ora', 'cli-table3'].map(importOf),
  })),
  {
    rule: 'eslint(no-console)',
    file: 'src/sync/push/console.ts',
    lines: ["console.log('a');", "console.error('b');"],
  },
  {
    rule: 'eslint(no-restricted-globals)',
    file: 'src/service/http/process.ts',
    lines: ['export const a = process.env;', 'process.exit(1);'],
  },
  { rule: 'import(no-default-export)', file: 'src/sync/push/default.ts', lines: ['export default 1;'] },
  { rule: 'typescript(no-explicit-any)', file: 'src/sync/push/any.ts', lines: ['export const a: any = 1;'] },
];

const CLEAN: readonly [file: string, lines: readonly string[]][] = [
  ['src/report/records/drawing.ts', ['ora', 'cli-table3'].map(importOf)],
  ['src/service/http/sockets.ts', ['undici'].map(importOf)],
  ['src/sync/journal/files.ts', ['node:fs'].map(importOf)],
];

interface Diagnostic {
  code: string;
  filename: string;
  labels: { span: { line: number } }[];
}

const directory = mkdtempSync(join(tmpdir(), 'eventreg-lint-'));
let diagnostics: Diagnostic[] = [];

/** Imports count as used, so that nothing but the rule in question speaks. */
function write(file: string, lines: readonly string[]): void {
  const names = [...lines.join('\n').matchAll(/import \{ x as (x\d+) \}/g)].map(([, name]) => name);
  const types = [...lines.join('\n').matchAll(/import type \{ (\w+) \}/g)].map(([, name]) => name);
  const uses = [
    `export const used = [${names.join(', ')}];`,
    ...types.map((type) => `export type U = ${type};`),
  ];
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, [...lines, ...uses, ''].join('\n'));
}

/** Runs the linter over the directory. It ends with 1 when it finds something, as it should here. */
function lint(): Promise<string> {
  const packageDirectory = join(root, 'node_modules', 'oxlint');
  const manifest = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as {
    bin: { oxlint: string };
  };
  const command = join(packageDirectory, manifest.bin.oxlint);
  return new Promise((resolve) => {
    execFile(process.execPath, [command, '--format', 'json'], { cwd: directory }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

beforeAll(async () => {
  copyFileSync(join(root, '.oxlintrc.json'), join(directory, '.oxlintrc.json'));
  for (const { file, lines } of OFFENCES) write(file, lines);
  for (const [file, lines] of CLEAN) write(file, lines);
  ({ diagnostics } = JSON.parse(await lint()) as { diagnostics: Diagnostic[] });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Text of the lines that a rule reports, without repetition. */
function reported(file: string, rule: string, lines: readonly string[]): (string | undefined)[] {
  const found = diagnostics.filter(({ filename, code }) => join(filename) === join(file) && code === rule);
  const numbers = new Set(found.map(({ labels }) => labels[0]?.span.line ?? 0));
  return [...numbers].sort((a, b) => a - b).map((number) => lines[number - 1]);
}

test.each(OFFENCES)('the linter refuses every line of $file: $rule', ({ rule, file, lines }) => {
  expect(reported(file, rule, lines)).toEqual(lines);
});

test.each(CLEAN)('the linter accepts: %s', (file) => {
  expect(diagnostics.filter(({ filename }) => join(filename) === join(file))).toEqual([]);
});
