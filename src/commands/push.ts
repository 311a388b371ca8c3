import type { Command } from 'commander';
import { type ExitCode, InterruptedError } from '../errors.ts';
import { parseMapFlags } from '../input/header-mapping.ts';
import type { StoredInput } from '../input/stored-input.ts';
import type { DnsResolver } from '../push/check-dns.ts';
import { defaultBackupFile, writeBackup } from '../push/backup.ts';
import { Journal } from '../push/journal.ts';
import { push } from '../push/push.ts';
import type { ReadHeader } from '../push/plan-file.ts';
import type { PushContext, ShownPlan } from '../push/push-options.ts';
import { tidyRuns } from '../push/runs.ts';
import type { PushSummary } from '../push/summary.ts';
import type { Reporter } from '../report/events.ts';
import type { EventInfo } from '../registration/persona.ts';
import type { Runtime } from '../runtime.ts';
import { type Connection, connect } from './connection.ts';
import { findPersona } from './find-persona.ts';
import { type Handler, parseOptions, rawOptions } from './options.ts';
import { planFiles, type PushFiles } from './push-files.ts';
import { addPushFlags } from './push-flags.ts';
import { type PushCommandOptions, pushOptions } from './push-options.ts';
import { closeAll, openAll, prepareAsking, toLimits, toPushOptions } from './push-prepare.ts';
import { readOverrides } from './push-mappings.ts';
import { usePlan } from './push-plan.ts';
import { optionsFromPlan, refuseOtherTarget } from './push-plan-options.ts';
import { createPushPrinter, type PushPrinter } from './push-print.ts';
import { runResume } from './push-resume.ts';
import { waits } from './push-waits.ts';
import { confirm, openReporter } from './terminal.ts';

/** Runs older than this are forgotten at the next push. */
const KEEP_RUNS_MS = 30 * 24 * 60 * 60_000;

const HELP = `
Files are Excel workbooks (.xlsx), CSV, a JSON array, or NDJSON, known by their content; - reads standard
input. Columns match a field's label or slug, or a usual heading in English, Spanish, French, German,
Italian or Portuguese. The columns persona, barcode, parent_barcode and enable_comms are known; columns
such as "Companion 1 First name" become registrations of their own, members of the row's.
The file is read once to find out how it is written, then every row is checked before the first is sent.
What is certain is mended (spaces, country names, dates, numbers of a workbook) and counted; what is damaged
is refused with its place; what only you can know is asked, or named as an error without a terminal.
Ctrl-C stops after what is under way; the same command again goes on from there, and sends nothing twice.
What the service holds is read first: what is there as in the file is not sent, and what was edited there
since is a conflict, for you to decide. --dry-run --diff prints all that would change; with --json it is the
array "plan" of the one object, as ndjson a line a registration before the summary, as csv a row a value.
--plan-out saves that, values of persons included, and --plan does exactly it, or refuses when files or
service are no longer as they were.

Examples:
  eventreg push guests.xlsx --sandbox
  eventreg push attendees.csv --persona visitor --dry-run --verbose
  eventreg push guests.xlsx --sheet Guests --invalid skip --rejects rejects.xlsx
  eventreg push guests.xlsx --dry-run --diff --show-values
  eventreg push guests.xlsx --prune --plan-out friday.plan && eventreg push --plan friday.plan
  eventreg push a.csv b.csv --map "Company name=company" --ignore-column Notes --save-mapping
  eventreg list --all --json | eventreg push - --profile next-year

Exit codes: 0 all sent · 1 failed · 2 unreadable file or columns · 3 rows rejected or failed ·
4 not authorised · 5 rows uncertain · 6 gave up waiting · 7 a guard stopped it · 130 interrupted`;

/** Defines `eventreg push` on its command. */
export function definePush(command: Command, handle: Handler<PushCommandOptions>): void {
  addPushFlags(command)
    .description(
      'Send the registrations of spreadsheets to the service: create what is new, update what is known.',
    )
    .argument('[file...]', 'XLSX, CSV, JSON or NDJSON files; - for standard input')
    .addHelpText('after', HELP)
    .action(async (files: string[]) => {
      await handle(parseOptions(pushOptions, { ...rawOptions(command), files }));
    });
}

