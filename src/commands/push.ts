import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { type ExitCode, InputError, InterruptedError } from '../errors.ts';
import { parseMapFlags, readMappingFile } from '../input/header-mapping.ts';
import type { InputSource } from '../input/read-input.ts';
import type { DnsResolver } from '../push/check-dns.ts';
import { Journal } from '../push/journal.ts';
import { push } from '../push/push.ts';
import type { PushOptions } from '../push/push-options.ts';
import { tidyRuns } from '../push/runs.ts';
import { readTally } from '../push/send.ts';
import type { PushSummary } from '../push/summary.ts';
import type { Reporter } from '../report/events.ts';
import { formatDuration } from '../report/duration.ts';
import { jsonText } from '../report/json-text.ts';
import { formatSummary, type SummaryView, summaryRecord } from '../report/push-summary.ts';
import type { Runtime } from '../runtime.ts';
import { type Connection, connect } from './connection.ts';
import { findPersona } from './find-persona.ts';
import { FORMATS, type RejectsTarget, toRejectsTarget, toSources } from './push-files.ts';
import { collect, globalOptions, type Handler, parseOptions, rawOptions } from './options.ts';
import { confirm, openRecords, openReporter } from './terminal.ts';

export const pushOptions = globalOptions.extend({
  files: z.array(z.string()).min(1),
  format: z.enum(FORMATS).optional(),
  delimiter: z.string().min(1).optional(),
  persona: z.string().min(1).optional(),
  map: z.array(z.string()).default([]),
  mapping: z.string().optional(),
  ignoreColumn: z.array(z.string()).default([]),
  blank: z.enum(['omit', 'clear']).default('omit'),
  invalid: z.enum(['stop', 'skip']).default('stop'),
  rejects: z.string().optional(),
  dryRun: z.boolean().default(false),
  fresh: z.boolean().default(false),
  /** False with `--no-check-dns`. */
  checkDns: z.boolean().default(true),
});
export type PushCommandOptions = z.infer<typeof pushOptions>;

/** Runs older than this are forgotten at the next push. */
const KEEP_RUNS_MS = 30 * 24 * 60 * 60_000;

const HELP = `
Files are CSV, a JSON array, or NDJSON; - reads standard input. Columns match a field's label or slug,
ignoring case, spaces, _ and -. The columns persona, barcode, parent_barcode and enable_comms are known.
Every row is checked before the first is sent. Ctrl-C stops after what is under way; the same command
again goes on from there, and sends nothing that was sent before.

Examples:
  eventreg push attendees.csv --sandbox
  eventreg push attendees.csv --persona visitor --dry-run
  eventreg push attendees.csv --invalid skip --rejects rejects.csv
  eventreg push a.csv b.csv --map "Company name=company" --ignore-column Notes
  eventreg list --all --json | eventreg push - --profile next-year

Exit codes: 0 all sent · 1 failed · 2 unreadable file or columns · 3 rows rejected or failed ·
4 not authorised · 5 rows uncertain · 6 gave up waiting · 7 a guard stopped it · 130 interrupted`;

/** Defines `eventreg push` on its command. */
export function definePush(command: Command, handle: Handler<PushCommandOptions>): void {
  command
    .description(
      'Send the registrations of spreadsheets to the service: create what is new, update what is known.',
    )
    .argument('<file...>', 'CSV, JSON or NDJSON files; - for standard input')
    .option('--format <format>', 'csv, json or ndjson, whatever the content looks like')
    .option('--delimiter <character>', 'what separates the cells of a CSV file (found out unless given)')
    .option('--persona <slug>', 'persona of rows that name none')
    .option('--map <header=slug>', 'send a column as this field; repeatable', collect)
    .option('--mapping <file>', 'JSON object of header to field slug')
    .option('--ignore-column <header>', 'leave a column out; repeatable', collect)
    .option('--blank <what>', 'blank cells: omit (leave the field as it is) or clear (empty it)')
    .option('--invalid <what>', 'invalid rows: stop (send nothing) or skip (send the others)')
    .option('--rejects <file>', 'write rejected rows there, with their errors, ready to be mended and pushed')
    .option('--dry-run', 'check everything and say what would be sent; send nothing')
    .option('--fresh', 'send every row, also those that were sent before')
    .option('--no-check-dns', 'do not look up whether e-mail domains take mail')
    .addHelpText('after', HELP)
    .action(async (files: string[]) => {
      await handle(parseOptions(pushOptions, { ...rawOptions(command), files }));
    });
}

/** Pushes files; the summary goes to stderr for people, to stdout as JSON with `--json`. */
export async function runPush(options: PushCommandOptions, runtime: Runtime): Promise<ExitCode> {
  const overrides = await readOverrides(options, runtime);
  const files = await openFiles(options, runtime);
  const journal = new Journal(runtime.paths.state);
  try {
    tidyRuns(journal, runtime.clock.now() - KEEP_RUNS_MS, runtime.self);
    const reporter = await openReporter(options, runtime);
    const summary = await pushThrough(options, { overrides, files, journal, reporter, runtime }).finally(() =>
      reporter.close(),
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
  overrides: Map<string, string>;
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
    const resolver = await dnsResolver(options, connection, reporter);
    return await push(toPushOptions({ ...options, persona }, parts, connection, resolver), {
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
    await connection.close();
  }
}

function toPushOptions(
  options: PushCommandOptions,
  { overrides, files }: Parts,
  { settings }: Connection,
  resolver: DnsResolver | undefined,
): PushOptions {
  return {
    sources: files.sources,
    input: { format: options.format, delimiter: options.delimiter },
    mapping: { overrides, ignore: options.ignoreColumn },
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

/** Flags go before the mapping file. */
async function readOverrides(
  { map, mapping }: PushCommandOptions,
  { cwd }: Runtime,
): Promise<Map<string, string>> {
  const flags = parseMapFlags(map);
  if (mapping === undefined) return flags;
  const text = await readFile(resolve(cwd, mapping), 'utf8').catch((error: Error) => {
    throw new InputError(`The mapping file ${mapping} cannot be read: ${error.message}.`);
  });
  return new Map([...readMappingFile(text, mapping), ...flags]);
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
  const view: SummaryView = summary;
  if (options.output === 'csv') await printCsv(summaryRecord(view), options, runtime);
  else if (options.output !== 'table') runtime.stdout.write(`${jsonText(summaryRecord(view))}\n`);
  if (!options.quiet || summary.exitCode !== 0) runtime.stderr.write(`${formatSummary(view)}\n`);
}
