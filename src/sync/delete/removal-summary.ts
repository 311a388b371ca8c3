import { EventregError, type ExitCode, isCalledOff } from '../../errors.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, SENT } from '../../registration/model/row-states.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { AuditResult, RowProblem } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { utcMinute } from '../../report/words/time-words.ts';
import { deletions, lastSeen } from '../journal/delete-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { backupsOf } from '../journal/runs.ts';
import type { SendContext, Session } from '../journal/send-context.ts';
import { addFinding } from '../journal/steps.ts';
import { type ToldRow, toldRows } from '../journal/told-rows.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { readShortList } from '../snapshot/read-now.ts';
import { readProblems } from '../tell/problems.ts';
import { exitCodeOf } from '../tell/summary.ts';
import { asKept } from './backup.ts';
import { stayingMembers, withMembers } from './hold.ts';
import { nameOf } from './names.ts';
import type { Wanted } from './select.ts';

/** How a delete or an undo ended, as data. */
export interface RemovalSummary {
  /** `planned`: a dry run, in which nothing was done. `nothing`: there was nothing to do. */
  state: 'planned' | 'nothing' | 'finished' | 'stopped' | 'interrupted';
  /** Undefined where no run was begun. */
  run: string | undefined;
  /** In a dry run, what would be. */
  deleted: number;
  restored: number;
  /** There was nothing left to do: they are gone, or as they were. */
  settled: number;
  /** Left alone, refused, or not brought back. */
  kept: number;
  uncertain: number;
  /** Not tried any more. */
  open: number;
  /** Where the deleted registrations are kept. */
  backup: string | undefined;
  /** Why a real run would refuse; only in a dry run. */
  tooMany?: string | undefined;
  audit?: AuditResult | undefined;
  /** What is otherwise than it was to be left, also of registrations that nothing was asked for. */
  flaws: readonly RowProblem[];
  /** What stopped it, if anything did. */
  error?: Error | undefined;
}

/** Counts what a delete or an undo came to, with what an interrupted command of the same wish has done of it. */
export function summariseRemoval(
  journal: Journal,
  run: string,
  ended: Pick<RemovalSummary, 'state' | 'tooMany' | 'audit' | 'error'>,
): RemovalSummary {
  const isDry = ended.state === 'planned';
  const counts = { deleted: 0, restored: 0, settled: 0, kept: 0, uncertain: 0, open: 0 };
  for (const row of toldRows(journal, run)) {
    const result = resultOf(row, isDry);
    counts[result === 'delete' ? 'deleted' : result === 'restore' ? 'restored' : result] += 1;
  }
  const isRun = !isDry && ended.state !== 'nothing';
  return {
    ...counts,
    run: isRun ? run : undefined,
    backup: isRun ? backupsOf(journal, run)[0] : undefined,
    flaws: flawsOf(journal, run),
    ...ended,
  };
}

/** What a run has left otherwise than it was to be left. */
export const flawsOf = (journal: Journal, run: string): RowProblem[] =>
  readProblems(journal, run).filter(
    ({ differences = [], state }) => differences.length > 0 || FLAWS.has(state),
  );

const FLAWS: ReadonlySet<RowProblem['state']> = new Set(['gone', 'orphaned', 'unseen', 'lost']);

/** What became of a row; in a dry run what would. */
function resultOf({ op, state }: ToldRow, isDry: boolean): RemovalEntry['result'] {
  if (state === 'pending') return isDry ? (op === 'delete' ? 'delete' : 'restore') : 'open';
  if (state === 'deleted') return 'deleted';
  if (SENT.has(state)) return 'restored';
  if (state === 'unchanged') return 'settled';
  return IN_DOUBT.has(state) ? 'uncertain' : 'kept';
}

/** The exit code that tells a script what happened; the worst finding wins. `isShort`: not all came to what was asked for. */
export const removalExitCode = (summary: RemovalSummary, isShort: boolean): ExitCode =>
  exitCodeOf(summary, isShort || summary.flaws.length > 0 || summary.audit?.skipped !== undefined);

/** What became of one registration. In a dry run `delete` and `restore` say what would. */
export interface RemovalEntry {
  result: 'deleted' | 'restored' | 'delete' | 'restore' | 'settled' | 'kept' | 'uncertain' | 'open';
  /** Where its row stands in the files of the run that was undone; undefined when none stands for it. */
  place: string | undefined;
  barcode: string | undefined;
  persona: string | undefined;
  registrationId: string | undefined;
  /** Why it is kept, or what else there is to say. */
  why: string | undefined;
}

const LISTS: readonly (readonly RemovalEntry['result'][])[] = [
  ['deleted', 'delete'],
  ['restored', 'restore'],
  ['settled', 'kept', 'uncertain', 'open'],
];

/** Three lists, one after the other: deleted, restored, the others; each in the order of the files. */
export function removalEntries(journal: Journal, run: string, isDry: boolean): RemovalEntry[] {
  const entries = [...toldRows(journal, run)].map((row): RemovalEntry => {
    const { barcode, persona, remoteId: registrationId } = row;
    const result = resultOf(row, isDry);
    const place = row.place.file === '' ? undefined : formatPlace(row.place);
    return { result, place, barcode, persona, registrationId, why: whyOf(row, result) };
  });
  const lists = LISTS.map((results) => entries.filter(({ result }) => results.includes(result)));
  return lists.flat();
}

function whyOf({ plan, message, findings }: ToldRow, result: RemovalEntry['result']): string | undefined {
  if (result === 'deleted' || result === 'delete') return undefined;
  if (result !== 'restored' && result !== 'restore')
    return message ?? (result === 'open' ? 'not tried any more' : undefined);
  const unseen = findings.find(({ kind }) => kind === 'unseen')?.message;
  return unseen ?? (plan === 'create' && result === 'restored' ? 'created again' : undefined);
}

