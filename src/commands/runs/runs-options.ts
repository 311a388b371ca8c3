import type { Command } from 'commander';
import * as z from 'zod';
import { ROW_STATES } from '../../registration/model/row-states.ts';
import { budgetOptions, DEFAULT_MAX_DELETE, maxDelete } from '../options/budget-options.ts';
import { eventsOption, newFile, reportOption } from '../options/written-file.ts';
import { eventsFlag, addBudgetFlags, collect, flagGroup, reportFlag, addHelp } from '../options/help.ts';
import { actionsOf, optionsOf, type Handler, wholeNumber } from '../options/options.ts';

const runsOptions = z.discriminatedUnion('action', [
  optionsOf('list', {}),
  optionsOf('show', {
    /** Undefined: the last run. */
    id: z.string().optional(),
    state: z.enum(ROW_STATES).optional(),
  }),
  optionsOf('report', {
    id: z.string(),
    report: reportOption.refine((files) => files.length > 0, 'is missing: say where, as in html=report.html'),
  }),
  optionsOf('why', {
    /** Barcode, place, e-mail address, part of a name or id of a registration. */
    who: z.string().min(1),
    run: z.string().optional(),
    /** Tell what is last known, without asking the service. */
    offline: z.boolean().default(false),
  }),
  optionsOf('bundle', {
    id: z.string(),
    /** Undefined: named after the run, in the current folder. */
    to: newFile.optional(),
    /** Show what would be in it, and write nothing. */
    print: z.boolean().default(false),
  }),
  optionsOf('decide', {
    id: z.string(),
    /** Barcode or place of the row. */
    row: z.string(),
    verdict: z.enum(['sent', 'not-sent']),
  }),
  optionsOf('undo', {
    ...budgetOptions,
    ...eventsOption,
    /** Undefined: the last push. */
    id: z.string().optional(),
    dryRun: z.boolean().default(false),
    maxDelete: maxDelete.default(DEFAULT_MAX_DELETE),
    report: reportOption,
  }),
  optionsOf('purge', {
    /** One run; undefined: all that ended some days ago. */
    id: z.string().optional(),
    /** Days. */
    olderThan: wholeNumber(0).default(30),
  }),
]);
export type RunsOptions = z.infer<typeof runsOptions>;

export type RunsOptionsOf<Name extends RunsOptions['action']> = Extract<RunsOptions, { action: Name }>;

const HELP = `
A run is one execution of a push, a delete or an undo; dry runs and refused files are none. It is kept on this
machine, readable by you only, until it is purged: with \`eventreg runs purge\`, or by itself at the next push
once it is 30 days old, unless some of its rows are uncertain. A purged run cannot be gone on with, and its rows
are no longer known to have been sent.

Examples:
  eventreg runs
  eventreg runs show 20270301-4f9a2c
  eventreg runs why guests.xlsx:17
  eventreg runs undo 20270301-4f9a2c --dry-run

More examples:
  eventreg runs show 20270301-4f --state failed --output csv
  eventreg runs report 20270301-4f9a2c --report html=report.html
  eventreg runs decide 20270301-4f9a2c 17 sent
  eventreg runs purge 20270301-4f9a2c
  eventreg runs purge --older-than 7

Exit codes: 0 done · 1 the journal cannot be used · 2 no such run or row · 7 not confirmed, or a run at work`;

const WHY_HELP = `
<who> is a barcode, the id of a registration, a place (guests.csv:17, guests.xlsx:Sheet1:17, or 17 alone for
the newest run; 17/2 is the second companion on the line), an e-mail address as it was sent, or parts of a name,
whatever their case and accents. Several who fit are listed, with what to type for each. Of one the whole story is
told: what the service holds now, value by value, and then run by run, what was done last first, what was
compared, mended and sent, every answer with its time and request id, and what to do next. Where the service
cannot be reached, and with --offline, it is what was last known, and when.
Values of persons are masked without --show-values. Output: text for people; json and ndjson are one record a
registration; csv is one row a step.

Examples:
  eventreg runs why EV-1017
  eventreg runs why guests.xlsx:Sheet1:17 --show-values
  eventreg runs why ada@example.com --json
  eventreg runs why "garcia lope"
  eventreg runs why 17 --run 20270301-4f9a2c --offline

Exit codes: 0 found · 1 the journal cannot be used · 2 nothing is known of it`;

