import type { Command } from 'commander';
import { EXIT, type ExitCode, EventregError, GuardError, UsageError } from '../errors.ts';
import { Journal } from '../push/journal.ts';
import { noteDeletion } from '../push/runs.ts';
import { visible } from '../report/escape.ts';
import { formatCount, plural } from '../report/number.ts';
import type { Runtime } from '../runtime.ts';
import { TransportError } from '../service/http.ts';
import { type Connection, connect } from './connection.ts';
import { backupRecord, writeBackup } from './delete-backup.ts';
import { readWanted } from './delete-file.ts';
import { addDeleteFlags, type DeleteOptions, deleteOptions } from './delete-options.ts';
import { type Deletable, type Selection, select, type Wanted } from './delete-selection.ts';
import { checkPersona } from './find-persona.ts';
import { type Handler, parseOptions, rawOptions } from './options.ts';
import { confirm, openRecords, openReporter, say } from './terminal.ts';

const HELP = `
What is deleted is first read and written to a backup file, which \`eventreg push\` takes back as it is
(the service gives new ids, and messages are not sent again). Deleting cannot be undone otherwise.
It asks before it deletes; without a terminal it needs --yes.
--file reads Excel workbooks (.xlsx), CSV, a JSON array, or NDJSON; - reads standard input. What the file
leaves open (hidden rows, several sheets) is an error that names the flag: nobody is deleted on a guess.

Examples:
  eventreg delete 8f14e45f c9f0f895
  eventreg delete --barcode EV-0012
  eventreg delete --file cancelled.csv --max-delete 200 --yes
  eventreg delete --file guests.xlsx --sheet Cancelled --no-include-hidden
  eventreg delete --persona visitor --dry-run

Exit codes: 0 all deleted · 1 failed · 2 wrong usage · 3 some were not there or could not be deleted ·
4 not authorised · 7 a guard stopped it or not confirmed · 130 interrupted`;

/** Defines `eventreg delete` on its command. */
export function defineDelete(command: Command, handle: Handler<DeleteOptions>): void {
  addDeleteFlags(command)
    .description('Delete registrations, keeping a backup that push takes back.')
    .argument('[id...]', 'ids of registrations, as `eventreg list` shows them')
    .addHelpText('after', HELP)
    .action(async (ids: string[]) => {
      await handle(parseOptions(deleteOptions, { ...rawOptions(command), ids }));
    });
}

/** Selects, guards, backs up, deletes. Nothing is deleted before the backup is on the disk. */
export async function runDelete(options: DeleteOptions, runtime: Runtime): Promise<ExitCode> {
  const wanted = await wantedOf(options, runtime);
  const connection = await connect(options, runtime);
  try {
    const selection = await select(wanted, connection.client.registrations);
    for (const name of selection.absent)
      say(options, runtime, `No registration has the id or barcode ${visible(name)}.`);
    if (selection.records.length === 0) {
      // A persona that does not exist is a mistake, not an empty selection.
      if (wanted.persona !== undefined) await checkPersona(wanted.persona, connection.client);
      return nothingToDelete(selection, options, runtime);
    }
    warnOfEmptyBackup(selection, options, runtime);
    if (options.dryRun) return await showOnly(selection, options, runtime);
    guard(selection, options);
    const question = `Delete ${plural(selection.records.length, 'registration', 'registrations')} from ${connection.label}?`;
    if (!(await confirm(options, runtime, visible(question)))) throw new GuardError('Nothing was deleted.');
    const backup = writeBackup(selection.records, options.backup, runtime);
    say(options, runtime, `Backup: ${visible(backup)}`);
    const gone = await deleteAll(selection.records, connection, options, runtime);
    const left = selection.records.length - gone;
    say(
      options,
      runtime,
      `${plural(gone, 'registration', 'registrations')} deleted${left > 0 ? `, ${formatCount(left)} not` : ''}.`,
    );
    if (gone > 0 && left > 0)
      say(options, runtime, `To bring the deleted ones back: eventreg push ${visible(backup)}`);
    return left > 0 || selection.absent.length > 0 ? EXIT.rejected : EXIT.done;
  } finally {
    await connection.close();
  }
}

