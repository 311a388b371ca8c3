import { type Command, Option } from 'commander';
import { INPUT_FORMATS } from '../../input/source/file-kind.ts';

/** Parser of an option that may be given several times. */
export function collect(value: string, all: readonly string[] = []): string[] {
  return [...all, value];
}

/** Adds one flag to a command. */
export type AddFlag = (flags: string, description: string, parse?: typeof collect) => void;

/** What adds flags to a command, under a heading of its help. */
export function flagGroup(command: Command, heading: string): AddFlag {
  return (flags, description, parse) => {
    const option = new Option(flags, description).helpGroup(heading);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  };
}

/** Adds the flags of `budgetOptions` to a command. */
export function addBudgetFlags(add: AddFlag): void {
  add('--leave <number>', 'requests of each window to keep for other people (0 unless given)');
  add(
    '--max-wait <time>',
    'give up (exit 6) rather than wait longer for the budget in all, gaps between spread requests included: 90s, 15m, 1h30m',
  );
}

/** Adds the flags of `readingOptions` to a command, under a heading of their own; returns what adds more to it. */
export function addReadingFlags(command: Command): AddFlag {
  const add = flagGroup(command, 'How the file is written (found out unless given):');
  add('--format <format>', `${INPUT_FORMATS.join(', ')}; for texts that look otherwise`);
  add('--sheet <name>', 'sheet of a workbook, by name or number');
  add('--header-row <number>', 'line, or row of the sheet, with the names of the columns');
  add('--include-hidden', 'read hidden rows and columns as well');
  add('--no-include-hidden', 'leave hidden rows and columns out');
  add('--encoding <name>', 'utf-8, utf-16, windows-1252, windows-1250 or macintosh');
  add('--delimiter <character>', 'what separates the cells of a CSV file; tab for a tab');
  add('--quote <character>', 'what quotes cells of a CSV file; none for nothing');
  return add;
}
