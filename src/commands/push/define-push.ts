import type { Command } from 'commander';
import { flagOf, SETTINGS } from '../../registration/model/option-flags.ts';
import {
  addBudgetFlags,
  type AddFlag,
  collect,
  eventsFlag,
  flagGroup,
  reportFlag,
  addHelp,
} from '../options/help.ts';
import type { Handler } from '../options/options.ts';
import { addSetFlag, withSettings } from '../options/set-flag.ts';
import type { PushCommandOptions } from './push-command-options.ts';

const HELP = `
Files are workbooks (.xlsx, .ods), CSV, a JSON array, or NDJSON, known by their content; - reads standard
input. Columns match a field's label or slug, or a usual heading in English, Spanish, French, German,
Italian, Portuguese or Dutch. The columns persona, barcode, parent_barcode and enable_comms are known;
columns such as "Companion 1 First name" become registrations of their own, members of the row's.
The file is read once to find out how it is written, then every row is checked before the first is sent.
What is certain is mended (spaces, country names, dates, numbers of a workbook) and counted; what is damaged
is refused with its place; what only you can know is asked, or named as an error or a warning without a terminal.
The first push to an event from this machine asks before it sends, at a terminal. Ctrl-C stops after what is
under way; the same command again goes on from there, and sends nothing twice.
What the service holds is read first: what is there as in the file is not sent, what only somebody in the service
has changed is kept, and what both have changed is a conflict, value by value. --dry-run --diff prints all that would
change; with --json it is "plan" in the document, as ndjson a line a registration before the summary, as
csv a row a value. With --only it has every value of these guests: in the file, as last sent, in the service. --plan-out saves that, values of persons included, and --plan does exactly it, or refuses when files
or service are no longer as they were.

Examples:
  eventreg push guests.xlsx --sandbox
  eventreg push guests.xlsx --dry-run --diff
  eventreg push guests.xlsx --persona visitor --invalid skip --rejects rejects.xlsx
  eventreg push cancelled-removed.xlsx --prune --max-delete 10%

Exit codes: 0 all sent · 1 failed · 2 unreadable file or columns ·
3 rows rejected, failed, in conflict or stored otherwise · 4 not authorised · 5 rows uncertain · 6 gave up waiting · 7 a guard stopped it · 130 interrupted`;

const COMMON = [
  '--persona',
  '--where',
  '--dry-run',
  '--diff',
  '--invalid',
  '--rejects',
  '--report',
  '--match',
  '--prune',
  '--map',
  '--ignore-column',
  '--mapping',
];

/** Defines `eventreg push` on its command. Its help needs neither what parses options nor what pushes. */
export function definePush(command: Command, handle: Handler<PushCommandOptions>): void {
  addHelp(addPushFlags(command), HELP, COMMON)
    .description(
      'Send the registrations of spreadsheets to the service: create what is new, update what is known.',
    )
    .argument('[file...]', 'XLSX, CSV, JSON or NDJSON files; - for standard input')
    .action(async (files: string[]) => {
      const { parseOptions, rawOptions } = await import('../options/options.ts');
      const { pushOptions } = await import('./push-command-options.ts');
      const { withWhere } = await import('./where-flag.ts');
      const raw = withWhere(withSettings(rawOptions(command), SETTINGS));
      await handle(parseOptions(pushOptions, { ...raw, files }, flagOf));
    });
}

/** Adds all flags of `push` to its command. */
function addPushFlags(command: Command): Command {
  addRowFlags(flagGroup(command, 'What to send:'));
  addBudgetFlags(flagGroup(command, 'Request budget:'));
  addPlanFlags(flagGroup(command, 'Plan:'));
  const reading = flagGroup(command, 'How the file is read (found out, asked and remembered unless given):');
  addColumnFlags(reading);
  addSetFlag(command, reading, SETTINGS);
  return command;
}

function addRowFlags(add: AddFlag): void {
  add('--persona <slug>', 'persona of rows that name none');
  add('--where <header=value>', 'only rows with this value, or with != all others; repeatable', collect);
  add('--invalid <what>', 'invalid rows: stop (send nothing) or skip (send the others)');
  add('--rejects <file>', 'write rejected rows there as the file is written, with their errors');
  add(...reportFlag, collect);
  add('--all-errors', 'list every row with errors, and not only what is wrong with how many');
  add('--blank <what>', 'blank cells: omit (leave the field as it is) or clear (empty it)');
  add('--overwrite', 'the file wins where the service has other values, or has deleted a registration');
  add('--keep', 'the service wins there: what both have changed stays as it is in the service');
  add('--only <barcode>', 'only the row with this barcode; repeatable', collect);
  add('--again', 'with it: send the row once more although nothing has changed');
  add(
    '--match <by>',
    'a row with the e-mail of a registration that no row stands for: barcode (ask), email (it is that person) or none (another)',
  );
  add('--prune', 'mirror: delete what the file no longer has, of the personas in it');
  add(
    '--max-delete <limit>',
    'most that --prune may delete, 50 or 10% (50, and a third of a persona, unless given)',
  );
  add('--max-failures <limit>', 'stop when more rows are refused, 20 or 5% (no limit unless given)');
  add(
    '--concurrency <number>',
    'most requests under way at once, 1 to 64 (as many as the rate and latency ask for)',
  );
  add('--no-audit', 'do not read back at the end what was sent');
  add('--no-check-dns', 'do not look up whether e-mail domains take mail');
  add(...eventsFlag);
}

function addPlanFlags(add: AddFlag): void {
  add('--dry-run', 'check everything and say what would be sent; send nothing');
  add('--diff', 'with it: print every registration that would change, value by value');
  add('--plan-out <file>', 'a dry run that saves the plan; it holds values of persons');
  add('--plan <file>', 'do exactly what a saved plan says, or refuse; files and flags come from it');
}

function addColumnFlags(add: AddFlag): void {
  add('--map <header=slug>', 'send a column as this field; repeatable', collect);
  add('--ignore-column <header>', "leave a column out, '*' for all that match nothing; repeatable", collect);
  add('--mapping <file>', 'JSON file that says what columns, values and settings are');
  add('--write-mapping <file>', 'write such a file of what was used');
  add('--columns', 'print what every column becomes, with samples');
  add('--no-saved-mapping', 'do without what is remembered');
}
