import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ExitCode, InputError, InterruptedError } from '../errors.ts';
import { parseMapFlags, readMappingFile } from '../input/header-mapping.ts';
import type { InputSource } from '../input/read-input.ts';
import { type StoredInput, storeInput } from '../input/stored-input.ts';
import type { DnsResolver } from '../push/check-dns.ts';
import { Journal } from '../push/journal.ts';
import { push } from '../push/push.ts';
import { type PreparedInput, prepare } from '../push/prepare.ts';
import type { PushOptions } from '../push/push-options.ts';
import { tidyRuns } from '../push/runs.ts';
import { readTally } from '../push/send.ts';
import type { PushSummary } from '../push/summary.ts';
import type { Reporter } from '../report/events.ts';
import type { EventInfo } from '../registration/persona.ts';
import { formatDuration } from '../report/duration.ts';
import { jsonText } from '../report/json-text.ts';
import { formatSummary, summaryRecord } from '../report/push-summary.ts';
import type { Runtime } from '../runtime.ts';
import { type Connection, connect } from './connection.ts';
import { findPersona } from './find-persona.ts';
import { type Handler, parseOptions, rawOptions } from './options.ts';
import { type RejectsTarget, toRejectsTarget, toSources } from './push-files.ts';
import {
  addPushFlags,
  type PushCommandOptions,
  pushOptions,
  toInputOptions,
  toRepairs,
} from './push-options.ts';
import { workAsking } from './push-questions.ts';
import { recallMapping, rememberMapping } from './push-mappings.ts';
import { confirm, openRecords, openReporter } from './terminal.ts';

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

Examples:
  eventreg push guests.xlsx --sandbox
  eventreg push attendees.csv --persona visitor --dry-run --verbose
  eventreg push guests.xlsx --sheet Guests --invalid skip --rejects rejects.xlsx
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
    .argument('<file...>', 'XLSX, CSV, JSON or NDJSON files; - for standard input')
    .addHelpText('after', HELP)
    .action(async (files: string[]) => {
      await handle(parseOptions(pushOptions, { ...rawOptions(command), files }));
    });
}

/** Pushes files; the summary goes to stderr for people, to stdout as JSON with `--json`. */
export async function runPush(options: PushCommandOptions, runtime: Runtime): Promise<ExitCode> {
  const fileOverrides = await readMapping(options, runtime);
  parseMapFlags(options.map);
  const files = await openFiles(options, runtime);
  const journal = new Journal(runtime.paths.state);
  try {
    tidyRuns(journal, runtime.clock.now() - KEEP_RUNS_MS, runtime.self);
    const reporter = await openReporter(options, runtime);
    const summary = await pushThrough(options, { fileOverrides, files, journal, reporter, runtime }).finally(
      () => reporter.close(),
    );
    await printSummary(summary, options, runtime);
    // The summary has said what there is to say about an interruption.
    if (summary.error !== undefined && summary.state !== 'interrupted') throw summary.error;
    return summary.exitCode;
  } finally {
    journal.close();
  }
}

interface PushFiles {
  sources: InputSource[];
  rejects: RejectsTarget | undefined;
}

interface Parts {
  /** From `--mapping`. */
  fileOverrides: ReadonlyMap<string, string>;
  files: PushFiles;
  journal: Journal;
  reporter: Reporter;
  runtime: Runtime;
}

async function pushThrough(options: PushCommandOptions, parts: Parts): Promise<PushSummary> {
  const { journal, reporter, runtime } = parts;
  let run: string | undefined;
  const tellEarlyWait = earlyWaits(reporter, runtime);
  const halt = new AbortController();
  const inputs: StoredInput[] = [];
  const connection = await connect(options, runtime, {
    halted: halt.signal,
    onWait(untilMs, budget) {
      if (run === undefined) {
        tellEarlyWait(untilMs);
        return;
      }
      reporter.report({ type: 'waiting', untilMs, why: 'budget', tally: readTally(journal, run), budget });
    },
  });
  try {
    const { client, service, gate } = connection;
    const event = await client.getEvent();
    const persona = options.persona === undefined ? undefined : findPersona(options.persona, event).slug;
    const known = { ...options, persona };
    const resolver = await dnsResolver(options, connection, reporter);
    inputs.push(...(await openAll(parts.files.sources)));
    const prepared = await prepareAsking(known, inputs, { ...parts, connection, event });
    return await push(toPushOptions(known, prepared, parts, connection, resolver), {
      journal,
      reporter,
      event,
      registrations: client.registrations,
      target: { service, eventId: event.eventId, eventName: event.name || event.slug },
      clock: runtime.clock,
      stopping: runtime.stopping,
      self: runtime.self,
      budget: () => gate.budget(),
      halt: () => halt.abort(new InterruptedError()),
      confirm: (question) => {
        reporter.pause();
        return confirm(options, runtime, question);
      },
      onRun(id) {
        run = id;
      },
    });
  } finally {
    for (const input of inputs) await input.close();
    await connection.close();
  }
}