/**
 * Says of names that are not listed what earlier runs have deleted, and of which nobody is known to have: a list may be
 * late, or hold back some. Returns how many those are.
 */
export function tellAbsent(
  names: readonly string[],
  { barcodes, pairs }: Wanted,
  { journal, run, target, reporter }: SendContext,
): { gone: number; absent: number } {
  const all = names.map((name) => ({ name, seen: lastSeen(journal, target, name) }));
  const unknown = all.filter(({ seen }) => seen?.isGone !== 1);
  for (const { name, seen } of all) {
    if (seen?.isGone !== 1) continue;
    const how = seen.op === 'delete' ? `before, by run ${seen.run}` : `with eventreg since run ${seen.run}`;
    reporter.report({ type: 'note', text: `${name} was deleted ${how} (${utcMinute(seen.at)} UTC).` });
  }
  for (const { name, seen } of unknown) {
    const last = seen && `, though run ${seen.run} sent it or saw it there (${utcMinute(seen.at)} UTC)`;
    const isId = !barcodes.includes(name);
    const asBarcode = isId && pairs === undefined ? `; a barcode is given as --barcode ${name}` : '';
    const text = `No registration is listed with the ${isId ? 'id' : 'barcode'} ${name}${last ?? ''}${asBarcode}.`;
    reporter.report({ type: 'warning', text });
    const known = isId ? { id: name, barcode: undefined } : { id: undefined, barcode: name };
    addFinding(journal, run, { kind: 'unseen', seq: undefined, ...known, message: 'it is not listed' });
  }
  return { gone: all.length - unknown.length, absent: unknown.length };
}

/** Where records show no fields, the backup holds who was there, but none of the values. Returns how many do not. */
export function tellHidden(records: readonly RegistrationRecord[], { reporter }: Session): number {
  const hidden = records.filter(({ persona, fields }) => persona === undefined || fields === undefined);
  if (hidden.length === 0) return 0;
  const some = plural(hidden.length, 'registration', 'registrations');
  const text = `The service does not show persona or values of ${some}: the backup cannot bring them back.`;
  reporter.report({ type: 'warning', text });
  return hidden.length;
}

/** Names what of some registrations nothing brings back, because it was never seen whole. */
export function tellLacking(
  records: readonly RegistrationRecord[],
  context: Session,
  reading: ListReading | undefined,
): void {
  const all = asKept(context, records, reading);
  const some = all.filter(({ lacking }) => lacking.length > 0);
  if (some.length === 0) return;
  const names = [...new Set(some.flatMap(({ lacking }) => lacking))].join(', ');
  const whose = plural(some.length, 'registration', 'registrations');
  const text = `The service does not show ${names} of ${whose} whole, and it was not sent from here: neither an undo nor the backup brings it back.`;
  context.reporter.report({ type: 'warning', text });
}

/** Names what is to go and has members that are not to, where the list is short, and shows who is a member of whom. */
export async function warnOfMembers(
  records: readonly RegistrationRecord[],
  context: SendContext,
): Promise<void> {
  const { reporter } = context;
  const warn = (text: string): void => reporter.report({ type: 'warning', text });
  const quiet = { ...reporter, report: () => undefined };
  const reading = await readShortList({ ...context, reporter: quiet });
  tellLacking(records, context, reading);
  if (reading === undefined) return warn(NOT_LOOKED);
  if (!reading.parentsShown) warn(MEMBERS_AT_RISK);
  const members = stayingMembers(withMembers(context, reading, records), records);
  for (const record of records) {
    const count = members.of(record.barcode).length;
    if (count === 0) continue;
    const some = plural(count, 'registration that is', 'registrations that are');
    const them = count === 1 ? 'it' : 'them';
    warn(
      `registration ${nameOf(record)} is the parent of ${some} not to be deleted: the service may delete ${them} as well, or leave ${them} without a parent; the backup has ${them}, too.`,
    );
  }
}

const NOT_LOOKED =
  'Whether what is to be deleted has members was not looked at, as the list is too long: what the service deletes with its parent is not in the backup.';
/** What is said of deleting where no list shows parents. */
export const MEMBERS_AT_RISK =
  'The service does not show who belongs to a group, if anybody does: members of what is deleted may lose their parent, or go with it, and the backup has only those that this machine has sent.';

/**
 * How many registrations of a persona the service lists after all that it had listed of it were deleted. Some services
 * end a list early, and give no count that would tell. Says how many there are; that the list cannot be read is told,
 * not thrown.
 */
export async function leftOfPersona(
  { persona }: Wanted,
  { journal, run, registrations, reporter, stopping }: SendContext,
): Promise<number> {
  if (persona === undefined || stopping.aborted) return 0;
  const chosen = new Set(deletions(journal, run).map(({ id }) => id));
  let left = 0;
  try {
    await registrations.readAll({ persona }, ({ records, restart }) => {
      left = records.filter((record) => !chosen.has(nameOf(record))).length + (restart ? 0 : left);
    });
  } catch (error) {
    if (stopping.aborted) return 0;
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    const text = `Whether any of the persona ${persona} are left could not be read: ${error.message}`;
    reporter.report({ type: 'warning', text });
    return 0;
  }
  if (left > 0) {
    const some = plural(left, 'registration', 'registrations');
    const [is, them] = left === 1 ? ['is', 'it came'] : ['are', 'they came'];
    const text = `${some} of the persona ${persona} ${is} still there: the list did not show all of it, or ${them} meanwhile. Run the same command again for the rest.`;
    reporter.report({ type: 'warning', text });
  }
  return left;
}
