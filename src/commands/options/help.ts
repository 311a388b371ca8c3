import { type Command, Help, Option } from 'commander';
import { wrapWords } from '../../report/words/wrap-words.ts';
import { typedWord } from '../../input/source/shell-word.ts';
import { UsageError } from '../../errors.ts';

/** What a command's help says beside its flags. */
interface HelpText {
  /** Sections that begin with `Examples:`. */
  examples: readonly string[];
  /** All others: how it works, exit codes. */
  details: readonly string[];
  /** Long names of the flags that the short help shows; undefined: all. */
  common: readonly string[] | undefined;
}

type Helped = Command & { helpText?: HelpText };

/** Flags of every command that the short help shows. */
const COMMON_GLOBALS = ['--profile', '--sandbox', '--json', '--yes'];

/**
 * Gives a command its help: sections parted by blank lines. The short help has the examples and the common flags;
 * `--help-all` has everything. An action without a help of its own shows that of its command.
 */
export function addHelp(command: Command, text: string, common?: readonly string[]): Command {
  const sections = text.trim().split(/\n{2,}/);
  const isExamples = (section: string): boolean => section.startsWith('Examples:');
  const helpText: HelpText = {
    examples: sections.filter(isExamples),
    details: sections.filter((section) => !isExamples(section)),
    common,
  };
  return Object.assign(command, { helpText });
}

/** How the help of all commands is put together: one short list of flags, or all of them in their groups. */
export function helpSettings(all: boolean): Partial<Help> {
  const usual = Object.assign(new Help(), { showGlobalOptions: true });
  const withExamples: Partial<Help> = {
    // A command that is broken could not be copied.
    boxWrap: (text, width) =>
      text
        .split('\n')
        .map((line) => (line.startsWith('  ') ? line : usual.boxWrap(line, width)))
        .join('\n'),
    // Behind a space it would be another word.
    optionTerm: ({ flags }) => flags.replace(/^--sandbox \[name\]$/, '--sandbox[=name]'),
    commandDescription: (command) => [command.description(), ...helpOf(command).examples].join('\n\n'),
  };
  if (all) {
    return {
      ...withExamples,
      showGlobalOptions: true,
      visibleGlobalOptions: (command) =>
        usual.visibleGlobalOptions(command).filter(({ long }) => long !== '--version'),
    };
  }
  return {
    ...withExamples,
    visibleArguments: () => [],
    visibleOptions(command) {
      const { common } = (command as Helped).helpText ?? {};
      const own = usual.visibleOptions(command).filter(({ long }) => long !== '--help');
      const globals = command.parent === null ? [] : usual.visibleGlobalOptions(command);
      return [
        ...own.filter(({ long }) => common === undefined || common.includes(long ?? '')),
        ...globals.filter(({ long }) => COMMON_GLOBALS.includes(long ?? '')),
      ];
    },
    groupItems(_all, visible) {
      const [first] = visible;
      if (first === undefined) return new Map();
      return new Map([[first instanceof Option ? 'Options:' : 'Commands:', [...visible]]]);
    },
  };
}

/** What stands below the flags, in lines of at most `width` columns. */
export function helpBelow(command: Command, all: boolean, width: number): string {
  if (all)
    return `\n${helpOf(command)
      .details.map((section) => filled(section, width))
      .join('\n\n')}`;
  return `\nAll options, how it works, exit codes: ${pathOf(command)} --help-all`;
}

/** A paragraph filled to the width; lines that are set in stay lines of their own. */
function filled(section: string, width: number): string {
  return section
    .replaceAll(/\n(?! )/g, ' ')
    .split('\n')
    .map((line) => (line.startsWith(' ') ? wrapWords(line, width) : new Help().boxWrap(line, width)))
    .join('\n');
}

function helpOf(command: Helped): HelpText {
  const own = command.helpText;
  if (own !== undefined) return own;
  return command.parent === null ? { examples: [], details: [], common: undefined } : helpOf(command.parent);
}

/** A command as it is typed, its own name last. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Where a command goes: to a practice service, or the service of a profile. */
interface Way {
  sandbox: boolean | string;
  profile?: string | undefined;
}

/** A command as a person types it, with the flags that lead to the same service again. */
export const typedCommand = (words: readonly string[], way: Way): string =>
  ['eventreg', ...words, ...wayFlags(way)].map(typedWord).join(' ');

function wayFlags({ sandbox, profile }: Way): string[] {
  const practice = typeof sandbox === 'string' ? [`--sandbox=${sandbox}`] : sandbox ? ['--sandbox'] : [];
  return [...practice, ...(profile === undefined ? [] : ['--profile', profile])];
}

/** A text of which each command in backquotes leads to the same service; a login goes to no practice service. */
export function withWay(text: string, way: Way): string {
  return text.replaceAll(/`(eventreg (\w+)[^`]*)`/g, (typed: string, command: string, name: string) => {
    if (name === 'sandbox' || / --(?:profile|sandbox)\b/.test(command)) return typed;
    const flags = wayFlags(/^(?:login|state)$/.test(name) ? { ...way, sandbox: false } : way);
    return `\`${[command, ...flags.map(typedWord)].join(' ')}\``;
  });
}

/** Parser of an option that may be given several times. */
export function collect(value: string, all: readonly string[] = []): string[] {
  return [...all, value];
}

/** Parser of an option that says whom a command is about: of two values the first would be forgotten. */
export function once(value: string, before?: string): string {
  if (before === undefined) return value;
  throw new UsageError(`Two values are given where there can be one: ${before} and ${value}.`, {
    hint: 'Run the command once for each.',
  });
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