async function openAll(sources: readonly InputSource[]): Promise<StoredInput[]> {
  const inputs: StoredInput[] = [];
  try {
    for (const source of sources) inputs.push(await storeInput(source));
    return inputs;
  } catch (error) {
    for (const input of inputs) await input.close();
    throw error;
  }
}

/** Reads the files once, asking about what they leave open where somebody can be asked. */
async function prepareAsking(
  options: PushCommandOptions,
  inputs: readonly StoredInput[],
  parts: Parts & { connection: Connection; event: EventInfo },
): Promise<PreparedInput> {
  const { fileOverrides, reporter, runtime, event } = parts;
  const target = { service: parts.connection.service, event: event.eventId };
  const recall = recallMapping(options, target, reporter, runtime);
  const asked = await workAsking(
    options,
    (current) =>
      prepare(
        inputs,
        {
          input: toInputOptions(current),
          mapping: {
            overrides: new Map([...fileOverrides, ...parseMapFlags(current.map)]),
            ignore: current.ignoreColumn,
            companionPattern: current.companionPattern,
            recall,
          },
          persona: current.persona,
          repairs: toRepairs(current),
        },
        { event, reporter, stopping: runtime.stopping },
      ),
    reporter,
    runtime,
  );
  await rememberMapping(asked, fileOverrides, target, reporter, runtime);
  return asked.result;
}

function toPushOptions(
  options: PushCommandOptions,
  prepared: PreparedInput,
  { files }: Parts,
  { settings }: Connection,
  resolver: DnsResolver | undefined,
): PushOptions {
  return {
    prepared,
    persona: options.persona,
    blank: options.blank,
    invalid: options.invalid,
    rejects: files.rejects,
    dryRun: options.dryRun,
    fresh: options.fresh,
    resolver,
    // A request may take its time out to be given up, and as long again to land.
    settleMs: settings.settleMs === 0 ? 0 : Math.max(settings.settleMs, 2 * settings.timeoutMs),
  };
}

async function openFiles(options: PushCommandOptions, runtime: Runtime): Promise<PushFiles> {
  const { files, rejects, mapping } = options;
  const sources = toSources(files, runtime);
  if (rejects === undefined) return { sources, rejects: undefined };
  const inputs = mapping === undefined ? files : [...files, mapping];
  return { sources, rejects: await toRejectsTarget(rejects, inputs, options, runtime) };
}

async function readMapping(
  { mapping }: PushCommandOptions,
  { cwd }: Runtime,
): Promise<ReadonlyMap<string, string>> {
  if (mapping === undefined) return new Map();
  const text = await readFile(resolve(cwd, mapping), 'utf8').catch((error: Error) => {
    throw new InputError(`The mapping file ${mapping} cannot be read: ${error.message}.`);
  });
  return readMappingFile(text, mapping);
}

/** Says once a wait that nothing can be asked of the service yet; short ones pass unsaid. */
function earlyWaits(reporter: Reporter, { clock }: Runtime): (untilMs: number) => void {
  let toldUntilMs = 0;
  return (untilMs) => {
    const waitMs = untilMs - clock.now();
    if (untilMs <= toldUntilMs || waitMs < 2000) return;
    toldUntilMs = untilMs;
    reporter.report({ type: 'note', text: `Waiting ${formatDuration(waitMs)} for the request budget.` });
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

async function printCsv(
  summary: Record<string, unknown>,
  options: PushCommandOptions,
  runtime: Runtime,
): Promise<void> {
  const writer = openRecords(options, runtime, Object.keys(summary));
  await writer.write(summary);
  await writer.end();
}

async function printSummary(
  summary: PushSummary,
  options: PushCommandOptions,
  runtime: Runtime,
): Promise<void> {
  const { output, quiet, showValues } = options;
  const record = summaryRecord(summary, showValues);
  if (output === 'csv') await printCsv(record, options, runtime);
  else if (output !== 'table') runtime.stdout.write(`${jsonText(record)}\n`);
  if (!quiet || summary.exitCode !== 0) runtime.stderr.write(`${formatSummary(summary, showValues)}\n`);
}