/** Pushes files; the summary goes to stderr for people, to stdout as JSON with `--json`. */
export async function runPush(typed: PushCommandOptions, runtime: Runtime): Promise<ExitCode> {
  if (typed.resumeUncertain) return await runResume(typed, runtime);
  const planned = typed.plan === undefined ? undefined : await optionsFromPlan(typed, typed.plan, runtime);
  const options = planned?.options ?? typed;
  const fileOverrides = await readOverrides(options, runtime);
  // Only for its error: a wrong flag is told before anything is opened.
  parseMapFlags(options.map);
  const files = await planFiles(options, runtime);
  const journal = new Journal(runtime.paths.state);
  try {
    tidyRuns(journal, runtime.clock.now() - KEEP_RUNS_MS);
    const reporter = await openReporter(options, runtime, { rejectsFile: options.rejects !== undefined });
    const printer = createPushPrinter(options, runtime);
    const header = planned?.header;
    const parts = { fileOverrides, files, header, journal, printer, reporter, runtime };
    const summary = await pushThrough(options, parts).finally(() => reporter.close());
    await printer.summary(summary);
    // The summary has said what there is to say about an interruption.
    if (summary.error !== undefined && summary.state !== 'interrupted') throw summary.error;
    return summary.exitCode;
  } finally {
    journal.close();
  }
}

interface Parts {
  /** From `--mapping`. */
  fileOverrides: ReadonlyMap<string, string>;
  files: PushFiles;
  /** Of the plan that is run. */
  header: ReadHeader | undefined;
  journal: Journal;
  printer: PushPrinter;
  reporter: Reporter;
  runtime: Runtime;
}

async function pushThrough(options: PushCommandOptions, parts: Parts): Promise<PushSummary> {
  const { files, reporter, runtime } = parts;
  const at: Progress = { run: undefined, halt: new AbortController() };
  const connection = await connect(options, runtime, {
    halted: at.halt.signal,
    onWait: waits(parts, at),
  });
  const inputs: StoredInput[] = [];
  try {
    const { client, service } = connection;
    const event = await client.getEvent();
    const target = { service, eventId: event.eventId, eventName: event.name || event.slug };
    if (parts.header !== undefined) refuseOtherTarget(parts.header, target);
    const persona = options.persona === undefined ? undefined : findPersona(options.persona, event).slug;
    const known = { ...options, persona };
    const resolver = await dnsResolver(options, connection, reporter);
    inputs.push(...(await openAll(files.sources, reporter)));
    const prepared = await prepareAsking(known, inputs, { ...parts, service, event });
    const core = toPushOptions(known, prepared.input, files.rejects, resolver);
    const shown = { ...parts, prepared, inputs, event, target, planOut: files.plan };
    const onPlan = (plan: ShownPlan): Promise<void> => usePlan(plan, shown);
    return await push(core, { ...toContext(options, parts, connection, event, at), target, onPlan });
  } finally {
    await closeAll(inputs);
    await connection.close();
  }
}

/** How far a push is, as those need to know who are told of it from outside. */
interface Progress {
  /** Undefined until it is settled. */
  run: string | undefined;
  halt: AbortController;
}

function toContext(
  options: PushCommandOptions,
  { journal, reporter, runtime }: Parts,
  connection: Connection,
  event: EventInfo,
  at: Progress,
): Omit<PushContext, 'target' | 'onPlan'> {
  const { client, gate } = connection;
  return {
    journal,
    reporter,
    event,
    registrations: client.registrations,
    clock: runtime.clock,
    stopping: runtime.stopping,
    self: runtime.self,
    budget: () => gate.budget(),
    halt: () => at.halt.abort(new InterruptedError()),
    confirm: (question) => {
      reporter.pause();
      return confirm(options, runtime, question);
    },
    onRun(id) {
      at.run = id;
    },
    limits: toLimits(options, connection),
    backUp(records) {
      const file = defaultBackupFile(runtime.paths.state, runtime.clock.now(), runtime.self);
      writeBackup(file, records);
      return file;
    },
  };
}

/** Addresses that go to a service on this machine are for practice: nobody's DNS is asked about them. */
async function dnsResolver(
  { checkDns }: PushCommandOptions,
  { loopback }: Connection,
  reporter: Reporter,
): Promise<DnsResolver | undefined> {
  if (!checkDns) return undefined;
  if (loopback) {
    reporter.report({
      type: 'note',
      text: 'E-mail domains are not looked up, because the service is on this machine.',
    });
    return undefined;
  }
  const { Resolver } = await import('node:dns/promises');
  return new Resolver({ timeout: 3000, tries: 2 });
}
