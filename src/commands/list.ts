import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, UsageError } from '../errors.ts';
import type { EventInfo } from '../registration/model/persona.ts';
import type { RegistrationRecord } from '../registration/model/registration.ts';
import { formatCount, plural } from '../report/words/number.ts';
import type { RecordWriter } from '../report/records/record-writer.ts';
import type { Runtime } from '../runtime.ts';
import type { ServiceClient } from '../service/client.ts';
import type { ListedPage, ListFilter } from '../service/list/list-registrations.ts';
import { PER_PAGE_MAX } from '../service/list/page-walk.ts';
import { budgetOptions } from './options/budget-options.ts';
import { addBudgetFlags, flagGroup } from './options/flags.ts';
import { checkPersona } from './connect/find-persona.ts';
import {
  globalOptions,
  type Handler,
  OUTPUTS,
  parseOptions,
  rawOptions,
  wholeNumber,
} from './options/options.ts';
import { flatRecord, nestedRecord, RECORD_COLUMNS } from './registration-record.ts';
import { connectSaying } from './connect/connect-saying.ts';
import { openRecords, say } from './terminal/terminal.ts';

const listOptions = globalOptions.extend(budgetOptions).extend({
  output: z.enum([...OUTPUTS, 'xlsx']).default('table'),
  persona: z.string().min(1).optional(),
  barcode: z.string().min(1).optional(),
  page: wholeNumber(1).optional(),
  perPage: wholeNumber(1, PER_PAGE_MAX).default(20),
  all: z.boolean().default(false),
  raw: z.boolean().default(false),
});
export type ListOptions = z.infer<typeof listOptions>;

const HELP = `
Without --all one page is shown. CSV, JSON and XLSX output can be pushed again. A workbook (--output xlsx)
is a file: send it into one, as below; all its cells are text. The service may spell its persona filter in
two ways; eventreg finds out which, and checks every registration against the filter.

Examples:
  eventreg list
  eventreg list --persona speaker --all --output csv > speakers.csv
  eventreg list --all --output xlsx > registrations.xlsx
  eventreg list --barcode EV-0012 --json

Exit codes: 0 done · 1 failed · 2 wrong usage · 4 not authorised · 6 gave up waiting ·
7 --leave leaves nothing · 130 interrupted`;

/** Defines `eventreg list` on its command. */
export function defineList(command: Command, handle: Handler<ListOptions>): void {
  command
    .description('List registrations.')
    .option('--persona <slug>', 'only registrations of this persona')
    .option('--barcode <barcode>', 'only the registration with this barcode')
    .option('--page <number>', 'which page (1 unless given)')
    .option('--per-page <number>', `registrations a page, at most ${PER_PAGE_MAX} (20 unless given)`)
    .option('--all', 'all pages')
    .option('--raw', 'records as the service sent them (json and ndjson)')
    .addHelpText('after', HELP)
    .action(async () => {
      await handle(parseOptions(listOptions, rawOptions(command)));
    });
  addBudgetFlags(flagGroup(command, 'Request budget:'));
}

/** Lists one page, or all of them, as data on stdout. */
export async function runList(options: ListOptions, runtime: Runtime): Promise<ExitCode> {
  refuseContradictions(options, runtime);
  const connection = await connectSaying(options, runtime);
  try {
    const { client } = connection;
    const printer = await createPrinter(options, client, runtime);
    const seen = { records: 0, mismatched: 0, unverified: 0 };
    for await (const page of pagesOf(options, client)) {
      seen.records += page.records.length;
      seen.mismatched += page.mismatched;
      seen.unverified += page.unverified;
      await printer.print(page.records);
      if (printer.closed || runtime.stopping.aborted) break;
      if (!options.all) sayWhatFollows(options, page, runtime);
    }
    runtime.stopping.throwIfAborted();
    if (seen.records === 0) await explainNothing(options, client, runtime);
    await printer.end();
    sayWhatWasFiltered(options, seen, runtime);
    return EXIT.done;
  } finally {
    await connection.close();
  }
}

function refuseContradictions({ all, page, raw, output }: ListOptions, { stdout }: Runtime): void {
  if (all && page !== undefined) throw new UsageError('--all and --page contradict each other.');
  if (raw && isFlat(output)) throw new UsageError('--raw needs --output json or ndjson.');
  if (output === 'xlsx' && stdout.isTTY === true) {
    throw new UsageError('A workbook is no text that a terminal could show.', {
      hint: 'Send it into a file: eventreg list --output xlsx > registrations.xlsx',
    });
  }
}

