import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { replaceFile, streamInto } from '../../report/records/replace-file.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import type { Runtime, TextOutput } from '../../runtime.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { ListedPage, ListFilter } from '../../service/list/list-registrations.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { checkPersona } from '../connect/find-persona.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { type Call, isDrawn, openRecords, openRecordsAt, say } from '../terminal/terminal.ts';
import { writtenFormat, WRITTEN_FORMATS, writtenFile } from '../options/written-file.ts';
import { createListPrinter, isFlat } from './list-printer.ts';
import { type IsWanted, wantedRecords } from './wanted-records.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import { budgetOptions } from '../options/budget-options.ts';
import { addBudgetFlags, collect, flagGroup, addHelp, once } from '../options/help.ts';
import { globalOptions, type Handler, parsedBy, wholeNumber } from '../options/options.ts';

const WHERE = /^[^=]*\S[^=]*=/;

const listOptions = globalOptions.extend(budgetOptions).extend({
  persona: z.string().min(1).optional(),
  barcode: z.string().min(1).optional(),
  page: wholeNumber(1).optional(),
  perPage: wholeNumber(1, PER_PAGE_MAX).default(20),
  all: z.boolean().default(false),
  raw: z.boolean().default(false),
  /** `field=value`, all of which a registration has to have. */
  where: z.array(z.string().regex(WHERE, 'takes a field and its value, for example meal=Fish')).default([]),
  email: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
  /** Where the list is written instead of to standard output; its name says how. */
  to: writtenFile.optional(),
});
export type ListOptions = z.infer<typeof listOptions>;

const HELP = `
Without --all one page is shown; --to, --where, --email and --name look at all of them. What --to writes can be
pushed again as it is; all cells of a workbook are text. The service may spell its persona filter in two ways;
eventreg finds out which, and checks every registration against the filter.

Examples:
  eventreg list
  eventreg list --to guests.xlsx
  eventreg list --persona speaker --to speakers.csv
  eventreg list --where "Lunch=Vegetarian" --where ticket_type=Press
  eventreg list --email ada@example.com --json

Exit codes: 0 done · 1 failed · 2 wrong usage · 4 not authorised · 6 gave up waiting ·
7 --leave leaves nothing · 130 interrupted`;

const COMMON = ['--persona', '--barcode', '--where', '--email', '--name', '--all', '--to'];

export function defineList(command: Command, handle: Handler<ListOptions>): void {
  addHelp(command, HELP, COMMON)
    .description('List registrations.')
    .option('--persona <slug>', 'only registrations of this persona', once)
    .option('--barcode <barcode>', 'only the registration with this barcode', once)
    .option('--page <number>', 'which page (1 unless given)')
    .option('--per-page <number>', `registrations a page, at most ${PER_PAGE_MAX} (20 unless given)`)
    .option('--all', 'all pages')
    .option('--where <field=value>', 'only those with this value; repeatable', collect)
    .option('--email <address>', 'only those with this e-mail address', once)
    .option('--name <words>', 'only those with these words in their name', once)
    .option('--to <file>', `write all of them there; the name ends in ${WRITTEN_FORMATS.join(', ')}`)
    .option('--raw', 'records as the service sent them (json and ndjson)');
  parsedBy(command, listOptions, handle);
  addBudgetFlags(flagGroup(command, 'Request budget:'));
}

/** Lists one page, or all of them, as data on stdout or into a file. */
export async function runList(typed: ListOptions, runtime: Runtime): Promise<ExitCode> {
  const options = { ...typed, all: readsAll(typed) };
  const call = { options, runtime };
  refuseContradictions(options);
  const { to } = options;
  const content = 'with the list';
  const path = to && (await settleOutputFile({ flag: '--to', file: to, inputs: [], content }, call));
  return await withConnection(call, async ({ client }) => {
    if (to === undefined || path === undefined) await list(call, client, runtime.stdout);
    else {
      const count = await replaceFile(path, async (file) => list(call, client, streamInto(file)));
      say(call, `${plural(count, 'registration', 'registrations')} written to ${to}.`);
    }
    return EXIT.done;
  });
}

/** A file, and an answer to a question, are of all registrations; a page is asked for as such. */
function readsAll({ all, page, to, where, email, name }: ListOptions): boolean {
  return (
    all || (page === undefined && (to !== undefined || where.length > 0 || (email ?? name) !== undefined))
  );
}

