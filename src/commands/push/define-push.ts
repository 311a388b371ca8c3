import type { Command } from 'commander';
import type { Handler } from '../options/options.ts';
import { addPushFlags } from './push-flags.ts';
import type { PushCommandOptions } from './push-command-options.ts';

const HELP = `
Files are Excel workbooks (.xlsx), CSV, a JSON array, or NDJSON, known by their content; - reads standard
input. Columns match a field's label or slug, or a usual heading in English, Spanish, French, German,
Italian or Portuguese. The columns persona, barcode, parent_barcode and enable_comms are known; columns
such as "Companion 1 First name" become registrations of their own, members of the row's.
The file is read once to find out how it is written, then every row is checked before the first is sent.
What is certain is mended (spaces, country names, dates, numbers of a workbook) and counted; what is damaged
is refused with its place; what only you can know is asked, or named as an error without a terminal.
The first push to an event from this machine asks before it sends, at a terminal. Ctrl-C stops after what is
under way; the same command again goes on from there, and sends nothing twice.
What the service holds is read first: what is there as in the file is not sent, what only somebody in the service
has changed is kept, and what both have changed is a conflict, value by value. --dry-run --diff prints all that would
change; with --json it is the array "plan" of the one object, as ndjson a line a registration before the summary, as
csv a row a value. --plan-out saves that, values of persons included, and --plan does exactly it, or refuses when files
or service are no longer as they were.

Examples:
  eventreg push guests.xlsx --sandbox
  eventreg push attendees.csv --persona visitor --dry-run --verbose
  eventreg push guests.xlsx --sheet Guests --invalid skip --rejects rejects.xlsx
  eventreg push guests.xlsx --dry-run --diff --show-values
  eventreg push guests.xlsx --prune --plan-out friday.plan && eventreg push --plan friday.plan
  eventreg push a.csv b.csv --map "Company name=company" --ignore-column Notes --save-mapping
  eventreg list --all --json | eventreg push - --profile next-year

Exit codes: 0 all sent · 1 failed · 2 unreadable file or columns ·
3 rows rejected, failed, in conflict or stored otherwise · 4 not authorised · 5 rows uncertain · 6 gave up waiting · 7 a guard stopped it · 130 interrupted`;

/** Defines `eventreg push` on its command. Its help needs neither what parses options nor what pushes. */
export function definePush(command: Command, handle: Handler<PushCommandOptions>): void {
  addPushFlags(command)
    .description(
      'Send the registrations of spreadsheets to the service: create what is new, update what is known.',
    )
    .argument('[file...]', 'XLSX, CSV, JSON or NDJSON files; - for standard input')
    .addHelpText('after', HELP)
    .action(async (files: string[]) => {
      const { parseOptions, rawOptions } = await import('../options/options.ts');
      const { pushOptions } = await import('./push-contradictions.ts');
      await handle(parseOptions(pushOptions, { ...rawOptions(command), files }));
    });
}
