import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Lines that must not stand in the file; each is one offence. */
interface Offending {
  rule: string;
  file: string;
  lines: readonly string[];
}

const IMPORTS = 'eslint(no-restricted-imports)';

/** Everything of the project, one file of each folder. */
const MODULES: Readonly<Record<string, string>> = {
  registration: 'registration/row.ts',
  pacing: 'pacing/pacer.ts',
  service: 'service/client.ts',
  report: 'report/escape.ts',
  input: 'input/read-input.ts',
  push: 'push/push.ts',
  settings: 'settings/token.ts',
  sandbox: 'sandbox/sandbox.ts',
  commands: 'commands/list.ts',
  errors: 'errors.ts',
  runtime: 'runtime.ts',
  program: 'program.ts',
  main: 'main.ts',
};

/** What each folder may import of the project, besides itself. */
const ARROWS: readonly [folder: string, may: readonly string[]][] = [
  ['registration', []],
  ['pacing', []],
  ['service', ['registration', 'pacing', 'errors']],
  ['report', ['registration', 'pacing', 'errors']],
  ['input', ['registration', 'errors', 'pacing']],
  ['push', ['registration', 'pacing', 'service', 'report', 'input', 'errors']],
  ['settings', ['errors']],
  ['sandbox', []],
  [
    'commands',
    ['registration', 'pacing', 'service', 'report', 'input', 'push', 'settings', 'sandbox', 'errors'],
  ],
];

const importOf = (from: string, index: number): string => `import { x as x${index} } from '${from}';`;

const OFFENCES: readonly Offending[] = [
  ...ARROWS.map(([folder, may]) => ({
    rule: IMPORTS,
    file: `src/${folder}/offending.ts`,
    lines: Object.keys(MODULES)
      .filter((name) => name !== folder && !may.includes(name))
      .map((name, index) => importOf(`../${MODULES[name]}`, index)),
  })),
  ...['registration', 'pacing'].map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/outside.ts`,
    lines: ['node:fs', 'node:fs/promises', 'undici', 'node:process', 'process'].map(importOf),
  })),
  ...['service', 'report', 'input', 'push', 'settings', 'sandbox', 'commands'].map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/process-module.ts`,
    lines: ['node:process', 'process'].map(importOf),
  })),
  ...['input', 'push', 'commands'].map((folder) => ({
    rule: IMPORTS,
    file: `src/${folder}/drawing.ts`,
    lines: ['ora', 'cli-table3'].map(importOf),
  })),
  ...['program', 'main'].map((name) => ({
    rule: IMPORTS,
    file: `src/${name}.ts`,
    lines: ['push', 'service', 'input', 'registration', 'pacing', 'sandbox', 'runtime'].map((folder, index) =>
      importOf(`./${MODULES[folder]}`, index),
    ),
  })),
  {
    rule: IMPORTS,
    file: 'src/runtime.ts',
    lines: ['commands', 'program', 'main', 'push'].map((name, index) =>
      importOf(`./${MODULES[name]}`, index),
    ),
  },
  {
    rule: 'eslint(no-console)',
    file: 'src/push/console.ts',
    lines: ["console.log('a');", "console.error('b');"],
  },
  {
    rule: 'eslint(no-restricted-globals)',
    file: 'src/service/process.ts',
    lines: ['export const a = process.env;', 'process.exit(1);'],
  },
  { rule: 'import(no-default-export)', file: 'src/push/default.ts', lines: ['export default 1;'] },
  { rule: 'typescript(no-explicit-any)', file: 'src/push/any.ts', lines: ['export const a: any = 1;'] },
];

const CLEAN: readonly [file: string, lines: readonly string[]][] = [
  ...ARROWS.map(([folder, may]): [string, readonly string[]] => [
    `src/${folder}/clean.ts`,
    [`${folder}/other.ts`, ...may.map((name) => MODULES[name])].map((module, index) =>
      importOf(module?.startsWith(`${folder}/`) ? './other.ts' : `../${module}`, index),
    ),
  ]),
  ['src/registration/types.ts', ["import type { B } from '../pacing/pacer.ts';"]],
  ['src/pacing/types.ts', ["import type { B } from '../registration/row.ts';"]],
  ['src/sandbox/contracts.ts', [importOf('../service/contracts.ts', 0)]],
  ['src/report/drawing.ts', ['ora', 'cli-table3'].map(importOf)],
  ['src/commands/types.ts', ["import type { Runtime } from '../runtime.ts';"]],
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

describe('the linter refuses', () => {
  test.each(OFFENCES)('every line of $file: $rule', ({ rule, file, lines }) => {
    expect(reported(file, rule, lines)).toEqual(lines);
  });
});

describe('the linter accepts', () => {
  test.each(CLEAN)('%s', (file) => {
    expect(diagnostics.filter(({ filename }) => join(filename) === join(file))).toEqual([]);
  });
});
