import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, ServiceError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import type { Runtime } from '../runtime.ts';
import { resetSandbox, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { SWITCHES, type Switches } from '../sandbox/store/switches.ts';
import { holdClone } from './connect/clone-files.ts';
import { collect } from './options/flags.ts';
import { addHelp } from './options/help.ts';
import {
  cloneName,
  type Handler,
  parseOptions,
  rawOptions,
  typedWith,
  wholeNumber,
} from './options/options.ts';
import { refuseUnknownAction } from './options/other-words.ts';
import { defineClones, rehearseOptions } from './rehearse/rehearse-options.ts';
import { dataFile, refuseSeveral, describeSwitch, readSwitches } from './sandbox-data.ts';
import { DELIVERIES_HELP, listDeliveries, redeliver } from './sandbox-deliveries.ts';
import { writeSample } from './sandbox-sample.ts';
import { requireYes, say, tellPrograms, type Call } from './terminal/terminal.ts';

const sandboxOptions = rehearseOptions.extend({
  action: z.enum(['start', 'reset', 'sample', 'deliveries', 'redeliver', 'clone', 'clones', 'mask']),
  /** Of `reset`: the clone that is removed. */
  name: cloneName.optional(),
  port: wholeNumber(0, 65_535).default(8787),
  /** Undefined: the file that `--sandbox` uses. */
  data: z.string().min(1).optional(),
  set: z.array(z.string()).default([]),
  /** Of `deliveries`: those alone that are not tried any more. */
  dead: z.boolean().default(false),
  /** Of `redeliver`. */
  number: wholeNumber(1).optional(),
});
export type SandboxOptions = z.infer<typeof sandboxOptions>;

const HELP = `
The sandbox is the whole service on this machine: a demo event with three personas, all operations,
the request limit. Nothing leaves the machine but calls to webhooks that you create in it. Its data is
the same that --sandbox uses on other commands, and stays until \`eventreg sandbox reset\`.

Where the service's own documentation leaves something open, a switch says how the sandbox behaves. It holds for requests to
this process, not for --sandbox on other commands:
${SWITCHES.map(describeSwitch).join('\n')}

Examples:
  eventreg sandbox
  eventreg sandbox --port 0 --set limit=5 --set windowMs=10000
  eventreg sandbox --sandbox=fair
  eventreg sandbox reset

Exit codes: 0 ended with Ctrl-C, or emptied · 1 cannot start · 2 wrong usage · 7 not confirmed`;

const RESET_HELP = `
Registrations and webhooks of the sandbox are gone then. Switches are for \`eventreg sandbox start\` only.
With the name of a clone that one is removed, with its people and its key, unless another process uses it.

Examples:
  eventreg sandbox reset
  eventreg sandbox reset fair
  eventreg sandbox reset --data practice.sqlite --yes

Exit codes: 0 emptied · 1 failed · 2 wrong usage · 7 not confirmed, or in use`;

const SAMPLE_HELP = `
Forty people who do not exist, with everything that the event of the sandbox asks of visitors: a list to try
\`eventreg push\` with.

Examples:
  eventreg sandbox sample sample.xlsx && eventreg push sample.xlsx --sandbox
  eventreg sandbox sample sample.csv

Exit codes: 0 written · 2 wrong usage · 7 the file is there already`;

/** Defines `eventreg sandbox` on its command; it starts unless told otherwise. */
export function defineSandbox(command: Command, handle: Handler<SandboxOptions>): void {
  addHelp(command, HELP).description(
    'Run a practice service on this machine until Ctrl-C, empty it, see what it delivered, copy the live event.',
  );
  const act = (
    sub: Command,
    action: SandboxOptions['action'],
    named: (args: readonly string[]) => object = () => ({}),
  ): Command =>
    sub.action(async () => {
      const words = named(sub.args);
      const typed = Object.keys(words).map((word, at) => [word, `<${sub.registeredArguments[at]?.name()}>`]);
      const nameOf = typedWith(Object.fromEntries(typed) as Record<string, string>);
      await handle(parseOptions(sandboxOptions, { ...rawOptions(sub), ...words, action }, nameOf));
    });
  const start = act(
    command
      .command('start', { isDefault: true })
      .description('run it in the foreground')
      .option('--data <file>', 'keep the data there instead')
      .option('--port <number>', 'where it listens on 127.0.0.1; 0 for any (8787 unless given)')
      .option('--set <switch=value>', 'set a switch; repeatable', collect),
    'start',
  );
  const reset = command.command('reset [name]').description('empty it, or remove a clone');
  addHelp(reset, RESET_HELP).option('--data <file>', 'keep the data there instead');
  act(reset, 'reset', ([name]) => ({ name }));
  defineClones(command, act);
  const sample = command
    .command('sample <file>')
    .description('write a guest list to try things with, .xlsx or .csv');
  addHelp(sample, SAMPLE_HELP);
  act(sample, 'sample', ([to]) => ({ to }));
  const deliveries = command.command('deliveries').description('what webhooks were told, or will be');
  addHelp(deliveries, DELIVERIES_HELP)
    .option('--data <file>', 'keep the data there instead')
    .option('--dead', 'those alone that are not tried any more');
  act(deliveries, 'deliveries');
  const redeliver = command.command('redeliver <number>').description('deliver one again, at once');
  addHelp(redeliver, DELIVERIES_HELP).option('--data <file>', 'keep the data there instead');
  act(redeliver, 'redeliver', ([number]) => ({ number }));
  refuseUnknownAction(command, start);
}

/** Runs the sandbox until the first Ctrl-C, empties its file, or writes a list for it. */
export async function runSandbox(options: SandboxOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  const { action, data } = options;
  refuseSeveral(options);
  if (action === 'sample') return await writeSample(call);
  if (action === 'clone') return await (await import('./rehearse/run-clone.ts')).runClone(call);
  if (action === 'mask') return await (await import('./rehearse/run-mask.ts')).runMask(call);
  if (action === 'clones') return await (await import('./rehearse/run-clones.ts')).runClones(call);
  const clone = cloneToRemove(options);
  if (clone !== undefined) {
    return await (await import('./rehearse/run-clones.ts')).removeClone(clone, call);
  }
  const file = dataFile(call);
  if (options.action === 'reset') return await reset(file, call);
  if (options.action === 'deliveries') return await listDeliveries(file, call);
  if (options.number !== undefined) {
    return await redeliver(file, { options: { ...options, number: options.number }, runtime });
  }
  const sandbox = await start(file, readSwitches(options.set), call);
  const letGo = data === undefined ? holdClone(runtime, options.sandbox) : undefined;
  if (options.output === 'json') await tellSandbox(sandbox, file, runtime);
  else runtime.stdout.write(howToUse(sandbox, file));
  await new Promise<void>((resolve) => {
    if (runtime.stopping.aborted) resolve();
    else runtime.stopping.addEventListener('abort', () => resolve(), { once: true });
  });
  await sandbox.close();
  letGo?.();
  return EXIT.done;
}

/** A clone that is emptied would be none: also with --sandbox=NAME it is removed. */
function cloneToRemove({ action, name, sandbox }: SandboxOptions): string | undefined {
  if (action !== 'reset') return undefined;
  return name ?? (typeof sandbox === 'string' ? sandbox : undefined);
}

async function reset(file: string, call: Call<SandboxOptions>): Promise<ExitCode> {
  const question = `Empty the sandbox in ${visible(file)}?`;
  await requireYes(call, question, 'The sandbox is as it was.');
  resetSandbox(file);
  say(call, 'The sandbox is empty.');
  await tellPrograms(call, 'sandbox-reset@1', { file });
  return EXIT.done;
}

async function start(
  file: string,
  switches: Partial<Switches>,
  call: Call<SandboxOptions>,
): Promise<Sandbox> {
  const { options, runtime } = call;
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

/** Its document is whole before it ends: whoever started it waits for the addresses. */
async function tellSandbox(sandbox: Sandbox, file: string, { document }: Runtime): Promise<void> {
  const { url, baseUrl, integUrl, token } = sandbox;
  await document.add('sandbox@1', {
    url,
    base_url: baseUrl,
    integ_url: integUrl,
    token,
    file,
    ...sandbox.counts(),
  });
  await document.end({ exit: null, stopped_by: null, error: null });
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
