import type { Command } from 'commander';
import * as z from 'zod';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { budgetOptions } from '../options/budget-options.ts';
import { addBudgetFlags, collect, flagGroup } from '../options/flags.ts';
import { addHelp } from '../options/help.ts';
import { globalOptions, type Handler, parsedBy, wholeNumber } from '../options/options.ts';
import { WRITTEN_FORMATS, writtenFile } from '../options/written-file.ts';

const WHERE = /^[^=]*\S[^=]*=/;

const listOptions = globalOptions.extend(budgetOptions).extend({
  persona: z.string().min(1).optional(),
  barcode: z.string().min(1).optional(),
  page: wholeNumber(1).optional(),
  perPage: wholeNumber(1, PER_PAGE_MAX).default(20),
  all: z.boolean().default(false),
  raw: z.boolean().default(false),
  /** `field=value`, all of which a registration has to have. */
  where: z.array(z.string().regex(WHERE, 'takes a field and its value, for example meal=Fish')).default([]),
  email: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  /** Where the list is written instead of to standard output; its name says how. */
  to: writtenFile.optional(),
});
export type ListOptions = z.infer<typeof listOptions>;

const HELP = `
Without --all one page is shown; --to, --where, --email and --name look at all of them. What --to writes can be
pushed again as it is; all cells of a workbook are text. The service may spell its persona filter in two ways;
eventreg finds out which, and checks every registration against the filter.

Examples:
  eventreg list
  eventreg list --to guests.xlsx
  eventreg list --persona speaker --to speakers.csv
  eventreg list --where "Lunch=Vegetarian" --where ticket_type=Press
  eventreg list --email ada@example.com --json

Exit codes: 0 done · 1 failed · 2 wrong usage · 4 not authorised · 6 gave up waiting ·
7 --leave leaves nothing · 130 interrupted`;

const COMMON = ['--persona', '--barcode', '--where', '--email', '--name', '--all', '--to'];

/** Defines `eventreg list` on its command. */
export function defineList(command: Command, handle: Handler<ListOptions>): void {
  addHelp(command, HELP, COMMON)
    .description('List registrations.')
    .option('--persona <slug>', 'only registrations of this persona')
    .option('--barcode <barcode>', 'only the registration with this barcode')
    .option('--page <number>', 'which page (1 unless given)')
    .option('--per-page <number>', `registrations a page, at most ${PER_PAGE_MAX} (20 unless given)`)
    .option('--all', 'all pages')
    .option('--where <field=value>', 'only those with this value; repeatable', collect)
    .option('--email <address>', 'only those with this e-mail address')
    .option('--name <words>', 'only those with these words in their name')
    .option('--to <file>', `write all of them there; the name ends in ${WRITTEN_FORMATS.join(', ')}`)
    .option('--raw', 'records as the service sent them (json and ndjson)');
  parsedBy(command, listOptions, handle);
  addBudgetFlags(flagGroup(command, 'Request budget:'));
}