/** Formats with a column a field, each value as one text. */
function isFlat(output: ListOptions['output']): boolean {
  return output === 'table' || output === 'csv' || output === 'xlsx';
}

function filterOf({ persona, barcode }: ListOptions): ListFilter {
  return { ...(persona === undefined ? {} : { persona }), ...(barcode === undefined ? {} : { barcode }) };
}

async function* pagesOf(options: ListOptions, client: ServiceClient): AsyncIterable<ListedPage> {
  if (options.all) yield* client.registrations.pages(filterOf(options));
  else yield await client.registrations.page(filterOf(options), options.page ?? 1, options.perPage);
}

interface Printer {
  readonly closed: boolean;
  print(records: readonly RegistrationRecord[]): Promise<void>;
  end(): Promise<void>;
}

/** Tables, CSV and workbooks need their columns before the first row: the fields of the event, in its order. */
async function createPrinter(
  options: ListOptions,
  client: ServiceClient,
  runtime: Runtime,
): Promise<Printer> {
  const flat = isFlat(options.output);
  const columns = flat ? columnsOf(await client.getEvent(), options) : undefined;
  const unknown = new Set<string>();
  let writer: RecordWriter | undefined;
  const open = (records: readonly RegistrationRecord[]): RecordWriter => {
    for (const key of keysOf(records)) if (columns !== undefined && !columns.includes(key)) columns.push(key);
    return openRecords(options, runtime, columns);
  };
  return {
    get closed() {
      return writer?.closed ?? false;
    },
    async print(records) {
      if (records.length === 0) return;
      writer ??= open(records);
      if (columns !== undefined)
        for (const key of keysOf(records)) if (!columns.includes(key)) unknown.add(key);
      for (const record of records) {
        await writer.write(options.raw ? record.raw : flat ? flatRecord(record) : nestedRecord(record));
      }
    },
    async end() {
      if (writer === undefined && options.output === 'table') return;
      writer ??= open([]);
      await writer.end();
      if (unknown.size === 0) return;
      say(
        options,
        runtime,
        `Left out, unknown to the event: ${[...unknown].join(', ')}; --output json has everything.`,
      );
    },
  };
}

function keysOf(records: readonly RegistrationRecord[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record.fields ?? {})))];
}

/** The fields of the persona asked for, or of all personas; people are spared what is a wish, not a state. */
function columnsOf(event: EventInfo, { persona, output }: ListOptions): string[] {
  const named = event.personas.filter((one) => one.slug === persona);
  const personas = named.length > 0 ? named : event.personas;
  const slugs = personas.flatMap((one) => one.fields.map((field) => field.slug));
  const head = RECORD_COLUMNS.filter((column) => output !== 'table' || column !== 'enable_comms');
  return [...new Set([...head, ...slugs])];
}

/** Nothing found may be true, or the persona may not exist: then a UsageError names those that do. */
async function explainNothing(options: ListOptions, client: ServiceClient, runtime: Runtime): Promise<void> {
  if (options.persona !== undefined) await checkPersona(options.persona, client);
  say(options, runtime, 'There are no such registrations.');
}

function sayWhatFollows(options: ListOptions, page: ListedPage, runtime: Runtime): void {
  const number = options.page ?? 1;
  const full = page.records.length + page.mismatched >= options.perPage;
  if (page.hasNext === false || (page.hasNext === undefined && !full)) return;
  const of = page.total === undefined ? '' : ` of ${formatCount(page.total)}`;
  const shown = plural(page.records.length, 'registration', 'registrations');
  say(options, runtime, `Page ${number}: ${shown}${of}. More with --page ${number + 1}, all with --all.`);
}

function sayWhatWasFiltered(
  options: ListOptions,
  seen: { mismatched: number; unverified: number },
  runtime: Runtime,
): void {
  if (seen.mismatched > 0) {
    const left = plural(seen.mismatched, 'other registration', 'other registrations');
    say(options, runtime, `The service ignored the filter; ${left} left out here.`);
  }
  if (seen.unverified > 0) {
    const some = plural(seen.unverified, 'registration does', 'registrations do');
    say(options, runtime, `${some} not show what was filtered by: taken on the service's word.`);
  }
}
