import type { Command } from 'commander';
import type { ExitCode } from '../errors.ts';
import { parseMapFlags } from '../input/header-mapping.ts';
import type { StoredInput } from '../input/stored-input.ts';
import type { DnsResolver } from '../push/check-dns.ts';
import { forgetBases } from '../push/base-store.ts';
import { Journal } from '../push/journal.ts';
import { push } from '../push/push.ts';
import type { ReadHeader } from '../push/plan-file.ts';
import type { ShownPlan } from '../push/push-options.ts';
import { tidyRuns } from '../push/forget-runs.ts';
import type { PushSummary } from '../push/summary.ts';
import type { Reporter } from '../report/events.ts';
import type { Runtime } from '../runtime.ts';
import type { Connection } from './connection.ts';
import { findPersona } from './find-persona.ts';
import { type Handler, parseOptions, rawOptions } from './options.ts';
import { planFiles, type PushFiles } from './push-files.ts';
import { addPushFlags } from './push-flags.ts';
import { type PushCommandOptions, pushOptions } from './push-options.ts';
import { chooser } from './push-questions.ts';
import { closeAll, openAll, prepareAsking, toPushOptions } from './push-prepare.ts';
import { readOverrides } from './push-mappings.ts';
import { usePlan } from './push-plan.ts';
import { optionsFromPlan, refuseOtherTarget } from './push-plan-options.ts';
import { createPushPrinter, type PushPrinter } from './push-print.ts';
import { runResume } from './push-resume.ts';
import { backUpTo, type Workplace, workWithService } from './workplace.ts';

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
The first push to an event from this machine asks before it sends, at a terminal. Ctrl-C stops after what is
under way; the same command again goes on from there, and sends nothing twice.
What the service holds is read first: what is there as in the file is not sent, what only somebody in the service
has changed is kept, and what both have changed is a conflict, value by value. --dry-run --diff prints all that would
change; with --json it is the array "plan" of the one object, as ndjson a line a registration before the summary, as
csv a row a value. --plan-out saves that, values of persons included, and --plan does exactly it, or refuses when files
or service are no longer as they were.

Examples:
  eventreg push guests.xlsx --sandbox
  eventreg push attendees.csv --persona visitor --dry-run --verbose
  eventreg push guests.xlsx --sheet Guests --invalid skip --rejects rejects.xlsx
  eventreg push guests.xlsx --dry-run --diff --show-values
  eventreg push guests.xlsx --prune --plan-out friday.plan && eventreg push --plan friday.plan
  eventreg push a.csv b.csv --map "Company name=company" --ignore-column Notes --save-mapping
  eventreg list --all --json | eventreg push - --profile next-year

Exit codes: 0 all sent · 1 failed · 2 unreadable file or columns ·
3 rows rejected, failed, in conflict or stored otherwise · 4 not authorised · 5 rows uncertain · 6 gave up waiting · 7 a guard stopped it · 130 interrupted`;

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
    forgetBases(journal, runtime.clock.now());
    const printer = createPushPrinter(options, runtime);
    const parts = { fileOverrides, files, header: planned?.header, printer, runtime };
    const { concurrency, maxFailures, rejects } = options;
    const work = { journal, concurrency, maxFailures, rejectsFile: rejects !== undefined };
    const summary = await workWithService(options, runtime, work, (place) => pushAt(place, options, parts));
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
  printer: PushPrinter;
  runtime: Runtime;
}

async function pushAt(
  { context, connection, reporter }: Workplace,
  options: PushCommandOptions,
  parts: Parts,
): Promise<PushSummary> {
  const { files, header, runtime } = parts;
  const { event, target } = context;
  if (header !== undefined) refuseOtherTarget(header, target);
  const persona = options.persona === undefined ? undefined : findPersona(options.persona, event).slug;
  const known = { ...options, persona };
  const resolver = await dnsResolver(options, connection, reporter);
  const inputs: StoredInput[] = [];
  try {
    inputs.push(...(await openAll(files.sources, reporter)));
    const { service } = target;
    const prepared = await prepareAsking(known, inputs, { ...parts, reporter, service, event });
    const { rejects } = files;
    const core = toPushOptions(known, prepared.input, {
      rejects,
      resolver,
      practice: connection.loopback,
    });
    const shown = { ...parts, prepared, inputs, reporter, event, target, planOut: files.plan };
    return await push(core, {
      ...context,
      choose: header === undefined ? chooser(runtime, reporter) : undefined,
      onPlan: (plan: ShownPlan) => usePlan(plan, shown),
      backUp: (records) => backUpTo(runtime, records),
    });
  } finally {
    await closeAll(inputs);
  }
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
