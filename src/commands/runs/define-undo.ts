import type { Command } from 'commander';
import * as z from 'zod';
import { budgetOptions } from '../options/budget-options.ts';
import { addBudgetFlags, flagGroup } from '../options/flags.ts';
import { DEFAULT_MAX_DELETE, maxDelete } from '../options/max-delete.ts';
import { globalOptions, type Handler, parseOptions, rawOptions } from '../options/options.ts';

const undoOptions = globalOptions.extend(budgetOptions).extend({
  action: z.literal('undo'),
  /** Undefined: the last push. */
  id: z.string().optional(),
  dryRun: z.boolean().default(false),
  maxDelete: maxDelete.default(DEFAULT_MAX_DELETE),
});
export type UndoCommandOptions = z.infer<typeof undoOptions>;

const HELP = `
Deletes what is proven to be new by the run, and brings back what it has changed or deleted, from what the service
listed before. What was edited since, or sent again by a later push, is left alone and listed with the reason.
What is deleted is written to a backup file first. Messages to people are never sent again. An undo is a run
itself: interrupted, the same command goes on with it, and it can be undone. Without an id the last push is
offered. Where a run went on from an interrupted one, with its file edited, both are offered.

Examples:
  eventreg runs undo
  eventreg runs undo 20270301-4f9a2c --dry-run
  eventreg runs undo 20270301-4f --max-delete 200 --yes --output csv

Exit codes: 0 all undone · 1 failed · 2 no such run · 3 some were left alone, or not as before · 5 some are in doubt ·
6 gave up waiting · 7 a guard stopped it or not confirmed · 130 interrupted`;

/** Defines `runs undo`. */
export function defineUndo(command: Command, handle: Handler<UndoCommandOptions>): void {
  const sub = command
    .command('undo [id]')
    .description('take back what a run, or the last push, did, as far as it is still as the run has left it')
    .option('--dry-run', 'show what would be deleted, brought back and left alone')
    .option(
      '--max-delete <number>',
      'stop when it would delete more, or a share such as 10% (50 unless given)',
    )
    .addHelpText('after', HELP);
  addBudgetFlags(flagGroup(sub, 'Request budget:'));
  sub.action(async () => {
    await handle(parseOptions(undoOptions, { ...rawOptions(sub), action: 'undo', id: sub.args[0] }));
  });
}
