import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { pushBench } from '../sync/push-bench.ts';
import { canaries, leaked } from '../support/canary.ts';
import { readEvents } from '../support/event-lines.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { readWorkflowCommands } from '../support/workflow-commands.ts';

/** Barcodes, and what files, sheets and columns are called: said where the terminal says them. */
const NAMES = /^zq(?:bc\d+|file|folder|sheet|head)$/;
/** An option and a number name nobody: problems quote them, as at the terminal. */
const UNMASKED = /^(?:zqtt\d+|73\d{4}91)$/;

const OUTPUTS = ['events', 'summary', 'annotations', 'junit'] as const;

test('of 240 guests of whom everything is unlike anything else, only what the terminal names is told', async () => {
  const list = canaries(temporaryDirectory());
  const bench = await pushBench({}, list.home);
  bench.service.fault = list.fault;
  writeFileSync(join(list.home, 'summary.md'), '');
  const job = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: list.home,
    GITHUB_STEP_SUMMARY: join(list.home, 'summary.md'),
  };
  const overrides = { ...list.overrides, env: { ...bench.env, HOME: list.home, ...job } };
  const files = ['--events', 'e.ndjson', '--report', 'junit=j.xml', '--all-errors', '--progress', 'none'];
  const { code, err } = await bench.run(['push', ...list.argv, '--yes', ...files], overrides);
  // Some of what the service answers stops it.
  expect(code).toBe(EXIT.failed);
  const [said = '', commands = ''] = err.split(`::${/^::stop-commands::(\S+)/.exec(err)?.[1]}::\n`);
  const text = (name: string): string => readFileSync(join(list.home, name), 'utf8');
  expect(readEvents(join(list.home, 'e.ndjson')).length).toBeGreaterThan(500);
  expect(readWorkflowCommands(commands).length).toBeGreaterThan(9);
  const told = {
    events: text('e.ndjson'),
    summary: text('summary.md'),
    annotations: commands,
    junit: text('j.xml'),
  };
  const rows = await bench.run(['runs', 'show', bench.runs()[0]?.id ?? ''], list.overrides);
  const terminal = leaked(list, said, rows.out);
  for (const name of OUTPUTS) {
    const tokens = leaked(list, told[name]);
    // No value of a person, no home, person, profile or machine.
    const may = name === 'events' ? [NAMES] : [NAMES, UNMASKED];
    const others = tokens.filter((token) => !may.some((one) => one.test(token)));
    expect([name, others]).toEqual([name, []]);
    expect([name, tokens]).toEqual([name, expect.arrayContaining(['zqfile', 'zqhead'])]);
    expect([name, tokens.filter((token) => !terminal.includes(token))]).toEqual([name, []]);
  }
});
