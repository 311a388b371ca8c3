import { changesButMessages, fieldsOf } from '../../registration/changes/field-change.ts';
import { hashOf, type Registration, type RegistrationRecord } from '../../registration/model/registration.ts';
import { among, IN_DOUBT, type RowState, THERE } from '../../registration/model/row-states.ts';
import { decideCommand } from '../../sync/decide/decide-command.ts';
import type { Doubt } from './doubts.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import { Lookup } from '../../sync/decide/lookup.ts';
import { KnownIds } from '../../sync/snapshot/known-ids.ts';
import { outcomeOf } from '../../sync/decide/judge-found.ts';
import { rowCodec, type RowOf, said, value } from '../../sqlite/row-codec.ts';
import { emailOf, hasName, isNamedOtherwise, nameKeyOf } from '../../sync/decide/near.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { CHEAP_PAGES } from '../../sync/snapshot/read-now.ts';

/** Doubts that nothing tells apart, with what the service lists. */
interface Likely {
  context: SendContext;
  reading: ListReading;
  ids: KnownIds;
  namesakes: Namesakes;
  rivals: readonly Rival[];
}

/**
 * Settles uncertain rows that nothing tells apart from others where exactly one registration that no row stands for has
 * all that was sent: whoever has sent it, the person is there once, as the list says. Of the others it notes what is
 * likely, for the person who decides: they stay uncertain. Reads the list, unless that is long for so few rows and
 * `whole` is not set.
 */
export async function settleLikely(
  context: SendContext,
  doubts: readonly Doubt[],
  { whole = false }: { whole?: boolean | undefined },
): Promise<void> {
  if (doubts.length === 0) return;
  const { journal, run, clock } = context;
  const count = Math.max(CHEAP_PAGES, doubts.length);
  const reading = await readListed(context, { barcodes: () => [], count, whole });
  const ids = new KnownIds(journal, run);
  const namesakes = readNamesakes(context, reading, doubts);
  const likely = { context, reading, ids, namesakes, rivals: readRivals(context, doubts) };
  for (const doubt of doubts) {
    const { id, note } = whatIsLikely(likely, doubt);
    if (id !== undefined) {
      ids.add(id, doubt.row.seq);
      writeOutcome(journal, run, doubt.row.seq, outcomeOf({ kind: 'done', id }), clock.now(), 'looked');
    }
    if (note === undefined) continue;
    const message = `${note}; say what is so with ${decideCommand(run, doubt.row.place)}`;
    // As an earlier run has said it: what is decided of one counts for both.
    if (messageOf(context, doubt)?.startsWith(`${note}; `) === true) continue;
    writeOutcome(journal, run, doubt.row.seq, { state: 'uncertain', message }, clock.now(), 'looked');
  }
}

function messageOf({ journal, run }: SendContext, { row }: Doubt): string | undefined {
  return journal.get<{ message?: string }>('SELECT message FROM row WHERE run = $run AND seq = $seq', {
    run,
    seq: row.seq,
  })?.message;
}

/** The id of the registration that it is, or a clause that names registrations, never values of persons; neither when nothing can be said. */
function whatIsLikely(likely: Likely, doubt: Doubt): { id?: string | undefined; note?: string } {
  const { context, reading, ids, namesakes } = likely;
  const { row } = doubt;
  const { listed, how, fieldsShown, idsShown, moved } = reading;
  const fields = fieldsOf(context.event);
  const { registration } = row;
  const email = emailOf(registration, fields);
  const name = nameKeyOf(registration, fields);
  if ((email ?? name) === undefined || how !== 'list' || !fieldsShown || !idsShown) return {};
  const by = email === undefined ? 'name' : 'e-mail';
  const same = email === undefined ? namesakes.of(name) : listed.byEmail(registration.persona, email);
  const all = same.filter(({ id }) => id !== undefined);
  const found = all.filter(({ id = '' }) => !ids.belongsToAnother(id, row.seq));
  const isNoMoreTheirs = (record: RegistrationRecord): boolean =>
    ids.othersWith(record.id ?? '', row.seq).some((other) => isNamedOtherwise(other, record, fields));
  const alike = found.filter((record) => differences(context, row.registration, record).length === 0);
  const [own] = alike;
  if (own !== undefined && alike.length === 1 && !moved && isOnlyOf(likely, doubt, own))
    return { id: own.id };
  if (own !== undefined) return { note: `likely there: ${have(alike)} all that was sent` };
  const [first] = found;
  if (first !== undefined) {
    const names = differences(context, row.registration, first).join(', ');
    return { note: `perhaps there: ${have(found)} its ${by}, but other values in: ${names}` };
  }
  // A service that takes people for one gives them one id: it may be this row's by now.
  const named = all.filter((record) => hasName(registration, record, fields) && isNoMoreTheirs(record));
  if (named.length > 0)
    return { note: `perhaps there: ${have(named)} its e-mail and name, with the id of another row` };
  if (moved) return {};
  const none = all.length === 0 ? `no registration with its ${by} is listed` : othersOnly(by);
  return { note: `likely not there: ${none}` };
}

