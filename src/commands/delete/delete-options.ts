import type { Command } from 'commander';
import * as z from 'zod';
import type { Acceptable } from '../../registration/repairs/repair-options.ts';
import { budgetOptions, DEFAULT_MAX_DELETE, maxDelete } from '../options/budget-options.ts';
import { eventsOption, newFile, reportOption } from '../options/written-file.ts';
import { eventsFlag, addBudgetFlags, collect, flagGroup, reportFlag } from '../options/flags.ts';
import { refuseUnused, globalOptions } from '../options/options.ts';
import { readingOptions } from '../options/reading-options.ts';
import { addSetFlag } from '../options/set-flag.ts';

/** Of all damage, what may stand in a file and still leave no doubt about whom it names. */
const ACCEPTED = ['full-sheet'] as const satisfies Acceptable[];

const fileOptions = { ...readingOptions, accept: z.array(z.enum(ACCEPTED)).default([]) };

export const FILE_SETTINGS = Object.keys(fileOptions) as (keyof typeof fileOptions)[];

const deleteShape = globalOptions.extend({ ...fileOptions, ...budgetOptions, ...eventsOption }).extend({
  ids: z.array(z.string().min(1)).default([]),
  barcode: z.array(z.string().min(1)).default([]),
  file: z.string().min(1).optional(),
  persona: z.string().min(1).optional(),
  maxDelete: maxDelete.default(DEFAULT_MAX_DELETE),
  /** Undefined: however many are refused, the others are tried. */
  maxFailures: maxDelete.optional(),
  /** Undefined: a file in the state directory. */
  backup: newFile.optional(),
  dryRun: z.boolean().default(false),
  report: reportOption,
});

export const deleteOptions = deleteShape.superRefine((options, context) => {
  if (options.file !== undefined) return;
  refuseUnused(options, FILE_SETTINGS, context, 'says how --file is read, and there is none');
});
export type DeleteOptions = z.infer<typeof deleteOptions>;

/** Adds all flags of `delete` to its command. */
export function addDeleteFlags(command: Command): Command {
  command
    .option('--barcode <barcode>', 'the registration with this barcode; repeatable', collect)
    .option('--file <file>', 'an XLSX, CSV, JSON or NDJSON file with a column registration_id or barcode')
    .option('--persona <slug>', 'all registrations of a persona')
    .option(
      '--max-delete <number>',
      'stop when it would be more than this, or a share such as 10% (50 unless given; of a file or a persona a third)',
    )
    .option('--max-failures <limit>', 'stop when more than this are refused, a number or a share such as 10%')
    .option('--backup <file>', 'write the backup there; the file must not exist')
    .option('--dry-run', 'show what would be deleted')
    .option(...reportFlag, collect);
  flagGroup(command, 'Options:')(...eventsFlag);
  addBudgetFlags(flagGroup(command, 'Request budget:'));
  addSetFlag(command, flagGroup(command, 'How the file is read (found out unless given):'), FILE_SETTINGS);
  return command;
}
