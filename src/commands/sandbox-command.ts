import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, ServiceError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import type { Runtime } from '../runtime.ts';
import { resetSandbox, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { SWITCHES } from '../sandbox/store/switches.ts';
import { holdClone } from './connect/clone-files.ts';
import { collect, addHelp } from './options/help.ts';
import { actionsOf, cloneName, type Handler, optionsOf, wholeNumber } from './options/options.ts';
import { writtenFile } from './options/written-file.ts';
import { addClone, addMask, CLONE_HELP, cloneOptions, maskOptions } from './rehearse/rehearse-options.ts';
import { dataFile, refuseSeveral, describeSwitch, readSwitches } from './sandbox-data.ts';
import { DELIVERIES_HELP, listDeliveries, redeliver } from './sandbox-deliveries.ts';
import { writeSample } from './sandbox-sample.ts';
import { requireYes, say, tellPrograms, type Call } from './terminal/terminal.ts';

/** Undefined: the file that `--sandbox` uses. */
const data = z.string().min(1).optional();

const sandboxOptions = z.discriminatedUnion('action', [
  optionsOf('start', {
    data,
    port: wholeNumber(0, 65_535).default(8787),
    set: z.array(z.string()).default([]),
  }),
  /** The clone that is removed, or the sandbox that is emptied. */
  optionsOf('reset', { data, name: cloneName.optional() }),
  optionsOf('sample', { file: writtenFile }),
  /** `dead`: those alone that are not tried any more. */
  optionsOf('deliveries', { data, dead: z.boolean().default(false) }),
  optionsOf('redeliver', { data, number: wholeNumber(1) }),
  cloneOptions,
  optionsOf('clones', {}),
  maskOptions,
]);
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
  const define = actionsOf(command, sandboxOptions, handle, 'start');
  const keep = ['--data <file>', 'keep the data there instead'] as const;
  define('start', 'run it in the foreground')
    .option(...keep)
    .option('--port <number>', 'where it listens on 127.0.0.1; 0 for any (8787 unless given)')
    .option('--set <switch=value>', 'set a switch; repeatable', collect);
  addHelp(define('reset [name]', 'empty it, or remove a clone'), RESET_HELP).option(...keep);
  addClone(define('clone', 'copy the live event, to rehearse on'));
  addHelp(define('clones', 'list the clones of this machine'), CLONE_HELP);
  addMask(define('mask <file>', 'mask a list as the people of a clone are'));
  addHelp(define('sample <file>', 'write a guest list to try things with, .xlsx or .csv'), SAMPLE_HELP);
  addHelp(define('deliveries', 'what webhooks were told, or will be'), DELIVERIES_HELP)
    .option(...keep)
    .option('--dead', 'those alone that are not tried any more');
  addHelp(define('redeliver <number>', 'deliver one again, at once'), DELIVERIES_HELP).option(...keep);
}

/** Runs the sandbox until the first Ctrl-C, empties its file, or writes a list for it. */
export async function runSandbox(options: SandboxOptions, runtime: Runtime): Promise<ExitCode> {
  refuseSeveral(options);
  switch (options.action) {
    case 'sample':
      return await writeSample({ options, runtime });
    case 'clone':
      return await (await import('./rehearse/run-clone.ts')).runClone({ options, runtime });
    case 'mask':
      return await (await import('./rehearse/run-mask.ts')).runMask({ options, runtime });
    case 'clones':
      return await (await import('./rehearse/run-clones.ts')).runClones({ options, runtime });
    case 'reset': {
      // A clone that is emptied would be none: also with --sandbox=NAME it is removed.
      const clone = options.name ?? (typeof options.sandbox === 'string' ? options.sandbox : undefined);
      if (clone === undefined) return await reset(dataFile({ options, runtime }), { options, runtime });
      return await (await import('./rehearse/run-clones.ts')).removeClone(clone, { options, runtime });
    }
    case 'deliveries':
      return await listDeliveries(dataFile({ options, runtime }), { options, runtime });
    case 'redeliver':
      return await redeliver(dataFile({ options, runtime }), { options, runtime });
    default:
      return await serve({ options, runtime });
  }
}

type Start = Extract<SandboxOptions, { action: 'start' }>;

async function serve(call: Call<Start>): Promise<ExitCode> {
  const { options, runtime } = call;
  const file = dataFile(call);
  const sandbox = await start(file, call);
  const letGo = options.data === undefined ? holdClone(runtime, options.sandbox) : undefined;
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

async function reset(file: string, call: Call): Promise<ExitCode> {
  const question = `Empty the sandbox in ${visible(file)}?`;
  await requireYes(call, question, 'The sandbox is as it was.');
  resetSandbox(file);
  say(call, 'The sandbox is empty.');
  await tellPrograms(call, 'sandbox-reset@1', { file });
  return EXIT.done;
}

async function start(file: string, { options, runtime }: Call<Start>): Promise<Sandbox> {
  const switches = readSwitches(options.set);
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
