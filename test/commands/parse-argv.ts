import { Command } from 'commander';
import { sandboxesApart } from '../../src/commands/options/help.ts';
import type { Handler } from '../../src/commands/options/options.ts';
import { EXIT } from '../../src/errors.ts';

/** Options of a command that was given none. */
export const GLOBALS = {
  sandbox: false,
  output: 'table',
  progress: 'auto',
  quiet: false,
  verbose: false,
  color: true,
  yes: false,
  showValues: false,
} as const;

/** A command line: as it is typed, or word by word where a word has spaces or there is none. */
export type Argv = string | readonly string[];

/** Parses a command line with the program's own global options, and hands back what the command was given. */
export async function parseArgv<Options>(
  define: (command: Command, handle: Handler<Options>) => void,
  name: string,
  argv: Argv,
): Promise<Options> {
  const seen: Options[] = [];
  const program = new Command('eventreg')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option('--profile <name>')
    .option('--sandbox [name]')
    .option('--output <format>')
    .option('--json')
    .option('--progress <kind>')
    .option('--quiet')
    .option('--verbose')
    .option('--no-color')
    .option('--yes')
    .option('--show-values');
  define(program.command(name), async (options) => {
    seen.push(options);
    return EXIT.done;
  });
  const words = typeof argv === 'string' ? argv.split(' ') : argv;
  await program.parseAsync(sandboxesApart([name, ...words]), { from: 'user' });
  if (seen.length !== 1) throw new Error(`The handler was called ${seen.length} times`);
  return seen[0] as Options;
}
