import { type Command, Option } from 'commander';
import { UsageError } from '../../errors.ts';

/** Parser of an option that may be given several times. */
export function collect(value: string, all: readonly string[] = []): string[] {
  return [...all, value];
}

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

/** `--events`: where a command that works long tells programs how it goes. */
export const eventsFlag = [
  '--events <file>',
  'write there while it works what is done, a JSON object a line; or to a descriptor: 3',
] as const;

/** `--report`, which may be given several times: formats with their files. */
export const reportFlag = [
  '--report <format=file>',
  'write a report there: html=report.html or junit=report.xml',
] as const;

/** The name of a sandbox stands behind `=`: the word behind `--sandbox` is a file, or a command. */
export function sandboxesApart(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  if (argv.slice(0, end < 0 ? undefined : end).includes('--sandbox=')) {
    throw new UsageError('--sandbox= lacks the name of a clone.', {
      hint: '--sandbox alone is the demo event; `eventreg sandbox clones` lists the clones.',
    });
  }
  return argv.map((word, at) => (word === '--sandbox' && (end < 0 || at < end) ? '--sandbox=' : word));
}
