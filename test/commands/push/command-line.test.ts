import { expect, test } from 'vitest';
import { commandLine } from '../../../src/commands/push/push-unasked.ts';
import { definePush } from '../../../src/commands/push/define-push.ts';
import type { PushCommandOptions } from '../../../src/commands/push/push-command-options.ts';
import { parseArgv } from '../parse-argv.ts';

const parse = (argv: readonly string[]) => parseArgv<PushCommandOptions>(definePush, 'push', argv);

test.each([
  ['a.csv', 'a.csv'],
  ['--sandbox a.csv --yes --quiet', 'a.csv --quiet --yes --sandbox'],
  ['a.csv --set include-hidden=false --no-audit --no-check-dns', undefined],
  ['a.csv --set pad=barcode:13 --set pad=A:5 --invalid stop', 'a.csv --set pad=barcode:13 --set pad=A:5'],
  ['a.csv --max-failures 5% --concurrency 4 --max-wait 1h30m', undefined],
  ['a.csv --map A=b --map C=d --ignore-column * --prune --max-delete 20', undefined],
])('%s is typed again', async (typed, expected) => {
  const options = await parse(typed.split(' '));
  const line = commandLine(options);
  const again = line.replaceAll('"', '').split(' ').slice(2);
  expect(await parse(again)).toEqual(options);
  if (expected !== undefined) expect(line.replaceAll('"', '')).toBe(`eventreg push ${expected}`);
});
