import type { Command } from 'commander';
import * as z from 'zod';
import { GuardError } from '../../errors.ts';
import { decide, type DoubtfulRow, findDoubtful } from '../../runs/settle/decide-row.ts';
import type { Journal } from '../../runs/journal/journal.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { globalOptions, type Handler, parseOptions, rawOptions } from '../options/options.ts';
import { findRun, refuseHeld } from './runs-find.ts';
import { confirm, say } from '../terminal/terminal.ts';

const decideRowOptions = globalOptions.extend({
  action: z.literal('decide'),
  id: z.string(),
  /** Barcode or place of the row. */
  row: z.string(),
  verdict: z.enum(['sent', 'not-sent']),
});
export type DecideRowOptions = z.infer<typeof decideRowOptions>;

const HELP = `
A row is uncertain when its request left and no answer came. Rows with a barcode are settled by the next push
on its own; without one nobody but you can tell. Look in the service, then say what you found:
  sent       it is there; it counts as done and is not sent again
  not-sent   it is not there; the next push of the file sends it

Examples:
  eventreg runs show 20270301-4f9a2c --state uncertain
  eventreg runs decide 20270301-4f9a2c 17 sent
  eventreg runs decide 20270301-4f9a2c guests.xlsx:Sheet1:17 not-sent

Exit codes: 0 decided · 2 no such row, or not uncertain · 7 not confirmed, or the run is at work`;

/** Defines `runs decide`. */
export function defineDecideRow(command: Command, handle: Handler<DecideRowOptions>): void {
  const sub = command
    .command('decide <id> <row> <verdict>')
    .description(
      'say of an uncertain row (barcode, or file and line) whether the service has it: sent or not-sent',
    )
    .addHelpText('after', HELP);
  sub.action(async () => {
    const [id, row, verdict] = sub.args;
    await handle(parseOptions(decideRowOptions, { ...rawOptions(sub), action: 'decide', id, row, verdict }));
  });
}

/** Settles an uncertain row as a person found it. Throws UsageError for a row of which there is nothing to decide. */
export async function decideRow(
  journal: Journal,
  options: DecideRowOptions,
  runtime: Runtime,
): Promise<void> {
  const run = findRun(journal, options.id);
  refuseHeld(journal, run);
  const row = findDoubtful(journal, run, options.row);
  const who = visible(row.barcode === undefined ? row.place : `${row.place} (barcode ${row.barcode})`);
  const consequence =
    options.verdict === 'sent'
      ? 'it counts as done and is not sent again'
      : 'the next push sends it, and if it is there after all it may be there twice';
  if (!(await confirm(options, runtime, `${who}: ${consequence}. Go on?`))) {
    throw new GuardError('Nothing was decided.');
  }
  const runs = decide(journal, row, options.verdict, runtime.clock.now());
  say(options, runtime, `${who} is settled: ${describe(row, options, runs)}.`);
}

function describe({ run }: DoubtfulRow, { verdict }: DecideRowOptions, runs: readonly string[]): string {
  const others = runs.filter((one) => one !== run);
  const also = others.length === 0 ? '' : `, also in ${others.map((one) => `run ${one}`).join(', ')}`;
  return `${verdict === 'sent' ? 'done' : 'still to send'}${also}`;
}
