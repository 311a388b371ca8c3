import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { GlobalOptions, Handler } from './commands/options/options.ts';
import { sandboxesApart, addHelp, helpBelow, helpSettings, withWay } from './commands/options/help.ts';
import { mistakeIn } from './commands/options/other-words.ts';
import { EventregError, EXIT, type ExitCode } from './errors.ts';
import type { Runtime } from './runtime.ts';

type Run<Options> = (options: Options, runtime: Runtime) => Promise<ExitCode>;
/** Does a command with the options that were read from the words. */
type Carry = <Options>(run: Run<Options>, options: Options, runtime: Runtime) => Promise<ExitCode>;
/** Turns a command's run function into the handler that its definition calls. */
type Bind = <Options>(run: Run<Options>) => Handler<Options>;

/** A command by what loads its definition and its work. */
const entry = <Options>(
  name: string,
  summary: string,
  load: () => Promise<[define: (command: Command, handle: Handler<Options>) => void, run: Run<Options>]>,
) => ({
  name,
  summary,
  /** Loads the command and defines its options; called only when the command is used. */
  async load(command: Command, bind: Bind): Promise<void> {
    const [define, run] = await load();
    define(command, bind(run));
  },
});

const COMMANDS = [
  entry('push', 'send the registrations of spreadsheets to the service', async () => {
    const { definePush } = await import('./commands/push/define-push.ts');
    return [
      definePush,
      async (options, runtime) => {
        const { runPush } = await import('./commands/push/run-push.ts');
        return await runPush(options, runtime);
      },
    ];
  }),
  entry('list', 'list registrations', async () => {
    const { defineList } = await import('./commands/list/list.ts');
    const { runList } = await import('./commands/list/list.ts');
    return [defineList, runList];
  }),
  entry('delete', 'delete registrations, keeping a backup', async () => {
    const { defineDelete, runDelete } = await import('./commands/delete/delete-command.ts');
    return [defineDelete, runDelete];
  }),
  entry('event', 'show the event, its personas and fields; make templates', async () => {
    const { defineEvent, runEvent } = await import('./commands/event/event.ts');
    return [defineEvent, runEvent];
  }),
  entry('webhooks', 'list, create, update and delete webhooks; verify deliveries', async () => {
    const { defineWebhooks } = await import('./commands/webhooks/webhooks-options.ts');
    const { runWebhooks } = await import('./commands/webhooks/webhooks-command.ts');
    return [defineWebhooks, runWebhooks];
  }),
  entry('runs', 'show what earlier pushes did', async () => {
    const { defineRuns } = await import('./commands/runs/runs-options.ts');
    const { runRuns } = await import('./commands/runs/runs-command.ts');
    return [defineRuns, runRuns];
  }),
  entry('login', 'save where the service is and its token', async () => {
    const { defineLogin, runLogin } = await import('./commands/profiles/login.ts');
    return [defineLogin, runLogin];
  }),
  entry('logout', 'forget the token', async () => {
    const { defineLogout, runLogout } = await import('./commands/profiles/profiles-command.ts');
    return [defineLogout, runLogout];
  }),
  entry('profiles', 'list, show, choose and remove profiles', async () => {
    const { defineProfiles, runProfiles } = await import('./commands/profiles/profiles-command.ts');
    return [defineProfiles, runProfiles];
  }),
  entry('state', 'share what was sent with other machines', async () => {
    const { defineState } = await import('./commands/state/state-options.ts');
    const { runState } = await import('./commands/state/run-state.ts');
    return [defineState, runState];
  }),
  entry('sandbox', 'run a practice service on this machine, or empty it', async () => {
    const { defineSandbox, runSandbox } = await import('./commands/sandbox-command.ts');
    return [defineSandbox, runSandbox];
  }),
  entry('doctor', 'find out what is wrong with this set-up', async () => {
    const { defineDoctor, runDoctor } = await import('./commands/doctor/doctor.ts');
    return [defineDoctor, runDoctor];
  }),
  entry('completion', 'complete words in your shell', async () => {
    const { defineCompletion, runCompletion } = await import('./commands/completion/completion-command.ts');
    return [defineCompletion, runCompletion];
  }),
];

const HELP = `
Examples:
  eventreg push attendees.csv --sandbox     rehearse on a practice service, nothing to set up
  eventreg login                            say where the real service is
  eventreg push attendees.csv --dry-run     check every row, send nothing
  eventreg push attendees.csv               send; the same command again resumes
  eventreg attendees.csv                    the same: files alone are pushed

Exit codes:
  0 all done                    4 not authorised
  1 failed                      5 finished, some rows uncertain
  2 wrong usage or input        6 gave up waiting
  3 some rows rejected or       7 a guard stopped it
    failed                      130 interrupted, resumable

Environment:
  EVENTREG_TOKEN, EVENTREG_BASE_URL, EVENTREG_INTEG_URL, EVENTREG_PROFILE,
  EVENTREG_STATE_DIR, EVENTREG_CONFIG_DIR, EVENTREG_KEYCHAIN=off,
  EVENTREG_STATE, EVENTREG_STATE_KEY,
  NO_COLOR, HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS
  A flag goes before the environment, the environment before the profile.`;

