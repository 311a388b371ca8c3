import * as z from 'zod';
import type { Command } from 'commander';
import { cloneName, optionsOf, wholeNumber } from '../options/options.ts';
import { isReservedName, RESERVED, writtenFile } from '../options/written-file.ts';
import { addHelp } from '../options/help.ts';

/** What a clone keeps of the people. */
export const KEPT = ['none', 'masked', 'as-they-are'] as const;

/** Wherever it runs: a clone is a folder, which may be copied to another machine. */
export const isReserved = (name: string): boolean => isReservedName(name, 'win32');

export const cloneOptions = optionsOf('clone', {
  registrations: z.enum(KEPT).default('masked'),
  /** The most that it gets. */
  limit: wholeNumber(1).optional(),
  /** What it is called; undefined: as the event. */
  as: cloneName.refine((name) => !isReserved(name), RESERVED).optional(),
  maskBarcodes: z.boolean().default(false),
});
export type CloneOptions = z.infer<typeof cloneOptions>;

/** Options of `sandbox mask`: the list, and where it is written. */
export const maskOptions = optionsOf('mask', { file: z.string().min(1), to: writtenFile.optional() });
export type MaskOptions = z.infer<typeof maskOptions>;

export const CLONE_HELP = `
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

/** Adds the flags and the help of `sandbox clone`. */
export const addClone = (command: Command): Command =>
  addHelp(command, CLONE_HELP)
    .option('--registrations <which>', 'none, masked or as-they-are (masked unless given)')
    .option('--limit <number>', 'the most registrations that it gets')
    .option('--as <name>', 'what it is called (as the event unless given)')
    .option('--mask-barcodes', 'mask barcodes too');

/** Adds the flags and the help of `sandbox mask`. */
export const addMask = (command: Command): Command =>
  addHelp(command, MASK_HELP).option('--to <file>', 'where it is written, .csv, .xlsx, .json or .ndjson');
