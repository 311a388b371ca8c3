import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { replaceFile, streamInto } from '../../report/records/replace-file.ts';
import { visible } from '../../report/words/escape.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import type { Runtime, TextOutput } from '../../runtime.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { ListedPage, ListFilter } from '../../service/list/list-registrations.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { checkPersona } from '../connect/find-persona.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { isDrawn, openRecords, openRecordsAt, say } from '../terminal/terminal.ts';
import { writtenFormat } from '../options/written-file.ts';
import type { ListOptions } from './list-options.ts';
import { createListPrinter, isFlat } from './list-printer.ts';
import { type IsWanted, wantedRecords } from './wanted-records.ts';

/** Lists one page, or all of them, as data on stdout or into a file. */
export async function runList(typed: ListOptions, runtime: Runtime): Promise<ExitCode> {
  const options = { ...typed, all: readsAll(typed) };
  refuseContradictions(options);
  const { to } = options;
  const content = 'with the list';
  const path =
    to && (await settleOutputFile({ flag: '--to', file: to, inputs: [], content }, options, runtime));
  return await withConnection(options, runtime, async ({ client }) => {
    if (to === undefined || path === undefined) await list(options, client, runtime.stdout, runtime);
    else {
      const count = await replaceFile(path, async (file) => list(options, client, streamInto(file), runtime));
      say(options, runtime, `${plural(count, 'registration', 'registrations')} written to ${visible(to)}.`);
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
async function list(
  options: ListOptions,
  client: ServiceClient,
  stream: TextOutput,
  runtime: Runtime,
): Promise<number> {
  const format = options.to === undefined ? options.output : (writtenFormat(options.to) ?? 'csv');
  const asks = options.where.length > 0 || (options.email ?? options.name) !== undefined;
  const event = asks || isFlat(format) ? await client.getEvent() : undefined;
  const isWanted: IsWanted = asks && event !== undefined ? wantedRecords(options, event) : () => true;
  const printer = createListPrinter(
    { ...options, format, isDrawn: isDrawn({ output: format }, { stdout: stream }) },
    event,
    {
      open: (columns) =>
        options.to === undefined
          ? openRecords(options, runtime, columns, ['list@1', 'registrations'])
          : openRecordsAt({ format, stream }, options, runtime, columns),
      say: (text) => say(options, runtime, text),
    },
  );
  const seen = { records: 0, mismatched: 0, unverified: 0 };
  for await (const page of pagesOf(options, client, runtime)) {
    const wanted = page.records.filter(isWanted);
    seen.records += wanted.length;
    seen.mismatched += page.mismatched;
    seen.unverified += page.unverified;
    await printer.print(wanted);
    if (printer.closed || runtime.stopping.aborted) break;
    if (!options.all) sayWhatFollows(options, page, runtime);
  }
  runtime.stopping.throwIfAborted();
  if (seen.records === 0) await explainNothing(options, client, runtime);
  await printer.end();
  sayWhatWasFiltered(options, seen, runtime);
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
  options: ListOptions,
  { registrations }: ServiceClient,
  runtime: Runtime,
): AsyncIterable<ListedPage> {
  if (!options.all) yield await registrations.page(filterOf(options), options.page ?? 1, options.perPage);
  else if (yield* registrations.pages(filterOf(options))) say(options, runtime, CHANGED);
}

const CHANGED =
  'The registrations changed while they were read: some may be missing or be listed twice. Run the same command again for what is there now.';

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