const HELP_ALL = '--help-all';
/** What the scripts of `eventreg completion` ask: `eventreg complete --at=pu -- <the words before>`. */
const COMPLETE = 'complete';

/** The commands of an error's hint lead to the service that was named. */
function leadBack(error: unknown, options: unknown): unknown {
  if (!(error instanceof EventregError) || error.hint === undefined) return error;
  return Object.assign(error, { hint: withWay(error.hint, options as GlobalOptions) });
}

/**
 * Parses the command line and runs the command it names. Throws what the command throws.
 * @param carry replaces running it, where only the words are to be judged
 */
export async function runProgram(
  argv: readonly string[],
  runtime: Runtime,
  carry: Carry = async (run, options, same) => await run(options, same),
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const bind: Bind = (run) => async (options) => {
    exitCode = await carry(run, options, runtime).catch((error: unknown) => {
      throw leadBack(error, options);
    });
    return exitCode;
  };
  if (argv.length === 0) {
    const { welcome } = await import('./commands/welcome.ts');
    const text = welcome(runtime);
    if (text !== undefined) {
      runtime.stdout.write(text);
      return EXIT.done;
    }
  }
  const program = createProgram(runtime, bind, asksForAll(argv));
  const [first, at = '', , ...before] = argv;
  if (first === COMPLETE) {
    const { complete } = await import('./commands/completion/complete.ts');
    const load = async (command: Command): Promise<void> => loadCommand(command, bind);
    runtime.stdout.write(await complete({ before, at: at.replace(/^--at=/, '') }, program, load, runtime));
    return EXIT.done;
  }
  try {
    await program.parseAsync(sandboxesApart(wordsToParse(argv, runtime)), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    if (error.code === 'commander.help') return EXIT.usage;
    throw mistakeIn(error.message);
  }
}

/** Whether the long help is asked for. */
function asksForAll(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes(HELP_ALL);
}

/**
 * No words ask for help, and so do `help` and `help <command>`; of an unknown command the usual error is due. Files
 * alone are to be pushed: that is what a program gets to hear when they are dropped on it.
 */
function wordsToParse(typed: readonly string[], runtime: Runtime): readonly string[] {
  if (typed.length === 0) return ['--help'];
  const argv = asksForAll(typed) ? [...typed.filter((word) => word !== HELP_ALL), '--help'] : typed;
  const [first, ...named] = argv;
  if (first !== 'help') return isOfFilesAlone(argv, runtime) ? ['push', ...argv] : argv;
  const [name] = named;
  const known = name === undefined || name.startsWith('-') || isCommand(name);
  return known ? [...named, '--help'] : named;
}

const isCommand = (word: string | undefined): boolean => COMMANDS.some(({ name }) => name === word);

/** Whether files stand there, with flags or without, where a command would. */
function isOfFilesAlone(argv: readonly string[], runtime: Runtime): boolean {
  const [first = ''] = argv;
  if (!first.startsWith('-')) return !isCommand(first) && isFile(first, runtime);
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return !words.some(isCommand) && (end >= 0 || words.some((word) => isFile(word, runtime)));
}

/** A word that names a file, by its look or because there is one: of one that is not there, `push` says that. */
function isFile(word: string | undefined, runtime: Runtime): boolean {
  if (word === undefined || word.startsWith('-')) return false;
  if (/[/\\]|\.[a-z]\w*$/i.test(word)) return true;
  return statSync(resolve(runtime.cwd, word), { throwIfNoEntry: false })?.isFile() ?? false;
}

function createProgram(runtime: Runtime, bind: Bind, helpAll: boolean): Command {
  const helpWidth = runtime.stdout.columns || 100;
  const program = addHelp(new Command('eventreg'), HELP, [])
    .description('Bring attendee spreadsheets into an event-registration service, and keep the two in step.')
    .version(runtime.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      writeErr: (text) => runtime.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => runtime.stderr.columns || 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp(helpSettings(helpAll))
    .helpCommand(false)
    .addHelpText('afterAll', ({ command }) => helpBelow(command, helpAll, helpWidth));
  addGlobalOptions(program);
  for (const { name, summary } of COMMANDS) program.command(name).description(summary).summary(summary);
  program.hook('preSubcommand', (_program, command) => loadCommand(command, bind));
  return program;
}

async function loadCommand(command: Command, bind: Bind): Promise<void> {
  await COMMANDS.find(({ name }) => name === command.name())?.load(command, bind);
}

function addGlobalOptions(program: Command): void {
  program
    .option('--profile <name>', 'the saved profile to use')
    .option('--sandbox [name]', 'use the embedded practice service; =name: the clone of that name')
    .option('--output <format>', 'table, json, ndjson or csv (on stdout)')
    .option('--json', 'one JSON document, also of a failure: --output json')
    .option('--progress <kind>', 'auto, bar, text or none (on stderr)')
    .option('--quiet', 'warnings and errors only')
    .option('--verbose', 'tell of every request and every mended cell')
    .option('--no-color', 'no colours')
    .option('--yes', 'confirm without being asked')
    .option('--show-values', 'show values of persons in messages instead of masking them');
}
