import * as z from 'zod';
import type { Command } from 'commander';
import { cloneName, globalOptions, wholeNumber } from '../options/options.ts';
import { isReservedName, RESERVED, writtenFile } from '../options/written-file.ts';
import { KEPT } from './clone-record.ts';
import { addHelp } from '../options/help.ts';

/** Wherever it runs: a clone is a folder, which may be copied to another machine. */
export const isReserved = (name: string): boolean => isReservedName(name, 'win32');

/** Options of `sandbox clone`, `clones` and `mask`. */
export const rehearseOptions = globalOptions.extend({
  /** Which registrations a clone gets. */
  registrations: z.enum(KEPT).default('masked'),
  /** The most that it gets. */
  limit: wholeNumber(1).optional(),
  /** What it is called; undefined: as the event. */
  as: cloneName.refine((name) => !isReserved(name), RESERVED).optional(),
  maskBarcodes: z.boolean().default(false),
  /** Of `mask`: the list, and where it is written. */
  file: z.string().min(1).optional(),
  to: writtenFile.optional(),
});
export type RehearseOptions = z.infer<typeof rehearseOptions>;

const CLONE_HELP = `
Reads the event that the profile is for, and its registrations, 100 a request; nothing is sent to the service. The
clone shows the event as it was shown, and behaves as the service was seen to: each line of the table says whether
that was seen or is assumed. What this machine knows comes along: base values, what columns are, what was learnt.

People are masked before anything is written: equal values stay equal, phone numbers keep their country, choices,
countries and numbers stay, all dates are earlier by as many days. Masked is not anonymous: do not publish a clone.
enable_comms never acts in a clone, and webhooks are not copied. --registrations as-they-are copies real people, and asks.

Examples:
  eventreg sandbox clone --as fair
  eventreg sandbox clone --registrations none
  eventreg sandbox mask guests.csv && eventreg push guests.masked.csv --sandbox=fair --dry-run

Exit codes: 0 made · 1 failed · 2 wrong usage · 4 not authorised · 7 not confirmed, or in use`;

const MASK_HELP = `
Masks the values of a list as those of the clone were, so that a push of it to the clone rehearses the push of the
list to the live event. The list is read as push reads it; a workbook is written with its texts alone.
A push of what it writes to anything but a clone with the same key stops with exit code 7.

Examples:
  eventreg sandbox mask guests.csv
  eventreg sandbox mask guests.xlsx --to masked.csv --sandbox=fair

Exit codes: 0 written · 2 wrong usage or input · 7 the file is there already`;

/** Does an action of the sandbox when its command is used; `named` reads its words. */
type Act = (
  command: Command,
  action: 'clone' | 'clones' | 'mask',
  named?: (args: readonly string[]) => object,
) => void;

/** Defines the actions of `eventreg sandbox` that make and use copies of live events. */
export function defineClones(command: Command, act: Act): void {
  const clone = command
    .command('clone')
    .description('copy the live event, to rehearse on')
    .option('--registrations <which>', 'none, masked or as-they-are (masked unless given)')
    .option('--limit <number>', 'the most registrations that it gets')
    .option('--as <name>', 'what it is called (as the event unless given)')
    .option('--mask-barcodes', 'mask barcodes too');
  act(addHelp(clone, CLONE_HELP), 'clone');
  act(
    addHelp(command.command('clones'), CLONE_HELP).description('list the clones of this machine'),
    'clones',
  );
  const mask = command
    .command('mask <file>')
    .description('mask a list as the people of a clone are')
    .option('--to <file>', 'where it is written, .csv, .xlsx, .json or .ndjson');
  act(addHelp(mask, MASK_HELP), 'mask', ([file]) => ({ file }));
}
