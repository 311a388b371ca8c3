import { type Command, Help, Option } from 'commander';
import { wrapWords } from '../../report/words/wrap-words.ts';
import { typedWord } from '../../input/source/shell-word.ts';

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

/** A command as a person types it, with the flags that lead to the same service again. */
export function typedCommand(
  words: readonly string[],
  { sandbox, profile }: { sandbox: boolean | string; profile?: string | undefined },
): string {
  const practice = typeof sandbox === 'string' ? [`--sandbox=${sandbox}`] : sandbox ? ['--sandbox'] : [];
  const way = [...practice, ...(profile === undefined ? [] : ['--profile', profile])];
  return ['eventreg', ...words, ...way].map(typedWord).join(' ');
}
