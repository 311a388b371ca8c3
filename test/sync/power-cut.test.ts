import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test, vi } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { IntentBlocks } from '../../src/sync/journal/departures.ts';
import { type Bench, barcodes, pushBench, visitors } from './push-bench.ts';

const BLOCK = 256;
const ROWS = 300;

const cover = Object.getOwnPropertyDescriptor(IntentBlocks.prototype, 'cover')
  ?.value as IntentBlocks['cover'];

/** Keeps what is on the disk for certain: the journal as it was when a block of intents was made durable. */
function keepDurable(bench: Bench, kept: string): void {
  const state = join(bench.directory, 'state');
  let blocks = '';
  vi.spyOn(IntentBlocks.prototype, 'cover').mockImplementation(function keep(this: IntentBlocks, ...asked) {
    cover.apply(this, asked);
    const now = blockOf(state);
    if (now === blocks) return;
    blocks = now;
    rmSync(kept, { recursive: true, force: true });
    cpSync(state, kept, { recursive: true });
  });
}

function blockOf(state: string): string {
  const journal = new DatabaseSync(join(state, 'journal.sqlite'), { readOnly: true });
  const block = journal.prepare('SELECT seqs FROM block').get() as { seqs: string } | undefined;
  journal.close();
  return block?.seqs ?? '';
}

/** Puts back what was durable. `boot`: of the machine since, undefined for the same. */
function cutPower(bench: Bench, kept: string, boot: string | undefined): void {
  const state = join(bench.directory, 'state');
  rmSync(state, { recursive: true, force: true });
  cpSync(kept, state, { recursive: true });
  if (boot === undefined) return;
  const journal = new DatabaseSync(join(state, 'journal.sqlite'));
  journal.prepare('UPDATE block SET boot = ?').run(boot);
  journal.close();
}

/** Pushes until the service has taken so many rows, and stops there. */
async function pushUntil(bench: Bench, file: string, taken: number): Promise<void> {
  bench.service.fault = ({ method, nth }) =>
    method === 'POST' && nth >= taken ? { answer: { status: 401, body: '{}' } } : undefined;
  expect((await bench.push([file, '--match', 'none'])).code).not.toBe(EXIT.done);
  bench.service.fault = () => undefined;
}

test.each([1, 30, BLOCK + 1])(
  'after power was cut once %i rows had left nobody is lost, and nobody there twice',
  async (taken) => {
    // Lists late: comparing alone does not find what has left.
    const bench = await pushBench({ readLagMs: 20_000 });
    const kept = join(bench.directory, 'durable');
    const file = bench.write('a.csv', visitors(...Array.from({ length: ROWS }, (_, nth) => `:Guest${nth}`)));
    keepDurable(bench, kept);
    await pushUntil(bench, file, taken);
    vi.restoreAllMocks();
    cutPower(bench, kept, 'another start');
    const again = await bench.push([file, '--match', 'none']);
    const names = bench.kept().map(({ fields }) => JSON.stringify(fields));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length + again.summary.uncertain).toBe(ROWS);
    // What had left is found; of the rest of the block nobody can tell.
    expect(again.summary.uncertain).toBeLessThanOrEqual(BLOCK);
    expect(again.code).toBe(again.summary.uncertain === 0 ? EXIT.done : EXIT.uncertain);
  },
);

test('a process that was killed leaves no row of its block in doubt that had not left', async () => {
  const bench = await pushBench();
  const kept = join(bench.directory, 'durable');
  const file = bench.write('a.csv', visitors(...barcodes(40)));
  keepDurable(bench, kept);
  await pushUntil(bench, file, 0);
  vi.restoreAllMocks();
  cutPower(bench, kept, undefined);
  expect(bench.states()).toEqual(Array.from({ length: 40 }, () => 'pending'));
  expect((await bench.push([file, '--match', 'none'])).summary).toMatchObject({ sent: 40, uncertain: 0 });
});
