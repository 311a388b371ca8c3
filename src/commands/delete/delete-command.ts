import type { Command } from 'commander';
import { EventregError, type ExitCode, GuardError, UsageError } from '../../errors.ts';
import { backupRecord } from '../../sync/delete/backup.ts';
import { deletions } from '../../sync/journal/delete-rows.ts';
import { type DeleteSummary, runDelete as deleteSelected } from '../../sync/delete/delete.ts';
import { type RemovalEntry, removalEntries, removalExitCode } from '../../sync/delete/removal-summary.ts';
import type { Wanted } from '../../sync/delete/select.ts';
import type { DocumentBody } from '../../documents/documents.ts';
import { flagOf } from '../../registration/model/option-flags.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { problemRecords } from '../../report/summary/row-problems.ts';
import type { RecordWriter } from '../../report/records/record-writer.ts';
import type { Runtime } from '../../runtime.ts';
import { openEvents } from '../connect/event-stream.ts';
import { type ReportFiles, settleReports } from '../connect/report-files.ts';
import {
  removalContext,
  type Workplace,
  workWithService,
  tellComingBack,
  tellFlaws,
} from '../connect/workplace.ts';
import { readWanted } from './delete-file.ts';
import { findPersona } from '../connect/find-persona.ts';
import { addHelp, eventsFlag, addBudgetFlags, collect, flagGroup, once } from '../options/help.ts';
import { reportFlag, typedCommand } from '../options/help.ts';
import { type Handler, parseOptions, rawOptions, refuseUnused, globalOptions } from '../options/options.ts';
import { addSetFlag, withSettings } from '../options/set-flag.ts';
import { readingOptions } from '../options/reading-options.ts';
import { openRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { READS, withJournal } from '../connect/shared-journal.ts';
import * as z from 'zod';
import type { Acceptable } from '../../registration/repairs/repair-options.ts';
import { budgetOptions, DEFAULT_MAX_DELETE, maxDelete } from '../options/budget-options.ts';
import { eventsOption, newFile, reportOption } from '../options/written-file.ts';

const HELP = `
What is deleted is first read and written to a backup file, which \`eventreg push\` takes back as it is
(the service gives new ids, and messages are not sent again). \`eventreg runs undo\` does the same, and brings
back also what push would refuse in a list, such as a day of birth that cannot be one.
It asks before it deletes; without a terminal it needs --yes. Members go before their parents. The first one
goes alone, and no other before it is seen that it is gone and nothing else with it.
Interrupted, the same command again goes on: it deletes what is left of what was chosen, and nothing else.
--file reads workbooks (.xlsx, .ods), CSV, a JSON array, or NDJSON; - reads standard input. What the file
leaves open (hidden rows, several sheets) is an error that names the flag: nobody is deleted on a guess.
A name that several registrations have is refused, and a row whose id and barcode are those of two. Where
no ids are shown, one is deleted by its barcode first, alone, to see that nothing else goes with it; numbers
and UUIDs are never tried: "registrationId": "barcode" in the profile says that the service deletes so.

Examples:
  eventreg delete 8f14e45f c9f0f895
  eventreg delete --barcode EV-0012
  eventreg delete --file cancelled.csv --max-delete 200 --yes
  eventreg delete --file guests.xlsx --set sheet=Cancelled --set include-hidden=false --max-delete 10%
  eventreg delete --persona visitor --dry-run

Exit codes: 0 all deleted · 1 failed · 2 wrong usage · 3 some were not there or could not be deleted ·
4 not authorised · 5 some are in doubt · 6 gave up waiting · 7 nothing chosen, a guard stopped it or not
confirmed · 130 interrupted`;

const COMMON = ['--barcode', '--file', '--persona', '--max-delete', '--dry-run'];

export function defineDelete(command: Command, handle: Handler<DeleteOptions>): void {
  addHelp(addDeleteFlags(command), HELP, COMMON)
    .description('Delete registrations, keeping a backup that push takes back.')
    .argument('[id...]', 'ids of registrations, as `eventreg list` shows them')
    .action(async (ids: string[]) => {
      const raw = withSettings(rawOptions(command), FILE_SETTINGS);
      const nameOf = (option: string): string => (option === 'ids' ? '<id>' : flagOf(option));
      await handle(parseOptions(deleteOptions, { ...raw, ids }, nameOf));
    });
}

/** Selects, guards, backs up, deletes. Nothing is deleted before the backup is on the disk. */
export async function runDelete(options: DeleteOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  const inputs = options.file === undefined ? [] : [options.file];
  const events = openEvents(call, inputs);
  const wanted = await wantedOf(call);
  const reports = await settleReports(call, { kind: 'delete', inputs });
  const use = options.dryRun ? READS : { reads: false as const, does: 'deletes', maxWaitMs: options.maxWait };
  return await withJournal(call, use, async (journal, runtime) => {
    const call = { options, runtime };
    // One after the other: Ctrl-C then leaves at most one under way.
    const limits = { journal, concurrency: 1, maxFailures: options.maxFailures, events, reports };
    const summary = await reports.around(() =>
      workWithService(call, limits, (place) => deleteWanted({ wanted, reports }, place, call)),
    );
    tellEnd(summary, call);
    await tellPrograms(call, 'delete@1', summaryRecord(summary, options.showValues));
    if (summary.error !== undefined && summary.state !== 'interrupted') throw summary.error;
    reports.end();
    await events?.end();
    return removalExitCode(summary, summary.left > 0 || summary.absent > 0);
  });
}

async function wantedOf(call: Call<DeleteOptions>): Promise<Wanted> {
  const { ids, barcode, file, persona } = call.options;
  const ways = [ids.length + barcode.length > 0, file !== undefined, persona !== undefined].filter(
    Boolean,
  ).length;
  if (ways === 0) {
    throw new GuardError('nothing-chosen', 'Which registrations? None were named, so nothing was deleted.', {
      hint: 'Give ids, --barcode, --file or --persona.',
    });
  }
  if (ways > 1) throw new UsageError('Give either ids and barcodes, or --file, or --persona.');
  if (file !== undefined) return await readWanted(file, call);
  return { ids: [...new Set(ids)], barcodes: [...new Set(barcode)], persona };
}

async function deleteWanted(
  { wanted, reports }: { wanted: Wanted; reports: ReportFiles },
  place: Workplace,
  call: Call<DeleteOptions>,
): Promise<DeleteSummary> {
  const { options } = call;
  const { context } = place;
  const { dryRun, maxDelete, backup } = options;
  const columns = dryRun ? SHOWN : ['registration_id', 'barcode', 'result', 'message'];
  const open = (): RecordWriter =>
    openRecords(call, columns, ['delete@1', dryRun ? 'registrations' : 'results']);
  // Opened when there is something to print: what refuses the command leaves stdout empty.
  let writer: RecordWriter | undefined;
  const persona = wanted.persona === undefined ? undefined : findPersona(wanted.persona, context.event).slug;
  const deleting = removalContext(place, call, reports, {
    backup,
    print: async (run) => {
      const { journal } = context;
      const results = removalEntries(journal, run, dryRun).filter(({ result }) => result !== 'open');
      for (const { result, why } of results)
        if (!dryRun && result !== 'deleted') context.reporter.report({ type: 'warning', text: why ?? '' });
      const records = dryRun
        ? deletions(journal, run).map(({ before }) => backupRecord(before))
        : results.map(resultOf);
      if (records.length > 0) writer ??= open();
      for (const record of records) await writer?.write(record);
    },
  });
  try {
    const summary = await deleteSelected({ wanted: { ...wanted, persona }, maxDelete, dryRun }, deleting);
    if (options.output === 'json') writer ??= open();
    return summary;
  } finally {
    await writer?.end();
  }
}

const SHOWN = ['registration_id', 'persona', 'barcode', 'parent_barcode'];

const RESULTS: Readonly<Partial<Record<RemovalEntry['result'], 'deleted' | 'absent' | 'uncertain'>>> = {
  deleted: 'deleted',
  settled: 'absent',
  uncertain: 'uncertain',
};

function resultOf({
  result,
  registrationId,
  barcode,
  why,
}: RemovalEntry): NonNullable<DocumentBody<'delete@1'>['results']>[number] {
  return {
    registration_id: registrationId ?? barcode ?? '',
    barcode: barcode ?? null,
    result: RESULTS[result] ?? 'failed',
    message: why ?? '',
  };
}

function summaryRecord(summary: DeleteSummary, showValues: boolean): Partial<DocumentBody<'delete@1'>> {
  const { run = null, backup = null, tooMany = null } = summary;
  const state = summary.state === 'nothing' ? 'finished' : summary.state;
  const { deleted, left, uncertain, gone, absent } = summary;
  const problems = summary.flaws.flatMap((flaw) => problemRecords(flaw, showValues));
  const counts = { deleted, left, uncertain, deleted_before: gone, absent };
  return { run, state, ...counts, backup, too_many: tooMany, problems };
}

function tellEnd(summary: DeleteSummary, call: Call<DeleteOptions>): void {
  const { state, deleted, left, gone, hidden, run, tooMany, flaws, lists, error } = summary;
  const some = plural(deleted, 'registration', 'registrations');
  if (state === 'planned') {
    say(call, `Dry run: ${some} would be deleted${tooMany === undefined ? '' : `; ${tooMany}`}.`);
    return;
  }
  const before = gone > 0 ? ` ${formatCount(gone)} had been deleted before.` : '';
  const rest = left > 0 ? `, ${formatCount(left)} not` : '';
  say(call, `${some} deleted${rest}.${before}`);
  tellFlaws(summary, call);
  if (deleted > 0 && lists.length > 0) tellComingBack(lists, call);
  // What refuses to go on says what to do.
  const isAdvised = error instanceof EventregError && error.hint !== undefined;
  if (left > 0 && state !== 'finished' && !isAdvised) say(call, 'To go on: run the same command again.');
  const isWanted = hidden === 0 && (left > 0 ? deleted > 0 : flaws.length > 0);
  if (isWanted && run !== undefined)
    say(call, `To bring the deleted ones back: ${typedCommand(['runs', 'undo', run], call.options)}`);
}

/** Of all damage, what may stand in a file and still leave no doubt about whom it names. */
const ACCEPTED = ['full-sheet'] as const satisfies Acceptable[];

const fileOptions = { ...readingOptions, accept: z.array(z.enum(ACCEPTED)).default([]) };

const FILE_SETTINGS = Object.keys(fileOptions) as (keyof typeof fileOptions)[];

const deleteShape = globalOptions.extend({ ...fileOptions, ...budgetOptions, ...eventsOption }).extend({
  ids: z.array(z.string().min(1)).default([]),
  barcode: z.array(z.string().min(1)).default([]),
  file: z.string().min(1).optional(),
  persona: z.string().min(1).optional(),
  maxDelete: maxDelete.default(DEFAULT_MAX_DELETE),
  /** Undefined: however many are refused, the others are tried. */
  maxFailures: maxDelete.optional(),
  /** Undefined: a file in the state directory. */
  backup: newFile.optional(),
  dryRun: z.boolean().default(false),
  report: reportOption,
});

export const deleteOptions = deleteShape.superRefine((options, context) => {
  if (options.file !== undefined) return;
  refuseUnused(options, FILE_SETTINGS, context, 'says how --file is read, and there is none');
});
export type DeleteOptions = z.infer<typeof deleteOptions>;

function addDeleteFlags(command: Command): Command {
  command
    .option('--barcode <barcode>', 'the registration with this barcode; repeatable', collect)
    .option('--file <file>', 'an XLSX, ODS, CSV, JSON or NDJSON file: registration_id or barcode', once)
    .option('--persona <slug>', 'all registrations of a persona', once)
    .option(
      '--max-delete <number>',
      'stop when it would be more than this, or a share such as 10% (50 unless given; of a file or a persona a third)',
    )
    .option('--max-failures <limit>', 'stop when more than this are refused, a number or a share such as 10%')
    .option('--backup <file>', 'write the backup there; the file must not exist')
    .option('--dry-run', 'show what would be deleted')
    .option(...reportFlag, collect);
  flagGroup(command, 'Options:')(...eventsFlag);
  addBudgetFlags(flagGroup(command, 'Request budget:'));
  addSetFlag(command, flagGroup(command, 'How the file is read (found out unless given):'), FILE_SETTINGS);
  return command;
}
