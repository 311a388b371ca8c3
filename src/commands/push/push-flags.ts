import type { Command } from 'commander';
import { ACCEPTABLE } from '../../registration/repairs/repair-options.ts';
import { addBudgetFlags, type AddFlag, addReadingFlags, collect, flagGroup } from '../options/flags.ts';

/** Adds all flags of `push` to its command. */
export function addPushFlags(command: Command): Command {
  addRowFlags(flagGroup(command, 'What to send:'));
  addBudgetFlags(flagGroup(command, 'Request budget:'));
  addPlanFlags(flagGroup(command, 'Plan:'));
  addReadingFlags(command);
  addColumnFlags(flagGroup(command, 'Columns:'));
  addRepairFlags(flagGroup(command, 'Values:'));
  return command;
}

function addRowFlags(add: AddFlag): void {
  add('--persona <slug>', 'persona of rows that name none');
  add('--invalid <what>', 'invalid rows: stop (send nothing) or skip (send the others)');
  add('--rejects <file>', 'write rejected rows there as the file is written, with their errors');
  add('--blank <what>', 'blank cells: omit (leave the field as it is) or clear (empty it)');
  add('--fresh', 'send every row, also those that the service holds already');
  add('--overwrite', 'the file wins where the service has other values, or has deleted a registration');
  add('--keep', 'the service wins there: what both have changed stays as it is in the service');
  add('--only <barcode>', 'only the row with this barcode; repeatable', collect);
  add(
    '--match <by>',
    'a row with the e-mail of a registration that no row stands for: barcode (ask), email (it is that person) or none (another)',
  );
  add('--recheck <what>', 'updates that wait over a minute: some (look again where it is cheap) or all');
  add('--no-compare', 'do not read first what the service holds');
  add('--prune', 'mirror: delete what the file no longer has, of the personas in it');
  add('--max-delete <limit>', 'most that --prune may delete, 50 or 10% (50 unless given)');
  add('--max-failures <limit>', 'stop when more rows are refused, 20 or 5% (no limit unless given)');
  add(
    '--concurrency <number>',
    'most requests under way at once, 1 to 64 (as many as the rate and latency ask for)',
  );
  add('--resume-uncertain', 'only settle what is in doubt, of these files or of all earlier pushes');
  add('--no-audit', 'do not read back at the end what was sent');
  add('--no-check-dns', 'do not look up whether e-mail domains take mail');
}

function addPlanFlags(add: AddFlag): void {
  add('--dry-run', 'check everything and say what would be sent; send nothing');
  add('--diff', 'with it: print every registration that would change, value by value');
  add('--plan-out <file>', 'a dry run that saves the plan; it holds values of persons');
  add('--plan <file>', 'do exactly what a saved plan says, or refuse; files and flags come from it');
}

function addColumnFlags(add: AddFlag): void {
  add('--map <header=slug>', 'send a column as this field; repeatable', collect);
  add('--mapping <file>', 'JSON object of header to field slug');
  add('--ignore-column <header>', 'leave a column out; repeatable', collect);
  add('--ignore-row <what>', 'totals (rows of totals are left out) or none (they are guests)');
  add('--companion-pattern <text>', 'headings of companions, for example "Guest {n}: {field}"');
  add('--save-mapping', 'remember --map and --ignore-column for files with the same headings');
  add('--no-saved-mapping', 'do without what is remembered');
}

function addRepairFlags(add: AddFlag): void {
  add('--fix <what>', 'all (mend what is certain, and say so) or none');
  add('--date-order <order>', 'of dates such as 03/04/2026: dmy or mdy');
  add('--date-serials <year>', 'numbers in date columns are days since 1900 or 1904');
  add('--phone-country <code>', 'country of phone numbers without + or 00, in rows that name none');
  add('--pad <column=digits>', 'fill up with zeros in front, for example barcode=13; repeatable', collect);
  add('--accept <damage>', `take as it is: ${ACCEPTABLE.join(', ')}; repeatable`, collect);
}