const BUNDLE_HELP = `
Writes eventreg-ID.redacted.zip: what somebody needs to know who is to help with a run. It is not made by taking
things out, but of what may be in it: versions, settings without the token, what doctor finds without the service, the
event with its fields and options, counts, what was planned, and of every row its steps with times, status and
request ids. No value of a guest, no barcode, no name of a file, column, profile or machine is in it: in their place
stand tokens, the same for equal values, made anew each time under a key that is not kept. Of messages only words of
eventreg's own and of the event's fields are left. The service is not asked. A file that is there is left as it is.
--print shows every word of it on standard output and writes nothing; with --json that is one document.

Examples:
  eventreg runs bundle 20270301-4f9a2c --print
  eventreg runs bundle 20270301-4f9a2c
  eventreg runs bundle 20270301-4f --to for-support.zip

Exit codes: 0 written or printed · 1 the journal cannot be used · 2 no such run or folder, or the file is there
already`;

const DECIDE_HELP = `
A row is uncertain when its request left and no answer came. Rows with a barcode are settled by the next push
on its own; without one nobody but you can tell. Look in the service, then say what you found:
  sent       it is there; it counts as done and is not sent again
  not-sent   it is not there; the next push of the file sends it

Examples:
  eventreg runs show 20270301-4f9a2c --state uncertain
  eventreg runs decide 20270301-4f9a2c 17 sent
  eventreg runs decide 20270301-4f9a2c guests.xlsx:Sheet1:17 not-sent

Exit codes: 0 decided · 2 no such row, or not uncertain · 7 not confirmed, or the run is at work`;

const UNDO_HELP = `
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

export function defineRuns(command: Command, handle: Handler<RunsOptions>): void {
  addHelp(command, HELP).description('Show what earlier runs did, and settle what is left of them.');
  const define = actionsOf(command, runsOptions, handle, 'list');
  define('list', 'list all runs, newest first');
  define('show [id]', 'show every row of the last run, or of the one whose id begins so').option(
    '--state <state>',
    `only rows in this state: ${ROW_STATES.join(', ')}`,
  );
  define('report <id>', 'write a report of a run to look at, search and print').option(
    ...reportFlag,
    collect,
  );
  const why = define('why <who>', 'tell all of a guest: what is held, what was done, what to do next');
  addHelp(why, WHY_HELP)
    .option('--run <id>', 'only what this run did')
    .option('--offline', 'do not ask the service: tell what is last known');
  const bundle = define('bundle <id>', 'write what support may know of a run, with nothing personal in it');
  addHelp(bundle, BUNDLE_HELP)
    .option('--to <file>', 'write it there (eventreg-ID.redacted.zip unless given)')
    .option('--print', 'show every word of it, and write nothing');
  const decide = define(
    'decide <id> <row> <verdict>',
    'say of an uncertain row (barcode, or file and line) whether the service has it: sent or not-sent',
  );
  addHelp(decide, DECIDE_HELP);
  const undo = define(
    'undo [id]',
    'take back what a run, or the last push, did, as far as it is still as the run has left it',
  );
  addHelp(undo, UNDO_HELP, ['--dry-run', '--max-delete'])
    .option('--dry-run', 'show what would be deleted, brought back and left alone')
    .option(
      '--max-delete <number>',
      'stop when it would delete more, or a share such as 10% (50 unless given)',
    )
    .option(...reportFlag, collect);
  addBudgetFlags(flagGroup(undo, 'Request budget:'));
  flagGroup(undo, 'Options:')(...eventsFlag);
  define('purge [id]', 'forget a run, or all that ended some days ago').option(
    '--older-than <days>',
    'without an id: forget what ended longer ago (30 unless given)',
  );
}