/**
 * Whether a registration can be that of no other row, and is not one that the request may have changed. Which of several
 * equal rows has landed does not matter: the others stay in doubt.
 */
function isOnlyOf({ context, rivals }: Likely, { row, cause }: Doubt, record: RegistrationRecord): boolean {
  if (cause === 'deleting' || row.remoteId !== undefined) return false;
  if (row.near?.some(({ image }) => image?.id === record.id) === true) return false;
  const hash = hashOf(row.registration);
  return rivals.every(
    ({ seq, state, registration }) =>
      seq === row.seq ||
      (IN_DOUBT.has(state) && hashOf(registration) === hash) ||
      differences(context, registration, record).length > 0,
  );
}

const RIVAL = rowCodec({ seq: value<number>(), state: value<RowState>(), registration: said() });
type Rival = RowOf<typeof RIVAL>;

/** Rows of the run that have the e-mail, or without one the name, of one in doubt, and whose registration is not known either. */
function readRivals(context: SendContext, doubts: readonly Doubt[]): Rival[] {
  const { journal, run, event } = context;
  const fields = fieldsOf(event);
  const keyOf = (one: Registration): string | undefined => emailOf(one, fields) ?? nameKeyOf(one, fields);
  const wanted = new Set(doubts.map(({ row }) => keyOf(row.registration)));
  const rows = journal.readAll(
    RIVAL,
    `FROM row WHERE run = $run AND op = 'send' AND barcode IS NULL AND remote_id IS NULL
       AND state ${among([...THERE, ...IN_DOUBT])} AND seq > $after ORDER BY seq`,
    { run },
    'seq',
  );
  const rivals: Rival[] = [];
  for (const row of rows) if (wanted.has(keyOf(row.registration))) rivals.push(row);
  return rivals;
}

/** Registrations without an e-mail, by `nameKeyOf`. */
type Namesakes = Lookup<string, RegistrationRecord>;

/** Of rows in doubt that have no e-mail. */
function readNamesakes(
  context: SendContext,
  { listed, how }: ListReading,
  doubts: readonly Doubt[],
): Namesakes {
  const fields = fieldsOf(context.event);
  const nameless = doubts.filter(({ row }) => emailOf(row.registration, fields) === undefined);
  const personas = new Map<string, string>();
  for (const { row } of nameless) {
    const key = nameKeyOf(row.registration, fields);
    if (key !== undefined) personas.set(key, row.registration.persona);
  }
  const found = new Lookup<string, RegistrationRecord>();
  if (personas.size === 0 || how !== 'list') return found;
  for (const { record, email } of listed.numbered()) {
    if (email !== undefined) continue;
    for (const persona of new Set(record.persona === undefined ? personas.values() : [record.persona])) {
      const key = nameKeyOf({ persona, fields: record.fields ?? {} }, fields);
      if (key !== undefined && personas.has(key)) found.add(key, record);
    }
  }
  return found;
}

const othersOnly = (by: string): string => `those that are listed with its ${by} stand for other rows`;

/** `registration reg-12 has`, or `registrations reg-12, reg-13 have`. */
function have(records: readonly RegistrationRecord[]): string {
  const ids = records.map(({ id }) => id).join(', ');
  return records.length === 1 ? `registration ${ids} has` : `registrations ${ids} have`;
}

function differences(
  { event }: SendContext,
  registration: Doubt['row']['registration'],
  record: RegistrationRecord,
): string[] {
  return (changesButMessages(registration, record, fieldsOf(event)) ?? []).map(({ field }) => field);
}
