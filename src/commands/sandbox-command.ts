import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, ServiceError, UsageError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import type { Runtime } from '../runtime.ts';
import { resetSandbox, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { parseSwitches, SWITCHES, type Switches } from '../sandbox/store/switches.ts';
import { sandboxFile } from './connect/connection.ts';
import { collect } from './options/flags.ts';
import { globalOptions, type Handler, parseOptions, rawOptions, wholeNumber } from './options/options.ts';
import { confirm, say } from './terminal/terminal.ts';

const sandboxOptions = globalOptions.extend({
  action: z.enum(['start', 'reset']),
  port: wholeNumber(0, 65_535).default(8787),
  /** Undefined: the file that `--sandbox` uses. */
  data: z.string().min(1).optional(),
  set: z.array(z.string()).default([]),
});
export type SandboxOptions = z.infer<typeof sandboxOptions>;

const HELP = `
The sandbox is the whole service on this machine: a demo event with three personas, all operations,
the request limit. Nothing leaves the machine but calls to webhooks that you create in it. Its data is
the same that --sandbox uses on other commands, and stays until \`eventreg sandbox reset\`.

Where the service's own documentation leaves something open, a switch says how the sandbox behaves:
${SWITCHES.map(describeSwitch).join('\n')}

Examples:
  eventreg sandbox
  eventreg sandbox --port 0 --set limit=5 --set windowMs=10000
  eventreg sandbox reset

Exit codes: 0 ended with Ctrl-C, or emptied · 1 cannot start · 2 wrong usage · 7 not confirmed`;

function describeSwitch({ name, meaning, allowed, initial }: (typeof SWITCHES)[number]): string {
  const values = 'min' in allowed ? `${allowed.min} to ${allowed.max}` : allowed.join(', ');
  return `  ${name}: ${meaning}\n      ${values} (${initial})`;
}

const RESET_HELP = `
Registrations and webhooks of the sandbox are gone then. Switches are for \`eventreg sandbox start\` only.

Examples:
  eventreg sandbox reset
  eventreg sandbox reset --data practice.sqlite --yes

Exit codes: 0 emptied · 1 failed · 2 wrong usage · 7 not confirmed`;

/** Defines `eventreg sandbox` on its command; it starts unless told to reset. */
export function defineSandbox(command: Command, handle: Handler<SandboxOptions>): void {
  command
    .description('Run a practice service on this machine until Ctrl-C, or empty it.')
    .addHelpText('after', HELP);
  const act = (sub: Command, action: SandboxOptions['action']): void => {
    sub.option('--data <file>', 'keep the data there instead').action(async () => {
      await handle(parseOptions(sandboxOptions, { ...rawOptions(sub), action }));
    });
  };
  act(
    command
      .command('start', { isDefault: true })
      .description('run it in the foreground')
      .option('--port <number>', 'where it listens on 127.0.0.1; 0 for any (8787 unless given)')
      .option('--set <switch=value>', 'set a switch; repeatable', collect),
    'start',
  );
  const reset = command.command('reset').description('empty it: registrations and webhooks');
  act(reset.addHelpText('after', RESET_HELP), 'reset');
}

/** Runs the sandbox until the first Ctrl-C, or empties its file. */
export async function runSandbox(options: SandboxOptions, runtime: Runtime): Promise<ExitCode> {
  const file = options.data === undefined ? sandboxFile(runtime) : resolve(runtime.cwd, options.data);
  if (options.action === 'reset') return await reset(file, options, runtime);
  const sandbox = await start(file, readSwitches(options.set), options, runtime);
  runtime.stdout.write(howToUse(sandbox, file));
  await new Promise<void>((resolve) => {
    if (runtime.stopping.aborted) resolve();
    else runtime.stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  await sandbox.close();
  return EXIT.done;
}

async function reset(file: string, options: SandboxOptions, runtime: Runtime): Promise<ExitCode> {
  if (!(await confirm(options, runtime, `Empty the sandbox in ${visible(file)}?`))) return EXIT.guarded;
  resetSandbox(file);
  say(options, runtime, 'The sandbox is empty.');
  return EXIT.done;
}

function readSwitches(pairs: readonly string[]): Partial<Switches> {
  try {
    return parseSwitches(pairs);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), {
      hint: 'See all switches with `eventreg sandbox --help`.',
    });
  }
}

async function start(
  file: string,
  switches: Partial<Switches>,
  options: SandboxOptions,
  runtime: Runtime,
): Promise<Sandbox> {
  try {
    return await startSandbox({
      file,
      switches,
      port: options.port,
      onRequest: ({ method, path, status }) => {
        if (options.verbose) runtime.stderr.write(`${visible(`${method} ${path} → ${status}`)}\n`);
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError(`The sandbox cannot start: ${reason}`, {
      hint: 'Try another --port or --data.',
      cause: error,
    });
  }
}

function howToUse(sandbox: Sandbox, file: string): string {
  const { registrations, webhooks } = sandbox.counts();
  return `The sandbox listens on ${sandbox.url} until Ctrl-C.

In another terminal:
  export EVENTREG_BASE_URL=${sandbox.baseUrl}
  export EVENTREG_INTEG_URL=${sandbox.integUrl}
  export EVENTREG_TOKEN=${sandbox.token}
  eventreg event

Data: ${visible(file)} (${registrations} registrations, ${webhooks} webhooks)
`;
}