/** Prints what is asked for on a stream; returns how many. */
async function list(call: Call<ListOptions>, client: ServiceClient, stream: TextOutput): Promise<number> {
  const { options, runtime } = call;
  const format = options.to === undefined ? options.output : (writtenFormat(options.to) ?? 'csv');
  const asks = options.where.length > 0 || (options.email ?? options.name) !== undefined;
  // Records may name their persona otherwise than it is asked for.
  const needsEvent = asks || options.persona !== undefined || isFlat(format);
  const event = needsEvent ? await client.getEvent() : undefined;
  const isWanted: IsWanted = asks && event !== undefined ? wantedRecords(options, event) : () => true;
  const printer = createListPrinter(
    { ...options, format, isDrawn: isDrawn({ output: format }, { stdout: stream }) },
    event,
    {
      open: (columns) =>
        options.to === undefined
          ? openRecords(call, columns, ['list@1', 'registrations'])
          : openRecordsAt({ format, stream }, call, columns),
      say: (text) => say(call, text),
    },
  );
  const seen = { records: 0, mismatched: 0, unverified: 0 };
  for await (const page of pagesOf(call, client)) {
    const wanted = page.records.filter(isWanted);
    seen.records += wanted.length;
    seen.mismatched += page.mismatched;
    seen.unverified += page.unverified;
    await printer.print(wanted);
    if (printer.closed || runtime.stopping.aborted) break;
    if (!options.all) sayWhatFollows(call, page);
  }
  runtime.stopping.throwIfAborted();
  if (seen.records === 0) await explainNothing(call, client);
  await printer.end();
  sayWhatWasFiltered(call, seen);
  return seen.records;
}

function refuseContradictions({ all, page, raw, output, to, where, email, name }: ListOptions): void {
  if (all && page !== undefined) throw new UsageError('--all and --page contradict each other.');
  if (page !== undefined && (where.length > 0 || (email ?? name) !== undefined)) {
    throw new UsageError('--where, --email and --name look at all registrations; leave --page out.');
  }
  if (to !== undefined && output !== 'table') {
    throw new UsageError('--to says by the name of its file how it is written; leave --output out.');
  }
  const format = to === undefined ? output : writtenFormat(to);
  if (raw && format !== undefined && isFlat(format)) {
    throw new UsageError(
      `--raw needs ${to === undefined ? '--output json or ndjson' : '--to a .json or .ndjson file'}.`,
    );
  }
}

function filterOf({ persona, barcode }: ListOptions): ListFilter {
  return { ...(persona === undefined ? {} : { persona }), ...(barcode === undefined ? {} : { barcode }) };
}

async function* pagesOf(
  call: Call<ListOptions>,
  { registrations }: ServiceClient,
): AsyncIterable<ListedPage> {
  const { options } = call;
  if (!options.all) yield await registrations.page(filterOf(options), options.page ?? 1, options.perPage);
  else if (yield* registrations.pages(filterOf(options))) say(call, CHANGED);
}

const CHANGED =
  'The registrations changed while they were read: some may be missing or be listed twice. Run the same command again for what is there now.';

/** Nothing found may be true, or the persona may not exist: then a UsageError names those that do. */
async function explainNothing(call: Call<ListOptions>, client: ServiceClient): Promise<void> {
  const { persona } = call.options;
  if (persona !== undefined) await checkPersona(persona, client);
  say(call, 'There are no such registrations.');
}

function sayWhatFollows(call: Call<ListOptions>, page: ListedPage): void {
  const { options } = call;
  const number = options.page ?? 1;
  const full = page.records.length + page.mismatched >= options.perPage;
  if (page.hasNext === false || (page.hasNext === undefined && !full)) return;
  const of = page.total === undefined ? '' : ` of ${formatCount(page.total)}`;
  const shown = plural(page.records.length, 'registration', 'registrations');
  const all = isDrawn(options, call.runtime)
    ? '--to guests.xlsx writes all into a workbook'
    : 'all with --all';
  say(call, `Page ${number}: ${shown}${of}. More with --page ${number + 1}; ${all}.`);
}

function sayWhatWasFiltered(call: Call, seen: { mismatched: number; unverified: number }): void {
  if (seen.mismatched > 0) {
    const left = plural(seen.mismatched, 'other registration', 'other registrations');
    say(call, `The service ignored the filter; ${left} left out here.`);
  }
  if (seen.unverified > 0) {
    const some = plural(seen.unverified, 'registration does', 'registrations do');
    say(call, `${some} not show what was filtered by: taken on the service's word.`);
  }
}