async function wantedOf(options: DeleteOptions, runtime: Runtime): Promise<Wanted> {
  const { ids, barcode, file, persona } = options;
  const ways = [ids.length + barcode.length > 0, file !== undefined, persona !== undefined].filter(
    Boolean,
  ).length;
  if (ways === 0) {
    throw new UsageError('Which registrations?', { hint: 'Give ids, --barcode, --file or --persona.' });
  }
  if (ways > 1) throw new UsageError('Give either ids and barcodes, or --file, or --persona.');
  if (file !== undefined) return await readWanted(file, options, runtime);
  return { ids: [...new Set(ids)], barcodes: [...new Set(barcode)], persona };
}

function nothingToDelete({ absent }: Selection, options: DeleteOptions, runtime: Runtime): ExitCode {
  say(options, runtime, 'There is nothing to delete.');
  return absent.length > 0 ? EXIT.rejected : EXIT.done;
}

function guard({ records }: Selection, { maxDelete }: DeleteOptions): void {
  if (records.length <= maxDelete) return;
  throw new GuardError(
    `This would delete ${plural(records.length, 'registration', 'registrations')}, more than --max-delete allows (${formatCount(maxDelete)}). Nothing was deleted.`,
    { hint: `If that is what you want, add --max-delete ${records.length}.` },
  );
}

/** Where records show no fields, the backup holds who was there, but none of the values. */
function warnOfEmptyBackup({ records }: Selection, options: DeleteOptions, runtime: Runtime): void {
  const hidden = records.filter(
    ({ fields, persona }) => fields === undefined || persona === undefined,
  ).length;
  if (hidden === 0) return;
  const some = plural(hidden, 'registration', 'registrations');
  say(
    options,
    runtime,
    `The service does not show persona and fields of ${some}: the backup cannot bring their values back.`,
  );
}

async function showOnly({ records }: Selection, options: DeleteOptions, runtime: Runtime): Promise<ExitCode> {
  const tooMany =
    records.length > options.maxDelete
      ? `, more than --max-delete allows (${formatCount(options.maxDelete)})`
      : '';
  const writer = openRecords(options, runtime, ['registration_id', 'persona', 'barcode', 'parent_barcode']);
  for (const record of records) await writer.write(backupRecord(record));
  await writer.end();
  say(
    options,
    runtime,
    `Dry run: ${plural(records.length, 'registration', 'registrations')} would be deleted${tooMany}.`,
  );
  return EXIT.done;
}

/** Deletes one after the other, goes on after a failure, and prints what became of each. Returns how many are gone. */
async function deleteAll(
  records: readonly Deletable[],
  { client, service }: Connection,
  options: DeleteOptions,
  runtime: Runtime,
): Promise<number> {
  const writer = openRecords(options, runtime, ['registration_id', 'barcode', 'result', 'message']);
  const journal = new Journal(runtime.paths.state);
  const reporter = await openReporter(options, runtime, { rejectsFile: false });
  let gone = 0;
  try {
    for (const [at, record] of records.entries()) {
      runtime.stopping.throwIfAborted();
      noteDeletion(journal, service, record, 'uncertain');
      const { result, message, kept } = await deleteOne(record, client.registrations);
      if (result === 'deleted') gone += 1;
      else reporter.report({ type: 'warning', text: message });
      if (result === 'deleted') noteDeletion(journal, service, record, 'deleted');
      else if (kept) noteDeletion(journal, service, record, 'done');
      reporter.report({ type: 'deleting', done: at + 1, total: records.length });
      await writer.write({ registration_id: record.id, barcode: record.barcode ?? null, result, message });
    }
  } finally {
    reporter.close();
    await writer.end();
    journal.close();
  }
  return gone;
}

interface Fate {
  result: 'deleted' | 'absent' | 'failed';
  message: string;
  /** True when the service has said that it keeps the registration. */
  kept: boolean;
}

/** Failures of one registration are told and passed over; those that would meet every one are thrown. */
async function deleteOne(
  { id }: Deletable,
  registrations: Connection['client']['registrations'],
): Promise<Fate> {
  try {
    const result = await registrations.remove(id);
    const absent = `Registration ${id} was listed, but the service says that it is not there: look again with \`eventreg list\`.`;
    return { result, message: result === 'absent' ? absent : '', kept: false };
  } catch (error) {
    const passable = error instanceof EventregError && error.exitCode === EXIT.failed;
    if (!passable) throw error;
    // Without an answer nobody knows; with one the service has refused.
    return { result: 'failed', message: error.message, kept: !(error.cause instanceof TransportError) };
  }
}
